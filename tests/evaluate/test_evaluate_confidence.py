"""Confidence: ranks, curves and prefixes worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from math import log, sqrt

import pytest
from marked_pairs import pair

from plainsight.document import Span
from plainsight.evaluate.confidence import (
    calibration,
    confidence,
    note_confidence,
    perfect_prefix,
)
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.statistics import spearman


def test_spearman() -> None:
    # ranks 1 2.5 2.5 4 and 1 3 2 4 about 2.5: (2.25 + 0 + 0 + 2.25)/sqrt(4.5 * 5)
    assert spearman([1, 2, 2, 9], [10, 30, 20, 40]) == pytest.approx(4.5 / sqrt(22.5))
    # no ties: 1 - 6*(0 + 0 + 1 + 1)/(4*15) = .8
    assert spearman([1, 2, 3, 4], [1, 2, 4, 3]) == pytest.approx(0.8)
    assert spearman([1, 2, 3], [9, 4, 1]) == -1
    assert spearman([1, 1], [1, 2]) is None
    assert spearman([], []) is None
    with pytest.raises(ValueError, match="pairs"):
        spearman([1], [])


def test_perfect_prefix() -> None:
    # from the most confident: 1, 1, .5
    assert perfect_prefix([-3, -1, -2, -4], [0.5, 1, 1, 1]) == 2
    assert perfect_prefix([-1, -2], [1, 1]) == 2
    assert perfect_prefix([-1, -2], [0.9, 1]) == 0
    assert perfect_prefix([], []) == 0
    # of two notes as confident, the imperfect comes first, in whatever order they are given
    assert perfect_prefix([-1, -2, -2], [1, 1, 0]) == perfect_prefix([-1, -2, -2], [1, 0, 1]) == 1


def test_calibration() -> None:
    # .1 to .2: mean .125, one of two right; .9 to 1: mean .95, both right
    curve = calibration([0.1, 0.15, 0.9, 1.0], [False, True, True, True])
    assert curve.confidence == pytest.approx((0.125, 0.95))
    assert curve.share_right == (0.5, 1)
    assert curve.count == (2, 2)
    assert curve.error == pytest.approx((2 * 0.375 + 2 * 0.05) / 4)  # .2125
    # in one bin: mean .5375, three of four right
    assert calibration([0.1, 0.15, 0.9, 1.0], [False, True, True, True], bins=1).error == pytest.approx(
        0.2125
    )
    assert calibration([1.0, 0.0], [True, False]).error == 0
    assert calibration([], []).to_json() == {"confidence": (), "share_right": (), "count": (), "error": None}
    with pytest.raises(ValueError, match="right or wrong"):
        calibration([0.5], [])


def scored(name: str, gold: str, *scores: float) -> Pair:
    """Return a note of letters that are all found, with these scores; ``gold`` says which are right."""
    text = " ".join("a" for _ in gold)
    places = range(0, len(text), 2)
    found = [Span(place, place + 1, "AGE", score) for place, score in zip(places, scores, strict=True)]
    wanted = [replace(span, score=1.0) for span, right in zip(found, gold, strict=True) if right == "+"]
    return Pair(name, text, tuple(wanted), tuple(found))


NOTES = [
    scored("a", "+", 1.0),  # F 1, confidence log 1 = 0, one character
    scored("b", "++", 0.9, 0.9),  # F 1, log .81, three characters
    scored("c", "+-", 0.8, 0.5),  # P 1/2, R 1, F 2/3, log .4, three
    scored("d", "--", 0.5, 0.5),  # F 0, log .25, three
    pair("well", "well", name="e"),  # nothing to find, nothing found: left out
]


def test_notes_by_confidence() -> None:
    found = confidence(NOTES)
    assert [f for _, f in found.ranked] == pytest.approx([1, 1, 2 / 3, 0])
    assert [sure for sure, _ in found.ranked] == pytest.approx([0, log(0.81), log(0.4), log(0.25)])
    # ranks 4 3 2 1 and 3.5 3.5 2 1 about 2.5: (1.5 + .5 + .25 + 2.25)/sqrt(5 * 4.5)
    assert found.spearman == pytest.approx(4.5 / sqrt(22.5))
    # shortness ranks 4 2 2 2 about 2.5: (1.5*1 - .5*1 + .5*.5 + .5*1.5)/sqrt(3 * 4.5)
    assert found.spearman_of_length == pytest.approx(2 / sqrt(13.5))
    assert found.perfect_prefix == 2
    told = found.to_json()
    assert (told["notes"], told["perfect_prefix"]) == (4, 2)
    assert told["spearman"] == found.spearman


def test_claims_by_score() -> None:
    # .5 to .6: three claims, none right; .8: right; .9 to 1: mean .9333, three of three right
    curve = confidence(NOTES).calibration
    assert curve.count == (3, 1, 3)
    assert curve.share_right == (0, 1, 1)
    assert curve.error == pytest.approx((3 * 0.5 + 0.2 + 3 * (1 - 2.8 / 3)) / 7)


def test_a_note_may_say_how_sure_it_is() -> None:
    note = scored("a", "+", 0.5)
    assert note_confidence(note) == pytest.approx(log(0.5))
    assert note_confidence(replace(note, meta={"confidence": -7})) == -7
    for no_number in ("high", True, None):
        assert note_confidence(replace(note, meta={"confidence": no_number})) == pytest.approx(log(0.5))
    assert note_confidence(scored("z", "+", 0.0)) < -20  # and not without end


def test_nothing_found_and_nothing_wanted() -> None:
    found = confidence([pair("well", "well")])
    assert (found.ranked, found.spearman, found.perfect_prefix, found.calibration.error) == (
        (),
        None,
        0,
        None,
    )
