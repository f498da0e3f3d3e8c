"""Misses by kind: each rule with examples of its own."""

import pytest

from plainsight.document import Span
from plainsight.evaluate.miss_kinds import HOW, TABLES, WHAT, kind_of, miss_kinds, misses
from plainsight.evaluate.pairs import Pair
from plainsight.formats.inline import parse


def only_miss(marked, found=()):
    """Return the one miss of a note: the last mark, unless another is told to be found."""
    text, spans = parse(marked)
    (miss,) = misses([Pair("1", text, spans, tuple(Span(*edges, "X") for edges in found))])
    return miss


@pytest.mark.parametrize(
    ("marked", "what", "how"),
    [
        ("Pick up at {{ORGANIZATION|Quill Pharmacy}}", "pharmacy", "other"),
        ("Seen in {{HOSPITAL|Room 412}}", "clinic location", "other"),
        ("Seen in {{HOSPITAL|4 West}}", "clinic location", "other"),
        ("Sent to {{HOSPITAL|Mercy General Hospital}}", "healthcare organisation", "other"),
        ("From {{ORGANIZATION|Elm Street Nursing Home}}", "healthcare organisation", "other"),
        ("Works at {{ORGANIZATION|Brewster and Sons}}", "organisation or company", "other"),
        ("Works at {{ORGANIZATION|Zyquent}}", "organisation or company", "unusual organisation name"),
        ("At {{HOSPITAL|BWH}}", "healthcare organisation", "abbreviation"),
        ("Signed {{DOCTOR|JRK}}", "doctor or nurse", "initials"),
        ("Signed {{DOCTOR|J.R.}}", "doctor or nurse", "initials"),
        ("Signed /{{DOCTOR|jk}}", "doctor or nurse", "initials"),
        ("Dr. {{DOCTOR|Okafor}}", "doctor or nurse", "other"),
        ("Mr. {{PATIENT|R}} came", "patient or family name", "single letter"),
        ("{{PATIENT|delgado}} came", "patient or family name", "lower case"),
        ("{{PATIENT|DELGADO}} came", "patient or family name", "capitals"),
        ("On {{DATE|3/4/2019}}", "date", "other"),
        ("An {{AGE|86}}F", "age", "joined to other text"),
        ("Call {{PHONE|555.010.0199}}", "phone or fax", "dotted phone number"),
        ("Call {{PHONE|555-010-0199}}", "phone or fax", "other"),
        ("Pager {{PHONE|x4471}}", "phone or fax", "extension or short number"),
        ("Vaccine lot # {{IDNUM|K4471}}", "numeric id", "lot number"),
        ("MRN {{MEDICALRECORD|4471829}}", "numeric id", "other"),
        ("Lives at {{STREET|12 Elm St}}", "address", "other"),
        ("See {{URL|www.example.org}}", "e-mail or web address", "other"),
        ("A {{PROFESSION|baker}}", "profession", "other"),
        ("A {{THING|baker}}", "other", "other"),
    ],
)
def test_every_kind(marked, what, how):
    miss = only_miss(marked)
    assert (kind_of(miss, "what"), kind_of(miss, "how")) == (what, how)


def test_every_kind_has_an_example():
    examples = {mark for test in [test_every_kind] for mark in test.pytestmark[0].args[1]}
    assert {rule.kind for rule in WHAT} == {what for _, what, _ in examples}
    own_tests = {"room or building tail of a phrase", "part of a phrase", "misspelt"}
    assert {rule.kind for rule in HOW} - own_tests == {how for _, _, how in examples}


def test_part_of_a_phrase():
    miss = only_miss("{{PATIENT|Ann Roe}}", [(0, 3)])
    assert kind_of(miss, "how") == "part of a phrase"
    assert miss.leaked == ("Roe",)


def test_the_room_at_the_end_of_a_phrase():
    miss = only_miss("{{HOSPITAL|Mercy General, Room 412}}", [(0, 13)])
    assert kind_of(miss, "how") == "room or building tail of a phrase"
    front = only_miss("{{HOSPITAL|Quillerby Clinic}}", [(10, 16)])  # the name leaks, not the tail
    assert kind_of(front, "how") == "part of a phrase"


def test_a_name_misspelt_beside_the_right_one():
    miss = only_miss("{{PATIENT|Delgado}} came. {{PATIENT|Delagdo}} left.", [(0, 7)])
    assert kind_of(miss, "how") == "misspelt"
    other = only_miss("{{PATIENT|Delgado}} came. {{PATIENT|Okafor}} left.", [(0, 7)])
    assert kind_of(other, "how") == "other"


def test_what_is_found_under_another_label_is_no_miss():
    text, spans = parse("{{PATIENT|Ann Roe}}")
    assert not misses([Pair("1", text, spans, (Span(0, 7, "CITY"),))])


def test_counts_and_shares():
    pairs = [
        Pair("1", *parse("{{DOCTOR|JRK}} {{DOCTOR|JRK}} {{DATE|May}}"), ()),
        Pair("2", *parse("{{PATIENT|Ann}}"), (Span(0, 3, "PATIENT"),)),
    ]
    counted = miss_kinds(pairs)
    assert counted["what"] == {
        "doctor or nurse": {"count": 2, "unique": 1, "share": 2 / 3, "of_all": 0.5},
        "date": {"count": 1, "unique": 1, "share": 1 / 3, "of_all": 0.25},
    }
    assert list(counted["how"]) == ["initials", "other"]
    assert miss_kinds(pairs, examples=True)["what"]["date"]["example"] == "May"
    assert miss_kinds([]) == {"what": {}, "how": {}}


def test_every_miss_has_one_kind_of_each_table():
    for table in TABLES.values():
        assert table[-1].kind == "other"
        assert table[-1][1:] == ("", "", "", None)
