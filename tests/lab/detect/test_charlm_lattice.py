"""States, lattice and n-best search, against counting all paths."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.lab.detect.charlm.lattice import Lattice, States, n_best


@st.composite
def chunkings(draw):
    length = draw(st.integers(1, 12))
    chunks, place = [], 0
    while place < length:
        if draw(st.booleans()):
            stop = draw(st.integers(place + 1, length))
            chunks.append((place, stop, draw(st.integers(0, 2))))
            place = stop
        else:
            place += 1
    return chunks, length


@given(chunkings())
def test_a_path_holds_its_chunks(case):
    chunks, length = case
    states = States(3)
    path = np.array(states.path(chunks, length))
    _, firsts, stops, labels = states.chunks(path[None])
    assert list(zip(firsts, stops, labels, strict=True)) == chunks
    inside = np.zeros(length, dtype=bool)
    for first, stop, _ in chunks:
        inside[first:stop] = True
    assert np.array_equal(path < states.outside.start, inside)


def test_tokens_outside_know_their_neighbours():
    states = States(2)
    path = states.path([(2, 4, 1), (5, 6, 0)], 9)
    edge = states.edge
    assert path == [
        states.after.start + edge,
        states.before.start + 1,
        states.begin.start + 1,
        states.end.start + 1,
        states.between.start + 0,
        states.whole.start + 0,
        states.after.start + 0,
        states.interior,
        states.before.start + edge,
    ]
    assert states.path([], 1) == [states.between.start + edge]


def random_lattice(labels, seed):
    """Return a lattice with random scores for what may follow what."""
    states, rng = States(labels), np.random.default_rng(seed)
    legal = np.zeros((states.size, states.size), dtype=bool)
    start, stop = np.zeros(states.size, dtype=bool), np.zeros(states.size, dtype=bool)
    for length in (1, 2, 3, 4, 5):  # every step that some chunking takes
        for path in all_paths(states, length):
            start[path[0]] = stop[path[-1]] = True
            legal[path[:-1], path[1:]] = True
    step = np.where(legal, rng.normal(size=legal.shape), -np.inf)
    # the end and the whole of an identifier go on alike, so do tokens before one
    labels_ = np.arange(labels)
    step[states.whole] = step[states.end]
    step[states.between.start + labels_] = step[states.before.start + labels_]
    first, last = (np.where(mask, rng.normal(size=states.size), -np.inf) for mask in (start, stop))
    return Lattice(states, *(table.astype(np.float32) for table in (step, first, last)))


def all_paths(states, length):
    """Return the paths of all chunkings."""

    def chunks(place):
        if place == length:
            yield []
            return
        for rest in chunks(place + 1):
            yield rest
        for stop in range(place + 1, length + 1):
            for label, rest in product(range(states.labels), chunks(stop)):
                yield [(place, stop, label), *rest]

    return np.array([states.path(each, length) for each in chunks(0)])


def scores_of(lattice, paths, emissions):
    scores = lattice.start[paths[:, 0]] + lattice.stop[paths[:, -1]]
    scores = scores + lattice.transitions[paths[:, :-1], paths[:, 1:]].sum(axis=1)
    return scores + emissions[np.arange(paths.shape[1]), paths].sum(axis=1)


@pytest.mark.parametrize("labels", [1, 2])
def test_search_finds_the_best_path_and_the_best_through_each_state(labels):
    lattice = random_lattice(labels, labels)
    rng = np.random.default_rng(5)
    emissions = [
        rng.normal(size=(length, lattice.states.size)).astype(np.float32) for length in (3, 5, 1, 4, 5)
    ]
    for search, local in zip(lattice.search(emissions), emissions, strict=True):
        paths = all_paths(lattice.states, len(local))
        scores = scores_of(lattice, paths, local)
        assert np.array_equal(search.path, paths[scores.argmax()])
        for token in range(len(local)):
            for state in range(lattice.states.size):
                through = scores[paths[:, token] == state]
                if len(through):
                    gap = scores.max() - through.max()
                    assert search.gap[token, state] == pytest.approx(gap, abs=1e-4)
                else:
                    assert search.gap[token, state] > 1e20


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5), st.integers(1, 4), st.integers(1, 60), st.integers(0, 1000))
def test_n_best_is_exact(tokens, nodes, n, seed):
    rng = np.random.default_rng(seed)
    emissions = rng.normal(size=(tokens, nodes))
    steps = rng.normal(size=(tokens - 1, nodes, nodes))
    steps[rng.random(steps.shape) < 0.2] = -1e30
    start, stop = rng.normal(size=(2, nodes))
    everything = np.array(list(product(range(nodes), repeat=tokens)))
    scores = start[everything[:, 0]] + stop[everything[:, -1]]
    for token in range(tokens):
        scores = scores + emissions[token, everything[:, token]]
        if token:
            scores = scores + steps[token - 1, everything[:, token - 1], everything[:, token]]
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] > -1e20][:n]
    if not len(order):
        return
    paths, found = n_best(emissions, steps, start, stop, n=n)
    assert found == pytest.approx(scores[order])
    assert len({tuple(path) for path in paths}) == len(paths) == len(order)
    places = (paths * nodes ** np.arange(tokens - 1, -1, -1)).sum(axis=1)
    assert scores[places] == pytest.approx(found)


def test_paths_that_lose_too_much_are_left_out():
    emissions = [np.array([0.0, -1.0]), np.array([0.0, -3.0])]
    steps = [np.zeros((2, 2))]
    paths, scores = n_best(emissions, steps, np.zeros(2), np.zeros(2), n=10, reach=3.5)
    assert paths.tolist() == [[0, 0], [1, 0], [0, 1]]
    assert scores.tolist() == [0.0, -1.0, -3.0]
