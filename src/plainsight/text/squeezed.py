"""A text without its punctuation, and the way back to where each letter and digit stood.

In the squeezed form a number looks the same however it is punctuated, so it is found by plain search. The way
back is worked out only for the blocks of text where something was found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

_SMALL = bytes(ord(chr(c).lower()) if c < 128 else c for c in range(256))
_PUNCTUATION = bytes(c for c in range(256) if not (c < 128 and chr(c).isalnum()))
_KEPT = re.compile(rb"[0-9A-Za-z]")
_BLOCK = 1024


def squeeze(value: bytes) -> bytes:
    """Return the letters and digits of a shadow, in small letters.

    >>> squeeze(b"(901) 555-0142 X")
    b'9015550142x'
    """
    return value.translate(_SMALL, _PUNCTUATION)


class Squeezed:
    """The squeezed form of a shadow."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        blocks = [squeeze(text[start : start + _BLOCK]) for start in range(0, len(text), _BLOCK)]
        self.form = b"".join(blocks)
        self._counts = list(accumulate(map(len, blocks), initial=0))  # characters before each block

    def place(self, at: int) -> int:
        """Return where in the shadow a character of the squeezed form stands."""
        block = bisect_right(self._counts, at) - 1
        found = _KEPT.search(self.text, self._after(block * _BLOCK, at - self._counts[block]))
        assert found is not None  # the squeezed form has a character there
        return found.start()

    def span(self, at: int, length: int) -> tuple[int, int]:
        """Return the stretch of the shadow that a stretch of the squeezed form comes from."""
        start = self.place(at)
        return start, self._after(start, length)

    def _after(self, start: int, count: int) -> int:
        """Return the end of so many kept characters from a place on; a few jumps do, as most are kept."""
        while count:
            start += count
            count -= len(self.text[start - count : start].translate(None, _PUNCTUATION))
        return start
