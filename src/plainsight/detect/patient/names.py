"""Find the people of a record in a text: in any order and form, by nicknames, with initials or misspelled.

All words of a note that occur in the record, exactly or with one slip, are hits. Neighbouring hits of one
person make a run. Two parts of a name make a claim. One part does, too, unless it is an ordinary word: then
it needs a capital, and a cue or initials beside it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import reduce
from operator import or_

from ahocorasick_rs import BytesAhoCorasick, Implementation

from plainsight.detect.patient.evidence import (
    Entry,
    Hit,
    has_provider_cue,
    left_initials,
    right_initials,
    score_full,
    score_single,
    suffix_end,
)
from plainsight.detect.patient.people import PARTICLES, Kind, Person
from plainsight.detect.patient.view import Claim, View
from plainsight.text import spelling
from plainsight.text.word_lists import eponyms, is_ordinary, ordinary

_GAP = re.compile(
    rb"(?:[ \t]{1,2}|,[ \t]{0,2}|[-'/^_.]|[ \t]?\r?\n[ \t]{0,3})(?:(?:[A-Za-z]\.?[ \t]|[A-Za-z]\.){1,2}|"
    rb"(?i:baby[ \t]?(?:boy|girl)?[ \t]))?"
)
_SAINT_GAP = re.compile(rb"\.[ \t]")
_NEWBORN_BEFORE = re.compile(rb"\b(?:Baby|BABY)[ \t]?(?i:boy|girl)[ \t]\Z|\bB[BG][ \t]\Z")
_NEWBORN_AFTER = re.compile(rb"(?i),[ \t]{0,2}(?:baby[ \t]?(?:boy|girl)?|infant|newborn|male|female)\b")
_HALF_BEFORE = re.compile(rb"(?:\A|[^A-Za-z-])([A-Z][A-Za-z']+-)\Z")
_HALF_AFTER = re.compile(rb"-[A-Z][A-Za-z']+(?![A-Za-z-])")
_WORD_BEFORE = re.compile(rb"(?:\A|[^A-Za-z0-9])([A-Z][A-Za-z]{4,20}),? \Z")
_WORD_AFTER = re.compile(rb",? ([A-Z][A-Za-z]{4,20})(?![A-Za-z0-9])")


class Names:
    """The people of one record, ready to be found. People are named by their position in the list."""

    def __init__(self, people: list[Person]) -> None:
        self.people = people
        vocabulary: defaultdict[bytes, dict[int, int]] = defaultdict(dict)
        for number, person in enumerate(people):
            for word, kind in person.words.items():
                vocabulary[word][number] = kind
        self._vocabulary = dict(vocabulary)
        self._spelling = spelling.index(
            word for word, kinds in vocabulary.items() if any(k != Kind.NICKNAME for k in kinds.values())
        )
        self._entries = {word: self._entry(word, (word,)) for word in vocabulary}
        self._checked = set(vocabulary)  # what has been compared with the record's words
        self._family = {number for number, person in enumerate(people) if person.label == "PATIENT"}

    def find(self, text: str, view: View, tokens: set[bytes]) -> Iterator[Claim]:
        """Yield the names in a note; ``tokens`` are the words of its flat form."""
        for hits, people in self._runs(view.text, self._hits(view, tokens)):
            if claim := self._claim(view.text, hits, people):
                yield claim
        for person in self.people:  # names in other scripts, which have no shadow
            for word in person.literal:
                for match in re.finditer(re.escape(word), text):
                    start, end = match.span()
                    if not (_cased(text[max(0, start - 1) : start]) or _cased(text[end : end + 1])):
                        yield Claim(start, end, person.label, 0.9, person.rule)

    def _hits(self, view: View, tokens: set[bytes]) -> list[Hit]:
        """Return the words of a note that are words of the record, or may be misspelled ones."""
        entries, index = self._entries, self._spelling
        for token in tokens - ordinary() - eponyms() - self._checked if index else ():
            if len(token) >= spelling.SHORTEST:
                self._checked.add(token)
                if token.isalpha() and (near := spelling.misspelled(index, token)):
                    entries[token] = self._entry(token, tuple(near))
        present = [(token, entries[token]) for token in tokens & entries.keys()]
        if not present:
            return []
        patterns = [b" %b " % token for token, _ in present]
        finder = BytesAhoCorasick(patterns, implementation=Implementation.NoncontiguousNFA)
        return [
            Hit(start, end - 2, *present[number])
            for number, start, end in finder.find_matches_as_indexes(view.flat, overlapping=True)
        ]

    def _entry(self, token: bytes, words: tuple[bytes, ...]) -> Entry:
        people: dict[int, int] = {}
        for word in words:
            for number, kind in self._vocabulary[word].items():
                people[number] = people.get(number, 0) | kind
        return Entry(people, reduce(or_, people.values(), 0), words, is_ordinary(token), token not in words)

    def _runs(self, text: bytes, hits: list[Hit]) -> Iterator[tuple[list[Hit], set[int]]]:
        """Chain neighbouring hits that can be parts of one name; yield them with the people it can name."""
        run: list[Hit] = []
        people: set[int] = set()
        for hit in hits:
            if run:
                joined = self._join(text, run, people, hit) if hit.start - run[-1].end < 17 else None
                if joined:
                    run.append(hit)
                    people = joined
                    continue
                yield run, people
            run, people = [hit], set(hit.entry.people)
        if run:
            yield run, people

    def _join(self, text: bytes, run: list[Hit], people: set[int], hit: Hit) -> set[int]:
        """Return the people whose name the run is with one more hit; nobody if the hit is no part of it."""
        last = run[-1]
        gap = text[last.end : hit.start]
        if any(hit.token == other.token for other in run):
            return set()
        if not _GAP.fullmatch(gap) and not (last.token == b"st" and _SAINT_GAP.fullmatch(gap)):
            return set()
        shared = people & hit.entry.people.keys()
        if shared or gap not in (b" ", b", ", b",", b"-"):
            return shared
        # A child under its mother's surname, a widow under her husband's: parts of two relatives.
        surname, given = (hit, last) if gap == b" " else (last, hit)
        if self._in_family(given, Kind.GIVEN) and self._in_family(surname, Kind.SURNAME):
            return {number for part in (*run, hit) for number in part.entry.people} & self._family
        return set()

    def _in_family(self, hit: Hit, kind: int) -> bool:
        return any(found & kind for number, found in hit.entry.people.items() if number in self._family)

    def _claim(self, text: bytes, hits: list[Hit], people: set[int]) -> Claim | None:
        """Score a run; its claim takes in the initials and suffixes that belong to the name."""
        hits = self._trimmed(text, hits, people)
        if not hits:
            return None
        start, end = hits[0].start, hits[-1].end
        number = self._choose(text, start, end, hits, people)
        person = self.people[number]
        start, end, initials = self._with_initials(text, start, end, hits, people)
        parts = hits
        if len(hits) > 1:
            parts = [hit for hit in hits if hit.entry.people.get(number) != Kind.PARTICLE]
        start, end, misspelled = self._with_misspelled(text, start, end, parts, person)
        if len(parts) > 1:
            score = score_full(text, parts, start, end)
        else:
            kind = parts[0].entry.people.get(number, Kind.SURNAME)
            score = score_single(text, parts[0], person, kind, start, end, beside=initials or misspelled)
        if not score:
            return None
        if any(hit.entry.kinds & Kind.SURNAME for hit in hits):
            end = suffix_end(text, end, numbered=person.numbered)
            start, end = _with_newborn(text, *_with_double_surname(text, start, end), person)
        return Claim(start, end, person.label, score, person.rule)

    def _trimmed(self, text: bytes, hits: list[Hit], people: set[int]) -> list[Hit]:
        """Cut ends that are no part of the name: trailing particles, ordinary words in small letters."""
        hits = list(hits)
        while hits and (self._is_particle(hits[-1], people) or self._is_stray(text, hits, -1, people)):
            del hits[-1]
        while len(hits) > 1 and self._is_stray(text, hits, 0, people):
            del hits[0]
        return [] if len(hits) == 1 and self._is_particle(hits[0], people) else hits

    def _is_particle(self, hit: Hit, people: set[int]) -> bool:
        """Tell whether a hit is only a particle, which names nobody without the word behind it."""
        if hit.token not in PARTICLES:
            return False
        return all(kind == Kind.PARTICLE for number, kind in hit.entry.people.items() if number in people)

    def _is_stray(self, text: bytes, hits: list[Hit], end: int, people: set[int]) -> bool:
        """Tell whether the first or last hit of a run is an ordinary word there: ``will Gaithers go``."""
        hit = hits[end]
        if len(hits) < 2 or not hit.entry.ordinary or not text[hit.start : hit.start + 1].islower():
            return False
        beside = hits[1] if end == 0 else hits[-2]
        one, other = (hit, beside) if end == 0 else (beside, hit)
        pairs = {(first, second) for first in one.entry.words for second in other.entry.words}
        ordered = any(pairs & self.people[number].order for number in people)
        if text[beside.start : beside.start + 1].islower():
            return beside.entry.ordinary or not (ordered or b"," in text[one.end : other.start])
        return not ordered or end == 0 or hit.token in (b"will", b"may", b"might", b"can", b"has")

    def _choose(self, text: bytes, start: int, end: int, hits: list[Hit], people: set[int]) -> int:
        """Choose whom a run names; between a provider and family, a title or credential decides."""
        named = people.intersection(*(hit.entry.people for hit in hits)) or people
        if named & self._family and named - self._family:
            provider = has_provider_cue(text, start, end)
            named = named - self._family if provider else named & self._family
        return min(named)

    def _with_initials(
        self, text: bytes, start: int, end: int, hits: list[Hit], people: set[int]
    ) -> tuple[int, int, bool]:
        """Take in the initials beside a run that are of the same name."""
        small = text[start : start + 1].islower()
        left = left_initials(text, start)
        if left and _cased_alike(left[1], small) and self._abbreviate(people, left[1], hits, after=False):
            return left[0], end, True
        for right_end, letters in right_initials(text, end):
            if _cased_alike(letters, small) and self._abbreviate(people, letters, hits, after=True):
                return start, right_end, True
        return start, end, False

    def _abbreviate(self, people: set[int], letters: bytes, hits: list[Hit], *, after: bool) -> bool:
        """Tell whether letters beside a run are initials of the other parts of somebody's name."""
        letters = letters.lower()
        for number in people:
            surname_only = all(hit.entry.people.get(number, Kind.GIVEN) == Kind.SURNAME for hit in hits)
            for rest in self.people[number].initials:
                for hit in hits:
                    head, found, tail = rest.rpartition(hit.entry.words[0][:1])
                    rest = head + tail if found else rest
                # A surname is followed by the first initial, not by just any: "Gaithers L breast".
                wrong = after and surname_only and rest[:1] != letters[:1]
                remaining = iter(rest)
                if rest and not wrong and all(letter in remaining for letter in letters):
                    return True
        return False

    def _with_misspelled(
        self, text: bytes, start: int, end: int, parts: list[Hit], person: Person
    ) -> tuple[int, int, bool]:
        """Take in a misspelled part beside a sure one, even if it is a word: ``Gathers, Ernestine``."""
        if len(parts) > 1 or parts[0].entry.ordinary:
            return start, end, False
        spaced = text[start - 1 : start] == b" "
        before = _WORD_BEFORE.search(text, max(0, start - 24), start) if spaced else None
        if before and self._is_misspelled(before[1], person):
            return before.start(1), end, True
        after = _WORD_AFTER.match(text, end)
        if after and self._is_misspelled(after[1], person):
            return start, after.end(), True
        return start, end, False

    def _is_misspelled(self, written: bytes, person: Person) -> bool:
        return any(word in person.words for word in spelling.misspelled(self._spelling, written.lower()))


def _with_newborn(text: bytes, start: int, end: int, person: Person) -> tuple[int, int]:
    """Take in the stand-in for a newborn's first name: ``Xiong, Baby Boy``."""
    if person.label != "PATIENT":
        return start, end
    before = _NEWBORN_BEFORE.search(text, max(0, start - 12), start)
    after = _NEWBORN_AFTER.match(text, end)
    return before.start() if before else start, after.end() if after else end


def _with_double_surname(text: bytes, start: int, end: int) -> tuple[int, int]:
    """Take in the other half of a hyphenated surname, of which the record may know only one."""
    before = _HALF_BEFORE.search(text, max(0, start - 24), start) if text[start - 1 : start] == b"-" else None
    after = _HALF_AFTER.match(text, end)
    return before.start(1) if before else start, after.end() if after else end


def _cased_alike(letters: bytes, small: bool) -> bool:
    return letters.isupper() or (small and letters.islower() and letters not in (b"a", b"i"))


def _cased(char: str) -> bool:
    return char.islower() or char.isupper()
