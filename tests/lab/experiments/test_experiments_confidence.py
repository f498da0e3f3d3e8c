import pytest
from tiny_notes import Words, notes

from plainsight.document import Span
from plainsight.errors import UsageError
from plainsight.lab.experiments.bench import fold_splits, one_split
from plainsight.lab.experiments.confidence import note_confidence


def test_notes_are_ranked_by_the_detectors_own_confidence(bench, words, monkeypatch):
    train, test = notes(2), notes(4, "t")
    sure = {"t0": -1.0, "t1": -2.0, "t2": -9.0, "t3": -8.0}
    told = lambda self, documents: [sure[note.id] for note in documents]  # noqa: E731
    monkeypatch.setattr(Words, "confidence", told, raising=False)
    outcome = note_confidence(bench, one_split(train, test))
    [row] = outcome.rows
    # what the first two say was learnt by heart; of the others nothing
    assert [f for _, f in outcome.data[0]["ranked"]] == [1, 1, 0, 0]
    assert row[1] == 4
    # ranks 4 3 1 2 and 3.5 3.5 1.5 1.5 about 2.5: (1.5 + .5 + 1.5 + .5)/sqrt(5 * 4)
    assert row[2] == pytest.approx(4 / 20**0.5)
    assert row[4] == 2
    assert "Notes by confidence" in outcome.svg
    trained = len(words)
    assert note_confidence(bench, one_split(train, test)).rows == outcome.rows
    assert len(words) == trained  # it is remembered


def test_each_fold_is_a_row(bench, monkeypatch):
    monkeypatch.setattr(Words, "confidence", lambda self, notes: [0.0] * len(notes), raising=False)
    outcome = note_confidence(bench, fold_splits(notes(6), 2, seed=1))
    assert [row[0] for row in outcome.rows] == ["1", "2"]
    assert "fold 2" in outcome.svg


def test_a_detector_without_confidence_is_refused(bench):
    with pytest.raises(UsageError, match="no confidence in whole notes"):
        note_confidence(bench, one_split(notes(2), notes(2, "t")))


def test_a_detector_that_doubts_is_ranked_by_what_it_may_have_missed(bench, monkeypatch):
    def doubting(self, documents, claims=None):
        possible = [[Span(0, 2, "PATIENT", 0.1 * int(note.id[1:]))] for note in documents]
        return [[] for _ in documents], possible

    monkeypatch.setattr(Words, "detect_and_doubt", doubting, raising=False)
    monkeypatch.setattr(Words, "detect_with", lambda self, documents, claims: [], raising=False)
    monkeypatch.setattr(Words, "needs", (), raising=False)
    [found] = note_confidence(bench, one_split(notes(2), notes(4, "t"))).data
    values = [value for value, _ in found["ranked"]]
    assert values == sorted(values, reverse=True)
    assert values[0] == 1 > values[-1] > 0
