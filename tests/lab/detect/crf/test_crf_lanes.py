"""Sums over all labellings, in lanes, against sums one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.lab.detect.crf.lanes import Room, _Lanes, forward_backward


def plain(scores, transitions):
    """Return each label's probability and the normaliser's logarithm, step by step in logarithms."""
    scores, count = scores.astype(np.float64), len(scores)
    forward, backward = np.zeros_like(scores), np.zeros_like(scores)
    forward[0] = scores[0]
    for t in range(1, count):
        forward[t] = scores[t] + np.logaddexp.reduce(forward[t - 1][:, None] + transitions, axis=0)
    for t in range(count - 2, -1, -1):
        backward[t] = np.logaddexp.reduce(transitions + scores[t + 1] + backward[t + 1], axis=1)
    log_z = np.logaddexp.reduce(forward[-1])
    return np.exp(forward + backward - log_z), log_z


@settings(max_examples=40, deadline=None)
@given(
    lengths=st.lists(st.integers(1, 40), min_size=1, max_size=90),
    seed=st.integers(0, 1000),
    far=st.sampled_from([1.0, 10.0, 300.0]),
)
def test_lanes_agree_with_sums_in_logarithms(lengths, seed, far):
    rng = np.random.default_rng(seed)
    transitions = rng.normal(scale=3, size=(4, 4))
    transitions[1, 2] = -np.inf  # what may not follow
    every = [rng.normal(scale=far, size=(n, 4)).astype(np.float32) for n in lengths]
    sums = forward_backward(np.concatenate(every), lengths, transitions, outside=0, room=Room(), chances=True)
    wanted = [plain(scores, transitions) for scores in every]
    chances = np.concatenate([chance for chance, _ in wanted])
    assert np.abs(sums.chances - chances).max() < 1e-5
    assert np.abs(sums.inside - (1 - chances[:, 0])).max() < 1e-5
    assert sums.log_z == pytest.approx([log_z for _, log_z in wanted], rel=1e-5, abs=1e-4)
    best = chances[np.arange(len(chances)), sums.likeliest]
    assert best == pytest.approx(chances.max(axis=1), abs=1e-5)
    assert sums.doubt == pytest.approx(1 - best, abs=1e-5)


@pytest.mark.parametrize("power", [2.0, 4.0])
def test_power_multiplies_all_scores(power):
    rng = np.random.default_rng(0)
    transitions, scores = rng.normal(size=(5, 5)), rng.normal(size=(30, 5)).astype(np.float32)
    sums = forward_backward(scores, [20, 10], transitions, outside=0, power=power, room=Room())
    wanted = forward_backward(
        scores * np.float32(power), [20, 10], transitions * power, outside=0, room=Room()
    )
    assert sums.doubt == pytest.approx(wanted.doubt, abs=1e-5)
    assert sums.steps == pytest.approx(wanted.steps, abs=1e-4)


def test_steps_are_the_likeliest_labels_given_the_ones_before():
    rng = np.random.default_rng(1)
    transitions, scores = rng.normal(size=(3, 3)), rng.normal(size=(2, 3)).astype(np.float32)
    sums = forward_backward(scores, [2], transitions, outside=0, room=Room())
    one, two = sums.likeliest
    joint = np.exp(scores[0][:, None] + scores[1] + transitions)
    joint /= joint.sum()
    assert np.exp(sums.steps) == pytest.approx(
        [joint[one].sum(), joint[one, two] / joint[one].sum()], rel=1e-4
    )


@given(st.lists(st.integers(1, 500), min_size=1, max_size=300))
def test_every_token_has_a_place_of_its_own_and_little_is_left_empty(lengths):
    lanes = _Lanes(lengths)
    assert len(set(lanes.where.tolist())) == sum(lengths)
    assert lanes.where.max() < lanes.steps * lanes.count
    assert lanes.count <= 64
    assert lanes.steps <= max(max(lengths), 2 * sum(lengths) / 64)
    begins = sum(len(lanes_here) for lanes_here in lanes.begins if lanes_here is not None)
    assert begins >= len(lengths)


def test_a_room_gives_an_array_again_but_never_of_another_kind():
    room = Room()
    first = room("a", 10, 4)
    assert np.shares_memory(first, room("a", 5, 8))
    assert room("a", 5, 8, dtype=np.float32).dtype == np.float32
    assert room("a", 40, 4).shape == (40, 4)
