"""Propagation: an identifier found once is found everywhere in that patient's notes.

It runs on combined documents. Names, places and organisations are looked for as whole words, numbers and
codes with any punctuation. What is an ordinary word by itself is not spread, nor are dates, ages, states,
countries, ZIP codes and professions, which mean something else elsewhere. New spans never overlap a span
that is there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum, auto
from functools import partial
from typing import NamedTuple, TypeAlias

from ahocorasick_rs import BytesAhoCorasick, Implementation

from plainsight.document import Document, Span
from plainsight.labels import CATEGORIES
from plainsight.text.shadow import flatten, shadow
from plainsight.text.squeezed import Squeezed, squeeze
from plainsight.text.word_lists import eponyms, is_eponym
from plainsight.text.word_lists import ordinary as ordinary_words

_NAMES = frozenset({"PATIENT", "DOCTOR"})
_PLACES = frozenset({"HOSPITAL", "ORGANIZATION", "STREET", "CITY", "LOCATION_OTHER"})
_STRINGS = frozenset({"EMAIL", "URL", "IPADDR", "USERNAME"})
_CODES = frozenset({"PHONE", "FAX", *CATEGORIES["ID"]})
_LABELS = _NAMES | _PLACES | _STRINGS | _CODES
_FADE = 0.95
"""A copy is a little less sure than what it is a copy of."""
_SMALL_AUTOMATON = 500
_FEW = 64
"""Fewer keys, times notes, are found one by one sooner than an automaton of them is built."""

_WORD = re.compile(rb"[A-Za-z]+(?:['-][A-Za-z]+)*")
_PART = re.compile(rb"[A-Za-z]+")
_LINKS = frozenset(b"of the and for at in on de la del y".split())
_SEPARATED = re.compile(rb"[^0-9A-Za-z]{4}|[^-./ ()_\t0-9A-Za-z]")
_DECIMAL_AFTER = re.compile(rb"[.,]\d|%")
_DECIMAL_BEFORE = re.compile(rb"\d[.,]\Z|[$]\Z")
_MEDICAL = re.compile(
    rb" (?i:signs?|tests?|scores?|scale|syndrome|catheter|retractor|criteria|tumou?r|murmur|fracture)\b"
)
"""What makes even a name that is no known eponym one."""
_EDGES = bytes(c for c in range(128) if not chr(c).isalnum())


class Case(Enum):
    """How a found word must be written to count."""

    ANY = auto()
    CAPITAL = auto()
    """Each word with a capital, as names of places are."""
    TITLE = auto()
    """A capital and small letters: short names in capitals are abbreviations."""
    EXACT = auto()


class Seed(NamedTuple):
    """What one text with one label was found as: how often, how surely, by whom."""

    times: int
    score: float
    source: str

    def and_(self, other: Seed) -> Seed:
        """Return both together: the surer one speaks."""
        surer = self if self.score >= other.score else other
        return Seed(self.times + other.times, surer.score, surer.source)


class Key:
    """An identifier to look for, and what it was found as."""

    __slots__ = ("case", "seeds", "written")

    def __init__(self, case: Case, written: bytes, label: str, seed: Seed) -> None:
        self.case = case
        self.written = written
        self.seeds = {label: seed}

    def add(self, label: str, seed: Seed) -> None:
        """Take in another origin."""
        known = self.seeds.get(label)
        self.seeds[label] = known.and_(seed) if known else seed

    def times(self) -> int:
        """Return how often it was found."""
        return sum([seed.times for seed in self.seeds.values()])

    def span(self, start: int, end: int) -> Span:
        """Return a span with the label that most of its origins have."""
        label, seed = max(self.seeds.items(), key=lambda item: (item[1].times, item[1].score, item[0]))
        origin = seed.source.removeprefix("propagate.").partition(".")[0]
        return Span(start, end, label, seed.score * _FADE, f"propagate.{origin}" if origin else "propagate")


def propagate(
    documents: Sequence[Document],
    *,
    labels: frozenset[str] | None = None,
    ordinary: Container[bytes] | None = None,
) -> list[Document]:
    """Return the documents with every identifier marked wherever it occurs in the same patient's notes.

    Documents that share a ``patient_id`` are one patient's; one without is on its own. ``labels`` limits
    what is spread. ``ordinary`` holds the words, in small letters, that are not spread by themselves; the
    default is the list of the patient detector.
    """
    chosen = _LABELS if labels is None else _LABELS & labels
    common = ordinary_words() if ordinary is None else ordinary
    result = list(documents)
    for group in _groups(documents):
        seeds = _seeds((documents[place] for place in group), chosen)
        if not seeds:
            continue
        search = _Search(seeds, common, len(group))
        for place in group:
            added = search.find(documents[place])
            if added:
                spans = tuple(sorted((*documents[place].spans, *added), key=lambda span: span.start))
                result[place] = replace(documents[place], spans=spans)
    return result


def _groups(documents: Sequence[Document]) -> Iterator[list[int]]:
    """Yield the places of each patient's documents."""
    by_patient: defaultdict[str, list[int]] = defaultdict(list)
    for place, document in enumerate(documents):
        if document.patient_id is None:
            yield [place]
        else:
            by_patient[document.patient_id].append(place)
    yield from by_patient.values()


def _seeds(documents: Iterable[Document], labels: frozenset[str]) -> dict[tuple[str, str], Seed]:
    """Gather what is marked, each text with each label once."""
    seeds: dict[tuple[str, str], Seed] = {}
    for document in documents:
        text = document.text
        for span in document.spans:
            if span.label in labels:
                key = (span.label, text[span.start : span.end])
                known = seeds.get(key)
                seed = Seed(1, span.score, span.source)
                seeds[key] = seed if known is None else known.and_(seed)
    return seeds


class _Search:
    """The identifiers of one patient, ready to be found."""

    def __init__(self, seeds: dict[tuple[str, str], Seed], ordinary: Container[bytes], notes: int) -> None:
        self._ordinary = ordinary
        self._alone = notes == 1
        self._words: dict[bytes, Key] = {}
        self._codes: dict[bytes, Key] = {}
        for (label, text), seed in seeds.items():
            folded = shadow(text).strip(_EDGES)
            if folded.strip(b"xX") or text.isascii():  # else letters of another script, which have no shadow
                self._learn(label, folded, seed)
        self._word_list, self._code_list = list(self._words.values()), list(self._codes.values())
        self._find_words = _finder(list(self._words), notes, b" ")
        self._find_codes = _finder(list(self._codes), notes, b"")

    def _learn(self, label: str, folded: bytes, seed: Seed) -> None:
        if label in _NAMES:
            self._learn_name(label, folded, seed)
        elif label in _CODES:
            self._learn_code(label, folded, seed)
        elif label in _PLACES:
            self._learn_place(label, folded, seed)
        elif len(folded) > (3 if label == "USERNAME" else 5) and not self._plain(folded):
            self._add(folded, Case.ANY, label, seed)

    def _learn_name(self, label: str, folded: bytes, seed: Seed) -> None:
        words = _WORD.findall(folded)
        if len(words) > 1 and len(folded) > 4:
            plain = all(len(word) < 3 or self._plain(word) for word in words)
            self._add(folded, Case.CAPITAL if plain else Case.ANY, label, seed)
        for word in words:
            for part in (word,) if word.isalpha() else (word, *_PART.findall(word)):
                if len(part) > 2 and not self._plain(part):
                    self._add(part, Case.TITLE if len(part) == 3 else Case.ANY, label, seed)

    def _learn_place(self, label: str, folded: bytes, seed: Seed) -> None:
        words = _WORD.findall(folded)
        digits = len(folded) > len(folded.translate(None, b"0123456789"))
        if not words or (digits and len(folded) < 5):
            return
        if len(words) == 1 and not digits:
            if folded.isupper() and len(folded) > 2:
                self._add(folded, Case.EXACT, label, seed)
            if len(folded) > 3 and not self._plain(folded):
                self._add(folded, Case.CAPITAL, label, seed)
        elif label == "STREET" and digits:
            self._add(folded, Case.ANY, label, seed)
        else:
            self._add(folded, Case.EXACT if digits and len(folded) < 8 else Case.CAPITAL, label, seed)

    def _learn_code(self, label: str, folded: bytes, seed: Seed) -> None:
        form = squeeze(folded)
        digits = len(form) - len(form.translate(None, b"0123456789"))
        if len(form) < 5 or not digits or len(set(form)) < 2 or (label in ("PHONE", "FAX") and digits < 7):
            return
        if len(form) > 6 or (len(form) == 6 and digits < 6):
            key = self._codes.get(form)
            if key is None:
                self._codes[form] = Key(Case.ANY, folded, label, seed)
            else:
                key.add(label, seed)
        else:
            self._add(folded, Case.ANY, label, seed)

    def _add(self, folded: bytes, case: Case, label: str, seed: Seed) -> None:
        flat = folded.lower() if folded.isalpha() else flatten(folded)[1:-1]
        key = self._words.get(flat)
        if key is None:
            self._words[flat] = Key(case, folded, label, seed)
            return
        if case.value < key.case.value:
            key.case = case
        key.add(label, seed)

    def _plain(self, word: bytes) -> bool:
        small = word.lower()
        return small in self._ordinary or (
            small[-1:] == b"s" and len(small) > 4 and small[:-1] in self._ordinary
        )

    def find(self, document: Document) -> list[Span]:
        """Return new spans, none of which overlaps another or one of the document."""
        text = shadow(document.text)
        ends = [span.end for span in document.spans]
        starts = [span.start for span in document.spans]
        total = len(starts)
        found: list[tuple[int, int, Key]] = []
        for start, end, key in self._matches(text):
            after = bisect_right(ends, start)
            if (after == total or starts[after] >= end) and _fits(text, start, end, key):
                found.append((start, end, key))
        found.sort(key=lambda match: (match[0], -match[1]))
        added: list[Span] = []
        reach = -1
        for start, end, key in found:
            if start >= reach:
                added.append(key.span(start, end))
                reach = end
        return added

    def _matches(self, text: bytes) -> Iterator[tuple[int, int, Key]]:
        if self._words:
            words = self._word_list
            for place, start, end in self._find_words(flatten(text)):
                yield start, end - 2, words[place]
        if self._codes:
            squeezed = Squeezed(text)
            matches = self._find_codes(squeezed.form)
            codes = self._code_list
            if self._alone and len(matches) == sum(code.times() for code in codes):
                return  # what is marked stands there, and nothing else
            for place, start, end in matches:
                span = squeezed.span(start, end - start)
                if not _SEPARATED.search(text, *span):
                    yield *span, codes[place]


_Matches: TypeAlias = list[tuple[int, int, int]]


def _finder(forms: list[bytes], notes: int, edge: bytes) -> Callable[[bytes], _Matches]:
    """Return what finds forms between two edges in a text: the number of each, its start and its end."""
    if len(forms) * notes < _FEW:
        return partial(_one_by_one, forms, edge)
    # The simplest automaton is built soonest, which is most of the cost for few keys.
    small = len(forms) < _SMALL_AUTOMATON
    implementation = Implementation.NoncontiguousNFA if small else None
    automaton = BytesAhoCorasick([edge + form + edge for form in forms], implementation=implementation)
    return partial(automaton.find_matches_as_indexes, overlapping=True)


def _one_by_one(forms: list[bytes], edge: bytes, text: bytes) -> _Matches:
    found: _Matches = []
    width = len(edge)
    for number, form in enumerate(forms):
        at = text.find(form)  # without the edges, which are everywhere and make it slow
        while at >= 0:
            end = at + len(form)
            if text[at - width : at] == edge == text[end : end + width]:
                found.append((number, at - width, end + width))
            at = text.find(form, at + 1)
    return found


def _fits(text: bytes, start: int, end: int, key: Key) -> bool:
    """Whether what was found is a whole token, written as the identifier may be."""
    if text[start - 1 : start].isalnum() or text[end : end + 1].isalnum():
        return False
    written = text[start:end]
    if written == key.written:
        return not _is_else(text, start, end, written)
    case = key.case
    if case is Case.EXACT or b"\n" in written:
        return False
    if case is Case.TITLE and not written.istitle():
        return False
    if case is Case.CAPITAL and not all(
        word[:1].isupper() or word in _LINKS for word in _PART.findall(written)
    ):
        return False
    return not _is_else(text, start, end, written)


def _is_else(text: bytes, start: int, end: int, written: bytes) -> bool:
    """Whether the place makes it something else: a decimal number, an eponym."""
    if written.isdigit():
        return bool(_DECIMAL_AFTER.match(text, end) or _DECIMAL_BEFORE.search(text, max(0, start - 2), start))
    if not written.isalpha():
        return False
    if written.lower() in eponyms():
        return text[start - 1 : start] == b"-" or text[end : end + 1] == b"-" or is_eponym(text, start, end)
    return _MEDICAL.match(text, end) is not None
