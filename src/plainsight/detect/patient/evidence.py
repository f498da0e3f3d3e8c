"""Score words of a name where they stand, by their shape and by what stands beside them; 0 is no name."""

from __future__ import annotations

import re
from typing import NamedTuple

from plainsight.detect.patient.people import Kind, Person
from plainsight.locale import default_locale
from plainsight.text.word_lists import eponyms, is_eponym

_words = default_locale().word_sets("record_cues")
_TITLES, _RELATIONS, _HEADERS = _words["titles"], _words["relations"], _words["headers"]
_DOCTORS = frozenset(b"dr drs doctor nurse".split())
_GREETINGS = frozenset(b"dear hi hello".split())
_OPENING = b" \t\"'("
_CREDENTIAL = re.compile(
    r"[ \t]{0,2},?[ \t]{0,2}\(?"
    rf"(?:{default_locale().patterns('record_cues')['credential']})\b".encode(),
    re.I,
)
_INITIAL = rb"([A-Za-z])(?:\.[ \t]?|[ \t])"
_LEFT = re.compile(rb"(?:\A|[^A-Za-z0-9'&/.-])(%b(?:%b)?)\Z" % (_INITIAL, _INITIAL))
_RIGHT = re.compile(rb"(?:,[ \t]{0,2}|[ \t])([A-Za-z])(?:\.?[ \t]?([A-Za-z]))?(?![A-Za-z0-9'&/+=%-])\.?")
_RIGHT_ONE = re.compile(rb"(?:,[ \t]{0,2}|[ \t])([A-Za-z])(?![A-Za-z0-9'&/+=%-])\.?")
_SUFFIX = re.compile(rb",?[ \t](?:Jr|Sr|JR|SR|jr|sr)\b\.?")
_NUMBER = re.compile(rb",?[ \t](?:II|III|IV)\b", re.IGNORECASE)
_CAPITALISED_AFTER = re.compile(rb"[ \t-]+(?:[A-Z]|&|of\b|and[ \t][A-Z])")
_AUXILIARIES = frozenset(b"will may might can do has an so see in to or be per june mark".split())
"""Words in small letters that may follow a title without being a name: ``dr will call``."""
_HALF_BEFORE = re.compile(rb"([A-Za-z]+)-\Z")
_HALF_AFTER = re.compile(rb"-([A-Za-z]+)")
_CALENDAR = _words["calendar"]


class Entry(NamedTuple):
    """A word that is, or may be a misspelling of, a word of somebody's name."""

    people: dict[int, int]
    """Whose name it is, by position in the list of people, and its `Kind` there."""
    kinds: int
    """Its kinds for all people together."""
    words: tuple[bytes, ...]
    """The record's words that it stands for: itself, or what it is a misspelling of."""
    ordinary: bool
    misspelled: bool


class Hit(NamedTuple):
    """A word of the note that has an entry."""

    start: int
    end: int
    token: bytes
    entry: Entry


def score_full(text: bytes, parts: list[Hit], start: int, end: int) -> float:
    """Score several parts of one person's name, side by side."""
    entries = [part.entry for part in parts]
    if any(len(part.token) > 2 and not part.entry.ordinary and not part.entry.misspelled for part in parts):
        return 0.93 if any(entry.misspelled for entry in entries) else 0.99
    if all(entry.misspelled and entry.ordinary for entry in entries):
        return 0.0
    if all(text[part.start : part.start + 1].isupper() for part in parts):
        return 0.93
    return 0.8 if _has_cue(text, start, end) else 0.0


def score_single(
    text: bytes, hit: Hit, person: Person, kind: int, start: int, end: int, *, beside: bool
) -> float:
    """Score one word; ``beside`` says that initials or a misspelled part of the name stand beside it."""
    token, written = hit.token, text[hit.start : hit.end]
    if (token in eponyms() and is_eponym(text, hit.start, hit.end)) or _in_compound(text, hit, kind):
        return 0.0
    if written in person.capitals:
        return 0.85
    cued = _has_cue(text, start, end)
    if len(token) < 3:
        return 0.85 if written.istitle() and (beside or cued) else 0.0
    if hit.entry.ordinary:
        return _score_ordinary(text, hit, start, cued=cued, beside=beside)
    if hit.entry.misspelled:
        if beside or cued:
            return 0.85
        return 0.75 if written[:1].isupper() and not _among_capitals(text, hit.start, hit.end) else 0.0
    if kind == Kind.NICKNAME or len(token) == 3:  # perhaps an abbreviation or a unit
        if beside or cued:
            return 0.9
        if written.islower():
            return 0.7 if len(written) > 4 else 0.0
        abbreviated = written.isupper() and len(written) < 5
        return 0.0 if abbreviated and not _among_capitals(text, hit.start, hit.end) else 0.8
    if beside:
        return 0.95
    if token in eponyms() and not cued:
        return 0.7
    return 0.85 if written.islower() else 0.95


def _score_ordinary(text: bytes, hit: Hit, start: int, *, cued: bool, beside: bool) -> float:
    """Score a name that is an ordinary word too: it needs a capital and something beside it."""
    written = text[hit.start : hit.end]
    if hit.entry.misspelled:
        return 0.0  # a real word is no misspelling
    if written.islower():
        sure = has_title(text, start) or (beside and cued)
        return 0.75 if sure and hit.token not in _AUXILIARIES else 0.0
    quoted = text[hit.start - 1 : hit.start] == b'"' and text[hit.end : hit.end + 1] in (b'"', b",", b".")
    if beside or cued or quoted:  # nicknames stand in quotation marks
        return 0.9
    plain = written.istitle() and hit.token not in _CALENDAR and hit.token not in eponyms()
    return 0.6 if plain and _inside_sentence(text, hit.start, hit.end) else 0.0


def _in_compound(text: bytes, hit: Hit, kind: int) -> bool:
    """Tell whether a hyphen ties the word to another name that is not of this record: ``Payne-Martin``."""
    before = None
    if text[hit.start - 1 : hit.start] == b"-":
        before = _HALF_BEFORE.search(text, max(0, hit.start - 24), hit.start)
    if before:
        return not kind & Kind.SURNAME or hit.entry.ordinary or before[1].lower() in eponyms()
    after = _HALF_AFTER.match(text, hit.end)
    return after is not None and (hit.entry.ordinary or after[1].lower() in eponyms())


def _word_before(text: bytes, start: int) -> tuple[bytes, bytes, int]:
    """Return the word before a position in small letters, the mark behind it, and the width of the gap."""
    window = text[max(0, start - 40) : start]
    head = window.rstrip(_OPENING)
    gap = len(window) - len(head)
    if not head or b"\n" in window[len(head) :]:
        return b"", b"", gap
    mark = head[-1:]
    if mark.isalnum():
        mark = b""
    else:
        head = head[:-1].rstrip(b" \t")
    words = re.split(rb"[^A-Za-z]", head[-24:])
    return words[-1].lower(), mark, gap


def has_title(text: bytes, start: int) -> bool:
    """Tell whether a title, such as Mr. or Dr., stands right before a position."""
    word, mark, gap = _word_before(text, start)
    return word in _TITLES and mark in (b"", b".") and 0 < gap < 4


def _has_cue(text: bytes, start: int, end: int) -> bool:
    """Tell whether a title, relation, header or greeting stands before, or a credential behind."""
    word, mark, gap = _word_before(text, start)
    close = 0 < gap < 4
    return (
        (word in _TITLES and mark in (b"", b".") and close)
        or (word in _RELATIONS and mark in (b"", b",", b":") and close)
        or (word in _HEADERS and (mark in (b":", b"#") or (gap > 2 and not mark)))
        or (word in _GREETINGS and not mark and gap == 1)
        or _CREDENTIAL.match(text, end) is not None
    )


def has_provider_cue(text: bytes, start: int, end: int) -> bool:
    """Tell whether a provider's title stands right before, or a credential right behind."""
    return _word_before(text, start)[0] in _DOCTORS or _CREDENTIAL.match(text, end) is not None


def _inside_sentence(text: bytes, start: int, end: int) -> bool:
    """Tell whether a capitalised word stands alone inside a sentence, where only names have capitals."""
    words = text[max(0, start - 24) : start].rstrip(b'"(').split(b" ")
    if len(words) < 2 or words[-1]:
        return False  # no space before it
    before = words[-2].rstrip(b",/").lstrip(b'"(')
    return before[:1].islower() and before[-1:].islower() and _CAPITALISED_AFTER.match(text, end) is None


def _among_capitals(text: bytes, start: int, end: int) -> bool:
    """Tell whether the rest of the line, as far as it is near, has no small letters."""
    left = max(text.rfind(b"\n", max(0, start - 60), start) + 1, start - 60, 0)
    right = text.find(b"\n", end, end + 60)
    around = text[left:start] + text[end : right if right >= 0 else end + 60]
    return around == around.upper()


def left_initials(text: bytes, start: int) -> tuple[int, bytes] | None:
    """Return where one or two initials before a word begin, and their letters."""
    at = start
    while start - at < 2 and text[at - 1 : at] in (b" ", b"\t", b"."):
        at -= 1
    if at == start or not text[at - 1 : at].isalpha() or text[max(0, at - 2) : at - 1].isalnum():
        return None  # the common case, without a search
    match = _LEFT.search(text, max(0, start - 9), start)
    return (match.start(1), match[2] + (match[3] or b"")) if match else None


def right_initials(text: bytes, end: int) -> list[tuple[int, bytes]]:
    """Return the initials behind a word, two or one: where they end, and their letters."""
    if text[end : end + 1] not in (b" ", b",", b"\t") or text[end + 2 : end + 4].isalpha():
        return []
    matches = (pattern.match(text, end) for pattern in (_RIGHT, _RIGHT_ONE))
    return [(match.end(), b"".join(match.groups(b""))) for match in matches if match]


def suffix_end(text: bytes, end: int, *, numbered: bool) -> int:
    """Return where a name ends with the Jr. or the like that may follow it."""
    match = _SUFFIX.match(text, end) or (_NUMBER.match(text, end) if numbered else None)
    return match.end() if match else end
