"""How surely words of a name are a name where they stand: 0 if they are none."""

from __future__ import annotations

import re
from typing import NamedTuple

from plainsight.detect.patient import context
from plainsight.detect.patient.people import Kind, Person
from plainsight.locale import default_locale
from plainsight.text.word_lists import eponyms, is_eponym

_AUXILIARIES = frozenset(b"will may might can do has an so see in to or be per june mark".split())
"""Words that follow a title in small letters without being a name: ``dr will call``."""
_HALF_BEFORE = re.compile(rb"([A-Za-z]+)-\Z")
_HALF_AFTER = re.compile(rb"-([A-Za-z]+)")
_CALENDAR = default_locale().word_sets("record_cues")["calendar"]


class Entry(NamedTuple):
    """A word that is, or may be a misspelling of, a word of somebody's name."""

    people: dict[int, int]
    """Whose name, by place in the list of people, and what it is there."""
    kinds: int
    """All that it is for anybody."""
    words: tuple[bytes, ...]
    """The record's words it stands for: itself, or what it is a misspelling of."""
    ordinary: bool
    slip: bool
    """It is a misspelling."""


class Hit(NamedTuple):
    """A word of the note that has an entry."""

    start: int
    end: int
    token: bytes
    entry: Entry


def score_full(text: bytes, parts: list[Hit], start: int, end: int) -> float:
    """Weigh several parts of one person's name, side by side."""
    slips = [part for part in parts if part.entry.slip]
    if any(_solid(part) for part in parts):
        return 0.93 if slips else 0.99
    if all(part.entry.slip and part.entry.ordinary for part in parts):
        return 0.0
    if all(text[part.start : part.start + 1].isupper() for part in parts):
        return 0.93
    return 0.8 if context.cued(text, start, end) else 0.0


def _solid(word: Hit) -> bool:
    """Whether a word says a name all by itself."""
    return not word.entry.ordinary and not word.entry.slip and len(word.token) > 2


def score_single(
    text: bytes, word: Hit, person: Person, place: int, start: int, end: int, *, company: bool
) -> float:
    """Weigh one word; ``company`` tells that initials or a misspelled part stand beside it."""
    token, kind = word.token, word.entry.people.get(place, Kind.SURNAME)
    if token in eponyms() and is_eponym(text, word.start, word.end):
        return 0.0
    if _in_compound(text, word, kind):
        return 0.0
    written = text[word.start : word.end]
    if written in person.capitals:
        return 0.85
    if len(token) < 3:
        return 0.85 if written.istitle() and (company or context.cued(text, start, end)) else 0.0
    if word.entry.ordinary:
        return _score_ordinary(text, word, start, end, company=company)
    if word.entry.slip:
        if company or context.cued(text, start, end):
            return 0.85
        return 0.75 if written[:1].isupper() and not context.all_capitals(text, word.start, word.end) else 0.0
    if kind == Kind.NICKNAME or len(token) == 3:
        return _score_short(text, word, start, end, company=company)
    if company:
        return 0.95
    if token in eponyms() and not context.cued(text, start, end):
        return 0.7
    return 0.85 if written.islower() else 0.95


def _score_short(text: bytes, word: Hit, start: int, end: int, *, company: bool) -> float:
    """Weigh a short form, which may also be an abbreviation or a unit."""
    written = text[word.start : word.end]
    if company or context.cued(text, start, end):
        return 0.9
    if written.islower():
        return 0.7 if len(written) > 4 else 0.0
    if written.isupper() and len(written) < 5 and not context.all_capitals(text, word.start, word.end):
        return 0.0
    return 0.8


def _score_ordinary(text: bytes, word: Hit, start: int, end: int, *, company: bool) -> float:
    """Weigh a name that is an ordinary word too: it needs a capital and company."""
    written = text[word.start : word.end]
    if word.entry.slip:
        return 0.0  # a real word is no misspelling
    if written.islower():
        sure = context.titled(text, start) or (company and context.cued(text, start, end))
        return 0.75 if sure and word.token not in _AUXILIARIES else 0.0
    if company or context.cued(text, start, end) or context.quoted(text, word.start, word.end):
        return 0.9
    plain = written.istitle() and word.token not in _CALENDAR and word.token not in eponyms()
    return 0.6 if plain and context.in_sentence(text, word.start, word.end) else 0.0


def _in_compound(text: bytes, word: Hit, kind: int) -> bool:
    """Whether a hyphen ties the word to another name that is not of this record: ``Payne-Martin``."""
    before = None
    if text[word.start - 1 : word.start] == b"-":
        before = _HALF_BEFORE.search(text, max(0, word.start - 24), word.start)
    if before:
        return not kind & Kind.SURNAME or word.entry.ordinary or before[1].lower() in eponyms()
    after = _HALF_AFTER.match(text, word.end)
    return after is not None and (word.entry.ordinary or after[1].lower() in eponyms())
