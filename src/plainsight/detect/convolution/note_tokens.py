"""A note as a convolutional network reads it: words, what stands before each, what the rules claim."""

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
"""What stands before a word: nothing, a space, more, a line's end, a blank line."""

_BETWEEN = "\n\n"  # a note begins with a paragraph, wherever it stands

_GLUED, _SPACE, _WIDE, _LINE, _PARAGRAPH = range(GAPS)

_Claim = tuple[float, int, int, str, int]
"""Score, start less than 0, end and label of a claim, and where its note ends: the surest comes last."""


class NoteTokens(NamedTuple):
    """A note: text, shadow and tokens, and numbers for the gap before each token and for a claim on it."""

    text: str
    view: bytes
    edges: Edges
    gaps: Ints
    claims: Ints

    @property
    def words(self) -> list[str]:
        """What the tokens are, worked out each time."""
        return token_words(self.text, self.edges)

    @property
    def tokens(self) -> Offsets:
        """The edges as pairs."""
        starts, ends = self.edges.T.tolist()
        return list(zip(starts, ends, strict=True))


def claim_numbers(labels: Sequence[str]) -> dict[str, int]:
    """Return the number of the first token of a claim by its label; those that follow have the next one."""
    return {label: 2 * place + 1 for place, label in enumerate(labels)}


def read(text: str, claims: Sequence[Span], numbers: Mapping[str, int]) -> NoteTokens:
    """Read a note; labels without a number are not looked at."""
    return read_as_one([text], [claims], numbers)[0]


def read_as_one(
    texts: Sequence[str], claims: Sequence[Sequence[Span]], numbers: Mapping[str, int]
) -> tuple[NoteTokens, list[int]]:
    """Read notes that are laid behind one another; also return where each begins in their text.

    It is what they are read as one by one, and quicker: what is done for all tokens at once costs as much for
    the few of one note as for some thousand.
    """
    offsets = list(accumulate((len(text) + len(_BETWEEN) for text in texts[:-1]), initial=0))
    text = _BETWEEN.join(texts)
    view = shadow(text)
    edges = token_edges(text, view)
    starts, ends = edges.T
    known = [
        (span.score, -span.start - offset, span.end + offset, span.label, offset + len(note))
        for note, spans, offset in zip(texts, claims, offsets, strict=True)
        for span in spans
        if span.label in numbers
    ]
    claimed = _claimed(starts, sorted(known), numbers)
    return NoteTokens(text, view, edges, _gaps(view, starts, ends), claimed), offsets


def _gaps(view: bytes, starts: Ints, ends: Ints) -> Ints:
    """Return the number of the gap before each token of a shadow."""
    signs = np.frombuffer(view, np.uint8)
    widths = starts.copy()
    widths[1:] -= ends[:-1]
    made = np.where(widths > 0, _WIDE, _GLUED)
    made[(widths == 1) & (signs[starts - 1] == ord(" "))] = _SPACE
    breaks = _before("\n", signs, starts)
    if b"\r" in view:
        breaks = np.where(breaks > 0, breaks, _before("\r", signs, starts))
    made[breaks == 1] = _LINE
    made[breaks > 1] = _PARAGRAPH
    made[:1] = _PARAGRAPH
    return made


def _before(sign: str, signs: NDArray[np.uint8], starts: Ints) -> Ints:
    """Return how many of a sign stand between each token and the one before it."""
    places = np.searchsorted(starts, np.flatnonzero(signs == ord(sign)))
    return np.bincount(places, minlength=len(starts) + 1)[:-1]


def _claimed(starts: Ints, claims: Sequence[_Claim], numbers: Mapping[str, int]) -> Ints:
    """Return for each token the number of the surest claim that it begins in; 0 if there is none."""
    made = np.zeros(len(starts), np.int64)
    edges = np.searchsorted(starts, [edge for _, start, end, *_ in claims for edge in (-start, end)]).tolist()
    for (_, _, _, label, until), first, last in zip(claims, edges[::2], edges[1::2], strict=True):
        number = numbers[label]
        made[first:last] = number + 1
        # what lies inside a token is said of the next one, if that is in the same note
        if first < last or (first < len(starts) and starts[first] < until):
            made[first] = number
    return made
