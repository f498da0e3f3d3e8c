import pytest
from tiny_notes import notes

from plainsight.errors import UsageError
from plainsight.lab.experiments.bench import Bench, Split, fold_splits
from plainsight.lab.experiments.learning_curve import learning_curve


def test_more_notes_teach_more(bench, words):
    outcome = learning_curve(
        [bench], [Split(notes(24), notes(12, "t"))], sizes=("2", "25%", "100%", "99"), seeds=2, seed=5
    )
    assert [row["notes"] for row in outcome.data] == [2, 6, 24], "a size that is not there is left out"
    scores = [row["figures"]["token"]["f"]["value"] for row in outcome.data]
    assert scores[0] < scores[1] < scores[2] == 1.0
    assert [count for count, _ in words] == [2, 2, 6, 6, 24, 24]
    assert {settings["seed"] for _, settings in words} == {5, 6}
    first, second, last = outcome.data
    assert first["against_size_before"] is None
    assert second["against_size_before"]["token"]["p_f"] < 0.05
    assert len(last["f_of_draws"]["phrase"]) == 2
    assert outcome.rows[0][4] is None
    assert outcome.svg.count("<circle") >= 3
    assert "6 notes: " in outcome.svg


def test_the_same_notes_by_another_name_are_one_point_and_go_in_folds(bench, words):
    splits = fold_splits(notes(12), 3, seed=0)
    outcome = learning_curve([bench], splits, sizes=("8", "100%"), seeds=1)
    assert [row["size"] for row in outcome.data] == ["8"]
    assert len(words) == 3
    before = len(words)
    learning_curve([bench], splits, sizes=("100%",), seeds=1)
    assert len(words) == before, "the ledger knows these runs by their notes"


@pytest.mark.parametrize("size", ["", "0", "five", "1.5", "-3", "0%"])
def test_what_is_no_size_is_refused(bench, size):
    with pytest.raises(UsageError, match="no size"):
        learning_curve([bench], [Split(notes(4), notes(2, "t"))], sizes=(size,))


def test_sizes_beyond_all_notes_are_refused(bench):
    with pytest.raises(UsageError, match="larger than the 4"):
        learning_curve([bench], [Split(notes(4), notes(2, "t"))], sizes=("13",))


def test_several_detectors_share_a_figure(bench, words):
    crf = Bench(bench.ledger, "crf", settings={"feature_set": "plain", "iterations": 10})
    both = Bench(bench.ledger, "words+crf", settings=crf.settings)
    splits = [Split(notes(12), notes(6, "t"))]
    outcome = learning_curve([bench, crf, both], splits, sizes=("3", "100%"), seeds=1)
    assert [(row["detector"], row["notes"]) for row in outcome.data] == [
        (name, count) for name in ("words", "crf", "words+crf") for count in (3, 12)
    ]
    assert outcome.head[0] == "detector"
    assert all(len(row) == len(outcome.head) for row in outcome.rows)
    assert outcome.svg.count("<path") >= 3
    recalls = [row["figures"]["token"]["recall"]["value"] for row in outcome.data]
    assert recalls[4] >= max(recalls[0], recalls[2])  # a union finds what its parts find
    assert len(bench.ledger.path.read_text().splitlines()) == 4, "the union trains nothing again"
