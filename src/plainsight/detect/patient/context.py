"""What stands beside a possible name: titles, relations, headers, credentials, initials."""

from __future__ import annotations

import re

from plainsight.locale import default_locale

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


def _before(text: bytes, start: int) -> tuple[bytes, bytes, int]:
    """Return the word before a place, in small letters, the mark between them, and the room after that."""
    window = text[max(0, start - 40) : start]
    head = window.rstrip(_OPENING)
    room = len(window) - len(head)
    if not head or b"\n" in window[len(head) :]:
        return b"", b"", room
    mark = head[-1:]
    if mark.isalnum():
        mark = b""
    else:
        head = head[:-1].rstrip(b" \t")
    words = re.split(rb"[^A-Za-z]", head[-24:])
    return words[-1].lower(), mark, room


def titled(text: bytes, start: int) -> bool:
    """Whether a title, such as Mr. or Dr., comes right before."""
    word, mark, room = _before(text, start)
    return word in _TITLES and mark in (b"", b".") and 0 < room < 4


def cued(text: bytes, start: int, end: int) -> bool:
    """Whether a title, relation or header comes right before, or a credential right after."""
    word, mark, room = _before(text, start)
    if word:
        if mark in (b"", b".") and word in _TITLES and 0 < room < 4:
            return True
        if mark in (b"", b",", b":") and word in _RELATIONS and 0 < room < 4:
            return True
        if word in _HEADERS and (mark in (b":", b"#") or (room > 2 and not mark)):
            return True
        if not mark and room == 1 and word in _GREETINGS:
            return True
    return _CREDENTIAL.match(text, end) is not None


def doctor_cued(text: bytes, start: int, end: int) -> bool:
    """Whether a provider's title comes right before, or a credential right after."""
    return _before(text, start)[0] in _DOCTORS or _CREDENTIAL.match(text, end) is not None


def quoted(text: bytes, start: int, end: int) -> bool:
    """Whether a word stands alone in quotation marks, as a nickname does."""
    return text[start - 1 : start] == b'"' and text[end : end + 1] in (b'"', b",", b".")


def in_sentence(text: bytes, start: int, end: int) -> bool:
    """Whether a capitalised word stands alone inside a sentence, where only a name is capitalised."""
    words = text[max(0, start - 24) : start].rstrip(b'"(').split(b" ")
    if len(words) < 2 or words[-1]:
        return False  # no space before it
    before = words[-2].rstrip(b",/").lstrip(b'"(')
    return before[:1].islower() and before[-1:].islower() and _CAPITALISED_AFTER.match(text, end) is None


def all_capitals(text: bytes, start: int, end: int) -> bool:
    """Whether the line, or what is near of it, has no small letters, so that capitals say nothing."""
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
    if match is None:
        return None
    return match.start(1), match[2] + (match[3] or b"")


def right_initials(text: bytes, end: int) -> list[tuple[int, bytes]]:
    """Return readings of the initials after a word: where they end, and their letters."""
    if text[end : end + 1] not in (b" ", b",", b"\t") or text[end + 2 : end + 4].isalpha():
        return []
    readings = []
    for pattern in (_RIGHT, _RIGHT_ONE):
        match = pattern.match(text, end)
        if match:
            readings.append((match.end(), b"".join(match.groups(b""))))
    return readings


def suffix(text: bytes, end: int, *, numbered: bool) -> int:
    """Return where the name ends when a Jr. or the like follows."""
    match = _SUFFIX.match(text, end) or (_NUMBER.match(text, end) if numbered else None)
    return match.end() if match else end
