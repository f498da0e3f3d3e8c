"""Calibration of scores: what a policy's two numbers do to them."""

from __future__ import annotations

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.cli.policy_options import Recall, choose_policy
from plainsight.combine.calibrate import calibrated, calibrated_score, log_odds
from plainsight.config import Calibration, load_policy
from plainsight.document import Span

scores = st.floats(0.0, 1.0)


@given(scores, scores, st.floats(-3, 3), st.floats(0.1, 2))
def test_the_order_of_scores_stays(one, other, offset, slope):
    calibration = Calibration(offset, slope)
    low, high = sorted((one, other))
    assert 0.0 <= calibrated_score(low, calibration) <= calibrated_score(high, calibration) <= 1.0


@given(st.floats(0.001, 0.999))
def test_nothing_changes_without_offset_at_a_slope_of_one(score):
    assert isclose(calibrated_score(score, Calibration(0.0, 1.0)), score, abs_tol=1e-6)


def test_only_scores_change_and_claims_keep_theirs():
    claim = Span(3, 7, "DATE", 0.9, "cascade")
    span = Span(3, 7, "DATE", 0.9, "cascade", (claim,), "entity")
    [mended] = calibrated([span], Calibration(-1.0, 0.5))
    assert mended == Span(3, 7, "DATE", 0.524633, "cascade")
    assert (mended.claims, mended.claims[0].score, mended.entity) == ((claim,), 0.9, "entity")


@pytest.mark.parametrize("policy", ["fast", "balanced", "best", "redact", "safe-harbor"])
def test_networks_are_less_sure_than_they_say(policy):
    calibration = load_policy(policy).calibration
    assert calibration is not None
    assert all(calibrated_score(score, calibration) < score for score in (0.5, 0.7, 0.9, 0.99, 0.999))


def test_the_recall_dial_moves_the_calibration_as_far_as_the_bias():
    plain = load_policy("balanced").calibration
    eager = choose_policy("balanced", recall=Recall.HIGH).calibration
    # At a bias 1.5 lower, the log-odds of the same token are 1.5 higher.
    odds = log_odds(0.8)
    assert isclose(eager.offset + eager.slope * (odds + 1.5), plain.offset + plain.slope * odds)
