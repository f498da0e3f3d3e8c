"""Check detectors and operations."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from plainsight.detect.base import Detector, Doubting
from plainsight.document import Document, Span
from plainsight.labels import LABELS, OPTIONAL_LABELS
from plainsight.replace.base import KeyedOperation, Operation
from plainsight.testing.promise import expect, name_of
from plainsight.testing.samples import sample_documents

Result = TypeVar("Result")


def check_detector(detector: Detector, documents: Sequence[Document] | None = None) -> None:
    """Check a detector on ``documents``, or on the sample documents.

    Its name and labels; keyword-only, annotated options; spans inside the text, with its own labels and
    source; the same spans again, in any order of the documents, and one document at a time; documents left
    unchanged; nothing found in nothing. A `Doubting` detector finds the same spans with doubt, and its
    possible identifiers lie outside them.
    """
    check_parts(detector, Detector, "detect")
    labels = getattr(detector, "labels", None)
    expect(
        isinstance(labels, frozenset) and all(isinstance(label, str) and label for label in labels),
        "labels is a frozenset of strings",
    )
    unknown = sorted(detector.labels.difference(LABELS, OPTIONAL_LABELS))
    expect(not unknown, f"labels are among those that policies take; not {unknown}")
    documents = sample_documents() if documents is None else list(documents)
    found = _check_calls(detector.detect, documents, [[document] for document in documents])
    if isinstance(detector, Doubting):
        marked, possible = detector.detect_and_doubt(documents)
        expect(marked == found, "detect_and_doubt finds the same spans as detect")
        expect(len(possible) == len(documents), "detect_and_doubt gives one list for each document")
        for spans, tokens in zip(found, possible, strict=True):
            inside = [t for t in tokens for span in spans if span.start <= t.start and t.end <= span.end]
            expect(not inside, "possible identifiers lie outside the spans found")
        found = [[*spans, *tokens] for spans, tokens in zip(found, possible, strict=True)]
    for document, spans in zip(documents, found, strict=True):
        for span in spans:
            expect(isinstance(span, Span), f"{name_of(document)}: detect gives Spans")
            expect(
                span.end <= len(document.text),
                f"{name_of(document)}: span ends at {span.end}, inside {len(document.text)} characters",
            )
            expect(span.label in detector.labels, f"{name_of(document)}: {span.label!r} is one of its labels")
            expect(
                span.detector == detector.name,
                f"{name_of(document)}: source {span.source!r} is {detector.name!r} or that, a dot and more",
            )


def check_operation(operation: Operation, documents: Sequence[Document] | None = None) -> None:
    """Check an operation on the spans of ``documents``, or on those of the sample documents.

    Its name; keyword-only, annotated options; one string for each span; the same strings again, in any
    order of the documents, and one patient at a time; documents left unchanged; labels it has never
    seen taken like any other. A `KeyedOperation` is given a key.
    """
    check_parts(operation, Operation, "replace")
    if isinstance(operation, KeyedOperation):
        operation = operation.with_key(bytes(range(32)))
    documents = sample_documents() if documents is None else list(documents)
    patients = dict.fromkeys(document.patient_id or f"\0{index}" for index, document in enumerate(documents))
    alone = [
        [d for index, d in enumerate(documents) if (d.patient_id or f"\0{index}") == patient]
        for patient in patients
    ]
    made = _check_calls(operation.replace, documents, alone)
    for document, texts in zip(documents, made, strict=True):
        expect(len(texts) == len(document.spans), f"{name_of(document)}: one replacement for each span")
        expect(all(isinstance(text, str) for text in texts), f"{name_of(document)}: replacements are strings")


def check_parts(plugin: object, protocol: type, method: str) -> None:
    """Check what can be seen without running: name, method, options."""
    expect(not isinstance(plugin, type), "an instance is checked, not a class")
    expect(isinstance(plugin, protocol), f"it has all parts of the {protocol.__name__} protocol")
    name = getattr(type(plugin), "name", None)
    expect(isinstance(name, str) and name, "name is a string and belongs to the class")
    expect(callable(getattr(plugin, method, None)), f"there is a {method} method")
    for option, parameter in inspect.signature(type(plugin)).parameters.items():
        expect(parameter.kind is parameter.KEYWORD_ONLY, f"option {option!r} is keyword-only")
        expect(parameter.annotation is not parameter.empty, f"option {option!r} has a type")


def _check_calls(
    call: Callable[[Sequence[Document]], list[list[Result]]],
    documents: Sequence[Document],
    alone: Iterable[Sequence[Document]],
) -> list[list[Result]]:
    """Check that a batch method is a pure function of each document, or each patient's documents."""
    before = copy.deepcopy(documents)
    results = call(documents)
    _check_shape(results, len(documents))
    expect(call(documents) == results, "a second call gives the same")
    expect(list(documents) == list(before), "documents are left unchanged")
    expect(call([]) == [], "no documents give an empty list")
    backwards = call(documents[::-1])
    _check_shape(backwards, len(documents))
    for document, first, second in zip(documents, results, reversed(backwards), strict=True):
        expect(first == second, f"{name_of(document)}: the order of the documents does not matter")
    index = {id(document): number for number, document in enumerate(documents)}
    for batch in alone:
        apart = call(batch)
        _check_shape(apart, len(batch))
        for document, result in zip(batch, apart, strict=True):
            expect(
                result == results[index[id(document)]], f"{name_of(document)}: other documents do not matter"
            )
    return results


def _check_shape(results: object, count: int) -> None:
    expect(
        isinstance(results, list) and len(results) == count and all(isinstance(r, list) for r in results),
        "a call gives one list for each document",
    )
