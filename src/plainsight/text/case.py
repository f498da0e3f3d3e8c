"""Restore the case of text in capitals only or in small letters only.

Each word gets the case that words with its flags (`plainsight.text.vocabulary`) mostly have in clinical
notes. Characters change one by one, so offsets stay true. Punctuation stays as it is.
"""

from __future__ import annotations

import re
from typing import Literal

from plainsight.text.vocabulary import Is, flags_of

_WORD = re.compile(r"(?<![\w@])[^\W\d_]+(?![\w@])")
_CHUNK = re.compile(r"\S+")
_WEB = ("@", "://", "www.", "WWW.")
_SIGNS = re.compile(r"\W*")
_STOPS = frozenset(".?!:")
_LEAST_WORDS = 3  # a line of two words in capitals is a heading, and stays
_CAPITALISED = 0.05  # of the words of a note in small letters, at most

_PLACES = Is.CITY | Is.STATE | Is.COUNTRY | Is.PEOPLE | Is.LANGUAGE
_HEADS = Is.HEADS | Is.PLACE_WORD
_NAMES = Is.FIRST | Is.LAST
_ENDINGS = frozenset({"s", "t", "d", "m", "re", "ll", "ve"})  # after an apostrophe
_JOINED = re.compile(r"\W?\s?")  # between a title and a name, or two words of a name

Case = Literal["lower", "title", "upper", "same"]


def restore_case(text: str) -> str:
    """Return the text with the case that its words probably have; text in ordinary case stays.

    >>> restore_case("SEEN BY DR. OKAFOR AND JOHN SMITH IN DULUTH FOR CABG.")
    'Seen by Dr. Okafor and John Smith in Duluth for CABG.'
    >>> restore_case("mrs smith called, her son james will drive her")
    'Mrs Smith called, her son James will drive her'
    """
    lines = text.splitlines(keepends=True)
    if _is_small(text):
        return "".join(map(_restored, lines))
    return "".join(_restored(line) if _is_shouted(line) else line for line in lines)


def _is_small(text: str) -> bool:
    words = _WORD.findall(text)
    return len(words) >= _LEAST_WORDS and sum(not word.islower() for word in words) <= _CAPITALISED * len(
        words
    )


def _is_shouted(line: str) -> bool:
    words = [word for word in _WORD.findall(line) if len(word) > 1]
    return len(words) >= _LEAST_WORDS and all(word.isupper() for word in words)


def _restored(line: str) -> str:
    """Return a line with each word in its probable case."""
    web = {at for start, end in _web_chunks(line) for at in range(start, end)}
    made: list[str] = []
    done, before = 0, ""
    for match in _WORD.finditer(line):
        start, end = match.span()
        if start in web:
            before = ""
            continue
        gap = line[done:start]
        if not _JOINED.fullmatch(gap):
            before = ""
        after_apostrophe = gap in ("'", "’")
        case, before = _case(match[0], before, after_apostrophe=after_apostrophe)
        if case == "lower" and not after_apostrophe and _starts_sentence(gap, first=done == 0):
            case = "title"
        made += gap, _written(match[0], case)
        done = end
    return "".join(made) + line[done:]


def _web_chunks(line: str) -> list[tuple[int, int]]:
    """Return the places of addresses of the web and of e-mail, whose case stays."""
    return [match.span() for match in _CHUNK.finditer(line) if any(sign in match[0] for sign in _WEB)]


def _starts_sentence(gap: str, *, first: bool) -> bool:
    """Whether a word after this gap begins a line or a sentence; digits may stand in a gap."""
    signs = _SIGNS.match(gap[::-1])
    tail = gap[len(gap) - signs.end() :] if signs else gap
    return (first and tail == gap) or not _STOPS.isdisjoint(tail)


def _case(word: str, before: str, *, after_apostrophe: bool) -> tuple[Case, str]:
    """Return a word's case, and whether it is a title or a name, which the next word depends on."""
    if after_apostrophe and word.lower() in _ENDINGS:
        return "lower", ""
    if len(word) == 1:
        letter = word.lower()
        if before and letter != "a":
            return "upper", before  # an initial
        return ("upper" if letter == "i" else "lower" if letter == "a" else "same"), before
    flags = flags_of(word)
    ordinary = bool(flags & (Is.WORD | Is.STOP))
    if flags & Is.STOP:
        return "lower", ""
    if flags & Is.TITLE:
        return "title", "title"
    if before == "title" and (not ordinary or flags & _NAMES):
        return "title", "name"
    if flags & Is.CALENDAR:
        return ("same" if len(word) == 2 else "lower" if flags & Is.MEDICAL else "title"), ""
    if flags & Is.CODE:
        return ("upper" if before else "lower" if ordinary else "same"), ""
    if flags & Is.PURE:
        return (
            ("same", "") if len(word) == 2 or (len(word) == 3 and flags & Is.MEDICAL) else ("title", "name")
        )
    if flags & Is.MIXED or (flags & _PLACES and not ordinary):
        return "title", "name"
    if before == "name" and (flags & _HEADS or (flags & _NAMES and not flags & Is.MEDICAL)):
        return "title", "name"
    if ordinary:
        return "lower", ""
    if not flags & Is.KNOWN:
        return ("title", "name") if len(word) > 5 or (before and len(word) == 5) else ("same", "")
    return ("lower" if len(word) > 4 else "same"), ""


def _written(word: str, case: Case) -> str:
    """Return a word in a case; a character whose other case is longer stays.

    >>> _written("İNAN", "lower"), _written("straße", "upper"), _written("O", "same")
    ('İnan', 'STRAßE', 'O')
    """
    if case == "same":
        return word
    upper = len(word) if case == "upper" else 1 if case == "title" else 0
    changed = [char.upper() if at < upper else char.lower() for at, char in enumerate(word)]
    return "".join(new if len(new) == 1 else char for new, char in zip(changed, word, strict=True))
