"""Corrections: only chosen notes, only their own text, never readable, and the audit sample whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError
from plainsight.site.choose import AUDIT, DOUBT, Candidate
from plainsight.site.corrections import (
    begin_round,
    correct,
    corrected_rounds,
    open_round,
    unread,
)
from plainsight.site.rounds import add_round, read_rounds


@pytest.fixture
def notes(note):
    return [note(n) for n in range(6)]


@pytest.fixture
def begun(site, notes):
    chosen = [
        (Candidate(replace(n, spans=()), ()), AUDIT if at < 2 else DOUBT) for at, n in enumerate(notes[:4])
    ]
    return begin_round(site, chosen, strategy="gain", notes=6)


def test_a_round_is_chosen_corrected_and_closed(site, notes, begun):
    assert open_round(site) == begun
    done = correct(site, notes[:3])  # the last one was not read
    assert [each.is_audit for each in done] == [True, True, False]
    assert all(each.seconds > 20 for each in done)  # four new marks of five seconds each
    assert {n: [c.document.spans for c in cs] for n, cs in corrected_rounds(site).items()} == {
        1: [note.spans for note in notes[:3]]
    }
    with pytest.raises(UsageError, match="no round is open"):
        open_round(site)
    left = unread(site, [Candidate(note, ()) for note in notes])
    assert [each.document.id for each in left] == ["n003", "n004", "n005"]


def test_the_same_text_under_another_id_counts_as_read(site, notes, begun):
    correct(site, notes[:4])
    assert unread(site, [Candidate(replace(notes[0], id="copy"), ())]) == []


def test_nothing_readable_lies_in_the_folder(site, notes, begun):
    correct(site, notes[:4])
    files = [path for path in site.folder.rglob("*") if path.is_file()]
    assert len(files) == 3
    assert not any(b"Okafor" in path.read_bytes() for path in files)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda notes: [*notes[:4], notes[5]], "n005 was not chosen"),
        (lambda notes: [*notes[:3], Document("n003", "Okafor")], "n003: the text"),
        (lambda notes: notes[1:4], "audit sample are missing"),
        (lambda notes: [], "audit sample are missing"),
    ],
)
def test_wrong_corrections_are_refused_and_the_round_stays_open(site, notes, begun, change, problem):
    with pytest.raises(DataError, match=problem) as raised:
        correct(site, change(notes))
    assert "Okafor" not in str(raised.value)
    assert open_round(site).number == 1


def test_a_gold_standard_may_hold_other_notes(site, notes, begun):
    assert len(correct(site, notes, more=True)) == 4


def test_an_open_round_is_not_lost_by_accident(site, notes, begun):
    chosen = [(Candidate(notes[5], ()), DOUBT)]
    with pytest.raises(UsageError, match="--anew"):
        begin_round(site, chosen, strategy="random", notes=6)
    assert begin_round(site, chosen, strategy="random", notes=6, anew=True).number == 1
    correct(site, [notes[5]])
    assert begin_round(site, chosen, strategy="random", notes=6).number == 2


def test_scores_and_sources_of_marks_do_not_count(site, notes, begun):
    scored = [
        replace(n, spans=tuple(Span(s.start, s.end, s.label, 0.4, "x") for s in n.spans)) for n in notes
    ]
    done = correct(site, scored[:4])
    assert done[0].document.spans == notes[0].spans


def test_the_ledger_is_read_back_and_a_damaged_line_is_named(site):
    assert read_rounds(site) == []
    add_round(site, {"round": 1})
    add_round(site, {"round": 2})
    assert [each["round"] for each in read_rounds(site)] == [1, 2]
    with site.rounds.open("a") as file:
        file.write('{"round": 3')
    with pytest.raises(DataError, match="line 3"):
        read_rounds(site)
    assert '"round": 1' in site.rounds.read_text()
    site.rounds.write_bytes(site.rounds.read_bytes().replace(b"2", b"\xff"))
    with pytest.raises(DataError, match="line 2"):
        read_rounds(site)
