"""Mark every identifier that was found once wherever it occurs in the same patient's notes.

This runs on combined documents. Names, places and organisations are searched as whole words, numbers and
codes with any punctuation. Ordinary words are not spread, nor are dates, ages, states, countries, ZIP codes
and professions, which mean something else elsewhere. New spans never overlap an existing one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum, auto
from functools import partial
from typing import NamedTuple, TypeAlias

from ahocorasick_rs import BytesAhoCorasick, Implementation

from plainsight.document import Document, Span
from plainsight.labels import CATEGORIES
from plainsight.text.shadow import Squeezed, flatten, shadow, squeeze
from plainsight.text.word_lists import eponyms, is_eponym, is_ordinary

_NAMES = frozenset({"PATIENT", "DOCTOR"})
_PLACES = frozenset({"HOSPITAL", "ORGANIZATION", "STREET", "CITY", "LOCATION_OTHER"})
_STRINGS = frozenset({"EMAIL", "URL", "IPADDR", "USERNAME"})
_CODES = frozenset({"PHONE", "FAX", *CATEGORIES["ID"]})
_LABELS = _NAMES | _PLACES | _STRINGS | _CODES
_FADE = 0.95
"""The score of a copy, relative to what it is a copy of."""
_SMALL_AUTOMATON = 500
_FEW = 64
"""With fewer keys times notes, searching each key is faster than building an automaton."""

_WORD = re.compile(rb"[A-Za-z]+(?:['-][A-Za-z]+)*")
_PART = re.compile(rb"[A-Za-z]+")
_LINKS = frozenset(b"of the and for at in on de la del y".split())
_SEPARATED = re.compile(rb"[^0-9A-Za-z]{4}|[^-./ ()_\t0-9A-Za-z]")
_DECIMAL_AFTER = re.compile(rb"[.,]\d|%")
_DECIMAL_BEFORE = re.compile(rb"\d[.,]\Z|[$]\Z")
_MEDICAL = re.compile(
    rb" (?i:signs?|tests?|scores?|scale|syndrome|catheter|retractor|criteria|tumou?r|murmur|fracture)\b"
)
"""Words that make an eponym of any name before them."""
_EDGES = bytes(c for c in range(128) if not chr(c).isalnum())


class Case(Enum):
    """How a found word must be written to count."""

    ANY = auto()
    CAPITAL = auto()
    """Each word with a capital, as names of places are."""
    TITLE = auto()
    """A capital and small letters: short names in capitals are abbreviations."""
    EXACT = auto()


class Origin(NamedTuple):
    """How often a text was found with one label, and the score and source of the surest span."""

    times: int
    score: float
    source: str

    def merged(self, earlier: Origin | None) -> Origin:
        """Return this origin together with an earlier one."""
        if earlier is None:
            return self
        surer = earlier if earlier.score >= self.score else self
        return Origin(self.times + earlier.times, surer.score, surer.source)


class Key:
    """An identifier to search for, and its origins by label."""

    __slots__ = ("case", "origins", "written")

    def __init__(self, case: Case, written: bytes) -> None:
        self.case = case
        self.written = written
        self.origins: dict[str, Origin] = {}

    def span(self, start: int, end: int) -> Span:
        """Return a span with the label that most of its origins have."""
        label, origin = max(self.origins.items(), key=lambda item: (item[1].times, item[1].score, item[0]))
        source = origin.source.removeprefix("propagate.").partition(".")[0]
        return Span(start, end, label, origin.score * _FADE, f"propagate.{source}" if source else "propagate")


def propagate(documents: Sequence[Document]) -> list[Document]:
    """Return the documents with every identifier marked wherever it occurs in the same patient's notes.

    Documents with the same ``patient_id`` are one patient's; one without an id stands alone.
    """
    result = list(documents)
    for group in _groups(documents):
        origins = _origins(documents[place] for place in group)
        if not origins:
            continue
        search = _Search(origins, len(group))
        for place in group:
            added = search.find(documents[place])
            if added:
                spans = tuple(sorted((*documents[place].spans, *added), key=lambda span: span.start))
                result[place] = replace(documents[place], spans=spans)
    return result


def _groups(documents: Sequence[Document]) -> Iterator[list[int]]:
    """Yield the positions of each patient's documents."""
    by_patient: defaultdict[str, list[int]] = defaultdict(list)
    for place, document in enumerate(documents):
        if document.patient_id is None:
            yield [place]
        else:
            by_patient[document.patient_id].append(place)
    yield from by_patient.values()


def _origins(documents: Iterable[Document]) -> dict[tuple[str, str], Origin]:
    """Gather what is marked, by label and text."""
    origins: dict[tuple[str, str], Origin] = {}
    for document in documents:
        for span in document.spans:
            if span.label in _LABELS:
                key = (span.label, document.text[span.start : span.end])
                origins[key] = Origin(1, span.score, span.source).merged(origins.get(key))
    return origins


class _Search:
    """The identifiers of one patient, ready to be searched for."""

    def __init__(self, origins: dict[tuple[str, str], Origin], notes: int) -> None:
        self._alone = notes == 1
        self._words: dict[bytes, Key] = {}
        self._codes: dict[bytes, Key] = {}
        for (label, text), origin in origins.items():
            folded = shadow(text).strip(_EDGES)
            if folded.strip(b"xX") or text.isascii():  # else letters of another script, which have no shadow
                self._learn(label, folded, origin)
        self._word_list, self._code_list = list(self._words.values()), list(self._codes.values())
        self._find_words = _finder(list(self._words), notes, b" ")
        self._find_codes = _finder(list(self._codes), notes, b"")

    def _learn(self, label: str, folded: bytes, origin: Origin) -> None:
        if label in _NAMES:
            self._learn_name(label, folded, origin)
        elif label in _CODES:
            self._learn_code(label, folded, origin)
        elif label in _PLACES:
            self._learn_place(label, folded, origin)
        elif len(folded) > (3 if label == "USERNAME" else 5) and not is_ordinary(folded.lower()):
            self._add(folded, Case.ANY, label, origin)

    def _learn_name(self, label: str, folded: bytes, origin: Origin) -> None:
        words = _WORD.findall(folded)
        if len(words) > 1 and len(folded) > 4:
            plain = all(len(word) < 3 or is_ordinary(word.lower()) for word in words)
            self._add(folded, Case.CAPITAL if plain else Case.ANY, label, origin)
        for word in words:
            for part in (word,) if word.isalpha() else (word, *_PART.findall(word)):
                if len(part) > 2 and not is_ordinary(part.lower()):
                    self._add(part, Case.TITLE if len(part) == 3 else Case.ANY, label, origin)

    def _learn_place(self, label: str, folded: bytes, origin: Origin) -> None:
        words = _WORD.findall(folded)
        digits = len(folded) > len(folded.translate(None, b"0123456789"))
        if not words or (digits and len(folded) < 5):
            return
        if len(words) == 1 and not digits:
            if folded.isupper() and len(folded) > 2:
                self._add(folded, Case.EXACT, label, origin)
            if len(folded) > 3 and not is_ordinary(folded.lower()):
                self._add(folded, Case.CAPITAL, label, origin)
        elif label == "STREET" and digits:
            self._add(folded, Case.ANY, label, origin)
        else:
            self._add(folded, Case.EXACT if digits and len(folded) < 8 else Case.CAPITAL, label, origin)

    def _learn_code(self, label: str, folded: bytes, origin: Origin) -> None:
        form = squeeze(folded)
        digits = len(form) - len(form.translate(None, b"0123456789"))
        if len(form) < 5 or not digits or len(set(form)) < 2 or (label in ("PHONE", "FAX") and digits < 7):
            return
        if len(form) > 6 or (len(form) == 6 and digits < 6):
            key = self._codes.setdefault(form, Key(Case.ANY, folded))
            key.origins[label] = origin.merged(key.origins.get(label))
        else:
            self._add(folded, Case.ANY, label, origin)

    def _add(self, folded: bytes, case: Case, label: str, origin: Origin) -> None:
        flat = folded.lower() if folded.isalpha() else flatten(folded)[1:-1]
        key = self._words.setdefault(flat, Key(case, folded))
        if case.value < key.case.value:
            key.case = case
        key.origins[label] = origin.merged(key.origins.get(label))

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
            if self._alone and len(matches) == sum(
                origin.times for code in codes for origin in code.origins.values()
            ):
                return  # all matches are marked already
            for place, start, end in matches:
                span = squeezed.span(start, end - start)
                if not _SEPARATED.search(text, *span):
                    yield *span, codes[place]


_Matches: TypeAlias = list[tuple[int, int, int]]


def _finder(forms: list[bytes], notes: int, edge: bytes) -> Callable[[bytes], _Matches]:
    """Return a function that finds forms between two edges: it returns their numbers, starts and ends."""
    if len(forms) * notes < _FEW:
        return partial(_one_by_one, forms, edge)
    # The simplest automaton is the fastest to build, which is most of the cost for few keys.
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
    """Tell whether a match is a whole token, written as the identifier may be."""
    if text[start - 1 : start].isalnum() or text[end : end + 1].isalnum():
        return False
    written = text[start:end]
    if written != key.written:
        if key.case is Case.EXACT or b"\n" in written or (key.case is Case.TITLE and not written.istitle()):
            return False
        words = _PART.findall(written) if key.case is Case.CAPITAL else ()
        if not all(word[:1].isupper() or word in _LINKS for word in words):
            return False
    return not _means_other(text, start, end, written)


def _means_other(text: bytes, start: int, end: int, written: bytes) -> bool:
    """Tell whether a match means something else here: a decimal number, an eponym."""
    if written.isdigit():
        return bool(_DECIMAL_AFTER.match(text, end) or _DECIMAL_BEFORE.search(text, max(0, start - 2), start))
    if not written.isalpha():
        return False
    if written.lower() in eponyms():
        return text[start - 1 : start] == b"-" or text[end : end + 1] == b"-" or is_eponym(text, start, end)
    return _MEDICAL.match(text, end) is not None
