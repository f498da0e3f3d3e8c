"""Read the names of a record: the words, initials and orders of words that each person may appear with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

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


@dataclass(slots=True, repr=False)
class Person:
    """Somebody in the record, with every word, initial and order of words that their names allow."""

    rule: str
    label: str
    words: dict[bytes, int] = field(default_factory=dict)
    """Each word and its `Kind`."""
    initials: set[bytes] = field(default_factory=set)
    """First letters of each full name, in order: ``b"elg"``."""
    order: set[tuple[bytes, bytes]] = field(default_factory=set)
    """Words that follow each other in a name of the record."""
    capitals: set[bytes] = field(default_factory=set)
    """Short names that the record writes in capitals, as ``RJ``."""
    literal: list[str] = field(default_factory=list)
    """Words in scripts that have no shadow."""
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


class Name(NamedTuple):
    """A name: its words with their kinds, and its initials."""

    words: tuple[tuple[bytes, int], ...]
    initials: set[bytes]


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
    names = [Name(full, set(letters))] if any(kind != Kind.PARTICLE for _, kind in full) else []
    return names + [name for piece in aside for name in read_name(piece)]


def _with_particle(named: list[tuple[bytes, int]]) -> bytes:
    """Return the initials where a particle stands for the next word: ``A. Van Hooser`` signs AV."""
    kinds = [0, *(kind for _, kind in named)]
    return b"".join(
        word[:1] for (word, _), before in zip(named, kinds, strict=False) if before != Kind.PARTICLE
    )


def _useful(text: bytes, *, after: int = 0) -> list[bytes]:
    """Return the words of a name without titles, credentials and fillers; ``after`` words precede them."""
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
    """Take the first word for a given name, the last for a surname, words between and a lone one for both."""
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
    person = Person(rule, label)
    words = person.words
    for entry in entries:
        folded = shadow(entry)
        person.numbered = person.numbered or _NUMBERED.search(folded) is not None
        if not entry.isascii():
            person.literal += _unfoldable(entry, folded)
        for name in read_name(folded):
            _add(person, name)
            if folded.isupper() and len(folded.strip()) <= 3 and len(name.words) == 1:
                person.capitals.add(folded.strip())
    for word, kind in list(words.items()):
        if kind & Kind.GIVEN and (not kind & Kind.SURNAME or len(words) > 1):
            for short in nicknames().get(word, ()):
                words.setdefault(short, Kind.NICKNAME)
    return person


def _add(person: Person, name: Name) -> None:
    """Add the words of a name, and what particles make with the next word: VanHooser, DeLaCruz."""
    person.initials |= {letters for letters in name.initials if len(letters) > 1}
    person.order.update((one, other) for (one, _), (other, _) in pairwise(name.words))
    particles = b""
    for word, kind in name.words:
        person.words[word] = person.words.get(word, 0) | kind
        if kind == Kind.PARTICLE:
            particles += word
        elif particles:
            person.words.setdefault(particles + word, kind)
            particles = b""


def _unfoldable(entry: str, folded: bytes) -> list[str]:
    """Return the words of at least two letters in other scripts, which are matched as they are written."""
    words = (match.span() for match in re.finditer(r"[^\s,]{2,}", entry))
    return [
        entry[start:end]
        for start, end in words
        if entry[start:end].isalpha()
        and not entry[start:end].isascii()
        and not folded[start:end].lower().strip(_X)
    ]
