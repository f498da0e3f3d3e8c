"""A note as a convolutional network reads it: words, what stands before each, what the rules claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.document import Span
from plainsight.text.shadow import shadow
from plainsight.text.tokens import Edges, Offsets, token_edges

__all__ = ["GAPS", "Reading", "claim_numbers", "read"]

Ints = NDArray[np.int64]

GAPS = 5
"""What stands before a word: nothing, a space, more, a line's end, a blank line."""

_GLUED, _SPACE, _WIDE, _LINE, _PARAGRAPH = range(GAPS)


class Reading(NamedTuple):
    """A note: where its tokens are, its words, and numbers for the gap before each and for a claim on it."""

    edges: Edges
    words: Sequence[str]
    gaps: Ints
    claims: Ints

    @property
    def tokens(self) -> Offsets:
        """The edges as pairs."""
        starts, ends = self.edges.T.tolist()
        return list(zip(starts, ends, strict=True))


def claim_numbers(labels: Sequence[str]) -> dict[str, int]:
    """Return the number of the first token of a claim by its label; those that follow have the next one."""
    return {label: 2 * place + 1 for place, label in enumerate(labels)}


def read(text: str, claims: Sequence[Span], numbers: Mapping[str, int]) -> Reading:
    """Read a note; labels without a number are not looked at."""
    edges = token_edges(text)
    starts, ends = edges.T
    words = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    return Reading(edges, words, _gaps(text, starts, ends), _claimed(starts, claims, numbers))


def _gaps(text: str, starts: Ints, ends: Ints) -> Ints:
    """Return the number of the gap before each token."""
    view = np.frombuffer(shadow(text), np.uint8)
    widths = starts.copy()
    widths[1:] -= ends[:-1]
    made = np.where(widths > 0, _WIDE, _GLUED)
    made[(widths == 1) & (view[starts - 1] == ord(" "))] = _SPACE
    breaks = _before("\n", view, starts)
    if "\r" in text:
        breaks = np.where(breaks > 0, breaks, _before("\r", view, starts))
    made[breaks == 1] = _LINE
    made[breaks > 1] = _PARAGRAPH
    made[:1] = _PARAGRAPH
    return made


def _before(sign: str, view: NDArray[np.uint8], starts: Ints) -> Ints:
    """Return how many of a sign stand between each token and the one before it."""
    places = np.searchsorted(starts, np.flatnonzero(view == ord(sign)))
    return np.bincount(places, minlength=len(starts) + 1)[:-1]


def _claimed(starts: Ints, claims: Sequence[Span], numbers: Mapping[str, int]) -> Ints:
    """Return for each token the number of the surest claim that it begins in; 0 if there is none."""
    made = np.zeros(len(starts), np.int64)
    known = [span for span in claims if span.label in numbers]
    known.sort(key=lambda span: (span.score, -span.start, span.end, span.label))
    edges = np.searchsorted(starts, [edge for span in known for edge in (span.start, span.end)]).tolist()
    for span, first, last in zip(known, edges[::2], edges[1::2], strict=True):
        made[first:last] = numbers[span.label] + 1
        made[first : first + 1] = numbers[span.label]
    return made
