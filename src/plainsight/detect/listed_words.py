"""Find the entries of long lists in a text: names, numbers, wards, employers that a site knows.

An entry is a sequence of words in small letters without punctuation. Each has a kind (`KINDS`), which gives
its label, and a level, which says how much must speak for it where it stands:

| level | an entry is found |
|---|---|
| ``SURE`` | wherever its words stand: numbers, codes, names of three words |
| ``CAPITAL`` | where each word has a capital |
| ``CUE`` | where it has a capital and a cue stands beside it: ``to Garden``, ``Garden-12``, ``d/w art`` |

`weigh` decides on the level, by the shipped lists of ordinary and medical words. The table of entries is a
dictionary: a million load in a second, an automaton over them takes six (decision 51).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from plainsight.detect.patient.view import Claim, look
from plainsight.locale import default_locale
from plainsight.text.shadow import flatten, shadow
from plainsight.text.vocabulary import Is, vocabulary
from plainsight.text.word_lists import eponyms, is_eponym, is_ordinary

SURE, CAPITAL, CUE = range(3)


class Kind(NamedTuple):
    """A kind of entries: their label, and which cues speak for them."""

    name: str
    label: str
    cue: str


KINDS: tuple[Kind, ...] = (
    Kind("person", "PATIENT", "name"),
    Kind("provider", "DOCTOR", "name"),
    Kind("surname", "DOCTOR", "name"),
    Kind("initials", "DOCTOR", "initials"),
    Kind("small_initials", "DOCTOR", "initials"),
    Kind("mixed_initials", "DOCTOR", "initials"),
    Kind("login", "USERNAME", "number"),
    Kind("record", "MEDICALRECORD", "number"),
    Kind("account", "ACCOUNT", "number"),
    Kind("ssn", "SSN", "number"),
    Kind("plan", "HEALTHPLAN", "number"),
    Kind("licence", "LICENSE", "number"),
    Kind("phone", "PHONE", "number"),
    Kind("facility", "HOSPITAL", "facility"),
    Kind("unit", "HOSPITAL", "unit"),
    Kind("employer", "ORGANIZATION", "organization"),
    Kind("street", "STREET", "street"),
    Kind("address", "STREET", "street"),
)
"""All kinds; files of lists name them, so none may be renamed."""

BY_NAME: Mapping[str, int] = {kind.name: place for place, kind in enumerate(KINDS)}
_PEOPLE = frozenset(BY_NAME[name] for name in ("person", "provider"))
_NUMBERS = frozenset(place for place, kind in enumerate(KINDS) if kind.cue == "number")
_INITIALS = {
    BY_NAME["initials"]: bytes.isupper,
    BY_NAME["small_initials"]: bytes.islower,
    BY_NAME["mixed_initials"]: bytes.istitle,
}
_UNIT, _STREET, _SURNAME = BY_NAME["unit"], BY_NAME["street"], BY_NAME["surname"]

_WORD = re.compile(rb"[a-z0-9]+")
_LOCALE = default_locale()
_NOT_INITIALS = _LOCALE.word_sets("record_cues")["not_initials"]
_BEFORE, _AFTER = (
    {
        kind.cue: re.compile(_LOCALE.patterns("site_cues")[f"{kind.cue}_{side}"].encode(), re.IGNORECASE)
        for kind in KINDS
    }
    for side in ("before", "after")
)
_REACH = 32
_BED = re.compile(rb"-\d{1,3}[A-Za-z]?\b")
_HOUSE = re.compile(rb"(?<![\w.-])\d{1,6}[A-Za-z]?[ \t]\Z")
_END = re.compile(rb"[ \t.]*(?:\n|\Z)")
_MOST_WORDS = 8
_SCORES = {SURE: 0.97, CAPITAL: 0.93, CUE: 0.9}

Codes = tuple[int, ...]
"""The kinds and levels of an entry: ``3 * kind + level`` each."""


def key_of(text: str) -> bytes:
    """Return the words of an entry as they stand in the table.

    >>> key_of("St. Anne's"), key_of("59/6098-r")
    (b'st anne s', b'59 6098 r')
    """
    return b" ".join(flatten(shadow(text)).split())


def weigh(kind: str, text: str) -> tuple[bytes, int] | None:
    """Return the words and the code of an entry, or None for one that would be found everywhere.

    >>> weigh("unit", "Garden"), weigh("unit", "T7S"), weigh("unit", "on")
    ((b'garden', 44), (b't7s', 42), None)
    """
    key, place = key_of(text), BY_NAME[kind]
    words = key.split()
    if not words or len(words) > _MOST_WORDS or set(key) <= set(b"x "):
        return None
    if place in _NUMBERS:
        level = _number_level(key)
    elif place in _INITIALS:
        level = _initials_level(key)
    else:
        level = _name_level(place, words, text)
    return None if level is None else (key, 3 * place + level)


def _number_level(key: bytes) -> int | None:
    signs = key.replace(b" ", b"")
    digits = sum(map(bytes.isdigit, (signs[n : n + 1] for n in range(len(signs)))))
    if len(signs) > 4 and digits > 3:
        return SURE
    if digits and len(signs) > 3 and digits < len(signs) and b" " not in key:
        return SURE  # a login such as smallt5
    return CUE if len(signs) > 2 else None


def _initials_level(key: bytes) -> int | None:
    letters = key.replace(b" ", b"")
    if not 2 <= len(letters) <= 4 or not letters.isalpha():
        return None
    known = letters in vocabulary() or letters in _NOT_INITIALS or is_ordinary(letters)
    return CUE if known or len(letters) < 3 else SURE


def _name_level(place: int, words: list[bytes], text: str) -> int | None:
    if place in _PEOPLE:
        return CAPITAL if any(map(is_ordinary, words)) else SURE
    if len(words) > 1:
        distinct = any(word.isalpha() and word not in vocabulary() for word in words)
        return SURE if len(words) > 2 or distinct else CAPITAL
    word = words[0]
    flags = vocabulary().get(word, 0)
    if flags & Is.STOP or len(word) < 2:
        return None
    if not word.isalpha():
        mixed = not word.isdigit() and len(word) > 2
        return SURE if mixed else CUE if place == _UNIT else None
    if place == _SURNAME:
        sure = len(word) > 3 and not (
            is_ordinary(word) or flags & (Is.MEDICAL | Is.WORD) or word in eponyms()
        )
        return CAPITAL if sure else None
    is_code = text.strip().isupper() and len(word) > 2
    return CAPITAL if is_code and not flags & Is.KNOWN and not is_ordinary(word) else CUE


class Listed:
    """The entries of all lists, ready to be found.

    >>> listed = Listed()
    >>> listed.add(*(found for found in [weigh("unit", "Garden"), weigh("record", "59/6098-r")] if found))
    >>> [claim[2:] for claim in listed.find("To Garden-12 from the garden, 59/6098-r")]
    [('HOSPITAL', 0.9, 'unit'), ('MEDICALRECORD', 0.97, 'record')]
    """

    def __init__(self) -> None:
        self.table: dict[bytes, Codes] = {}
        self.starts: dict[bytes, int] = {}
        """The first word of each entry, with the number of words of the longest one that begins with it."""

    def add(self, *entries: tuple[bytes, int]) -> None:
        """Add entries as `weigh` returns them."""
        for key, code in entries:
            self.add_all((key,), code)
        for word, count in starts_of(key for key, _ in entries).items():
            self.starts[word] = max(count, self.starts.get(word, 0))

    def add_all(self, keys: Iterable[bytes], code: int) -> None:
        """Add entries of one kind and level, without their first words."""
        table, codes = self.table, (code,)
        for key in keys:
            before = table.get(key)
            if before is None:
                table[key] = codes
            elif code not in before:
                table[key] = (*before, code)

    def find(self, text: str) -> list[Claim]:
        """Return the entries in a text: the longest at each place, none inside another."""
        view = look(text)
        words = view.flat.split()
        starts = self.starts
        known = [place for place, word in enumerate(words) if word in starts]
        runs = [run for place in known if (run := self._runs(words, place))]
        if not runs:
            return []
        offsets = [(hit.start() - 1, hit.end() - 1) for hit in _WORD.finditer(view.flat)]
        claims: list[Claim] = []
        for run in runs:
            for place, last, codes in run:
                start, end = offsets[place][0], offsets[last][1]
                if claims and start < claims[-1].end:
                    break
                if (claim := _judged(view.text, start, end, codes)) is not None:
                    claims.append(claim)
                    break
        return claims

    def _runs(self, words: list[bytes], place: int) -> list[tuple[int, int, Codes]]:
        """Return the entries that begin at a word, the longest first: first and last word, and the codes."""
        table = self.table
        longest = self.starts[words[place]]
        found = [
            (place, place + count - 1, codes)
            for count in range(min(longest, len(words) - place), 0, -1)
            if (codes := table.get(b" ".join(words[place : place + count])))
        ]
        if longest > 1 and len(words) > place + 2 and len(words[place + 1]) == 1:  # an initial between
            codes = table.get(words[place] + b" " + words[place + 2], ())
            if people := tuple(code for code in codes if code // 3 in _PEOPLE):
                found.append((place, place + 2, people))
        return found


def starts_of(keys: Iterable[bytes]) -> dict[bytes, int]:
    """Return the first word of each entry and the number of words of the longest that begins with it."""
    found: dict[bytes, int] = {}
    for key in keys:
        first, _, rest = key.partition(b" ")
        count = rest.count(b" ") + 2 if rest else 1
        if found.get(first, 0) < count:
            found[first] = count
    return found


def _judged(text: bytes, start: int, end: int, codes: Codes) -> Claim | None:
    """Return the claim of the kind that has most to say for it here, if any has enough."""
    written = text[start:end]
    if b"\n" in written or _has_wide_gap(written):
        return None
    found = []
    for code in codes:
        place, level = divmod(code, 3)
        if _allowed(text, start, end, place, level):
            begin, stop = _widened(text, start, end, place)
            claim = Claim(begin, stop, KINDS[place].label, _SCORES[level], KINDS[place].name)
            found.append(
                (len(codes) > 1 and _has_cue(text, start, end, KINDS[place].cue), claim.score, claim)
            )
    return max(found)[2] if found else None


def _has_wide_gap(written: bytes) -> bool:
    return b"   " in written or b"\t\t" in written


def _allowed(text: bytes, start: int, end: int, place: int, level: int) -> bool:
    written, kind = text[start:end], KINDS[place]
    if place in _NUMBERS:
        return level == SURE or _has_cue(text, start, end, kind.cue)
    shouted = written.isupper() and _line_is_upper(text, start)
    if place in _INITIALS:
        if not (shouted or _INITIALS[place](written.replace(b".", b"").replace(b" ", b""))):
            return False
        if vocabulary().get(written.lower(), 0) & (Is.STOP | Is.TITLE):  # initials such as AS and MR
            return _has_cue(text, start, end, "initials") and _END.match(text, end) is not None
        at_end = _END.match(text, end) is not None and text[max(0, start - 3) : start] == b"   "
        return (level == SURE and not shouted) or at_end or _has_cue(text, start, end, "initials")
    if level == SURE:
        return True
    capital = all(word[:1].isupper() or not word[:1].isalpha() for word in re.split(rb"[ \t,-]+", written))
    if not capital or is_eponym(text, start, end):
        return False
    if place == _SURNAME and (text[start - 1 : start] in (b"-", b"/") or text[end : end + 1] in (b"-", b"/")):
        return False  # of two names of a method or a rule: Hunt-Hess
    return (level == CAPITAL and not (shouted and b" " not in written)) or _has_cue(
        text, start, end, kind.cue
    )


def _has_cue(text: bytes, start: int, end: int, cue: str) -> bool:
    before = _BEFORE[cue].search(text, max(0, start - _REACH), start)
    return before is not None or _AFTER[cue].match(text, end) is not None


def _line_is_upper(text: bytes, start: int) -> bool:
    begin = text.rfind(b"\n", 0, start) + 1
    stop = text.find(b"\n", start)
    return text[begin : stop if stop >= 0 else len(text)].isupper()


def _widened(text: bytes, start: int, end: int, place: int) -> tuple[int, int]:
    """Take in a bed behind a unit and a house number before a street."""
    if place == _UNIT and (bed := _BED.match(text, end)):
        end = bed.end()
    if place == _STREET and (house := _HOUSE.search(text, max(0, start - 8), start)):
        start = house.start()
    return start, end
