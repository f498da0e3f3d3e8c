"""The best legal path, held to the chain of the CRF, which searches all paths."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from plainsight.detect import learned
from plainsight.detect.bio_decode import best_path, margin_bounds
from plainsight.detect.learned import Margins, bio_transitions, decode_margins, decode_scores, log_softmax
from plainsight.lab.detect.chain import Chain
from plainsight.text.tags import decode

TAGS = ["O", "B-AGE", "I-AGE", "B-DATE", "I-DATE"]


@given(st.integers(1, 40), st.integers(0, 2**32 - 1), st.sampled_from([0.3, 1.0, 1.5]))
def test_it_is_the_chain_s_best_path(tokens, seed, spread):
    scores = (np.random.default_rng(seed).normal(size=(tokens, len(TAGS))) * spread).astype(np.float32)
    assume((scores[:, 0] - scores[:, 1:].max(axis=1)).max() < 7)  # or else notes are parted there
    scores[0, [2, 4]] = -100.0  # the chain lets a note begin in the middle of an identifier
    found, best = best_path(scores, TAGS), Chain(bio_transitions(TAGS)).best([scores])[0]
    gained, wanted = (float(scores[np.arange(tokens), path].sum()) for path in (found, best))
    assert gained == pytest.approx(wanted, abs=1e-3)
    for before, tag in pairwise([0, *found]):
        assert TAGS[tag][0] != "I" or TAGS[before][2:] == TAGS[tag][2:]


def test_it_is_parted_where_nothing_is_all_but_sure():
    sure, likely = (-0.001, -9.0, -9.0, -9.0, -9.0), (-2.0, -0.5, -2.0, -3.0, -3.0)
    assert best_path(np.array([likely, sure, likely], np.float32), TAGS).tolist() == [1, 0, 1]
    assert best_path(np.array([sure, sure], np.float32), TAGS).tolist() == [0, 0]


def test_notes_do_not_touch_one_another():
    row = np.log(np.array([[0.1, 0.1, 0.6, 0.1, 0.1]], np.float32))  # going on is likeliest: nothing began
    given = [([(0, 3)], row), ([], row[:0]), ([(0, 3), (4, 8)], np.repeat(row, 2, 0))]
    notes = decode_scores(given, TAGS, bias=0.0, source="x")
    assert [[(span.start, span.end, span.label) for span in note] for note in notes] == [
        [],  # nothing goes on that has not begun, and beginning is no likelier than nothing
        [],
        [(0, 8, "AGE")],
    ]
    assert all(type(edge) is int for note in notes for span in note for edge in (span.start, span.end))


@given(st.integers(1, 60), st.integers(0, 2**32 - 1), st.sampled_from([-12.0, -1.0, 0.0, 3.0]))
def test_nothing_is_lost_where_nothing_is_in_question(tokens, seed, bias):
    scores = np.random.default_rng(seed).normal(size=(tokens, len(TAGS))) * 6
    scores[:, 0] += 8
    scores = (scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))).astype(np.float32)
    edges = [(2 * place, 2 * place + 1) for place in range(tokens)]
    [found] = decode_scores([(edges, scores.copy())], TAGS, bias=bias, source="x")
    scores[:, 0] += bias
    wanted = decode([TAGS[tag] for tag in best_path(scores, TAGS)], edges)
    assert [(s.start, s.end, s.label) for s in found] == [(s.start, s.end, s.label) for s in wanted]


@given(
    st.lists(st.integers(0, 30), max_size=6),
    st.integers(0, 2**32 - 1),
    st.sampled_from([-12.0, 0.0, 3.0]),
    st.sampled_from([1, 20, 1 << 14]),
)
def test_leads_are_as_good_as_probabilities(sizes, seed, bias, room):
    draws = np.random.default_rng(seed)
    notes = [
        (draws.normal(size=(size, len(TAGS))) * 6 + 8 * np.eye(5)[0]).astype(np.float32) for size in sizes
    ]
    edges = [[(2 * place, 2 * place + 1) for place in range(size)] for size in sizes]
    given = [
        Margins(
            tokens,
            scores + draws.normal(size=(len(scores), 1)).astype(np.float32),
            scores[:, 1:].max(1) - scores[:, 0],
        )
        if len(scores)
        else Margins(tokens, scores, scores[:, 0])
        for tokens, scores in zip(edges, notes, strict=True)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learned, "_BATCH_TOKENS", room)
        found = decode_margins(given, TAGS, bias=bias, source="x")
    known = zip(edges, map(log_softmax, notes), strict=True)
    for note, wanted in zip(found, decode_scores(known, TAGS, bias=bias, source="x"), strict=True):
        assert [replace(span, score=1.0) for span in note] == [replace(span, score=1.0) for span in wanted]
        assert [span.score for span in note] == pytest.approx([span.score for span in wanted], abs=2e-6)


def test_no_tag_leads_by_more_than_what_is_left_over():
    scores = log_softmax(np.random.default_rng(1).normal(size=(500, 5)).astype(np.float32) * 8)
    assert (margin_bounds(scores[:, 0]) >= scores[:, 1:].max(axis=1) - scores[:, 0]).all()
    assert np.isfinite(margin_bounds(np.array([0.0, 1e-7, -200.0], np.float32))).all()


def test_a_bias_moves_the_score_as_well():
    row = np.log(np.array([[0.5, 0.5, 1e-9, 1e-9, 1e-9]], np.float32))
    [[sure]], [none] = (decode_scores([([(0, 2)], row)], TAGS, bias=bias, source="x") for bias in (-1.0, 1.0))
    assert sure.score == pytest.approx(1 / (1 + np.exp(-1.0)), abs=1e-5)
    assert none == []


def test_a_very_low_or_high_bias_is_no_trouble():
    row = np.array([[-2e-6, -14.0, -14.0, -30.0, -30.0]], np.float32)
    [[all_found]], [none] = (
        decode_scores([([(0, 2)], row)], TAGS, bias=bias, source="x") for bias in (-100.0, 1000.0)
    )
    assert all_found.score == 1.0
    assert none == []


def test_no_notes():
    assert decode_scores([], TAGS, bias=0.0, source="x") == []
