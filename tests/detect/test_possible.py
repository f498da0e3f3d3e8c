"""Possible identifiers: what a network finds somewhat probable but does not mark."""

from __future__ import annotations

import numpy as np
import pytest

from plainsight.config import load_policy
from plainsight.detect.base import Doubting
from plainsight.detect.learned import decode_margins, log_softmax, with_margins
from plainsight.detect.possible import LEAST_POSSIBLE, with_possible
from plainsight.document import Document
from plainsight.pipeline import Pipeline

TAGS = ["O", "B-DATE", "I-DATE", "B-CITY", "I-CITY"]
TOKENS = [(0, 3), (4, 7), (8, 11), (12, 15)]


def found_and_possible(*rows: list[float], bias: float = 0.0):
    scores = log_softmax(np.log(np.array(rows, np.float32)))
    notes = with_margins([(TOKENS[: len(rows)], scores)], TAGS)
    return with_possible(
        lambda notes: decode_margins(notes, TAGS, bias=bias, source="net"), notes, TAGS, source="net"
    )


def test_tokens_outside_spans_with_their_likeliest_label():
    marked, likely, unlikely = (
        [0.1, 0.8, 0.04, 0.03, 0.03],
        [0.7, 0.1, 0.0001, 0.15, 0.05],
        [0.999, *[2e-4] * 4],
    )
    [spans], [possible] = found_and_possible(marked, likely, unlikely)
    assert [(span.start, span.end, span.label) for span in spans] == [(0, 3, "DATE")]
    [token] = possible
    assert (token.start, token.end, token.label, token.source) == (4, 7, "CITY", "net")
    assert token.score == pytest.approx(0.3, abs=1e-3)


def test_the_bias_marks_more_but_does_not_change_probabilities():
    rows = [[0.7, 0.1, 0.01, 0.15, 0.04], [0.9, 0.05, 0.03, 0.01, 0.01]]
    [spans], [possible] = found_and_possible(*rows, bias=-2.0)
    assert [span.start for span in spans] == [0]
    assert [token.score for token in possible] == pytest.approx([0.1], abs=1e-3)


def test_a_note_without_tokens_has_no_possible_identifiers():
    scores = np.zeros((0, len(TAGS)), np.float32)
    notes = with_margins([([], scores)], TAGS)
    assert with_possible(lambda notes: [[] for _ in notes], notes, TAGS, source="net") == ([[]], [[]])


@pytest.mark.parametrize("policy", ["fast", "balanced"])
def test_bundled_detectors_find_the_same_with_doubt(policy):
    notes = [Document("1", "Seen by Dr. Okafor on 3/4/2019 with Marlowe, see Rose."), Document("2", "")]
    [network] = [d for d in Pipeline(load_policy(policy)).detectors if isinstance(d, Doubting)]
    found, possible = network.detect_and_doubt(notes)
    assert found == network.detect(notes)
    for note, spans, tokens in zip(notes, found, possible, strict=True):
        for token in tokens:
            assert LEAST_POSSIBLE <= token.score <= 1
            assert token.end <= len(note.text)
            assert not any(span.start <= token.start and token.end <= span.end for span in spans)
