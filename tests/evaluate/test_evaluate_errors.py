"""Kinds of errors by hand, and the published tables from their counts (S55–S60, S167)."""

from __future__ import annotations

from itertools import repeat

import pytest
from marked_pairs import pair

from plainsight.document import Span
from plainsight.evaluate.errors import (
    Judgement,
    confusion,
    errors_per_note,
    errors_per_note_type,
    extents,
    figures_by_label,
    judge,
    kinds,
    missed_by_label,
)
from plainsight.evaluate.pairs import Pair

NOTE = pair(
    "{{DOCTOR|Ann Roe}} {{DATE|3/4}} {{HOSPITAL|Elm Clinic}} {{CITY|Cox}} tel {{PHONE|555}} ok",
    "{{PATIENT|Ann}} Roe {{DATE|3/4}} {{HOSPITAL|Elm}} Clinic Cox {{PHONE|tel 555}} {{AGE|ok}}",
)


def test_every_span_is_judged_once() -> None:
    assert [(judgement.kind, judgement.extent) for judgement in judge(NOTE)] == [
        ("type", "short"),  # a doctor taken for a patient, whatever the extent
        ("correct", ""),
        ("extent", "short"),
        ("missing", ""),
        ("extent", "long"),
        ("spurious", ""),
    ]


def test_tables_of_one_note() -> None:
    judgements = judge(NOTE)
    # five errors: one type, two extents, one missing, one spurious
    assert {kind: (row["count"], row["share"]) for kind, row in kinds(judgements).items()} == {
        "type": (1, 0.2),
        "extent": (2, 0.4),
        "missing": (1, 0.2),
        "spurious": (1, 0.2),
    }
    assert confusion(judgements) == {
        "CITY": {"missing": 1},
        "DATE": {"DATE": 1},
        "DOCTOR": {"PATIENT": 1},
        "HOSPITAL": {"HOSPITAL": 1},
        "PHONE": {"PHONE": 1},
        "spurious": {"AGE": 1},
    }
    assert extents(judgements) == {
        "HOSPITAL": {"short": 1, "long": 0, "both": 0},
        "PHONE": {"short": 0, "long": 1, "both": 0},
    }
    rows = figures_by_label(judgements)
    # the doctor: R 0/1, P 0/(0 + 1 type error + 0); the city: R 0/1, P 0/0; the age: R 0/0, P 0/1
    assert rows["DOCTOR"] == {"key": 1, "precision": 0, "recall": 0, "f": 0}
    assert rows["CITY"] == {"key": 1, "precision": None, "recall": 0, "f": 0}
    assert rows["AGE"] == {"key": 0, "precision": 0, "recall": None, "f": 0}
    # all: three right and one type error of five: R 4/5, P 4/(4 + 1 spurious)
    assert rows["all"] == {"key": 5, "precision": 0.8, "recall": 0.8, "f": pytest.approx(0.8)}


@pytest.mark.parametrize(
    ("found", "kind", "extent"),
    [
        ((2, 6), "correct", ""),
        ((3, 6), "extent", "short"),
        ((2, 5), "extent", "short"),
        ((3, 5), "extent", "short"),
        ((1, 6), "extent", "long"),
        ((2, 7), "extent", "long"),
        ((1, 7), "extent", "long"),
        ((1, 5), "extent", "both"),
        ((3, 7), "extent", "both"),
    ],
)
def test_extents(found: tuple[int, int], kind: str, extent: str) -> None:
    (judged,) = judge(Pair("1", "x" * 9, (Span(2, 6, "A"),), (Span(*found, "A"),)))
    assert (judged.kind, judged.extent) == (kind, extent)


def test_one_over_two_and_two_in_one() -> None:
    over = judge(pair("{{DATE|3 May}} {{DATE|2019}}", "{{DATE|3 May 2019}}"))
    assert [judged.kind for judged in over] == ["extent", "missing"]  # the wider one is found, too long
    inside = judge(pair("{{DATE|3 May 2019}}", "{{DATE|3 May}} {{DATE|2019}}"))
    assert [judged.kind for judged in inside] == ["extent", "spurious"]


def test_nested_marks_are_judged_apart() -> None:
    nested = pair("{{HOSPITAL|Elm City}}", "{{HOSPITAL|Elm City}}", also_gold=[(4, 8, "CITY")])
    assert [judged.kind for judged in judge(nested)] == ["correct", "missing"]


def test_empty_sides() -> None:
    assert judge(pair("x", "x")) == []
    assert kinds([])["missing"] == {"count": 0, "share": None}
    assert confusion([]) == extents([]) == {}
    assert figures_by_label([])["all"] == {"key": 0, "precision": None, "recall": None, "f": None}
    assert [judged.kind for judged in judge(pair("{{AGE|7}}", "7"))] == ["missing"]
    assert [judged.kind for judged in judge(pair("7", "{{AGE|7}}"))] == ["spurious"]


# --- the published counts (S56–S58) ------------------------------------------------------------------------

KEY = {"AGE": 3, "DATE": 1931, "DOCTOR": 1070, "HOSPITAL": 676, "ID": 1143, "LOCATION": 119, "PATIENT": 245,
       "PHONE": 58}  # fmt: skip
TYPE = {("DATE", "DOCTOR"): 1, ("HOSPITAL", "DATE"): 1, ("LOCATION", "HOSPITAL"): 5, ("PATIENT", "DOCTOR"): 1}
MISSING = {
    "AGE": 1,
    "DATE": 24,
    "DOCTOR": 20,
    "HOSPITAL": 30,
    "ID": 3,
    "LOCATION": 40,
    "PATIENT": 8,
    "PHONE": 5,
}
SPURIOUS = {"DATE": 22, "DOCTOR": 6, "HOSPITAL": 5, "ID": 3, "LOCATION": 3, "PATIENT": 1}
EXTENT = {"DATE": (1, 3, 0), "DOCTOR": (0, 16, 0), "HOSPITAL": (33, 17, 1), "ID": (2, 0, 0),
          "LOCATION": (3, 2, 0), "PATIENT": (0, 1, 0), "PHONE": (4, 0, 0)}  # fmt: skip
EDGES = {"short": (2, 5), "long": (1, 6), "both": (1, 5), "right": (2, 6)}  # of a gold span from 2 to 6


def published() -> Pair:
    """Return one long note with the published number of spans of each kind, ten characters apart."""
    gold: list[Span] = []
    found: list[Span] = []
    places = iter(range(0, 100_000, 10))

    def put(wanted: str | None, claimed: str | None, extent: str = "right") -> None:
        place = next(places)
        start, end = EDGES[extent]
        gold.extend([Span(place + 2, place + 6, wanted)] if wanted else [])
        found.extend([Span(place + start, place + end, claimed)] if claimed else [])

    for label, key in KEY.items():
        confused = {two: count for (one, two), count in TYPE.items() if one == label}
        shapes = dict(zip(("short", "long", "both"), EXTENT.get(label, (0, 0, 0)), strict=True))
        right = key - MISSING[label] - sum(confused.values()) - sum(shapes.values())
        for extent, count in {**shapes, "right": right}.items():
            for _ in range(count):
                put(label, label, extent)
        for other, count in confused.items():
            for _ in range(count):
                put(label, other)
        for _ in range(MISSING[label]):
            put(label, None)
        for _ in range(SPURIOUS.get(label, 0)):
            put(None, label)
    return Pair("published", " " * next(places), tuple(gold), tuple(found))


@pytest.fixture(scope="module")
def judgements() -> list[Judgement]:
    return judge(published())


def test_published_figures_by_type(judgements: list[Judgement]) -> None:
    printed = {
        "AGE": (100, 66.67, 80.00),
        "DATE": (98.81, 98.71, 98.76),
        "DOCTOR": (99.43, 98.13, 98.78),
        "HOSPITAL": (99.08, 95.41, 97.21),
        "ID": (99.74, 99.74, 99.74),
        "LOCATION": (90.24, 62.18, 73.63),
        "PATIENT": (99.16, 96.33, 97.72),
        "PHONE": (100, 91.38, 95.50),
        # 2*5114/(5154 + 5245) = .98356; printed is 98.35, F of the printed figures: 2*99.22*97.50 / 196.72
        "all": (99.22, 97.50, 98.36),
    }
    assert round(2 * 99.22 * 97.50 / 196.72, 2) == 98.35
    rows = figures_by_label(judgements)
    rounded = {
        label: tuple(round(100 * row[name], 2) for name in ("precision", "recall", "f"))
        for label, row in rows.items()
    }
    assert rounded == printed
    assert {label: row["key"] for label, row in rows.items()} == {**KEY, "all": 5245}


def test_published_confusion(judgements: list[Judgement]) -> None:
    table = confusion(judgements)
    right = {"AGE": 2, "DATE": 1906, "DOCTOR": 1050, "HOSPITAL": 645, "ID": 1140, "LOCATION": 74,
             "PATIENT": 236, "PHONE": 53}  # fmt: skip
    assert {label: table[label][label] for label in KEY} == right
    assert sum(right.values()) == 5106
    assert {label: table[label]["missing"] for label in KEY} == MISSING
    assert table["spurious"] == SPURIOUS
    assert {(one, two): table[one][two] for one, two in TYPE} == TYPE


def test_published_kinds_and_extents(judgements: list[Judgement]) -> None:
    table = kinds(judgements)
    assert {kind: row["count"] for kind, row in table.items()} == {
        "type": 8, "extent": 83, "missing": 131, "spurious": 40,
    }  # fmt: skip
    assert [round(100 * row["share"], 1) for row in table.values()] == [3.1, 31.7, 50.0, 15.3]
    assert {label: tuple(row.values()) for label, row in extents(judgements).items()} == EXTENT
    # the printed total of the long ones, 40, is not their sum
    totals = [sum(column) for column in zip(*EXTENT.values(), strict=True)]
    assert totals == [43, 39, 1]


# --- misses per note (S167) --------------------------------------------------------------------------------


def test_misses_per_note_by_hand() -> None:
    notes = [
        pair("{{AGE|7}} {{AGE|8}} {{CITY|Cox}}", "{{AGE|7}} {{AGE|8}} {{CITY|Cox}}"),
        pair("{{AGE|7}} {{CITY|Cox}}", "{{AGE|7}} Cox"),
        pair("{{AGE|7}} {{AGE|8}} {{CITY|Cox}} {{DATE|May}}", "7 8 {{CITY|Cox}} {{CITY|May}}"),
        pair("{{AGE|7}} {{CITY|Cox}}", "7 Cox"),
        pair("well", "well"),
    ]
    rows = [tuple(row.values()) for row in errors_per_note(notes)]
    # 11 identifiers, 5 missed (a wrong label is none): 6/11 found; with the note of one miss 7/11; with those
    # of two all. Labels among two misses: AGE in one note, AGE and CITY in the other: 1.5 on average.
    assert rows == [
        (0, 2, 0, pytest.approx(6 / 11), None),
        (1, 1, 1, pytest.approx(7 / 11), 1),
        (2, 2, 5, 1, 1.5),
    ]


def test_no_identifiers_at_all() -> None:
    (row,) = errors_per_note([pair("well", "well")])
    assert (row["errors"], row["notes"], row["coverage"]) == (0, 1, None)
    assert errors_per_note([]) == []


#        misses: notes, cumulative misses, coverage, mean labels as printed
PRINTED = {
    0: (9363, 0, 0.9940, None),
    1: (525, 525, 0.9978, 1.00),
    2: (80, 685, 0.9989, 1.56),
    3: (10, 715, 0.9991, 1.75),
    4: (6, 739, 0.9992, 2.30),
    5: (6, 769, 0.9994, 2.75),
    6: (2, 781, 0.9995, 2.5),
    7: (2, 795, 0.9996, 2.25),
    8: (2, 811, 0.9997, 2.25),
    9: (3, 838, 0.9999, 2.33),
    10: (1, 848, 1.0, 2.00),
}
IDENTIFIERS = 142_400
LABELS = {1: [1] * 525, 2: [1] * 35 + [2] * 45, 6: [2, 3], 9: [2, 2, 3], 10: [2]}
"""Labels among a note's misses, where whole numbers can give the printed mean: 125/80 = 1.56, 7/3 = 2.33."""


def test_published_misses_per_note() -> None:
    """The printed table follows from its counts, but for two columns that contradict themselves.

    142,400 identifiers give every printed coverage but the second, .9978, for which 323/.00225 = 143,556 or
    more are needed, while the first, .9940, allows 142,521 at most. Means such as 1.75 of 10 notes are no
    whole number of labels.
    """
    whole = tuple(Span(2 * place, 2 * place + 1, "DOCTOR") for place in range(15))
    notes = []
    each, rest = divmod(IDENTIFIERS, 10_000)  # 14 identifiers a note, 15 in the first 2,400
    number = 0
    for misses, (count, *_) in PRINTED.items():
        labels = LABELS.get(misses, [1] * count)
        for different in labels if misses else repeat(0, count):
            names = ["DATE", "PHONE", "HOSPITAL"][:different]
            missed = [names[min(place, different - 1)] for place in range(misses)]
            hits = whole[: each + (number < rest) - misses]
            gone = (Span(100 + 2 * place, 101 + 2 * place, label) for place, label in enumerate(missed))
            notes.append(Pair(str(number), "x" * 200, (*hits, *gone), hits))
            number += 1
    rows = {row["errors"]: row for row in errors_per_note(notes)}
    assert len(notes) == 10_000
    assert {errors: (row["notes"], row["cumulative_errors"]) for errors, row in rows.items()} == {
        errors: printed[:2] for errors, printed in PRINTED.items()
    }
    coverage = {errors: round(row["coverage"] or 0, 4) for errors, row in rows.items()}
    assert coverage == {**{errors: printed[2] for errors, printed in PRINTED.items()}, 1: 0.9977}
    for errors in LABELS:
        assert round(rows[errors]["kinds"] or 0, 2) == PRINTED[errors][3]
    # S168: 637 notes with a miss, 525 of them (82.4 %) with one
    with_misses = sum(row["notes"] for errors, row in rows.items() if errors)
    assert with_misses == 637
    assert round(100 * rows[1]["notes"] / with_misses, 1) == 82.4


def test_missing_and_spurious_by_label() -> None:
    # gold DOCTOR DATE HOSPITAL CITY PHONE; missing the city: all of its own, 1/5 of all; AGE is spurious
    rows = missed_by_label(judge(NOTE))
    assert next(iter(rows)) == "CITY"  # the most missed comes first
    assert rows["CITY"] == {
        "key": 1, "missing": 1, "missing_share": 1, "missing_share_of_all": 0.2,
        "spurious": 0, "spurious_share": None,
    }  # fmt: skip
    assert rows["AGE"] == {
        "key": 0, "missing": 0, "missing_share": None, "missing_share_of_all": 0,
        "spurious": 1, "spurious_share": 1,
    }  # fmt: skip
    assert rows["DOCTOR"]["missing"] == rows["PATIENT"]["spurious"] == 0  # another label is no miss
    assert missed_by_label([]) == {}


def test_note_types() -> None:
    letter = pair("{{AGE|7}} {{AGE|8}} {{CITY|Cox}}", "7 8 {{DATE|Cox}}", note_type="letter")
    clean = pair("{{AGE|7}}", "{{AGE|7}}", note_type="letter")
    phone = pair("{{AGE|7}}", "7", note_type="phone message")
    unknown = pair("well", "{{CITY|well}}")
    rows = errors_per_note_type([phone, unknown, letter, clean])
    assert list(rows) == ["letter", "phone message", "unknown"]  # most misses first
    # two missed of four in one of two notes; a wrong label is no miss
    assert rows["letter"] == {
        "errors": 2,
        "identifiers": 4,
        "notes_with_errors": 1,
        "notes": 2,
        "share": 0.5,
    }
    assert rows["phone message"]["share"] == 1
    assert rows["unknown"] == {"errors": 0, "identifiers": 0, "notes_with_errors": 0, "notes": 1, "share": 0}
