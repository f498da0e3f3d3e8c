"""Character models against a plain rewriting of the formula, and the bounds of their size."""

from collections import Counter, defaultdict
from sys import modules

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.lab.detect.charlm.language import Language, count_strings, merged

SYMBOLS, STATES = 5, 3

STRINGS = st.lists(
    st.tuples(st.lists(st.integers(0, SYMBOLS - 1), min_size=1, max_size=7), st.integers(0, STATES - 1)),
    min_size=1,
    max_size=12,
)


def model(strings, *, order=3, ratio=2.0, most=10_000):
    arrays = count_strings(
        [np.array(text) for text, _ in strings],
        np.array([state for _, state in strings]),
        symbols=SYMBOLS,
        order=order,
        most=most,
    )
    return Language(arrays, states=STATES, symbols=SYMBOLS, order=order, ratio=ratio), arrays


def plain_chance(strings, state, context, symbol, *, order, ratio):
    """Interpolate from the shortest context to the longest."""
    after = defaultdict(Counter)
    for text, own in strings:
        if own == state:
            for place in range(len(text)):
                for length in range(min(place, order - 1) + 1):
                    after[tuple(text[place - length : place])][text[place]] += 1
    chance = 1 / SYMBOLS
    for length in range(min(len(context), order - 1) + 1):
        seen = after[tuple(context[len(context) - length :])]
        if seen:
            kinds = ratio * len(seen)
            chance = (seen[symbol] + kinds * chance) / (seen.total() + kinds)
    return chance


@settings(max_examples=60, deadline=None)
@given(STRINGS, st.lists(st.integers(0, SYMBOLS - 1), min_size=1, max_size=7), st.integers(1, 4))
def test_agrees_with_the_formula(strings, text, order):
    language, _ = model(strings, order=order, ratio=1.5)
    steps = language.log_steps(np.array(text))
    for state in range(STATES):
        for place, symbol in enumerate(text):
            chance = plain_chance(strings, state, text[:place], symbol, order=order, ratio=1.5)
            assert steps[place, state] == pytest.approx(np.log(chance), abs=1e-4)


@settings(max_examples=30, deadline=None)
@given(STRINGS, st.lists(st.integers(0, SYMBOLS - 1), max_size=5))
def test_chances_of_all_symbols_add_up_to_one(strings, context):
    language, _ = model(strings)
    nexts = [np.array([*context, symbol]) for symbol in range(SYMBOLS)]
    lengths = np.full(SYMBOLS, len(context) + 1)
    logs = language.log_probabilities(np.concatenate(nexts), lengths, lengths - 1)
    assert np.exp(logs).sum(axis=0) == pytest.approx(np.ones(STATES), abs=1e-4)


def test_strings_are_scored_from_the_given_symbols_on():
    language, _ = model([([1, 2, 3], 0), ([1, 2, 2], 1)])
    text = np.array([1, 2, 3, 1])
    steps = language.log_steps(text)
    flat, lengths = np.concatenate((text, text, text)), np.array([4, 4, 4])
    logs = language.log_probabilities(flat, lengths, np.array([0, 2, 4]))
    assert logs[0] == pytest.approx(steps.sum(axis=0), abs=1e-5)
    assert logs[1] == pytest.approx(steps[2:].sum(axis=0), abs=1e-5)
    assert not logs[2].any()


def test_batches_do_not_change_scores(monkeypatch):
    language, _ = model([([1, 2, 3, 4], 0), ([4, 3, 2], 2)])
    rng = np.random.default_rng(7)
    lengths = rng.integers(1, 6, 40)
    flat = rng.integers(0, SYMBOLS, lengths.sum())
    whole = language.log_probabilities(flat, lengths, np.zeros_like(lengths))
    monkeypatch.setattr(modules["plainsight.lab.detect.charlm.language"], "_BATCH", 12)
    assert np.array_equal(language.log_probabilities(flat, lengths, np.zeros_like(lengths)), whole)


def test_rare_long_strings_go_first_when_there_are_too_many():
    rng = np.random.default_rng(1)
    strings = [([0, 1, 2, 3, 4, 0], 0)] * 5 + [(rng.integers(0, SYMBOLS, 9).tolist(), 1) for _ in range(40)]
    _, everything = model(strings, order=6)
    language, fewer = model(strings, order=6, most=200)
    assert len(fewer["symbols"]) <= 200 < len(everything["symbols"])
    text = np.array([0, 1, 2, 3, 4, 0])
    assert language.log_steps(text)[-1, 0] > np.log(0.3)  # what is common is still known
    for bound in (1, 10):  # a bound under the number of short strings: those stay, and that is the least
        _, least = model(strings, order=6, most=bound)
        assert len(least["symbols"]) < 160


@settings(max_examples=30, deadline=None)
@given(STRINGS)
def test_merged_states_are_as_if_counted_together(strings):
    _, arrays = model(strings)
    groups = np.array([0, 1, 0])
    language = Language(merged(arrays, groups), states=2, symbols=SYMBOLS, order=3, ratio=2.0)
    together, _ = model([(text, int(groups[state])) for text, state in strings])
    text = np.array([1, 2, 0, 4, 4, 1])
    assert language.log_steps(text) == pytest.approx(together.log_steps(text)[:, :2], abs=1e-6)
