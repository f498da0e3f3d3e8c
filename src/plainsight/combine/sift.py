"""Sift: of all spans that were found, keep those that a policy replaces.

It is for policies that let something stay: providers, or what Safe Harbor does not list. Detectors err in
labels, so a label alone lets nothing stay:

- A name stays only if its person is a provider and no relative (`plainsight.combine.providers`).
- A state or country stays only if it is the name of one and no part of a licence number; a hospital only if
  it shows that it is one (`plainsight.combine.facilities`).
- A span that stays gives way to claims inside it that must go: a clinic may have the patient's name.

What must go under a label that would let it stay gets the label of what it may be: PATIENT, ORGANIZATION or
LOCATION_OTHER.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from plainsight.combine.facilities import Facilities
from plainsight.combine.providers import NAMES, name_labels
from plainsight.document import Document, Span
from plainsight.hipaa import DateContext, date_contexts, identifying
from plainsight.lists import load

_PROVIDERS = frozenset({"DOCTOR", "HOSPITAL"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sift:
    """Keep the spans that a policy replaces.

    ``labels`` are those of the policy, ``law`` says whether the rules of Safe Harbor hold, which are finer.
    """

    labels: Collection[str]
    keep_providers: bool
    law: bool

    def __call__(self, documents: Sequence[Document]) -> list[Document]:
        """Return the notes of one patient with the spans that are to be replaced."""
        labels = name_labels(documents) if self.keep_providers else [{}] * len(documents)
        facilities = Facilities(documents)
        sifted = []
        for document, of_names in zip(documents, labels, strict=True):
            spans = [
                one
                for before, span, context in _with_contexts(document)
                for one in self._replaced(document.text, before, span, context, of_names, facilities)
            ]
            sifted.append(replace(document, spans=tuple(sorted(spans))))
        return sifted

    def _replaced(
        self,
        text: str,
        before: Span | None,
        span: Span,
        context: DateContext,
        names: Mapping[Span, str],
        facilities: Facilities,
    ) -> Iterator[Span]:
        """Yield what of a span is to be replaced."""
        inside, label = text[span.start : span.end], span.label
        if label in NAMES and self.keep_providers:
            label = "" if names[span] == "DOCTOR" or names[span] not in self.labels else names[span]
        elif self.law and label in ("STATE", "COUNTRY"):
            label = "" if _folded(inside) in _states_and_countries() else "LOCATION_OTHER"
        elif self.law and label == "HOSPITAL" and label not in self.labels:
            label = "" if facilities.has(text, span, before) else "ORGANIZATION"
        elif label not in self.labels or not self._counts(label, inside, context):
            label = ""
        if label:
            yield span if label == span.label else replace(span, label=label)
            if label == "LICENSE" and before and before.label == "STATE":
                glued = text[before.end : span.start] in ("", " ", "-")
                yield from [replace(before, label=label)] * glued  # a licence of that state: GA 071882
        else:
            yield from self._inside(text, span)

    def _counts(self, label: str, text: str, context: DateContext) -> bool:
        """Whether a text of a label that goes is not one of those that the law lets stay."""
        return not self.law or label in _PROVIDERS or identifying(label, text, context=context)

    def _inside(self, text: str, span: Span) -> Iterator[Span]:
        """Yield claims on parts of a span that stays which must go all the same."""
        end = span.start
        for claim in sorted(span.claims):
            inside = text[claim.start : claim.end]
            goes = claim.label in self.labels and claim.label != span.label
            if span.label in NAMES or claim.label in NAMES:
                # Other detectors have been heard on who it is; a weekday is nobody.
                whole = (claim.start, claim.end) == (span.start, span.end) and claim.label not in NAMES
                goes &= whole or claim.detector == "patient"
            goes = goes and self._counts(claim.label, inside, DateContext())
            if goes and end <= claim.start and claim.end <= span.end:
                yield claim
                end = claim.end


def _with_contexts(document: Document) -> Iterator[tuple[Span | None, Span, DateContext]]:
    """Yield each span with the one before it and, if it is a date, what stands around it."""
    dates = [(span.start, span.end) for span in document.spans if span.label == "DATE"]
    contexts = iter(date_contexts(document.text, dates))
    for before, span in zip((None, *document.spans), document.spans, strict=False):
        yield before, span, next(contexts) if span.label == "DATE" else DateContext()


# --- places -------------------------------------------------------------------------------------------------


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace(".", "").replace("\u2019", "'").split())


@cache
def _states_and_countries() -> frozenset[str]:
    """Return the names of states, provinces and countries in all their forms, and of peoples."""
    states, countries = load("states"), load("countries")
    forms = [*states["name"], *states["code"], *countries["name"], "US", "USA", "U.S.", "UK", "United States"]
    for column in (states["forms"], countries["forms"], countries["people"]):
        forms += [form for entry in column for form in entry.split(";")]
    return frozenset(_folded(form) for form in forms if form)
