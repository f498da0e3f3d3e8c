"""Propagation: found once, found everywhere in the patient's notes."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.combine.propagate import _finder, propagate
from plainsight.document import Document, Span
from plainsight.formats.inline import parse
from plainsight.labels import LABELS


def note(marked: str, *, name: str = "1", patient: str | None = "p") -> Document:
    text, spans = parse(marked)
    return Document(name, text, tuple(replace(s, score=0.9, source="gold.mark") for s in spans), patient)


def spread(first: str, second: str) -> str:
    """Return the second note, marked with what the first one tells."""
    return marked(propagate([note(first), note(second, name="2")])[1])


def marked(document: Document) -> str:
    pieces, last = [], 0
    for span in document.spans:
        inside = document.text[span.start : span.end]
        pieces += [document.text[last : span.start], f"{{{{{span.label}|{inside}}}}}"]
        last = span.end
    return "".join([*pieces, document.text[last:]])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # names: in full and by each word that is not an ordinary one, in any case
        ("{{PATIENT|Odessa Pettway}}", "{{PATIENT|Odessa Pettway}}; {{PATIENT|Pettway}}, {{PATIENT|ODESSA}}"),
        ("{{PATIENT|Odessa Pettway}}", "mrs {{PATIENT|pettway}}'s; Pettways; odessan"),
        ("{{DOCTOR|Will Young}}", "{{DOCTOR|WILL YOUNG}} will; Young; WILL; will young"),
        ("{{DOCTOR|GAITHERS-BOYD, T}}", "{{DOCTOR|Gaithers-Boyd}}; {{DOCTOR|Boyd}}, T"),
        ("{{DOCTOR|GAITHERS-BOYD, T}}", "{{DOCTOR|Gaithers-Boyd, T}}; T; {{DOCTOR|Boyd}}"),
        ("{{PATIENT|Eli Ng}}", "{{PATIENT|Eli}} spits; ELI test; eli; Ng; {{PATIENT|ELI NG}}"),
        ("{{PATIENT|José Núñez}}", "{{PATIENT|Nunez}}; {{PATIENT|NÚÑEZ}}; {{PATIENT|Jose}}"),
        ("Dr. {{DOCTOR|Galeazzi}}", "Galeazzi sign; per {{DOCTOR|Galeazzi}}; Galeazzi's test"),
        ("Dr. {{DOCTOR|Balfour}}", "a Balfour retractor; {{DOCTOR|Balfour}} and {{DOCTOR|Balfour}}'s exam"),
        ("Mr. {{PATIENT|Crohn}}", "he has Crohn's; Crohn-Meyer; {{PATIENT|Crohn}} is well"),
        # places and organisations: in full; abbreviations as they are
        ("{{HOSPITAL|Union River Memorial}}", "{{HOSPITAL|UNION RIVER MEMORIAL}}; union river memorial"),
        ("{{HOSPITAL|BCRMC}} {{HOSPITAL|ED}}", "{{HOSPITAL|BCRMC}}; bcrmc; ED; in the ED"),
        ("{{HOSPITAL|OR 7}} {{HOSPITAL|Room 12}}", "{{HOSPITAL|Room 12}}; OR 7; room 12"),
        ("{{ORGANIZATION|University of Iowa}}", "{{ORGANIZATION|UNIVERSITY of IOWA}}; a university of iowa"),
        ("{{ORGANIZATION|Sunbreak}} {{CITY|Reading}}", "{{ORGANIZATION|SUNBREAK}}; sunbreak; Reading"),
        ("{{CITY|Winter Harbor}}, {{CITY|Bangor}}", "{{CITY|Winter Harbor}}; {{CITY|BANGOR}}; bangor"),
        ("{{STREET|47 Cobble Landing Road}}", "{{STREET|47 COBBLE LANDING ROAD}}; 147 Cobble Landing Road"),
        ("{{LOCATION_OTHER|75}} {{LOCATION_OTHER|Orange Mound}}", "75 mg; {{LOCATION_OTHER|Orange Mound}}"),
        # numbers and codes: any punctuation, whole ones only
        ("{{MEDICALRECORD|0371-88-214}}", "{{MEDICALRECORD|037188214}}; 10371882149"),
        ("{{MEDICALRECORD|0371-88-214}}", "{{MEDICALRECORD|0371 88 214}}; 0371 88 2145"),
        ("{{PHONE|(901) 555-0142}}", "{{PHONE|901.555.0142}}; ({{PHONE|901) 555-0142}}; 555-0142"),
        ("{{PHONE|5518}} {{SSN|7706}} {{IDNUM|1234}}", "5518 7706 1234"),
        ("{{IDNUM|20417}}", "{{IDNUM|20417}}; 20417.5; $20417; 120417; 2 0417; 20,417; 20417%"),
        ("{{IDNUM|K 40917}}", "{{IDNUM|k40917}}; {{IDNUM|K-40917}}; K 409170; K\n40917"),
        ("{{IDNUM|1111111}}", "1111111"),
        ("{{HEALTHPLAN|2HJ7-WQ4-PD19}}", "MBI {{HEALTHPLAN|2hj7wq4pd19}}"),
        # strings
        ("{{EMAIL|A.Obst@example.com}}", "{{EMAIL|a.obst@example.com}}; xa.obst@example.com"),
        ("{{USERNAME|jsm12}} {{USERNAME|bill}} {{USERNAME|ab1}}", "{{USERNAME|JSM12}}; jsm123; bill; ab1"),
        ("{{URL|oak.example.com}} {{IPADDR|10.0.3.77}}", "{{URL|oak.example.com}} {{IPADDR|10.0.3.77}}"),
        # what means something else elsewhere
        ("{{DATE|3/9/2021}} {{AGE|93}} {{STATE|Maine}} {{COUNTRY|Peru}} {{ZIP|38114}} {{PROFESSION|glazier}}",
         "3/9/2021 93 Maine Peru 38114 glazier"),
        ("{{PATIENT|王小明}}", "王小明 xxx"),
    ],
)  # fmt: skip
def test_what_is_found_once_is_found_in_the_other_note(first: str, second: str) -> None:
    text, _ = parse(second)
    assert spread(first, text) == second


def test_the_finder_and_a_little_less_sureness_are_told() -> None:
    [document] = propagate([note("{{PATIENT|Pettway}} and Pettway")])
    first, second = document.spans
    assert (first.score, first.source) == (0.9, "gold.mark")
    assert second.source == "propagate.gold"
    assert 0.8 < second.score < 0.9


def test_a_span_without_a_source_is_spread_too() -> None:
    [document] = propagate([Document("1", "Pettway Pettway", (Span(0, 7, "PATIENT"),))])
    assert document.spans[1].source == "propagate"


def test_most_labels_win() -> None:
    first = note("{{PATIENT|Pettway}}; {{DOCTOR|Pettway}}; {{DOCTOR|Pettway}}")
    assert marked(propagate([first, note("Pettway", name="2")])[1]) == "{{DOCTOR|Pettway}}"


def test_notes_of_other_patients_and_of_nobody_stay_apart() -> None:
    notes = [
        note("{{PATIENT|Pettway}}", name="1", patient="p"),
        note("Pettway", name="2", patient="q"),
        note("Pettway", name="3", patient=None),
        note("{{PATIENT|Obst}} Obst", name="4", patient=None),
        note("Obst", name="5", patient=None),
        note("Pettway", name="6", patient="p"),
    ]
    assert [len(document.spans) for document in propagate(notes)] == [1, 0, 0, 2, 0, 1]


def test_spans_that_are_there_stay_and_are_not_overlapped() -> None:
    [_, document] = propagate(
        [
            note("{{PATIENT|Odessa Pettway}}"),
            note("x {{STREET|12 Odessa Lane}} Odessa {{AGE|9}} Pettway", name="2"),
        ]
    )
    assert marked(document) == "x {{STREET|12 Odessa Lane}} {{PATIENT|Odessa}} {{AGE|9}} {{PATIENT|Pettway}}"


def test_nothing_to_look_for_leaves_documents_as_they_are() -> None:
    notes = [note("plain"), note("{{DATE|May}}", name="2")]
    assert all(before is after for before, after in zip(notes, propagate(notes), strict=True))
    assert propagate([]) == []


def test_many_identifiers_are_all_found() -> None:
    letters = "bcdfghjklm"
    names = [f"Q{letters[n % 10]}z{letters[n // 10 % 10]}{letters[n // 100]}ov" for n in range(1000)]
    text = "".join(f"{name} {number:07}\n" for number, name in enumerate(names, 1))
    spans = [Span(16 * n, 16 * n + 7, "PATIENT") for n in range(1000)]
    spans += [Span(16 * n + 8, 16 * n + 15, "IDNUM") for n in range(1000)]
    [after] = propagate([Document("1", text * 3, tuple(sorted(spans)))])
    assert len(after.spans) == 6000


TEXTS = st.text(alphabet=st.sampled_from("Pettway Odessa 0371-88 \n.'é王"), max_size=60)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(TEXTS)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = [
        Span(start, end, draw(st.sampled_from(LABELS)), draw(st.floats(0, 1)), "x.y")
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    return Document("1", text, tuple(spans), draw(st.sampled_from([None, "p"])))


@given(st.lists(documents(), max_size=4))
@settings(max_examples=150, deadline=None)
def test_spans_are_only_added_and_once_is_enough(given_documents: list[Document]) -> None:
    after = propagate(given_documents)
    for before, document in zip(given_documents, after, strict=True):
        assert set(before.spans) <= set(document.spans)
        assert document == replace(before, spans=document.spans)
        for span in set(document.spans) - set(before.spans):
            around = document.text[span.start - 1 : span.start] + document.text[span.end : span.end + 1]
            assert not any(char.isascii() and char.isalnum() for char in around)
    assert [document.spans for document in propagate(after)] == [document.spans for document in after]


_FORMS = st.lists(st.text("ab", min_size=1, max_size=3).map(str.encode), min_size=1, max_size=5, unique=True)


@given(_FORMS, st.text("ab ", max_size=30).map(str.encode), st.sampled_from([b"", b" "]))
def test_few_keys_are_found_as_an_automaton_finds_them(forms, text, edge):
    one_by_one, automaton = (_finder(forms, notes, edge) for notes in (1, 1000))
    assert sorted(one_by_one(text)) == sorted(automaton(text))
