"""A note as a convolutional network reads it: words, what stands before each, what the rules claim."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.document import Span
from plainsight.text.tokens import Offsets, tokenize

__all__ = ["GAPS", "Reading", "claim_numbers", "read"]

Ints = NDArray[np.int64]

GAPS = 5
"""What stands before a word: nothing, a space, more, a line's end, a blank line."""

_GLUED, _SPACE, _WIDE, _LINE, _PARAGRAPH = range(GAPS)


class Reading(NamedTuple):
    """A note: where its tokens are, its words, and numbers for the gap before each and for a claim on it."""

    tokens: Offsets
    words: Sequence[str]
    gaps: Ints
    claims: Ints


def claim_numbers(labels: Sequence[str]) -> dict[str, int]:
    """Return the number of the first token of a claim by its label; those that follow have the next one."""
    return {label: 2 * place + 1 for place, label in enumerate(labels)}


def read(text: str, claims: Sequence[Span], numbers: Mapping[str, int]) -> Reading:
    """Read a note; labels without a number are not looked at."""
    tokens = tokenize(text)
    words = [text[start:end] for start, end in tokens]
    ends = [0, *(end for _, end in tokens)]
    gaps = [_gap(text[before:start]) for before, (start, _) in zip(ends, tokens, strict=False)]
    if gaps:
        gaps[0] = _PARAGRAPH
    return Reading(tokens, words, np.array(gaps, np.int64), _claimed(tokens, claims, numbers))


@lru_cache(1 << 12)
def _gap(gap: str) -> int:
    if gap in ("", " "):
        return _SPACE if gap else _GLUED
    breaks = gap.count("\n") or gap.count("\r")
    return _PARAGRAPH if breaks > 1 else _LINE if breaks else _WIDE


def _claimed(tokens: Offsets, claims: Sequence[Span], numbers: Mapping[str, int]) -> Ints:
    """Return for each token the number of the surest claim that it begins in; 0 if there is none."""
    made = np.zeros(len(tokens), np.int64)
    starts = [start for start, _ in tokens]
    for span in sorted(claims, key=lambda span: (span.score, -span.start, span.end, span.label)):
        if number := numbers.get(span.label):
            first, last = bisect_left(starts, span.start), bisect_left(starts, span.end)
            made[first:last] = number + 1
            made[first : first + 1] = number
    return made
