"""The chain against all paths, and its batches."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.lab.detect.chain import Chain, batches


def paths_of(scores, transitions):
    """Return every labelling of a note with its score."""
    scores, transitions = scores.astype(np.float64), transitions.astype(np.float64)
    labels = range(scores.shape[1])
    return {
        path: sum(scores[t, label] for t, label in enumerate(path))
        + sum(transitions[one, two] for one, two in itertools.pairwise(path))
        for path in itertools.product(labels, repeat=len(scores))
    }


@settings(max_examples=60, deadline=None)
@given(
    lengths=st.lists(st.integers(0, 5), min_size=1, max_size=4),
    seed=st.integers(0, 10_000),
    lead=st.sampled_from([0.0, 2.0, 8.0]),
)
def test_best_probabilities_and_normaliser_are_those_of_all_paths(lengths, seed, lead):
    rng = np.random.default_rng(seed)
    transitions = rng.normal(scale=2, size=(3, 3)).astype(np.float32)
    emissions = [rng.normal(scale=2, size=(n, 3)).astype(np.float32) for n in lengths]
    for scores in emissions:
        scores[:, 1] += lead  # outside leads, so that notes fall into stretches
    chain = Chain(transitions)
    for scores, path, marginal in zip(
        emissions, chain.best(emissions), chain.marginals(emissions), strict=True
    ):
        if not len(scores):
            assert len(path) == 0
            assert marginal.probabilities.shape == (0, 3)
            continue
        all_paths = paths_of(scores, transitions)
        assert all_paths[tuple(path)] == pytest.approx(max(all_paths.values()), abs=1e-4)
        assert chain.log_score(scores, path) == pytest.approx(max(all_paths.values()), abs=1e-4)
        log_z = np.logaddexp.reduce(list(all_paths.values()))
        assert marginal.log_z == pytest.approx(log_z, abs=1e-4)
        wanted = np.zeros((len(scores), 3))
        for labels, score in all_paths.items():
            wanted[np.arange(len(scores)), list(labels)] += np.exp(score - log_z)
        assert np.abs(marginal.probabilities - wanted).max() < 1e-5


@given(st.lists(st.integers(0, 50_000), max_size=300))
def test_batches_take_bounded_room(lengths):
    made = list(batches(lengths))
    assert sorted(itertools.chain(*made)) == [place for place, length in enumerate(lengths) if length]
    for batch in made:
        assert len(batch) == 1 or sum(lengths[place] for place in batch) <= 1 << 15


def test_a_long_note_beside_short_ones():
    rng = np.random.default_rng(0)
    emissions = [rng.normal(size=(n, 9)).astype(np.float32) for n in (20_000, *[100] * 63)]
    chain = Chain(rng.normal(size=(9, 9)).astype(np.float32))
    paths, marginals = chain.best(emissions), chain.marginals(emissions)
    assert [len(path) for path in paths] == [len(m.probabilities) for m in marginals] == [20_000, *[100] * 63]
    assert all(np.allclose(marginal.probabilities.sum(axis=1), 1.0) for marginal in marginals)
    assert (chain.best(emissions[5:6])[0] == paths[5]).all()
