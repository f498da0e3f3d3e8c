"""How the convolution detector reads tokens, gaps and claims."""

from __future__ import annotations

import numpy as np

from plainsight.detect.convolution.note_tokens import claim_numbers, read, read_joined
from plainsight.document import Span


def test_gaps_tell_lines_and_paragraphs_apart():
    tokens = read("Seen,  by\nDr. Lee\r\n\r\nwell", [], {})
    assert tokens.words == ["Seen", ",", "by", "Dr", ".", "Lee", "well"]
    assert tokens.gaps.tolist() == [4, 0, 2, 3, 0, 1, 4]
    assert read(" a\tb\rc \r\rd\r\ne\x0bf\u00a0g", [], {}).gaps.tolist() == [4, 2, 3, 4, 3, 2, 1]
    assert read("", [], {}).gaps.tolist() == []


def test_the_surest_claim_on_a_token_counts():
    numbers = claim_numbers(["DATE", "DOCTOR"])
    claims = [Span(5, 12, "DOCTOR", 0.9), Span(5, 9, "DATE", 0.4), Span(0, 4, "OTHER", 1.0)]
    tokens = read("Seen Ann Lee May 3", [*claims, Span(13, 18, "DATE", 0.8)], numbers)
    assert tokens.claims.tolist() == [0, 3, 4, 1, 2]


def test_notes_are_read_together_as_one_by_one():
    numbers = claim_numbers(["DATE", "DOCTOR"])
    texts = ["Seen by DrLee", "", ": 3/4\rZoë ", "\n", "QFRI KAYMRN:7 Seen"]
    claims = [
        [Span(10, 13, "DOCTOR", 0.9)],  # inside the last token
        [],
        [Span(2, 5, "DATE", 0.8), Span(2, 3, "DOCTOR", 0.9)],
        [],
        [Span(0, 1, "DATE")],
    ]
    together, offsets = read_joined(texts, claims, numbers)
    alone = [read(*note, numbers) for note in zip(texts, claims, strict=True)]
    shifted = [tokens.edges + offset for tokens, offset in zip(alone, offsets, strict=True)]
    np.testing.assert_array_equal(together.edges, np.concatenate(shifted))
    assert together.words == [word for tokens in alone for word in tokens.words]
    np.testing.assert_array_equal(together.gaps, np.concatenate([tokens.gaps for tokens in alone]))
    np.testing.assert_array_equal(together.claims, np.concatenate([tokens.claims for tokens in alone]))
