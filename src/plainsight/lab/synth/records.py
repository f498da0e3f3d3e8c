"""Records: put the names, addresses and numbers of a site's patients into training notes (S134, S101).

A note gets the identifiers of one patient's structured record in the place of like identifiers: names word by
word, so that ``Smith, John`` and ``Mr. Smith`` stay in their form; streets, towns, phones and numbers whole.
What the record lacks stays. Labels stay exact, but the notes hold real identifiers, and a model trained on
them holds traces of these.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from plainsight.document import Patient
from plainsight.lab.synth.pieces import Piece, Pieces
from plainsight.lab.synth.resample import written_like
from plainsight.replace.surrogate.names.census import given_bearers, surname_bearers
from plainsight.replace.surrogate.names.parse import PARTICLES, normal

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_FIXED = re.compile(
    r"(?:dr|mr|mrs|ms|miss|prof|rev|jr|sr|md|do|rn|np|pa|phd|lpn|ii|iii|iv)", re.IGNORECASE
)  # titles, credentials and suffixes belong to nobody
_STAFF = 4  # providers of a patient
_WRITTEN = frozenset({"STREET", "CITY", "COUNTRY", "ORGANIZATION"})  # in the case of what they replace


class Person(NamedTuple):
    """A name in its parts; any of them may be empty."""

    first: str = ""
    middle: str = ""
    last: str = ""


def person(name: str) -> Person:
    """Read a name as a record writes it.

    >>> person("Ernestine L. Gaithers, MD")
    Person(first='Ernestine', middle='L', last='Gaithers')
    >>> person("de la Cruz, Ana Lucia"), person("Teenie")
    (Person(first='Ana', middle='Lucia', last='de la Cruz'), Person(first='Teenie', middle='', last=''))
    """
    head, _, tail = name.partition(",")
    before, after = _words(head), _words(tail)
    if after:  # Last, First Middle
        return Person(after[0], " ".join(after[1:]), " ".join(before))
    if len(before) < 2:
        return Person(*before)
    at = next((n for n, word in enumerate(before[1:], 1) if word.lower() in PARTICLES), len(before) - 1)
    return Person(before[0], " ".join(before[1:at]), " ".join(before[at:]))


def with_record(pieces: Sequence[Piece], patient: Patient, random: Random) -> Pieces:
    """Return a note with the identifiers of a patient's record.

    >>> record = Patient(id="1", names=("Ana Lucia Reyes",), phones=("218-724-0011",))
    >>> note = [Piece("Smith, John", "PATIENT"), Piece(", Mr. "), Piece("SMITH", "PATIENT"), Piece("; "),
    ...         Piece("555-0101", "PHONE")]
    >>> "".join(piece.text for piece in with_record(note, record, Random(1)))
    'Reyes, Ana, Mr. REYES; 218-724-0011'
    """
    relatives = random.sample(patient.relatives, len(patient.relatives))
    providers = random.sample(patient.providers, len(patient.providers))
    known = {
        "PATIENT": _renamed(pieces, "PATIENT", [*patient.names[:1], *relatives]),
        "DOCTOR": _renamed(pieces, "DOCTOR", providers),
        **_exchanged(pieces, _values(patient)),
    }
    return [
        piece._replace(text=known[piece.label].get(piece.text, piece.text)) if piece.label in known else piece
        for piece in pieces
    ]


def _values(patient: Patient) -> dict[str, list[str]]:
    """Return the texts of a record, people's names aside, by label."""
    values: dict[str, list[str]] = defaultdict(list)
    for address in patient.addresses:
        for label in ("STREET", "CITY", "STATE", "ZIP", "COUNTRY"):
            values[label].append(getattr(address, label.lower()))
    for label, texts in (
        ("PHONE", patient.phones),
        ("EMAIL", patient.emails),
        ("ORGANIZATION", patient.employers),
    ):
        values[label] += texts
    for label, number in patient.ids:
        values[label].append(number)
    return {label: list(filter(None, texts)) for label, texts in values.items()}


def _exchanged(pieces: Iterable[Piece], values: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
    """Pair the texts of a note with those of a record, in their order; each text counts once."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for piece in pieces:
        found[piece.label][piece.text] = None
    return {
        label: {
            old: written_like(new, old) if label in _WRITTEN else new
            for old, new in zip(found[label], texts, strict=False)
            if label != "STATE" or (len(old) == 2) == (len(new) == 2)  # a code for a code
        }
        for label, texts in values.items()
    }


def _renamed(pieces: Iterable[Piece], label: str, names: Sequence[str]) -> dict[str, str]:
    """Return the new text of each name under a label: the first person in the note gets the first name."""
    texts = list(dict.fromkeys(piece.text for piece in pieces if piece.label == label))
    words: dict[str, str] = {}
    owner: dict[str, tuple[Person, Person]] = {}
    people = map(person, names)
    for text in sorted(texts, key=lambda text: len(_words(text)) < 2):  # full names first
        parts = [word.lower() for word in _words(text) if len(word) > 1]
        if not parts or any(part in words for part in parts) or _is_initials(text):
            continue  # somebody met before, or a relative with the same surname
        new = next(people, None)
        if new is None:
            break
        old = person(text) if len(parts) > 1 else _single(parts[0])
        for was, becomes in zip(old, new, strict=True):
            if was and becomes:
                word = was.lower().split()[-1]
                words[word] = becomes[0] if len(was) == 1 else becomes
                owner[word] = old, new
    return {text: _substituted(text, words, owner) for text in texts}


def _single(word: str) -> Person:
    """Return a given name or a surname that stands alone."""
    plain = normal(word)
    return Person(first=word) if given_bearers(plain) > surname_bearers(plain) else Person(last=word)


def _substituted(text: str, words: Mapping[str, str], owner: Mapping[str, tuple[Person, Person]]) -> str:
    """Return a name with other words and initials, in its form."""
    known = next((owner[word.lower()] for word in _words(text) if word.lower() in owner), None)

    def other(match: re.Match[str]) -> str:
        word = match[0]
        new = words.get(word.lower()) if len(word) > 1 else None
        if len(word) == 1 and known:
            old, person = known
            new = (person.first if word.lower() == old.first[:1].lower() else person.middle)[:1]
        if not new:
            return word
        return new.upper() if word.isupper() and len(word) > 1 else written_like(new, word)

    return _WORD.sub(other, text)


def _is_initials(text: str) -> bool:
    return text.isupper() and len(text) <= 3


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if not _FIXED.fullmatch(word)]


def with_staff(patients: Iterable[Patient], staff: Sequence[str], random: Random) -> list[Patient]:
    """Return patients' records with some of a site's staff as their providers, beside those they have.

    >>> [patient.providers for patient in with_staff([Patient(id="1")], ["Linda Michaelson"], Random(1))]
    [('Linda Michaelson',)]
    """
    count = min(_STAFF, len(staff))
    return [replace(each, providers=(*each.providers, *random.sample(staff, count))) for each in patients]
