"""Matching gold standard and system."""

from __future__ import annotations

import pytest

from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError
from plainsight.evaluate.pairs import Pair, pair_up
from plainsight.formats.standoff import annotated

TEXT = "Ann Roe\nsaw Coe"


def note(name: str, *marks: tuple[int, int, str], text: str = TEXT, **meta: object) -> Document:
    return Document(name, text, tuple(Span(*mark) for mark in marks), meta=meta)


def test_notes_are_matched_by_id_in_the_order_of_the_gold_standard() -> None:
    gold = [note("b", (0, 7, "PATIENT"), unit="7"), note("a")]
    found = [note("a", (12, 15, "DOCTOR")), note("b", unit="8", confidence=-1.5, _encoding="cp1252")]
    assert pair_up(gold, found) == [
        Pair("b", TEXT, (Span(0, 7, "PATIENT"),), (), {"unit": "7", "confidence": -1.5}),
        Pair("a", TEXT, (), (Span(12, 15, "DOCTOR"),), {}),
    ]


def test_a_suffix_makes_no_difference() -> None:
    gold = [note("110-01"), note("110-02.xml")]
    found = [note("110-02.XML"), note("110-01.txt")]
    assert [pair.id for pair in pair_up(gold, found)] == ["110-01", "110-02.xml"]


def test_a_suffix_that_tells_notes_apart_makes_one() -> None:
    both = [note("a"), note("a.txt")]
    assert [pair.id for pair in pair_up(both, both)] == ["a", "a.txt"]
    with pytest.raises(DataError, match="note a of the gold standard"):
        pair_up([note("a")], [note("a.txt"), note("a.xml")])
    with pytest.raises(DataError, match=r"note a\.txt of the gold standard"):
        pair_up(both, [note("a")])


def test_a_note_that_one_side_lacks_is_refused_or_skipped() -> None:
    one, two, three = note("1"), note("2"), note("3")
    with pytest.raises(DataError, match="note 2 of the gold standard is not among"):
        pair_up([one, two], [one])
    with pytest.raises(DataError, match=r"note 2 of the system is not in the gold standard \(2 such notes\)"):
        pair_up([one], [three, one, two])
    assert [pair.id for pair in pair_up([one, two], [three, one], unmatched="skip")] == ["1"]
    with pytest.raises(DataError, match="no notes to evaluate"):
        pair_up([one], [two], unmatched="skip")


def test_a_note_that_cannot_be_read_or_comes_twice_is_an_error() -> None:
    with pytest.raises(DataError, match="note 1 cannot be read: marks overlap"):
        pair_up([SetAside("1", "marks overlap")], [note("1")])
    with pytest.raises(DataError, match="two notes have the id 1"):
        pair_up([note("1")], [note("1"), note("1")])


@pytest.mark.parametrize(
    ("text", "place", "line"),
    [
        ("Ann Roe\r\nsaw Coe", 7, 1),
        ("Ann Roe\nsaw  Coe", 12, 2),
        ("Ann Roe\nsaw Co", 14, 2),
        ("Ann Roe\nsaw Coe.", 15, 2),
        ("", 0, 1),
    ],
)
def test_texts_that_differ_are_told_by_place_not_by_text(text: str, place: int, line: int) -> None:
    with pytest.raises(DataError) as raised:
        pair_up([note("1")], [note("1", text=text)])
    told = f"the texts of note 1 differ from character {place} on (line {line})"
    assert str(raised.value) == told


def test_kept_marks_are_compared_rather_than_cut_spans() -> None:
    marks = [Span(0, 7, "PATIENT"), Span(4, 7, "DOCTOR")]
    gold = annotated("1", TEXT, marks)
    found = Document("1", TEXT, (Span(4, 7, "DOCTOR"),), meta=gold.meta)  # what a pipeline made of the note
    (pair,) = pair_up([gold], [found])
    assert pair.gold == tuple(marks)
    assert pair.found == (Span(4, 7, "DOCTOR"),)
    assert pair.meta == {}


def test_a_pair_can_be_narrowed_and_shows_no_text() -> None:
    pair = Pair("1", TEXT, (Span(0, 7, "A"), Span(8, 11, "B")), (Span(0, 7, "B"),))
    assert pair.only(["A"]) == Pair("1", TEXT, (Span(0, 7, "A"),), ())
    assert repr(pair) == "Pair(id='1', 2 gold, 1 found)"
