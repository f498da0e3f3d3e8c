"""Text as its capitalised words: parallel lists that the rules walk by index.

``words[i]`` is the i-th word that starts with a capital, ``gaps[i]`` what stands between it and the one
before (``gaps[count]`` is what follows the last), ``flags[i]`` what the vocabulary knows of it. Rules look
left and right through gaps, so they never search the text again; `Scan.having` lists the words worth a look
at all. Where a rule speaks, it claims words; claimed words are out of reach of the rules that come after.
"""

from __future__ import annotations

import re
from itertools import accumulate

import numpy as np

from plainsight.detect.lexicon.flags import Is
from plainsight.detect.lexicon.word_flags import WordFlags

# A possessive 's stays outside; hyphens and apostrophes inside a word keep it whole.
_WORD = re.compile(rb"([A-Z][A-Za-z]*+(?:['-](?!s\b)[A-Za-z]++)*+)")

BETWEEN = b"\n\x1a\n"
"""What stands between the notes that are scanned together: no rule reaches across it."""

_STRETCH = re.compile(rb"[^A-Z]{24,}")
_SHORT = 24  # a line shorter than this may be in lower case by chance
_RARE = 60  # one capital letter in so many characters, or fewer: the writer does not use capitals
_CAPITALS = bytes(range(65, 91))
_BEFORE_WORD = b" \t\"'(*_-"

OTHER, FACILITY, PLACE = 1, 2, 3
"""What a taken word was taken for."""

_KIND = {"HOSPITAL": FACILITY, "ORGANIZATION": FACILITY, "CITY": PLACE}

Claim = tuple[int, int, str, float, str]
"""Start, end, label, score and rule."""


class Scan:
    """The arrays of one stretch of text, and the claims made on it so far."""

    def __init__(self, text: bytes, known: WordFlags) -> None:
        parts = _WORD.split(text)
        offsets = list(accumulate(map(len, parts)))
        self.text = text
        self.low = text.lower()
        self.words = parts[1::2]
        self.gaps = parts[0::2]
        self.starts = offsets[0:-1:2]
        self.ends = offsets[1::2]
        self.lows = list(map(bytes.lower, self.words))
        self.flags = list(map(known.__getitem__, self.words))
        self.count = len(self.words)
        self.taken = bytearray(self.count)
        self.vocabulary = known.vocabulary
        self.claims: list[Claim] = []
        self.held: list[tuple[int, int]] = []  # first and last word of each claim
        flags = np.array(self.flags, np.int32)
        self._marked = flags * (flags & Is.MARKED != 0)

    def claim(self, first: int, last: int, label: str, score: float, rule: str, *, more: int = 0) -> None:
        """Claim the words ``first`` to ``last`` (included), and ``more`` characters, as one identifier."""
        self.claims.append((self.starts[first], self.ends[last] + more, label, score, rule))
        self.held.append((first, last))
        kind = _KIND.get(label, OTHER)
        taken = self.taken
        for index in range(first, last + 1):
            taken[index] = kind

    def having(self, mask: int, *, unknown: bool = False) -> list[int]:
        """Return the words worth a look with any of some flags, and those no list knows, in order."""
        chosen = self._marked & mask
        if unknown:
            chosen |= self._marked & (Is.MARKED | Is.KNOWN) == Is.MARKED
        found: list[int] = chosen.nonzero()[0].tolist()
        return found

    def cover(self, first: int, end: int) -> int:
        """Put the words from ``first`` to an offset out of reach; return the last of them."""
        last = first
        while last + 1 < self.count and self.starts[last + 1] < end:
            last += 1
        self.taken[first : last + 1] = b"\1" * (last + 1 - first)
        return last

    def before(self, index: int) -> bytes:
        """Return the lowered word left of a word when only one space lies between, else nothing."""
        gap = self.gaps[index]
        if gap == b" ":
            return self.lows[index - 1] if index else b""
        if gap[-1:] != b" " or not gap[-2:-1].isalpha():
            return b""
        word = gap[gap.rfind(b" ", 0, -1) + 1 : -1]
        return (
            word if word.isalpha() else word[max(word.rfind(b"\n"), word.rfind(b"("), word.rfind(b"/")) + 1 :]
        )

    def after(self, index: int) -> bytes:
        """Return the lowered word right of a word when only one space lies between, else nothing."""
        gap = self.gaps[index + 1]
        if gap == b" ":
            return self.lows[index + 1] if index + 1 < self.count else b""
        if gap[:1] != b" " or not gap[1:2].isalpha():
            return b""
        return gap.split(None, 1)[0].rstrip(b".,;:)?!")

    def starts_sentence(self, index: int) -> bool:
        """Return whether a word opens a sentence, a line or a field, so that its capital says nothing."""
        tail = self.gaps[index].rstrip(_BEFORE_WORD)
        return tail[-1:] in b".!?:;]|\n" if tail else not index

    def starts_line(self, index: int) -> bool:
        """Return whether a word opens a line."""
        tail = self.gaps[index].rstrip(_BEFORE_WORD)
        return tail[-1:] == b"\n" if tail else not index

    def in_capitals(self, index: int) -> bool:
        """Return whether a word stands among words in capitals, so that its own capitals say nothing."""
        if self.left(index).islower():
            return False
        gap = self.gaps[index + 1]
        return not (gap.partition(BETWEEN)[0] if BETWEEN in gap else gap).islower()

    def left(self, index: int) -> bytes:
        """Return what stands between a word and the one before it, as far as it is in the same note."""
        gap = self.gaps[index]
        return gap.rpartition(BETWEEN)[2] if BETWEEN in gap else gap


def raise_lower_case(text: bytes) -> bytes:
    """Return the text with stretches typed without capitals in capitals.

    Where a writer does not use capitals they say nothing, as in text all in capitals. The rules ask for more
    proof there, and see such stretches as well. Lengths never change.

    >>> raise_lower_case(b"seen by dr prudhomme at noon, wife marie here")
    b'SEEN BY DR PRUDHOMME AT NOON, WIFE MARIE HERE'
    """
    capitals = len(text) - len(text.translate(None, _CAPITALS))
    if capitals * _RARE < len(text):
        return _STRETCH.sub(lambda found: found.group().upper(), text)
    lines = text.split(b"\n")
    raised = [place for place, line in enumerate(lines) if len(line) >= _SHORT and line.islower()]
    if not raised:
        return text
    for place in raised:
        lines[place] = lines[place].upper()
    return b"\n".join(lines)
