"""What scores are worth: areas, rates, intervals, the classifier."""

import random

import pytest

from plainsight.lab.attack.statistics import accuse, auc, mean, train

RATES = ("precision", "recall", "random_precision", "auc")


def test_area_by_hand():
    # Three originals, two surrogates. Pairs won: 0.9 beats both, 0.5 beats 0.1 and ties, 0.2 beats 0.1:
    # 2 + 1.5 + 1 of 6.
    assert auc([0.9, 0.5, 0.2, 0.5, 0.1], [True, True, True, False, False]) == 4.5 / 6


@pytest.mark.parametrize("truths", [[True, True], [False, False], []])
def test_area_is_undefined_without_both_sides(truths):
    assert auc([1.0] * len(truths), truths) is None


def test_equal_scores_are_worth_nothing():
    assert auc([1.0] * 10, [True] * 3 + [False] * 7) == 0.5


def test_mean_and_its_interval():
    # Mean 0.6, spread sqrt(((0.1)^2 + 0 + (0.1)^2) / 2) = 0.1, half-width 1.96 * 0.1 / sqrt(3) = 0.1132.
    told = mean([0.5, 0.6, 0.7])
    assert told.value == pytest.approx(0.6)
    assert told.high - told.value == pytest.approx(0.11316, abs=1e-4)
    assert mean([0.5]) == (0.5, 0.5, 0.5)
    assert mean([]) is None


def test_flagged_beside_guessing():
    told = accuse([0.9, 0.8, 0.2, 0.1], [True, False, True, False], 0.5)
    assert [told[key] for key in ("names", "left", "accused", "caught")] == [4, 2, 2, 1]
    assert [told[key] for key in RATES] == [0.5, 0.5, 0.5, 0.75]


def test_flagged_without_anything_is_undefined():
    told = accuse([], [], 0.5)
    assert [told[key] for key in RATES] == [None] * 4


def test_classifier_learns_what_tells_and_only_that():
    chance = random.Random(1)
    items = []
    for _ in range(400):
        truth = chance.random() < 0.5
        told = {"bias": 1.0, f"noise {chance.randrange(3)}": 1.0, f"sign {truth}": 1.0}
        items.append((told, truth))
    classifier = train(items)
    assert classifier.score({"bias": 1.0, "sign True": 1.0}) > 1 > -1 > classifier.score({"sign False": 1.0})
    assert classifier.weights == train(items).weights
    assert classifier.score({"never seen": 1.0}) == 0.0
