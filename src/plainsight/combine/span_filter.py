"""A filter of false alarms: a logistic model that drops combined spans which are most likely none (S215).

It sees the label, score and detectors of a span, how its words are written, the lists that they are in, the
words around it, and how often the same words were claimed in the patient's notes. Features are hashed, so a
model holds numbers and no words. ``plainsight train filter`` makes one from notes with gold marks and chooses
how improbable a span must be, so that it costs no more recall than the user allows.

Spans that the patient's own record supports are never dropped.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from math import exp
from zlib import crc32

from plainsight.document import Document, Span
from plainsight.model import Model, load_model
from plainsight.text.shadow import shadow
from plainsight.text.vocabulary import listed

KIND = "filter"
BUCKETS = 1 << 14
"""How many weights a model has; a feature is hashed to one of them."""

_WORD = re.compile(rb"[A-Za-z0-9]+|[^\sA-Za-z0-9]")
_REACH = 40
_NEAR = 2
_SHAPES = ((re.compile(rb"[A-Z]+"), b"X"), (re.compile(rb"[a-z]+"), b"x"), (re.compile(rb"[0-9]+"), b"0"))


class SpanFilter:
    """Drop spans that a model finds improbable; ``model`` is its folder."""

    def __init__(self, *, model: str) -> None:
        self.model = model

    @cached_property
    def _loaded(self) -> Model:
        return load_model(self.model, kind=KIND)

    @cached_property
    def _weights(self) -> list[float]:
        weights: list[float] = self._loaded.arrays["weights"].tolist()
        return weights

    def __call__(self, documents: Sequence[Document]) -> list[Document]:
        """Return the documents without the spans that the model drops; those of a patient count together."""
        least = float(self._loaded.manifest["threshold"])
        counts = claimed_counts(documents)
        return [
            _without(document, [p < least for p in self._probabilities(document, counts)])
            if document.spans
            else document
            for document in documents
        ]

    def _probabilities(self, document: Document, counts: Counts) -> Iterator[float]:
        weights = self._weights
        for span in document.spans:
            if may_drop(span):
                yield probability(sum([weights[place] for place in features(document, span, counts)]))
            else:
                yield 1.0


def _without(document: Document, dropped: Sequence[bool]) -> Document:
    if not any(dropped):
        return document
    kept = [span for span, drop in zip(document.spans, dropped, strict=True) if not drop]
    return replace(document, spans=tuple(kept))


def probability(total: float) -> float:
    """Return the logistic of a sum of weights."""
    return 1.0 / (1.0 + exp(-total)) if total > -700 else 0.0


def may_drop(span: Span) -> bool:
    """Whether the filter may drop a span: not one that the patient's record supports."""
    return not any(claim.detector == "patient" for claim in span.claims or (span,))


Counts = dict[str | None, Counter[bytes]]
"""How often words were claimed in the notes of each patient; notes without patient count by their id."""


def claimed_counts(documents: Iterable[Document]) -> Counts:
    """Count the claimed words of each patient's notes."""
    counts: Counts = defaultdict(Counter)
    for document in documents:
        own = counts[_owner(document)]
        for span in document.spans:
            own[_folded(document, span)] += 1
    return counts


def _owner(document: Document) -> str:
    return f"p{document.patient_id}" if document.patient_id is not None else f"n{document.id}"


def _folded(document: Document, span: Span) -> bytes:
    return shadow(document.text[span.start : span.end]).lower()


def features(document: Document, span: Span, counts: Counts) -> list[int]:
    """Return the weights' places for a span."""
    return [crc32(name.encode("utf-8", "replace")) % BUCKETS for name in _names(document, span, counts)]


def _names(document: Document, span: Span, counts: Counts) -> Iterator[str]:
    """Yield the features of a span by name."""
    text, label = document.text, span.label
    inside = text[span.start : span.end]
    claims = span.claims or (span,)
    detectors = sorted({claim.detector for claim in claims})
    score = f"{min(9, int(span.score * 10))}"
    yield "bias"
    yield f"label={label}"
    yield f"score={score}"
    yield f"label,score={label},{score}"
    yield f"detectors={','.join(detectors)}"
    yield f"label,source={label},{span.source.partition('.')[0]}"
    yield f"labels={len({claim.label for claim in claims})}"
    view = shadow(inside)
    shape = view
    for pattern, sign in _SHAPES:
        shape = pattern.sub(sign, shape)
    yield f"label,shape={label},{shape[:12].decode('ascii', 'replace')}"
    yield f"length={min(len(inside), 20) // 2}"
    times = counts[_owner(document)][_folded(document, span)]
    yield f"label,times={label},{min(times, 8).bit_length()}"
    words = [word.decode("ascii", "replace") for word in _WORD.findall(view)]
    yield f"words={min(len(words), 5)}"
    for word in words[:4]:
        yield f"label,word={label},{word.lower()}"
        for name in listed(word):
            yield f"label,{name},{label}"
    before = _WORD.findall(shadow(text[max(0, span.start - _REACH) : span.start]))[-_NEAR:]
    after = _WORD.findall(shadow(text[span.end : span.end + _REACH]))[:_NEAR]
    for place, word_near in (*enumerate(reversed(before), 1), *((-n, w) for n, w in enumerate(after, 1))):
        near = "0" if word_near.isdigit() else word_near.decode("ascii", "replace").lower()
        yield f"near{place}={near}"
        yield f"label,near{place}={label},{near}"
    yield f"line={text[: span.start].rfind(chr(10)) == span.start - 1}"
