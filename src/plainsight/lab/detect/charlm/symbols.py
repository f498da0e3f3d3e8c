"""Text as numbers: one symbol per character, and symbols for what lies before a token.

A token is written as what lies before it (nothing, a space, a wide gap, a new line, a blank line), its
characters, and an end. Characters are taken as they are, in any script; those that training did not see at
least twice are one symbol, so that the models know how likely the unknown is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Symbols = NDArray[np.int64]

EDGE = 0
"""The symbol before the first and after the last character."""

_UNKNOWN = 1
_GLUED, _SPACE, _WIDE, _LINE, _BLANK_LINE = range(2, 7)
_FIRST = 7  # the first character's symbol

_LONGEST = 40  # characters of a token or an identifier that are looked at: half from each end

_BLANK = re.compile(r"\n[^\S\n]*\n|\r\n?[^\S\n]*\r|\f|\x85|\u2029")
_BREAK = re.compile(r"[\n\r\v\x1c-\x1e\u2028]")


def _shortened(text: str) -> str:
    """Return a text, without its middle if it is long."""
    return text if len(text) <= _LONGEST else text[: _LONGEST // 2] + text[-_LONGEST // 2 :]


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
        """Return the symbols of a token: what lies before it, its characters, the end."""
        return np.concatenate(([gap], self.text(_shortened(word)), [EDGE]))

    def chunk(self, text: str) -> Symbols:
        """Return the symbols of a whole identifier, between two edges."""
        return np.concatenate(([EDGE], self.text(_shortened(text)), [EDGE]))


def _points(text: str) -> Symbols:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)


def gaps(text: str, tokens: Sequence[tuple[int, int]]) -> list[int]:
    """Return for each token the symbol of what lies before it; a note begins after a blank line."""
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
