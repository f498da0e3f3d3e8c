"""A text without its punctuation, and the way back to where each letter and digit stood.

In the squeezed form a number looks the same however it is punctuated, so it is found by plain search. The way
back is worked out only for the blocks of text where something was found.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate, compress

__all__ = ["Squeezed", "squeeze"]

_SMALL = bytes(ord(chr(c).lower()) if c < 128 else c for c in range(256))
_PUNCTUATION = bytes(c for c in range(256) if not (c < 128 and chr(c).isalnum()))
_IS_KEPT = bytes(c not in _PUNCTUATION for c in range(256))
_BLOCK = 512


def squeeze(value: bytes) -> bytes:
    """Return the letters and digits of a shadow, in small letters.

    >>> squeeze(b"(901) 555-0142 X")
    b'9015550142x'
    """
    return value.translate(_SMALL, _PUNCTUATION)


@dataclass(slots=True, repr=False)
class Squeezed:
    """The squeezed form of a shadow."""

    text: bytes
    form: bytes = field(init=False)
    _counts: list[int] = field(init=False, default_factory=list)
    _block: int = field(init=False, default=-1)
    _offsets: list[int] = field(init=False, default_factory=list)
    """Of the block last asked for; more are not kept, since a note may be large."""

    def __post_init__(self) -> None:
        self.form = squeeze(self.text)

    def place(self, at: int) -> int:
        """Return where in the shadow a character of the squeezed form stands."""
        if not self._counts:
            blocks = range(0, len(self.text), _BLOCK)
            kept = (len(self.text[n : n + _BLOCK].translate(None, _PUNCTUATION)) for n in blocks)
            self._counts = list(accumulate(kept, initial=0))
        block = bisect_right(self._counts, at) - 1
        if block != self._block:
            start = block * _BLOCK
            piece = self.text[start : start + _BLOCK]
            self._block = block
            self._offsets = list(compress(range(start, start + len(piece)), piece.translate(_IS_KEPT)))
        return self._offsets[at - self._counts[block]]

    def span(self, at: int, length: int) -> tuple[int, int]:
        """Return the stretch of the shadow that a stretch of the squeezed form comes from."""
        start = end = self.place(at)
        while length:
            end += length
            length -= len(self.text[end - length : end].translate(None, _PUNCTUATION))
        return start, end
