"""The words before and after a date, and what they say.

A pair of numbers is a date or a ratio by its company: ``on 4/5`` against ``strength 4/5``. Windows are
bounded, so a check costs the same in a line of a megabyte.
"""

from __future__ import annotations

from plainsight.detect.patterns.rule import Claim
from plainsight.locale import default_locale

Claims = tuple[Claim, ...]
NONE: Claims = ()

CUES = default_locale().word_sets("date_cues")
BEFORE_DATE = CUES["strong_before"] | CUES["often_before"]
"""Words that a date often follows."""

_EVENT_ENDINGS = (b"ed", b"ing", b"scopy", b"tomy", b"graphy", b"gram", b"'d")
_MEASURE_MARKS = (b"%", b'"', b"'", b"+")
_TRIM = b".,:;()[]{}\"'*-~=<>|_@&+?!#"
_TRIM_ALL = _TRIM + b" \t\n\r\x0b\x0c"


def claim(start: int, end: int, score: float) -> Claims:
    """Claim that these bytes are a date."""
    return (Claim(start, end, "DATE", score),)


def _line_before(text: bytes, start: int, length: int = 48) -> bytes:
    return text[max(0, start - length) : start].rpartition(b"\n")[2].lower()


def last_word(text: bytes, start: int) -> bytes:
    """Return the word before an offset on its line, trimmed and in lower case; the cheapest look."""
    words = _line_before(text, start, 20).rsplit(None, 1)
    return words[-1].strip(_TRIM) if words else b""


def before(text: bytes, start: int) -> list[bytes]:
    """Return the words before an offset on its line, the nearest last, trimmed and in lower case."""
    return [word.strip(_TRIM) for word in _line_before(text, start).split()]


def nearest(text: bytes, start: int) -> list[bytes]:
    """Return the last four words before an offset on its line, as `before` does."""
    return [word.strip(_TRIM) for word in _line_before(text, start).rsplit(None, 4)[-4:]]


def begins_line(text: bytes, start: int) -> bool:
    """Tell whether only blanks and marks stand before an offset on its line."""
    return not _line_before(text, start).strip(_TRIM_ALL)


def clause_before(text: bytes, start: int) -> list[bytes]:
    """Return the words before an offset in its clause."""
    window = text[max(0, start - 48) : start].lower()
    cut = max(window.rfind(mark) for mark in (b"\n", b",", b";", b". "))
    return [word.strip(_TRIM) for word in window[cut + 1 :].split()]


def after(text: bytes, end: int) -> list[bytes]:
    """Return the words after an offset on its line, the nearest first, trimmed and in lower case."""
    return [word.strip(_TRIM) for word in text[end : end + 32].lower().partition(b"\n")[0].split()]


def next_word(text: bytes, end: int) -> bytes:
    """Return the word after an offset on its line, trimmed and in lower case."""
    return next(iter(after(text, end)), b"")


def is_measure(text: bytes, end: int) -> bool:
    """Tell whether a unit or a counted thing follows a number."""
    mark = text[end : end + 1]
    if mark == b" ":
        if not text[end + 1 : end + 2].isalpha():
            return False
        return text[end + 1 : end + 20].split(None, 1)[0].lower().strip(_TRIM) in CUES["measure_after"]
    if mark == b"-":  # a 1/2-inch cut
        return text[end + 1 : end + 2].isalpha() and next_word(text, end + 1) in CUES["measure_after"]
    return mark in _MEASURE_MARKS or mark.isalpha()


def is_event(word: bytes) -> bool:
    """Tell whether a word names an event that a date follows: a listed one, or a past tense."""
    return word in CUES["events"] or (len(word) > 4 and word.endswith(_EVENT_ENDINGS))
