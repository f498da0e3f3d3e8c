"""The second pass: what other detectors were sure of in a patient's notes is evidence for the rest (S215).

A name that was surely found once makes two things likelier elsewhere in the same patient's notes: a claim on
that name which is doubtful by itself, and a word that differs from it by one slip. Exact copies are left to
`plainsight.combine.propagate`. Nothing is remembered from one patient to the next.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from plainsight.detect.learned import claims_of
from plainsight.document import Document, Span
from plainsight.labels import CATEGORY_OF
from plainsight.text.shadow import shadow
from plainsight.text.spelling import SHORTEST, Index, index, misspelled
from plainsight.text.vocabulary import Is, vocabulary
from plainsight.text.word_lists import is_ordinary

_NAMES = frozenset({"PATIENT", "DOCTOR"})
_PLACES = frozenset({"HOSPITAL", "ORGANIZATION", "STREET", "CITY", "LOCATION_OTHER"})
_WORD = re.compile(rb"[A-Za-z]{2,}")
_CAPITALISED = re.compile(rb"(?<![A-Za-z0-9])[A-Z](?:[a-z]{4,}|[A-Z]{4,})(?![A-Za-z0-9])")
_OTHER = Is.WORD | Is.MEDICAL | Is.STOP | Is.CALENDAR | Is.HEAD | Is.GENERIC | Is.TITLE | Is.CUE
_SLIP_SCORE = 0.8


class SecondPass:
    """Support doubtful claims by sure ones, and find misspelled names, in all notes of a patient.

    ``of`` names the detectors of the first pass, as the policy does. A claim with a score of ``sure`` or more
    is evidence; one below becomes a claim of the second pass with the score of its evidence if the same words
    were surely claimed elsewhere. With thresholds in a policy, doubtful claims then stay only where the
    patient's notes support them. ``misspellings`` also claims unclaimed capitalised words that are one slip
    away from a name that was surely found twice, unless they are words of their own.
    """

    name: ClassVar[str] = "second-pass"
    labels: ClassVar[frozenset[str]] = _NAMES | _PLACES

    def __init__(
        self,
        *,
        of: Sequence[str] = ("patterns", "patient", "cascade"),
        sure: float = 0.9,
        misspellings: bool = True,
    ) -> None:
        self.of = of
        self.sure = sure
        self.misspellings = misspellings

    @property
    def needs(self) -> tuple[str, ...]:
        """The detectors of the first pass."""
        return tuple(self.of)

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        return self.detect_with(documents, claims_of(self.of, documents))

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document, given the claims of the first pass."""
        found: list[list[Span]] = [[] for _ in documents]
        for places in _by_patient(documents):
            evidence = _Evidence()
            for place in places:
                evidence.add(documents[place].text, claims[place], self.sure)
            for place in places:
                found[place] = sorted(self._second(documents[place].text, claims[place], evidence))
        return found

    def _second(self, text: str, claims: Sequence[Span], evidence: _Evidence) -> Iterator[Span]:
        for claim in claims:
            if claim.score < self.sure and claim.label in self.labels:
                support = evidence.of_words(claim, text[claim.start : claim.end])
                if support is not None:
                    yield Span(claim.start, claim.end, *support, f"{self.name}.agrees")
        if self.misspellings and evidence.spellings:
            yield from self._misspelled(text, claims, evidence)

    def _misspelled(self, text: str, claims: Sequence[Span], evidence: _Evidence) -> Iterator[Span]:
        view = shadow(text)
        taken = sorted((claim.start, claim.end) for claim in claims)
        for match in _CAPITALISED.finditer(view):
            word = match[0].lower()
            similar = evidence.misspelled(word)
            if similar is None or any(start < match.end() and match.start() < end for start, end in taken):
                continue
            yield Span(*match.span(), similar, _SLIP_SCORE, f"{self.name}.misspelling")


@dataclass(slots=True)
class _Evidence:
    """What was surely claimed in the notes of one patient."""

    texts: defaultdict[bytes, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """The labels of whole claims, by their words."""
    names: defaultdict[bytes, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """The labels of words of names."""
    scores: dict[bytes, float] = field(default_factory=dict)
    _spellings: Index | None = None

    def add(self, text: str, claims: Iterable[Span], sure: float) -> None:
        """Add the sure claims of a note."""
        for claim in claims:
            if claim.score < sure or claim.label not in _NAMES | _PLACES:
                continue
            words = _WORD.findall(shadow(text[claim.start : claim.end]).lower())
            key = b" ".join(words)
            self.texts[key][claim.label] += 1
            self.scores[key] = max(claim.score, self.scores.get(key, 0.0))
            if claim.label in _NAMES:
                for word in words:
                    if len(word) > 3 and not is_ordinary(word):
                        self.names[word][claim.label] += 1
                        self.scores[word] = max(claim.score, self.scores.get(word, 0.0))

    def of_words(self, claim: Span, text: str) -> tuple[str, float] | None:
        """Return the label and score that sure claims on the same words have, if there are any."""
        words = _WORD.findall(shadow(text).lower())
        key = b" ".join(words)
        labels = self.texts.get(key)
        if labels is None and claim.label in _NAMES and words and all(word in self.names for word in words):
            labels, key = self.names[words[-1]], words[-1]
        kin = {label: times for label, times in (labels or {}).items() if _same_kind(label, claim.label)}
        if not kin:
            return None
        return max(sorted(kin), key=lambda label: kin[label]), self.scores[key]

    @property
    def spellings(self) -> Index:
        """The names that were surely found twice, to find misspellings of them."""
        if self._spellings is None:
            often = [word for word, labels in self.names.items() if labels.total() > 1]
            self._spellings = index(word for word in often if len(word) >= SHORTEST)
        return self._spellings

    def misspelled(self, word: bytes) -> str | None:
        """Return the label of the name that a word misspells; None if it is a word or a name itself."""
        if word in self.names or is_ordinary(word) or vocabulary().get(word, 0) & _OTHER:
            return None
        similar = misspelled(self.spellings, word)
        if not similar:
            return None
        labels = self.names[max(similar, key=lambda name: (self.names[name].total(), name))]
        return max(sorted(labels), key=lambda label: labels[label])


def _same_kind(label: str, other: str) -> bool:
    return CATEGORY_OF[label] == CATEGORY_OF[other]


def _by_patient(documents: Sequence[Document]) -> Iterator[list[int]]:
    """Yield the places of each patient's notes; a note without patient stands alone."""
    of_patient: defaultdict[str, list[int]] = defaultdict(list)
    for place, document in enumerate(documents):
        if document.patient_id is None:
            yield [place]
        else:
            of_patient[document.patient_id].append(place)
    yield from of_patient.values()
