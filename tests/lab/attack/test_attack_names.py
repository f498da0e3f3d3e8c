"""The attacks on names, against surrogates that are made to be caught or to be safe."""

import random

import pytest

from plainsight import lists
from plainsight.document import Document, Span
from plainsight.errors import PluginError
from plainsight.lab.attack.distinguisher import distinguish
from plainsight.lab.attack.name_features import context_features, least_seen, occurrences, word_features
from plainsight.lab.attack.parrot import imitate, missed, parrot
from plainsight.lab.attack.release import Name

SURNAMES = [name.capitalize() for name in lists.load("surnames")["name"][:4000]]
SENTENCES = ("Seen by Dr. {} today.\n", "Dr. {} called the ward.\n", "I spoke with Dr. {} at length.\n")


def notes(count=40, seed=1):
    """Make notes that name three doctors twice each."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        names = chance.sample(SURNAMES, 3) * 2
        text, spans = "", []
        for name in names:
            sentence = chance.choice(SENTENCES)
            start = len(text) + sentence.index("{")
            text += sentence.format(name)
            spans.append(Span(start, start + len(name), "DOCTOR"))
        made.append(Document(f"n{number}", text, tuple(spans)))
    return made


class Drawn:
    """A stand-in engine: surrogates from a pool, for each original of a note or each mention."""

    name = "drawn"

    def __init__(self, key, consistency, pool):
        self.key, self.consistency, self.pool = key, consistency, pool

    def replace(self, documents):
        return [[self._draw(d, n, s) for n, s in enumerate(d.spans)] for d in documents]

    def _draw(self, document, number, span):
        what = number if self.consistency == "none" else document.text[span.start : span.end]
        return random.Random(f"{self.key.hex()} {document.id} {what}").choice(self.pool)


def from_same_list(key, consistency):
    return Drawn(key, consistency, SURNAMES)


def from_other_world(key, consistency):
    return Drawn(key, consistency, ["Qzxwv", "Xqpltz", "Wvvkqx", "Zzqpff", "Qqxzzt"])


def test_surrogates_from_the_originals_own_list_are_not_told_apart():
    looks, counts = distinguish(notes(), share=0.05, seeds=20, make=from_same_list)
    assert (looks["context"], counts["context"]) == (False, True)
    assert looks["low"] < 0.62
    assert looks["high"] > 0.38
    assert looks["repetitions"] == 40


def test_surrogates_that_no_list_knows_are_told_at_once():
    for told in distinguish(notes(), share=0.05, seeds=5, make=from_other_world):
        assert told["auc"] > 0.99
        assert told["random"] == 0.5


def test_a_name_left_in_alone_among_names_that_repeat():
    # Each name stands twice; one of the two is left in, so that both words stand once.
    looks, counts = distinguish(notes(), share=0.05, seeds=20, make=from_same_list)
    assert counts["auc"] > looks["auc"] + 0.2
    _, fresh = distinguish(notes(), share=0.05, seeds=20, consistency="none", make=from_same_list)
    assert fresh["auc"] < counts["auc"] - 0.2


def test_distinguisher_is_deterministic():
    assert distinguish(notes(10), seeds=3, make=from_same_list) == distinguish(
        notes(10), seeds=3, make=from_same_list
    )


def test_one_patient_cannot_be_attacked():
    for told in distinguish(notes(1), seeds=2, make=from_same_list):
        assert told["auc"] is None


def test_looks():
    common, odd = word_features("Smith"), word_features("Xqzwt")
    assert common["surname 7"] == 1.0  # between one and ten million bear it
    assert odd["surname 0"] == 1.0
    assert common["letters"] > odd["letters"]
    assert word_features("SMITH, J")["case upper"] == 1.0
    assert word_features("J.")["words 0"] == 1.0


def test_occurrences_are_counted_by_patient():
    seen = [
        Name(0, Span(0, 1, "DOCTOR"), text, scope, False)
        for text, scope in (("Ann Lee", "p"), ("LEE", "p"), ("Lee", "q"), ("A.", "q"))
    ]
    counts = occurrences(seen)
    assert [least_seen(name, counts) for name in seen] == [1, 2, 1, 0]
    assert context_features(seen[0], counts) == {"seen least 1": 1.0, "seen most 2": 1.0}
    assert context_features(seen[3], counts) == {"seen never": 1.0}


def test_parrot_reports_every_attacker_for_every_release():
    pytest.importorskip("pycrfsuite")
    told = parrot(notes(24), shares=(0.1,), with_missed=False, make=from_same_list)
    assert [(t["consistency"], t["attacker"]) for t in told] == [
        (consistency, attacker)
        for consistency in ("patient", "note", "none")
        for attacker in ("rerun", "parrot", "counts")
    ]
    by_counts = {t["consistency"]: t for t in told if t["attacker"] == "counts"}
    # 24 notes with 6 names: 144, of which a tenth is left.
    assert (by_counts["patient"]["names"], by_counts["patient"]["left"]) == (144, 14)
    # A name that stands once is the left one or its partner: half of the accused are originals.
    assert by_counts["patient"]["precision"] == pytest.approx(0.5, abs=0.1)
    assert by_counts["patient"]["recall"] > 0.9
    assert by_counts["none"]["precision"] < 0.2
    assert by_counts["none"]["random_precision"] == pytest.approx(14 / 144, abs=1e-4)


def test_what_the_tool_missed_once_it_misses_again():
    pytest.importorskip("pycrfsuite")
    odd = [
        Document(f"odd{number}", f"takes {word} daily\n", (Span(6, 6 + len(word), "DOCTOR"),))
        for number, word in enumerate(("aspirin", "insulin", "heparin", "warfarin"))
    ]
    every = notes(24) + odd
    assert {every[note].id for note, _ in missed(every)} == {"odd0", "odd1", "odd2", "odd3"}
    told = parrot(every, shares=(), consistencies=("patient",), make=from_same_list)
    rerun = next(t for t in told if t["attacker"] == "rerun")
    assert (rerun["left"], rerun["recall"], rerun["precision"]) == (4, 1.0, 1.0)
    assert told[0]["left_in"] == "missed by the tool"


def test_imitation_marks_what_it_was_taught():
    pytest.importorskip("pycrfsuite")
    own, others = notes(30, seed=2), notes(4, seed=3)
    tables = imitate(own, [d.spans for d in own], others)
    for document, sure in zip(others, tables, strict=True):
        for (start, end), chance in sure.items():
            inside = any(span.start <= start < span.end for span in document.spans)
            assert (chance > 0.5) == inside, document.text[start:end]


def test_imitation_that_was_taught_nothing():
    pytest.importorskip("pycrfsuite")
    own = notes(2)
    assert imitate(own, [[], []], own) == [{}, {}]


def test_without_the_extra_the_install_command_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pycrfsuite", None)
    with pytest.raises(PluginError, match=r"plainsight\[train\]"):
        parrot(notes(2), make=from_same_list)
