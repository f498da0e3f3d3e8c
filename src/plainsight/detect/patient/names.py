"""Find the people of a record in a text: any order and form, nicknames, initials, small misspellings.

All words of a note that occur in the record, exactly or with one slip, are hits. Neighbouring hits of one
person make a run, and a run is judged by its evidence: two parts of a name speak for themselves; one part
speaks unless it is an ordinary word, which needs a capital and company.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import reduce
from operator import or_

from ahocorasick_rs import BytesAhoCorasick, Implementation

from plainsight.detect.patient import context
from plainsight.detect.patient.evidence import Entry, Hit, score_full, score_single
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


Run = tuple[list[Hit], set[int]]
"""Neighbouring hits, and the people whose name they can be."""


class Names:
    """The people of one record, ready to be found."""

    def __init__(self, people: list[Person]) -> None:
        self.people = people
        vocabulary: defaultdict[bytes, dict[int, int]] = defaultdict(dict)
        for place, person in enumerate(people):
            for word, kind in person.words.items():
                vocabulary[word][place] = kind
        self._vocabulary = dict(vocabulary)
        self._spelling = spelling.index(
            word for word, who in vocabulary.items() if any(kind != Kind.NICKNAME for kind in who.values())
        )
        self._entries = {word: self._entry(word, (word,)) for word in vocabulary}
        self._words = set(vocabulary)  # what has an entry
        self._checked = set(vocabulary)  # what has been compared with the record's words, once
        self._family = {place for place, person in enumerate(self.people) if person.label == "PATIENT"}

    def find(self, view: View, tokens: set[bytes]) -> Iterator[Claim]:
        """Yield the names in a note; ``tokens`` are the words of its flat form."""
        text = view.text
        for run in self._runs(text, self._hits(view, tokens)):
            claim = self._judge(text, run)
            if claim:
                yield claim

    def find_literal(self, text: str) -> Iterator[Claim]:
        """Yield names in scripts that the shadow does not show."""
        for person in self.people:
            for word in person.literal:
                start = text.find(word)
                while start >= 0:
                    end = start + len(word)
                    if not (_cased(text[max(0, start - 1) : start]) or _cased(text[end : end + 1])):
                        yield Claim(start, end, person.label, 0.9, person.rule)
                    start = text.find(word, end)

    def _hits(self, view: View, tokens: set[bytes]) -> list[Hit]:
        entries, checked, table = self._entries, self._checked, self._spelling
        for token in tokens - ordinary() - eponyms() if table else ():
            if len(token) >= spelling.SHORTEST and token not in checked:
                checked.add(token)
                near = spelling.misspelled(table, token) if token.isalpha() else None
                if near:
                    entries[token] = self._entry(token, tuple(near))
                    self._words.add(token)
        present = [(token, entries[token]) for token in tokens & self._words]
        if not present:
            return []
        patterns = [b" %b " % token for token, _ in present]
        finder = BytesAhoCorasick(patterns, implementation=Implementation.NoncontiguousNFA)
        return [
            Hit(start, end - 2, *present[place])
            for place, start, end in finder.find_matches_as_indexes(view.flat, overlapping=True)
        ]

    def _entry(self, token: bytes, words: tuple[bytes, ...]) -> Entry:
        people: dict[int, int] = {}
        for word in words:
            for place, kind in self._vocabulary[word].items():
                people[place] = people.get(place, 0) | kind
        every = reduce(or_, people.values(), 0)
        return Entry(people, every, words, is_ordinary(token), token not in words)

    def _runs(self, text: bytes, hits: list[Hit]) -> Iterator[Run]:
        """Chain neighbouring hits that can be parts of one person's name."""
        run: list[Hit] = []
        who: set[int] = set()
        for hit in hits:
            if run:
                joined = self._join(text, run, who, hit) if hit.start - run[-1].end < 17 else None
                if joined:
                    run.append(hit)
                    who = joined
                    continue
                yield run, who
            run, who = [hit], set(hit.entry.people)
        if run:
            yield run, who

    def _join(self, text: bytes, run: list[Hit], who: set[int], hit: Hit) -> set[int]:
        """Return whose name the run is if the hit belongs to it, nobody if it does not."""
        last = run[-1]
        if any(hit.token == other.token for other in run):
            return set()
        gap = text[last.end : hit.start]
        if not _GAP.fullmatch(gap) and not (last.token == b"st" and _SAINT_GAP.fullmatch(gap)):
            return set()
        shared = who & hit.entry.people.keys()
        if shared or gap not in (b" ", b", ", b",", b"-"):
            return shared
        # A child under its mother's surname, a widow under her husband's: parts of two relatives.
        surname, given = (hit, last) if gap == b" " else (last, hit)
        if self._in_family(given, Kind.GIVEN) and self._in_family(surname, Kind.SURNAME):
            return {place for part in (*run, hit) for place in part.entry.people} & self._family
        return set()

    def _in_family(self, hit: Hit, kind: int) -> bool:
        return any(found & kind for place, found in hit.entry.people.items() if place in self._family)

    def _judge(self, text: bytes, run: Run) -> Claim | None:
        """Weigh a run; the claim takes in the initials and suffixes that belong to the name."""
        hits, who = self._trimmed(text, *run), run[1]
        if not hits:
            return None
        start, end = hits[0].start, hits[-1].end
        place = self._choose(text, start, end, hits, who)
        person = self.people[place]
        start, end, initials = self._with_initials(text, start, end, hits, who)
        parts = (
            hits if len(hits) == 1 else [hit for hit in hits if hit.entry.people.get(place) != Kind.PARTICLE]
        )
        start, end, slipped = self._with_misspelled(text, start, end, parts, place)
        if len(parts) > 1:
            score = score_full(text, parts, start, end)
        else:
            score = score_single(text, parts[0], person, place, start, end, company=initials or slipped)
        if not score:
            return None
        if any(hit.entry.kinds & Kind.SURNAME for hit in hits):
            end = context.suffix(text, end, numbered=person.numbered)
            start, end = _with_newborn(text, *_with_double_surname(text, start, end), person)
        return Claim(start, end, person.label, score, person.rule)

    def _trimmed(self, text: bytes, hits: list[Hit], who: set[int]) -> list[Hit]:
        """Cut ends that are not of the name: trailing particles, ordinary words in small letters."""
        if len(hits) == 1:
            return [] if self._leads(hits[0], who) else hits
        hits = list(hits)
        while hits and (self._leads(hits[-1], who) or self._stray(text, hits, -1, who)):
            del hits[-1]
        while len(hits) > 1 and self._stray(text, hits, 0, who):
            del hits[0]
        return [] if len(hits) == 1 and self._leads(hits[0], who) else hits

    def _leads(self, hit: Hit, who: set[int]) -> bool:
        """Whether a hit is only a particle, which says nothing without what follows it."""
        if hit.token not in PARTICLES:
            return False
        return all(kind == Kind.PARTICLE for place, kind in hit.entry.people.items() if place in who)

    def _stray(self, text: bytes, hits: list[Hit], end: int, who: set[int]) -> bool:
        """Whether the first or last hit of a longer run is an ordinary word there: ``will Gaithers go``."""
        hit = hits[end]
        if len(hits) < 2 or not hit.entry.ordinary or not text[hit.start : hit.start + 1].islower():
            return False
        beside = hits[1] if end == 0 else hits[-2]
        one, other = (hit, beside) if end == 0 else (beside, hit)
        ordered = any(
            pair in self.people[place].order
            for place in who
            for pair in ((first, second) for first in one.entry.words for second in other.entry.words)
        )
        if text[beside.start : beside.start + 1].islower():
            return beside.entry.ordinary or not (ordered or b"," in text[one.end : other.start])
        return not ordered or end == 0 or hit.token in (b"will", b"may", b"might", b"can", b"has")

    def _choose(self, text: bytes, start: int, end: int, hits: list[Hit], who: set[int]) -> int:
        """Choose whom a run names; if it can be a provider or family, a title or credential decides."""
        own = who if len(hits) == 1 else who.intersection(*(hit.entry.people for hit in hits)) or who
        if own & self._family and own - self._family:
            own = own - self._family if context.doctor_cued(text, start, end) else own & self._family
        return min(own)

    def _with_initials(
        self, text: bytes, start: int, end: int, hits: list[Hit], who: set[int]
    ) -> tuple[int, int, bool]:
        """Take in the initials beside a run that are of the same name."""
        small = text[start : start + 1].islower()
        left = context.left_initials(text, start)
        if left and _cased_alike(left[1], small) and self._spells(who, left[1].lower(), hits, after=False):
            return left[0], end, True
        for right_end, letters in context.right_initials(text, end):
            if _cased_alike(letters, small) and self._spells(who, letters.lower(), hits, after=True):
                return start, right_end, True
        return start, end, False

    def _spells(self, who: set[int], letters: bytes, hits: list[Hit], *, after: bool) -> bool:
        """Whether letters beside a run are initials of the other parts of somebody's name."""
        for place in who:
            surname_only = all(hit.entry.people.get(place, Kind.GIVEN) == Kind.SURNAME for hit in hits)
            for rest in self.people[place].initials:
                for hit in hits:
                    head, found, tail = rest.rpartition(hit.entry.words[0][:1])
                    rest = head + tail if found else rest
                # A surname is followed by the first initial, not by just any: "Gaithers L breast".
                if (
                    rest
                    and not (after and surname_only and rest[:1] != letters[:1])
                    and _in_order(letters, rest)
                ):
                    return True
        return False

    def _with_misspelled(
        self, text: bytes, start: int, end: int, parts: list[Hit], place: int
    ) -> tuple[int, int, bool]:
        """Take in a misspelled part beside a sure one, though it be another word: ``Gathers, Ernestine``."""
        if len(parts) > 1 or parts[0].entry.ordinary:
            return start, end, False
        before = (
            _WORD_BEFORE.search(text, max(0, start - 24), start) if text[start - 1 : start] == b" " else None
        )
        if before and self._slips(before[1], place):
            return before.start(1), end, True
        after = _WORD_AFTER.match(text, end)
        if after and self._slips(after[1], place):
            return start, after.end(), True
        return start, end, False

    def _slips(self, written: bytes, place: int) -> bool:
        near = spelling.misspelled(self._spelling, written.lower())
        return any(word in self.people[place].words for word in near)


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


def _in_order(letters: bytes, whole: bytes) -> bool:
    """Whether letters come in this order among others."""
    rest = iter(whole)
    return all(letter in rest for letter in letters)


def _cased(char: str) -> bool:
    return char.islower() or char.isupper()
