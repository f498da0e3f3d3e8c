"""A note as a convolutional network reads it: tokens, the gap before each, the claim of a rule on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Ints
from plainsight.document import Span
from plainsight.text.shadow import shadow
from plainsight.text.tokens import Edges, Offsets, token_edges, token_words

GAPS = 5
"""How many kinds of gaps there are before a token: none, a space, wider, a line end, a blank line."""

_NONE, _SPACE, _WIDE, _LINE, _PARAGRAPH = range(GAPS)

_SEPARATOR = "\n\n"  # a note begins like a paragraph, alone or behind another


class NoteTokens(NamedTuple):
    """A text and its tokens; for each token the kind of gap before it and the number of its claim."""

    text: str
    edges: Edges
    gaps: Ints
    claims: Ints

    @property
    def words(self) -> list[str]:
        """The text of each token."""
        return token_words(self.text, self.edges)

    @property
    def tokens(self) -> Offsets:
        """The edges as pairs."""
        starts, ends = self.edges.T.tolist()
        return list(zip(starts, ends, strict=True))


def claim_numbers(labels: Sequence[str]) -> dict[str, int]:
    """Return the number of a claim's first token by label; its other tokens have the next number."""
    return {label: 2 * index + 1 for index, label in enumerate(labels)}


def read(text: str, claims: Sequence[Span], numbers: Mapping[str, int]) -> NoteTokens:
    """Return the tokens of a note; claims whose label has no number are ignored."""
    return read_joined([text], [claims], numbers)[0]


def read_joined(
    texts: Sequence[str], claims: Sequence[Sequence[Span]], numbers: Mapping[str, int]
) -> tuple[NoteTokens, list[int]]:
    """Return the tokens of several notes joined to one text, and where each note begins in it.

    Every note gets the same tokens as alone. Joined is faster: array operations cost almost as much for the
    tokens of one note as for those of ten.
    """
    offsets = list(accumulate((len(text) + len(_SEPARATOR) for text in texts[:-1]), initial=0))
    joined = _SEPARATOR.join(texts)
    edges = token_edges(joined)
    starts, ends = edges.T
    numbered = np.zeros(len(edges), np.int64)
    for text, spans, offset in zip(texts, claims, offsets, strict=True):
        first, last = np.searchsorted(starts, (offset, offset + len(text)))
        own = [span for span in spans if span.label in numbers]
        _number_claims(numbered[first:last], starts[first:last] - offset, own, numbers)
    return NoteTokens(joined, edges, _gaps(joined, starts, ends), numbered), offsets


def _number_claims(numbered: Ints, starts: Ints, claims: Sequence[Span], numbers: Mapping[str, int]) -> None:
    """Write the number of the surest claim onto each token of a note that begins inside it.

    A claim that lies inside one token counts for the next one.
    """
    ordered = sorted(claims, key=lambda span: (span.score, -span.start, span.end, span.label))
    edges = np.searchsorted(starts, [edge for span in ordered for edge in (span.start, span.end)]).tolist()
    for span, first, last in zip(ordered, edges[::2], edges[1::2], strict=True):
        numbered[first:last] = numbers[span.label] + 1
        numbered[first : first + 1] = numbers[span.label]


def _gaps(text: str, starts: Ints, ends: Ints) -> Ints:
    """Return the kind of gap before each token."""
    view = np.frombuffer(shadow(text), np.uint8)
    widths = starts.copy()
    widths[1:] -= ends[:-1]
    gaps = np.where(widths > 0, _WIDE, _NONE)
    gaps[(widths == 1) & (view[starts - 1] == ord(" "))] = _SPACE
    line_ends = _count_before(view == ord("\n"), starts)
    if "\r" in text:
        line_ends = np.where(line_ends > 0, line_ends, _count_before(view == ord("\r"), starts))
    gaps[line_ends == 1] = _LINE
    gaps[line_ends > 1] = _PARAGRAPH
    gaps[:1] = _PARAGRAPH
    return gaps


def _count_before(marks: NDArray[np.bool_], starts: Ints) -> Ints:
    """Return how many characters are marked between each token and the one before it."""
    indices = np.searchsorted(starts, np.flatnonzero(marks))
    return np.bincount(indices, minlength=len(starts) + 1)[:-1]
