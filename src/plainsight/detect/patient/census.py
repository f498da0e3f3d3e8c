"""The site's census: people known at the site, matched in all notes by full name only.

The file has one person a line: a name in either order, optionally followed by a tab and ``patient`` or
``staff``; or a JSON object with ``name``, or ``first`` and ``last``, and optionally ``role``. People
without a role are taken for patients. Lines that are empty or begin with ``#`` are skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plainsight.detect.patient.people import Kind, Name, read_name
from plainsight.detect.patient.view import Claim, View, occurrences
from plainsight.errors import FormatError, UsageError
from plainsight.text.shadow import shadow
from plainsight.text.word_lists import is_ordinary

_STAFF = frozenset({"staff", "provider", "doctor", "physician", "nurse", "employee", "clinician"})
_PATIENTS = frozenset({"", "patient", "relative", "family", "member"})
_GAP = re.compile(rb"[ \t]{1,2}|,[ \t]{0,2}|-|'")
_GAP_AFTER_INITIAL = re.compile(rb"\.?[ \t]?")
_WORD = re.compile(rb"[A-Za-z]+")
_WORD_BEFORE = re.compile(rb"(?<![A-Za-z])([A-Za-z]+)(?:[ \t]{1,2}|-|')\Z")
Pair = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True, repr=False)
class Census:
    """Pairs of a first and a last name, in both orders, with the label and the words between them."""

    pairs: dict[Pair, tuple[str, frozenset[bytes]]]
    words: frozenset[bytes]
    """The first words of all pairs."""
    reach: int
    """How far apart the words of a pair can be: 1 for neighbours."""

    def find(self, view: View) -> Iterator[Claim]:
        """Yield the full names of people of the site.

        Pairs of words are looked up in a table: a name has too many forms, with commas, initials and middle
        names, to be searched for as strings.
        """
        words = view.flat.split()
        found = {
            (pair, apart)
            for number, word in enumerate(words)
            if word in self.words
            for apart, other in enumerate(words[number + 1 : number + 1 + self.reach], 1)
            if (pair := (word, other)) in self.pairs
        }
        for pair, apart in sorted(found):
            yield from self._locate(view, pair, apart)

    def _locate(self, view: View, pair: Pair, apart: int) -> Iterator[Claim]:
        text, (label, others) = view.text, self.pairs[pair]
        for start in occurrences(view, pair[0]):
            end = _follow(text, start + len(pair[0]), pair[1], others, apart)
            if end is None:
                continue
            written = text[start:end]
            small = any(word[:1].islower() for word in (written[: len(pair[0])], written[-len(pair[1]) :]))
            if small and any(map(is_ordinary, pair)):
                continue
            score = 0.85 if small else 0.9 if all(map(is_ordinary, pair)) else 0.95
            start, end = _widen(text, start, end, others)
            yield Claim(start, end, label, score, "census")


def _follow(text: bytes, end: int, last: bytes, others: frozenset[bytes], apart: int) -> int | None:
    """Return where a name ends that goes on to this word, over initials and words of the same person."""
    gap = _GAP
    for _ in range(apart):
        between = gap.match(text, end)
        following = _WORD.match(text, between.end()) if between else None
        if following is None:
            return None
        word, end = following.group().lower(), following.end()
        if word == last:
            return end
        if len(word) > 1 and word not in others:
            return None
        gap = _GAP_AFTER_INITIAL if len(word) == 1 else _GAP
    return None


def _widen(text: bytes, start: int, end: int, others: frozenset[bytes]) -> tuple[int, int]:
    """Take in further words of the same person on both sides: ``Van Hooser, Anneliese``."""
    while gap := _GAP.match(text, end):
        following = _WORD.match(text, gap.end())
        if following is None or following.group().lower() not in others:
            break
        end = following.end()
    while before := _WORD_BEFORE.search(text, max(0, start - 24), start):
        if before[1].lower() not in others:
            break
        start = before.start(1)
    return start, end


def read_census(path: Path) -> Census:
    """Read a census file."""
    pairs: dict[Pair, tuple[str, frozenset[bytes]]] = {}
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                for name, label in _people(line.strip(), f"census, line {number}"):
                    _add(pairs, name, label)
    except OSError as error:
        raise UsageError(f"the census cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FormatError("the census is not UTF-8") from None
    reach = min(4, max(2, *(len(words) - 1 for _, words in pairs.values()))) if pairs else 0
    return Census(pairs, frozenset(first for first, _ in pairs), reach)


def _people(line: str, where: str) -> Iterator[tuple[Name, str]]:
    if not line or line.startswith("#"):
        return
    if line.startswith("{"):
        text, role = _from_json(line, where)
    else:
        text, _, role = line.partition("\t")
    role = role.strip().lower()
    if role not in _STAFF | _PATIENTS:
        raise FormatError("the role is neither patient nor staff", where)
    for name in read_name(shadow(text)):
        yield name, "DOCTOR" if role in _STAFF else "PATIENT"


def _from_json(line: str, where: str) -> tuple[str, str]:
    try:
        record: dict[str, Any] = json.loads(line)
    except ValueError:
        raise FormatError("not a JSON object", where) from None
    if record.get("last"):
        name = f"{record['last']}, {record.get('first') or ''} {record.get('middle') or ''}"
    else:
        name = str(record.get("name") or "")
    return name, str(record.get("role") or "")


def _add(pairs: dict[Pair, tuple[str, frozenset[bytes]]], name: Name, label: str) -> None:
    """Enter a name of at least two words: its first given word with each surname, both ways."""
    words = [word for word, kind in name.words if kind != Kind.PARTICLE]
    given = next((word for word, kind in name.words if kind & Kind.GIVEN and kind != Kind.PARTICLE), b"")
    surnames = [word for word, kind in name.words if kind == Kind.SURNAME and len(word) > 1]
    if len(words) < 2 or len(given) < 2 or not surnames:
        return
    every = frozenset(word for word, _ in name.words)
    for surname in surnames:
        for pair in ((given, surname), (surname, given)):
            if pair in pairs:  # two people of one name: a patient's label wins
                former, words_before = pairs[pair]
                pairs[pair] = ("PATIENT" if "PATIENT" in (former, label) else label, words_before | every)
            else:
                pairs[pair] = (label, every)
