"""Lines and sentences as offsets that partition the text.

Clinical text has few sentence ends, hard-wrapped lines, headers, tables and lists, so `sentences` is a set of
plain rules, not a model. Known limits: a rare abbreviation followed by a capital ends a sentence; a wrapped
line that continues with a capital or digit after fewer than `_WRAP` characters is cut; text in scripts
without capitals ends sentences only at line ends; a full stop without a space after it (``pain.Plan``) ends
none. It cuts through one in a thousand identifiers of the corpus.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from plainsight.locale import default_locale
from plainsight.note_cache import note_cache


class Line(NamedTuple):
    """One line: its content is ``text[start:stop]``, its ending ``text[stop:end]``."""

    start: int
    stop: int
    end: int


_ENDINGS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""The line endings of `str.splitlines`; carriage return and line feed together are one."""


def lines(text: str) -> list[Line]:
    r"""Split at every line ending, keeping each.

    >>> lines("a\r\n\fb")
    [Line(start=0, stop=1, end=3), Line(start=3, stop=3, end=4), Line(start=4, stop=5, end=5)]
    """
    result: list[Line] = []
    start = 0
    for piece in text.splitlines(keepends=True):
        end = start + len(piece)
        result.append(Line(start, start + len(_content(piece)), end))
        start = end
    return result


def _content(piece: str) -> str:
    if piece.endswith("\r\n"):
        return piece[:-2]
    return piece[:-1] if piece[-1] in _ENDINGS else piece


_STOP = re.compile(r"""[.?!]["'”’)\]]*[ \t]+(?=["'“‘(\[]?[A-Z0-9À-ÞŁŒŠŽ])""")
_words = default_locale().words
_WEEKDAYS = [day.lower() for day in _words("calendar", "short_weekdays")]
_ABBREVIATIONS = {*_words("sentences", "abbreviations"), *_words("calendar", "short_months")}
_ABBREVIATIONS |= {*_WEEKDAYS, *(day[:3] for day in _WEEKDAYS)}
_WRAP = 65
"""A line at least this long continues in the next, unless it ends with a stop or that is a header or item."""
_WRAP_LOWER = 40
"""The shortest line that continues in a next line in lower case."""
_CONTINUES = re.compile(r"[ \t]*(?!\d+[.)]\s)(?!\w[\w ./-]{0,30}:)[\w(\"'“‘&/]")
_CONTINUES_LOWER = re.compile(r"[ \t]*(?![\w ./-]{1,30}:)[a-zß-öø-ÿ]")
_CLOSED = re.compile(r"""[.?!:;|]["'”’)\]]*[ \t]*\Z""")


def sentences(text: str) -> list[tuple[int, int]]:
    r"""Split into sentences and stand-alone lines; each ends with the white space that follows it.

    >>> [text[a:b] for text in ["Seen by Dr. Ng. Stable.\nPlan: home\n"] for a, b in sentences(text)]
    ['Seen by Dr. Ng. ', 'Stable.\n', 'Plan: home\n']
    """
    cuts = [stop.end() for stop in _STOP.finditer(text) if _is_end(text, stop.start())]
    previous = ""  # the line before; empty at the start and after a blank line
    start = 0
    for content, line in zip(text.splitlines(), text.splitlines(keepends=True), strict=True):
        if not content or content.isspace():
            previous = ""
        else:
            if start and not (len(previous) >= _WRAP_LOWER and _wraps(previous, content)):
                cuts.append(start)
            previous = content
        start += len(line)
    cuts.sort()
    return list(pairwise((0, *cuts, len(text)))) if text else []


@note_cache(1 << 10)  # a batch of notes: several stages ask
def bare_sentences(text: str) -> list[tuple[int, int]]:
    r"""Return the sentences that are not blank, without the white space around them.

    >>> bare_sentences(" Stable.\n\n  \nPlan: home\n")
    [(1, 8), (13, 23)]
    """
    bare = []
    for start, end in sentences(text):
        piece = text[start:end]
        words = piece.strip()
        if words:
            begin = start if words[0] == piece[0] else start + piece.index(words)
            bare.append((begin, begin + len(words)))
    return bare


def _is_end(text: str, stop: int) -> bool:
    """Whether the stop at this offset ends a sentence rather than an abbreviation or an initial."""
    if text[stop] != ".":
        return True
    words = text[max(0, stop - 12) : stop].split()
    before = words[-1].lstrip("(/\"'") if words else ""
    return not (before.lower() in _ABBREVIATIONS or "." in before or (len(before) == 1 and before.isupper()))


def _wraps(content: str, following: str) -> bool:
    """Whether a line continues in the next one."""
    if _CLOSED.search(content):
        return False
    if len(content) >= _WRAP:
        return _CONTINUES.match(following) is not None
    return len(content) >= _WRAP_LOWER and _CONTINUES_LOWER.match(following) is not None
