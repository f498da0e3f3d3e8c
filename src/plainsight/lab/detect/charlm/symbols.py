"""Notes as sequences of tokens, and text as numbers: one symbol per character and per kind of gap.

A token is the gap before it (nothing, a space, a wide gap, a new line, a blank line), its characters, and an
end. Characters of any script are kept; all that training did not see at least twice are one symbol, so that
the models know how likely the unknown is. A whole note is one sequence, unless it is very long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Ints
from plainsight.text.tokens import tokenize

Symbols = NDArray[np.int64]

EDGE = 0
"""The symbol before the first and after the last character."""

_UNKNOWN = 1
_GLUED, _SPACE, _WIDE, _LINE, _BLANK_LINE = range(2, 7)
_FIRST = 7  # the first character's symbol

_LONGEST_TEXT = 40  # characters of a token or an identifier that are looked at: half from each end

_BLANK = re.compile(r"\n[^\S\n]*\n|\r\n?[^\S\n]*\r|\f|\x85|\u2029")
_BREAK = re.compile(r"[\n\r\v\x1c-\x1e\u2028]")


def _shortened(text: str) -> str:
    """Return a text, without its middle if it is long."""
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT // 2] + text[-_LONGEST_TEXT // 2 :]


class Alphabet:
    """The characters that models know."""

    def __init__(self, characters: str) -> None:
        self.characters = characters
        points = _points(characters)
        self._table = np.full(int(points.max(initial=0)) + 2, _UNKNOWN, dtype=np.int64)
        self._table[points] = np.arange(_FIRST, _FIRST + len(points))

    @classmethod
    def of(cls, texts: Iterable[str]) -> Alphabet:
        """Return the alphabet of the characters that occur at least twice in texts."""
        points, counts = np.unique(_points("".join(texts)), return_counts=True)
        known = (counts > 1) & ~((points >= 0xD800) & (points < 0xE000))  # halves of pairs cannot be written
        return cls("".join(map(chr, points[known].tolist())))

    @property
    def size(self) -> int:
        """How many symbols there are."""
        return _FIRST + len(self.characters)

    def text(self, text: str) -> Symbols:
        """Return the symbols of a text's characters."""
        return self._table[np.minimum(_points(text), len(self._table) - 1)]

    def word(self, gap: int, word: str) -> Symbols:
        """Return the symbols of a token: the gap before it, its characters, the end."""
        return np.concatenate(([gap], self.text(_shortened(word)), [EDGE]))

    def chunk(self, text: str) -> Symbols:
        """Return the symbols of a whole identifier, between two edges."""
        return np.concatenate(([EDGE], self.text(_shortened(text)), [EDGE]))


def _points(text: str) -> Symbols:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)


def gaps(text: str, tokens: Sequence[tuple[int, int]]) -> list[int]:
    """Return the symbol of the gap before each token; a note begins after a blank line."""
    made = []
    last = 0
    for start, end in tokens:
        if start == last:
            made.append(_GLUED)
        elif start == last + 1 and text[last] == " ":
            made.append(_SPACE)
        else:
            made.append(_kind(text[last:start]))
        last = end
    if made:
        made[0] = _BLANK_LINE
    return made


def _kind(gap: str) -> int:
    if not _BREAK.search(gap):
        return _WIDE
    return _BLANK_LINE if _BLANK.search(gap) else _LINE


_PIECE = 4_096  # tokens of a piece: few notes have more, and pieces side by side are faster
_BATCH = 16_384  # tokens worked on at one time


class Piece(NamedTuple):
    """A stretch of a note: its text and where in the note it begins, and its tokens.

    Tokens have their starts and ends in that text, and the symbol of the gap before each.
    """

    text: str
    offset: int
    starts: Ints
    ends: Ints
    gaps: list[int]

    def words(self) -> list[tuple[int, str]]:
        """Return the tokens as models see them: the gap before each, and its text."""
        bounds = zip(self.gaps, self.starts.tolist(), self.ends.tolist(), strict=True)
        return [(gap, self.text[start:end]) for gap, start, end in bounds]


def pieces(text: str) -> list[Piece]:
    """Return a note's pieces; a note without tokens has none."""
    tokens = tokenize(text)
    before = gaps(text, tokens)
    bounds = np.array(tokens, dtype=np.int64).reshape(-1, 2)
    made = []
    for first in range(0, len(tokens), _PIECE):
        last = min(first + _PIECE, len(tokens))
        start = int(bounds[first, 0]) if first else 0
        stop = int(bounds[last, 0]) if last < len(tokens) else len(text)
        starts, ends = (bounds[first:last] - start).T
        made.append(Piece(text[start:stop], start, starts, ends, before[first:last]))
    return made


def groups(all_pieces: Sequence[Piece]) -> Iterator[Sequence[Piece]]:
    """Yield batches of neighbouring pieces."""
    first = tokens = 0
    for place, piece in enumerate(all_pieces):
        if tokens and tokens + len(piece.starts) > _BATCH:
            yield all_pieces[first:place]
            first, tokens = place, 0
        tokens += len(piece.starts)
    if tokens:
        yield all_pieces[first:]
