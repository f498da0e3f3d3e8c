"""The chain against all paths, and its batches."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.lab.detect.chain import Chain, Edges, batches, forward_backward


def paths_of(scores, transitions, edges=None):
    """Return every labelling of a note with its score."""
    scores, transitions = scores.astype(np.float64), transitions.astype(np.float64)
    labels = range(scores.shape[1])
    steps = np.repeat(transitions[None], max(len(scores), 1), axis=0)
    if edges is not None:
        steps[edges.places, edges.before, edges.after] += edges.scores
    return {
        path: sum(scores[t, label] for t, label in enumerate(path))
        + sum(steps[t, one, two] for t, (one, two) in enumerate(itertools.pairwise(path), start=1))
        for path in itertools.product(labels, repeat=len(scores))
    }


def edges_of(rng, length):
    """Return scores of some pairs of tags at some tokens but the first."""
    cells = np.flatnonzero(rng.random(max(length - 1, 0) * 9) < 0.4)
    places, pairs = np.divmod(cells, 9)
    before, after = np.divmod(pairs, 3)
    return Edges(places + 1, np.zeros_like(places), before, after, rng.normal(scale=3, size=len(cells)))


@settings(max_examples=60, deadline=None)
@given(
    lengths=st.lists(st.integers(0, 5), min_size=1, max_size=4),
    seed=st.integers(0, 10_000),
    lead=st.sampled_from([0.0, 2.0, 8.0]),
    with_edges=st.booleans(),
)
def test_best_probabilities_and_normaliser_are_those_of_all_paths(lengths, seed, lead, with_edges):
    rng = np.random.default_rng(seed)
    transitions = rng.normal(scale=2, size=(3, 3)).astype(np.float32)
    emissions = [rng.normal(scale=2, size=(n, 3)).astype(np.float32) for n in lengths]
    for scores in emissions:
        scores[:, 1] += lead  # outside leads, so that notes fall into stretches
    edges = [edges_of(rng, n) for n in lengths] if with_edges else None
    chain = Chain(transitions)
    each = edges or [None] * len(lengths)
    for scores, edge, path, marginal in zip(
        emissions, each, chain.best(emissions, edges), chain.marginals(emissions, edges), strict=True
    ):
        if not len(scores):
            assert len(path) == 0
            assert marginal.probabilities.shape == (0, 3)
            continue
        all_paths = paths_of(scores, transitions, edge)
        assert all_paths[tuple(path)] == pytest.approx(max(all_paths.values()), abs=1e-4)
        assert chain.log_score(scores, path, edge) == pytest.approx(max(all_paths.values()), abs=1e-4)
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


def test_the_expected_pairs_of_tags_are_those_of_all_paths():
    rng = np.random.default_rng(1)
    scores, transitions = rng.normal(size=(5, 3)), rng.normal(size=(3, 3))
    edges = edges_of(rng, 5)
    sums = forward_backward(scores[:, None].copy(), [1] * 5, transitions, edges)
    all_paths = paths_of(scores, transitions, edges)
    log_z = np.logaddexp.reduce(list(all_paths.values()))
    wanted = np.zeros((5, 3, 3))
    for path, score in all_paths.items():
        for t, (one, two) in enumerate(itertools.pairwise(path), start=1):
            wanted[t, one, two] += np.exp(score - log_z)
    assert sums.transitions == pytest.approx(wanted.sum(axis=0))
    assert sums.edges == pytest.approx(wanted[edges.places, edges.before, edges.after])
