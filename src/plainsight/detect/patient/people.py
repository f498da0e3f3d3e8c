"""From a record's names to people: the words, initials and word order each one may appear with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from plainsight.document import Patient
from plainsight.locale import default_locale
from plainsight.text.shadow import shadow
from plainsight.text.word_lists import nicknames


class Kind:
    """What a word is in somebody's name, as bits: an enumeration would cost more than the search."""

    GIVEN = 1
    SURNAME = 2
    PARTICLE = 4
    NICKNAME = 8
    """A usual short form that the record itself does not name."""


@dataclass(frozen=True, slots=True, repr=False)
class Person:
    """Somebody in the record, with every word, initial and order of words their names allow."""

    rule: str
    label: str
    words: dict[bytes, int]
    initials: frozenset[bytes]
    """First letters of each full name, in order: ``b"elg"``."""
    order: frozenset[tuple[bytes, bytes]]
    """Words that follow each other in a name as the record has it."""
    capitals: frozenset[bytes]
    """Names that the record writes in capitals alone, as ``RJ``."""
    literal: tuple[str, ...] = ()
    """Words in scripts that have no shadow of their own."""
    numbered: bool = False
    """The name ends in II, III or IV."""


_words = default_locale().word_sets("record_cues")
PARTICLES, _TITLES = _words["particles"], _words["record_titles"]

_CREDENTIALS, _EMPTY = _words["record_credentials"], _words["record_fillers"]
_SHORT_CREDENTIALS = frozenset(b"do pa ma pt ot od np c".split())
"""These are names too: only capitals among small letters tell."""
_SUFFIXES = frozenset(b"jr sr ii iii iv".split())

_X = b"x"
"""What the shadow shows for a letter of another script."""
_WORD = re.compile(rb"[A-Za-z]+")
_ASIDE = re.compile(rb"[\"(]([^\")]*)[\")]|(?<![A-Za-z])'([^']*)'")
_NUMBERED = re.compile(rb"\b(?:ii|iii|iv)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Name:
    """One name as read: its words, and its first letters in order."""

    words: tuple[tuple[bytes, int], ...]
    initials: frozenset[bytes]


def read_name(text: bytes) -> list[Name]:
    """Read a folded name in either order; a quoted nickname is a name of its own.

    >>> [name.words for name in read_name(b"Okafor, Samuel A.")]
    [((b'samuel', 1), (b'okafor', 2))]
    """
    aside = [b" ".join(match.groups(b"")) for match in _ASIDE.finditer(text)]
    head, comma, tail = (_ASIDE.sub(b" ", text) if aside else text).partition(b",")
    first, last = _useful(tail, after=len(head.split())), _useful(head)
    if comma and first:
        named = [(word, Kind.GIVEN) for word in first] + [(word, Kind.SURNAME) for word in last]
    else:
        named = _in_order(last)
    named = [
        (word, Kind.PARTICLE if word in PARTICLES and _may_be_particle(place, word, head, named) else kind)
        for place, (word, kind) in enumerate(named)
    ]
    letters = [b"".join(word[:1] for word, kind in named if kind != Kind.PARTICLE)]
    if any(kind == Kind.PARTICLE for _, kind in named):
        letters += [b"".join(word[:1] for word, _ in named), _with_particle(named)]
    full = tuple((word, kind) for word, kind in named if len(word) > 1 or kind == Kind.PARTICLE)
    names = [Name(full, frozenset(letters))] if any(kind != Kind.PARTICLE for _, kind in full) else []
    return names + [name for piece in aside for name in read_name(piece)]


def _with_particle(named: list[tuple[bytes, int]]) -> bytes:
    """First letters where a particle speaks for the word it leads: ``A. Van Hooser`` signs AV."""
    letters = b""
    led = False
    for word, kind in named:
        if not led:
            letters += word[:1]
        led = kind == Kind.PARTICLE
    return letters


def _useful(text: bytes, *, after: int = 0) -> list[bytes]:
    """Return the words of a name without titles, credentials and fillers, ``after`` so many others."""
    words = [word for word in _WORD.findall(text) if word.lower() not in _SUFFIXES or len(word) == 1]
    while len(words) > 1 and words[0].lower() in _TITLES:
        del words[0]
    mixed = not text.isupper()
    while words and len(words) + after > 1 and _is_credential(words[-1], mixed or after > 1):
        del words[-1]
    words = [word.lower() for word in words]
    return [word for word in words if word not in _EMPTY and (len(word) == 1 or word.strip(_X))]


def _is_credential(word: bytes, mixed: bool) -> bool:
    small = word.lower()
    return small in _CREDENTIALS or (
        mixed and len(word) > 1 and word.isupper() and small in _SHORT_CREDENTIALS
    )


def _in_order(words: list[bytes]) -> list[tuple[bytes, int]]:
    """First word given, last word surname; those between and a lone word may be either."""
    either = Kind.GIVEN | Kind.SURNAME
    last = max((place for place, word in enumerate(words) if len(word) > 1), default=0)
    if last == 0:
        return [(word, either) for word in words]
    return [
        (word, Kind.GIVEN if place == 0 else Kind.SURNAME if place == last else either)
        for place, word in enumerate(words)
    ]


def _may_be_particle(place: int, word: bytes, head: bytes, named: list[tuple[bytes, int]]) -> bool:
    """Tell ``Al-Hamdan``, where it is bound to what follows, from ``Al Green``, where it is a first name."""
    if len(word) == 1:
        return re.search(rb"(?i)\b%b'" % word, head) is not None  # O'Brien, but not the initial O.
    if place or word not in (b"al", b"el", b"ten"):
        return place < len(named) - 1
    return re.match(rb"\W*%b-" % word, head, re.IGNORECASE) is not None


def people_of(patient: Patient) -> list[Person]:
    """Return the patient, relatives and providers of a record; entries without a usable name are left out."""
    people = [_person("name", "PATIENT", patient.names)]
    people += [_person("relative", "PATIENT", (name,)) for name in patient.relatives]
    people += [_person("provider", "DOCTOR", (name,)) for name in patient.providers]
    return [person for person in people if person.words or person.literal]


def _person(rule: str, label: str, entries: Iterable[str]) -> Person:
    words: dict[bytes, int] = {}
    initials: set[bytes] = set()
    order: set[tuple[bytes, bytes]] = set()
    capitals: set[bytes] = set()
    literal: list[str] = []
    numbered = False
    for entry in entries:
        folded = shadow(entry)
        numbered = numbered or _NUMBERED.search(folded) is not None
        if not entry.isascii():
            literal += _unfoldable(entry, folded)
        for name in read_name(folded):
            _add(words, order, name)
            initials |= {letters for letters in name.initials if len(letters) > 1}
            if folded.isupper() and len(folded.strip()) <= 3 and len(name.words) == 1:
                capitals.add(folded.strip())
    usual = nicknames()
    for word, kind in list(words.items()):
        if kind & Kind.GIVEN and (not kind & Kind.SURNAME or len(words) > 1):
            for short in usual.get(word, ()):
                words.setdefault(short, Kind.NICKNAME)
    return Person(
        rule,
        label,
        words,
        frozenset(initials),
        frozenset(order),
        frozenset(capitals),
        tuple(literal),
        numbered,
    )


def _add(words: dict[bytes, int], order: set[tuple[bytes, bytes]], name: Name) -> None:
    for place, (word, kind) in enumerate(name.words):
        words[word] = words.get(word, 0) | kind
        if place:
            before, kind_before = name.words[place - 1]
            order.add((before, word))
            if kind_before == Kind.PARTICLE and kind != Kind.PARTICLE:
                joined = before + word  # VanHooser, OBrien
                back = place - 2
                while back >= 0 and name.words[back][1] == Kind.PARTICLE:
                    joined = name.words[back][0] + joined  # DeLaCruz
                    back -= 1
                words.setdefault(joined, kind)


def _unfoldable(entry: str, folded: bytes) -> list[str]:
    """Words of at least two letters whose shadow says nothing: other scripts are matched as they stand."""
    found = []
    start = 0
    for piece in entry.replace(",", " ").split():
        start = entry.index(piece, start)
        view = folded[start : start + len(piece)].lower()
        if len(piece) > 1 and piece.isalpha() and not piece.isascii() and not view.strip(_X):
            found.append(piece)
        start += len(piece)
    return found
