import pytest
from tiny_notes import notes

from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError
from plainsight.lab.experiments.bench import Ledger
from plainsight.lab.experiments.fairness import AS_WRITTEN, fairness
from plainsight.lab.experiments.name_groups import groups
from plainsight.lab.experiments.systems import System


class Biased(System):
    """Finds every name but the male given ones."""

    def find(self, documents):
        males = set(next(group for group in groups("sex") if group.name == "male").given[""].names)
        females = set(next(group for group in groups("sex") if group.name == "female").given[""].names)
        return [
            [
                Span(word_start, word_end, "PATIENT")
                for span in document.spans
                for word_start, word_end in words(document.text, span)
                if document.text[word_start:word_end].lower() not in males - females
            ]
            for document in documents
        ]


def words(text, span):
    place = span.start
    for word in text[span.start : span.end].split():
        start = text.index(word, place)
        yield start, start + len(word)
        place = start + len(word)


def test_a_biased_system_is_seen_through(tmp_path):
    system = Biased("biased", policy="fast")
    outcome = fairness(Ledger(tmp_path), system, notes(12), attributes=["sex"], rounds=2)
    written, female, male = outcome.data
    assert written["group"] == AS_WRITTEN
    assert (female["group"], female["gap"]) == ("female", None)
    assert male["gap"] == pytest.approx(female["recall"]["value"] - male["recall"]["value"])
    assert male["gap"] > 0.3
    assert male["p"] < 0.01
    assert male["recall"]["high"] < female["recall"]["low"]
    assert [row[4] for row in outcome.rows[:2]] == ["", "best"]
    assert "female" in outcome.svg


def test_an_even_system_is_not_accused_and_runs_are_remembered(tmp_path):
    told = []
    for _ in range(2):
        outcome = fairness(
            Ledger(tmp_path, told.append), System.of_policy("fast"), notes(6), attributes=["sex", "region"],
            rounds=1,
        )  # fmt: skip
    assert len(told) == 1 + 2 + len(groups("region"))
    assert len(outcome.data) == len(told)
    assert outcome.data[0]["tokens"] == 30, "five words of names in each note"


def test_wrong_use_is_refused(tmp_path):
    with pytest.raises(UsageError, match="did you mean 'sex'"):
        fairness(Ledger(tmp_path), System.of_policy("fast"), notes(2), attributes=["sexx"])
    with pytest.raises(DataError, match="no names"):
        fairness(Ledger(tmp_path), System.of_policy("fast"), [Document("1", "Well.")], attributes=["sex"])
