"""Look at what stands around a candidate, in bounded windows: a long line costs no more than a short one.

Stripping a set of bytes from the end of a window is many times faster than a regular expression that has
to end there, and cannot turn quadratic.
"""

from __future__ import annotations

import re
import string

LETTERS = string.ascii_letters.encode()
_TO_WORDS = bytes(byte | 32 if 65 <= byte & ~32 <= 90 and byte < 128 else 32 for byte in range(256))
_NEXT_WORD = re.compile(rb"[ \t]?([A-Za-z]+)")


def left_edge(text: bytes, position: int, allowed: bytes, reach: int) -> int:
    """Return where the run of allowed bytes that ends at a position begins, looking back at most so far."""
    window = text[max(0, position - reach) : position]
    return position - len(window) + len(window.rstrip(allowed))


def second_before(text: bytes, position: int) -> bytes:
    """Return the byte two places before a position, or nothing at the beginning of the text."""
    return text[position - 2 : position - 1] if position > 1 else b""


def word_before(text: bytes, position: int, *, gap: bytes = b" \t#:.=-", reach: int = 24) -> bytes:
    """Return the word just before a position, over the gap, in lower case; empty if none is there."""
    window = text[max(0, position - reach) : position].rstrip(gap)
    return window[len(window.rstrip(LETTERS)) :].lower()


def words_before(text: bytes, position: int, reach: int) -> list[bytes]:
    """Return the words before a position, in lower case, nearest first."""
    begin = max(0, position - reach)
    words = text[begin:position].translate(_TO_WORDS).split()
    if words and text[begin - 1 : begin].isalpha() and text[begin : begin + 1].isalpha():
        del words[0]  # the end of a word that the window cut
    words.reverse()
    return words


def next_word(text: bytes, position: int) -> bytes:
    """Return the word that follows a position after at most one blank, in lower case, or nothing."""
    match = _NEXT_WORD.match(text, position, position + 16)
    return match[1].lower() if match else b""


def stands_alone(text: bytes, start: int, end: int) -> bool:
    """Tell whether no letter, digit or joint glues a number to something longer."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before and (before.isalnum() or before in b"-_$./="):
        return False
    if not after or after in b" \n":
        return True
    if after.isalnum():
        return False
    beyond = text[end + 1 : end + 2]
    return not ((after in b"-/_:" and beyond.isalnum()) or (after in b".," and beyond.isdigit()))
