import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document
from plainsight.evaluate.tally import Tally
from plainsight.lab.train.bias import Sweep, fold_of, some_of


def test_the_best_f_or_the_wanted_recall_is_chosen():
    entities = {-2.0: Tally(10, 9, 18, 9), -1.0: Tally(10, 8, 10, 8), 0.0: Tally(10, 5, 5, 5)}
    tokens = {-2.0: Tally(10, 9, 18, 9), -1.0: Tally(10, 8, 10, 8), 0.0: Tally(10, 5, 5, 5)}
    sweep = Sweep(entities, tokens)
    assert sweep.best() == -1.0
    assert sweep.best(recall=0.8) == -1.0
    assert sweep.best(recall=0.85) == -2.0
    assert sweep.best(recall=0.99) == -2.0
    assert [row["bias"] for row in sweep.to_json()] == [-2.0, -1.0, 0.0]
    doubled = sweep + sweep
    assert doubled.entities[0.0] == Tally(20, 10, 10, 10)


def test_among_equals_the_lowest_bias_is_chosen():
    same = Tally(4, 2, 4, 2)
    assert Sweep({-1.0: same, 0.0: same}, {}).best() == -1.0


def test_a_difference_by_chance_does_not_count():
    entities = {
        -1.0: Tally(1000, 900, 1000, 900),
        0.0: Tally(1000, 901, 1000, 901),
        1.0: Tally(1000, 890, 1000, 890),
    }
    assert Sweep(entities, {}).best() == -1.0
    worse = {**entities, -1.0: Tally(1000, 898, 1000, 898)}
    assert Sweep(worse, {}).best() == 0.0


@given(
    st.lists(st.tuples(st.text(max_size=3), st.none() | st.sampled_from("abc")), max_size=30),
    st.integers(2, 6),
)
def test_folds_keep_patients_together_and_do_not_depend_on_order(owners, folds):
    documents = [Document(f"{name}{n}", "x", patient_id=p) for n, (name, p) in enumerate(owners)]
    fold = dict(zip([d.id for d in documents], fold_of(documents, folds), strict=True))
    for patient in "abc":
        assert len({fold[d.id] for d in documents if d.patient_id == patient}) <= 1
    shuffled = random.Random(1).sample(documents, len(documents))
    assert fold == dict(zip([d.id for d in shuffled], fold_of(shuffled, folds), strict=True))


def test_some_notes_are_whole_patients_up_to_a_size():
    documents = [Document(str(n), "x", patient_id="p" if n < 4 else None) for n in range(20)]
    taken = some_of(documents, [10] * 20, 70)
    assert 70 <= 10 * len(taken) <= 110
    assert len({0, 1, 2, 3} & set(taken)) in (0, 4)
    assert taken == sorted(taken)
    assert some_of(documents, [10] * 20, 10_000) == list(range(20))


def test_an_undefined_figure_is_none():
    [row] = Sweep({0.0: Tally(0, 0, 0, 0)}, {0.0: Tally(3, 0, 0, 0)}).to_json()
    assert row["entities"] == {"precision": None, "recall": None, "f": None}
    assert row["tokens"]["recall"] == pytest.approx(0.0)
