"""Which notes are read: every strategy does what it says, and the audit sample is random."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plainsight.combine.doubt import Doubt, Kind
from plainsight.config import load_policy
from plainsight.document import Document, Span
from plainsight.pipeline import Pipeline
from plainsight.site.choose import AUDIT, Candidate, Strategy, candidates, choose
from plainsight.site.reading import Pace


def candidate(name: str, *, seconds: float = 10.0, **given) -> Candidate:
    return Candidate(Document(name, "Quillerby Zophmantic said"), seconds=seconds, **{"doubts": (), **given})


SURE = candidate("sure")
MISS = candidate("miss", doubts=(Doubt(0, 9, Kind.MISS, "PATIENT", 0.6),))
RARE = candidate("rare", doubts=(Doubt(0, 9, Kind.RARE),))
DIFFERS = candidate("differs", differs=(Span(0, 9, "PATIENT"),))
NOTES = [SURE, MISS, RARE, DIFFERS]


@pytest.mark.parametrize(
    ("strategy", "first"),
    [
        (Strategy.LEAST_CONFIDENT, "miss"),
        (Strategy.RARE_WORDS, "rare"),
        (Strategy.DISAGREEMENT, "differs"),
    ],
)
def test_a_strategy_reads_its_own_kind_of_doubt_first(strategy, first):
    [(note, why)] = choose(NOTES, 1, strategy)
    assert (note.document.id, why) == (first, "doubt")


def test_diversity_does_not_read_the_same_kind_twice():
    common = [candidate(f"common {n}", kinds={"DOCTOR by aaa": 0.5}) for n in range(3)]
    other = candidate("other", kinds={"DATE on 0": 0.5})
    read = [note.document.id for note, _ in choose([*common, other], 2, Strategy.DIVERSITY)]
    assert read[0].startswith("common")
    assert read[1] == "other"


def test_gain_counts_seconds():
    long = candidate("long", kinds={"a": 0.5, "b": 0.5}, seconds=100.0)
    short = candidate("short", kinds={"a": 0.5}, seconds=10.0)
    assert choose([long, short], 1, Strategy.DIVERSITY)[0][0] is long
    assert choose([long, short], 1, Strategy.GAIN)[0][0] is short


def test_leaks_look_at_what_may_be_missed_alone():
    marked = candidate("marked", kinds={"a": 0.5, "b": 0.5})
    unmarked = candidate("unmarked", kinds={"a": 0.5}, leaks={"a": 0.5})
    assert choose([marked, unmarked], 1, Strategy.GAIN)[0][0] is marked
    assert choose([marked, unmarked], 1, Strategy.LEAKS)[0][0] is unmarked


def test_sentences_of_the_same_form_are_read_once(note):
    notes = [
        replace(note(0), id=f"{n}", text=f"Vitals stable.\nLeft word with {name} at noon today.\n", spans=())
        for n, name in enumerate(("Zophman", "Quiller"))
    ]
    others = {n.id: (Span(30, 37, "PATIENT"),) for n in notes}
    [first, second] = candidates(Pipeline(load_policy("fast")), notes, others=others)
    assert first.sentences
    assert [form.split()[:2] for form in first.sentences] == [["left", "word"]]
    assert set(first.sentences) == set(second.sentences)


def test_the_audit_sample_is_drawn_from_all_notes_whatever_the_strategy():
    notes = [candidate(f"{n}", kinds={f"{n % 4}": 1.0}) for n in range(40)]
    drawn = [
        {note.document.id for note, why in choose(notes, 20, strategy, audit=8, seed=3) if why == AUDIT}
        for strategy in Strategy
    ]
    assert all(len(sample) == 8 and sample == drawn[0] for sample in drawn)
    chosen = [note.document.id for note, _ in choose(notes, 20, Strategy.GAIN, audit=8)]
    assert len(chosen) == len(set(chosen)) == 20


def test_candidates_say_what_is_in_doubt(note):
    notes = [replace(note(n), spans=()) for n in range(3)]
    others = {"n000": (Span(0, 2, "AGE"),), "n001": ()}
    found = candidates(Pipeline(load_policy("fast")), notes, others=others)
    assert [each.document.id for each in found] == ["n000", "n001", "n002"]
    assert any(each.kinds for each in found)
    assert Span(0, 2, "AGE") in found[0].differs
    assert found[1].differs == found[1].document.spans
    assert found[2].differs == ()
    assert all(each.seconds > Pace().word * 10 for each in found)
