"""The road: documents in, documents with spans or de-identified documents out.

A pipeline composes the stages that a policy names and knows no concrete one. It takes and gives streams:
notes are worked on in batches, and consecutive notes of one patient stay in one batch (up to a limit), so
that what is found in one is found in all and one patient's replacements agree. The result does not depend
on the size of the batches as long as a patient's notes stand together. A note that any stage cannot handle is
set aside with its reason; the others go on.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby
from pathlib import Path
from typing import Any, TypeVar

from plainsight import collector, note_cache, registry
from plainsight.combine import PRECEDENCE, combine
from plainsight.combine.propagate import propagate
from plainsight.config import Choice, Policy
from plainsight.detect.base import Detector, Stacked
from plainsight.detect.named import named
from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError, UsageError
from plainsight.keys import decode_key
from plainsight.replace.base import KeyedOperation, Operation
from plainsight.replace.meta import released_meta

Item = Document | SetAside
Done = TypeVar("Done")
Work = Callable[[Sequence[Document]], Sequence[Done]]

_BATCH_CHARACTERS = 1 << 17  # some forty notes: what one stage makes of more is gone from caches by the next
_PATIENT_CHARACTERS = 16 << 20


@dataclass(frozen=True, slots=True, repr=False)
class Replaced:
    """A de-identified note and, apart from it, what was replaced: where in the new text, and the original."""

    document: Document
    originals: tuple[tuple[int, int, str], ...]


class Pipeline:
    """Detect and replace identifiers as a policy says.

    Without a ``key``, operations that need one get a random one, drawn once and forgotten with the pipeline.

    >>> from plainsight.config import load_policy
    >>> pipeline = Pipeline(load_policy("redact"))
    >>> [note] = pipeline.deidentify([Document("1", "Seen by Dr. Okafor on 3/4/2019.")])
    >>> note.text
    'Seen by Dr. [DOCTOR] on [DATE].'
    """

    def __init__(self, policy: Policy, *, key: bytes | None = None) -> None:
        self.policy = policy
        self._key = None if key is None else decode_key(key)

    def __repr__(self) -> str:
        return f"Pipeline({self.policy.name})"  # never the key

    @cached_property
    def _secret(self) -> bytes:
        return os.urandom(32) if self._key is None else self._key

    def __getstate__(self) -> dict[str, Any]:
        """Send policy and key to another process, which loads the models for itself."""
        return {"policy": self.policy, "_key": self._secret}

    def with_key(self, key: bytes | None) -> Pipeline:
        """Return a pipeline with another key that shares this one's loaded detectors."""
        other = Pipeline(self.policy, key=key)
        other.__dict__["detectors"] = self.detectors
        return other

    @cached_property
    def detectors(self) -> tuple[Detector, ...]:
        """The policy's detectors, built once."""
        return tuple(
            named(
                registry.create("detectors", choice.plugin, **choice.options),
                choice.name,
                labels=choice.labels,
                text=choice.text,
            )
            for choice in self.policy.detectors
        )

    @cached_property
    def _precedence(self) -> tuple[str, ...]:
        """Whose label counts, first to last; the name of a kind stands for all its detectors not named."""
        order = PRECEDENCE if self.policy.precedence is None else self.policy.precedence
        of_kind: dict[str, list[str]] = {}
        for choice in self.policy.detectors:
            if choice.name not in order:
                of_kind.setdefault(choice.plugin, []).append(choice.name)
        return tuple(name for entry in order for name in (entry, *of_kind.get(entry, ())))

    @cached_property
    def operations(self) -> dict[str, Operation]:
        """The operation of each label; labels that share a choice share the operation."""
        built: list[tuple[Choice, Operation]] = []
        by_label = {}
        for label, choice in self.policy.operations.items():
            operation = next((made for known, made in built if known == choice), None)
            if operation is None:
                operation = self._operation(choice)
                built.append((choice, operation))
            by_label[label] = operation
        return by_label

    def _operation(self, choice: Choice) -> Operation:
        """Build an operation and hand it the pipeline's key if it needs one."""
        operation: Operation = registry.create("operations", choice.name, **choice.options)
        return operation.with_key(self._secret) if isinstance(operation, KeyedOperation) else operation

    def detect(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield each document with the spans found in it; spans it came with are dropped."""
        return self._in_batches(items, self._detect_batch)

    def deidentify(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield each document with its identifiers replaced; its spans mark the replacements."""
        return map(_released, self.with_originals(items))

    def with_originals(self, items: Iterable[Item]) -> Iterator[Replaced | SetAside]:
        """De-identify, and tell apart from each document what was replaced: for those who may go back."""
        return self._in_batches(items, lambda batch: self._replace_batch(self._detect_batch(batch)))

    def replace(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield each document with the spans it came with replaced."""
        return map(_released, self._in_batches(items, self._replace_batch))

    def _in_batches(self, items: Iterable[Item], work: Work[Done]) -> Iterator[Done | SetAside]:
        """Run a stage over batches of a stream."""
        for batch in batches(items):
            documents = [item for item in batch if isinstance(item, Document)]
            note_cache.claim(self)
            try:
                with collector.paused():
                    done: Iterator[Done | SetAside] = iter(work(documents))
            except UsageError:  # the settings are at fault, not a note
                raise
            except Exception:  # whatever a stage raises, the other notes go on
                done = iter(_without_failing(documents, work))
            for item in batch:
                yield next(done) if isinstance(item, Document) else item

    def _detect_batch(self, documents: Sequence[Document]) -> list[Document]:
        proposals = self._proposals(documents)
        found = [
            replace(document, spans=self._combine(proposed, document.text))
            for document, proposed in zip(documents, proposals, strict=True)
        ]
        if self.policy.propagate:
            runs = groupby(found, key=lambda document: document.patient_id)
            found = [document for _, run in runs for document in propagate(list(run))]
        return found

    def _proposals(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return what all detectors claim in each document; each runs once, those that need others last."""
        claims: dict[str, list[list[Span]]] = {}
        for detector in sorted(self.detectors, key=lambda detector: isinstance(detector, Stacked)):
            if isinstance(detector, Stacked) and all(name in claims for name in detector.needs):
                needed = _together(documents, [claims[name] for name in detector.needs])
                claims[detector.name] = detector.detect_with(documents, needed)
            else:
                claims[detector.name] = detector.detect(documents)
        return _together(documents, [claims[detector.name] for detector in self.detectors])

    def _combine(self, proposals: Sequence[Span], text: str) -> tuple[Span, ...]:
        policy = self.policy
        chosen = self._chosen(proposals, text)
        return combine(
            chosen,
            text,
            vote=policy.vote,
            routes=policy.routes,
            thresholds=policy.thresholds,
            precedence=self._precedence,
        )

    def _chosen(self, proposals: Sequence[Span], text: str) -> list[Span]:
        """Keep the claims the policy's labels ask for; under Safe Harbor by its exact rules.

        This comes before combining: a hospital that is to stay must not swallow the patient in its name.
        """
        chosen = [claim for claim in proposals if claim.label in self.policy.labels]
        if self.policy.group == "safe-harbor":
            from plainsight.hipaa import identifying  # reads the calendar, which no other policy needs here

            chosen = [claim for claim in chosen if identifying(claim.label, text[claim.start : claim.end])]
        return chosen

    def _replace_batch(self, documents: Sequence[Document]) -> list[Replaced]:
        replacements: list[list[str]] = [[""] * len(document.spans) for document in documents]
        for operation in dict.fromkeys(self.operations.values()):
            places = [
                [place for place, span in enumerate(document.spans) if self._operation_for(span) is operation]
                for document in documents
            ]
            mine = [
                document
                if len(chosen) == len(document.spans)
                else replace(document, spans=tuple(document.spans[place] for place in chosen))
                for document, chosen in zip(documents, places, strict=True)
            ]
            for made, chosen, texts in zip(replacements, places, operation.replace(mine), strict=True):
                for place, text in zip(chosen, texts, strict=True):
                    made[place] = text
        return [self._rewritten(*pair) for pair in zip(documents, replacements, strict=True)]

    def _operation_for(self, span: Span) -> Operation:
        try:
            return self.operations[span.label]
        except KeyError:
            raise DataError(f"no operation for label {span.label!r}") from None

    def _rewritten(self, document: Document, replacements: Sequence[str]) -> Replaced:
        """Put the replacements in place; every character outside a span stays as it is."""
        pieces: list[str] = []
        spans: list[Span] = []
        originals: list[tuple[int, int, str]] = []
        last = length = 0
        for span, after in zip(document.spans, replacements, strict=True):
            before = document.text[last : span.start]
            pieces += before, after
            start = length + len(before)
            length = start + len(after)
            if after:
                spans.append(Span(start, length, span.label, span.score, span.source))
            originals.append((start, length, document.text[span.start : span.end]))
            last = span.end
        pieces.append(document.text[last:])
        meta = released_meta(document, self.policy, self.operations["DATE"])
        released = replace(document, text="".join(pieces), spans=tuple(spans), patient=None, meta=meta)
        return Replaced(released, tuple(originals))


def _released(item: Replaced | SetAside) -> Item:
    return item.document if isinstance(item, Replaced) else item


def _together(documents: Sequence[Document], claims: Sequence[Sequence[Sequence[Span]]]) -> list[list[Span]]:
    """Return the claims of several detectors on each document as one list."""
    return [list(chain(*said)) for _, *said in zip(documents, *claims, strict=True)]


def _without_failing(documents: Sequence[Document], work: Work[Done]) -> list[Done | SetAside]:
    """Set aside the notes that fail alone, and do the rest together, so that they still know each other."""
    failed = {
        place: aside for place, document in enumerate(documents) if (aside := _failure([document], work))
    }
    rest = [document for place, document in enumerate(documents) if place not in failed]
    if rest and (aside := _failure(rest, work)):  # fail closed
        return [failed.get(place) or replace(aside, id=d.id) for place, d in enumerate(documents)]
    done = iter(work(rest) if rest else ())
    return [failed.get(place) or next(done) for place in range(len(documents))]


def _failure(documents: Sequence[Document], work: Work[Done]) -> SetAside | None:
    """Tell why a stage cannot handle these notes, or None if it can."""
    try:
        work(documents)
    except DataError as error:
        return SetAside(documents[0].id, str(error))
    except Exception as error:  # its message could hold note text, so only its kind and place are told
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = "/".join(Path(frame.filename).parts[-2:])
        return SetAside(documents[0].id, f"failed with {type(error).__name__} at {place}:{frame.lineno}")
    return None


def batches(items: Iterable[Item], *, characters: int = _BATCH_CHARACTERS) -> Iterator[list[Item]]:
    """Group a stream into batches; split a patient's consecutive notes only when they are very many.

    Refuses what is neither a document nor set aside: it would otherwise pass through unchanged.
    """
    batch: list[Item] = []
    size = 0
    patient: str | None = None
    for item in items:
        if isinstance(item, Document):
            same = item.patient_id is not None and item.patient_id == patient
            if batch and size >= (_PATIENT_CHARACTERS if same else characters):
                yield batch
                batch, size = [], 0
            patient = item.patient_id
            size += len(item.text)
        elif not isinstance(item, SetAside):
            raise TypeError(
                f"a pipeline takes plainsight.Document objects, not {type(item).__name__}; "
                "for strings, call plainsight.deidentify or plainsight.detect"
            )
        batch.append(item)
    if batch:
        yield batch
