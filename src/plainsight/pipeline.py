"""The pipeline: documents in, documents with spans or de-identified documents out.

A pipeline runs the detectors and operations that a policy names. It takes and returns streams and works in
batches. Consecutive notes of one patient stay in one batch, up to a limit, so that identifiers found in one
note are found in all and replacements agree. As long as a patient's notes are consecutive, the result does
not depend on the size of the batches. A note that fails in any stage is set aside with its reason; the others
go on.
"""

from __future__ import annotations

import hashlib
import os
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from plainsight import collector, note_cache, registry
from plainsight.combine import PRECEDENCE, combine
from plainsight.combine.calibrate import calibrated
from plainsight.combine.doubt import (
    Doubt,
    NoteDoubts,
    note_confidence,
    note_doubts,
    possible_misses,
)
from plainsight.combine.guard import Guard, Refused
from plainsight.combine.joined_dates import read_joined_dates
from plainsight.combine.propagate import propagate
from plainsight.config import Choice, Policy
from plainsight.detect.base import Detector, Doubting, Explaining, KeyedDetector, Stacked, is_local
from plainsight.detect.named import named
from plainsight.document import CONFIDENCE, RECORD, Document, Field, Patient, SetAside, Span
from plainsight.errors import DataError, UsageError
from plainsight.keys import decode_key
from plainsight.labels import LABELS
from plainsight.models import models_of
from plainsight.replace.base import KeyedOperation, MarkingOperation, Operation
from plainsight.replace.fields import NAMES, FieldNote, code_of, divided, moved
from plainsight.replace.meta import released_meta
from plainsight.text.seen import seen
from plainsight.version import __version__

if TYPE_CHECKING:
    from plainsight.combine.sift import Sift
    from plainsight.combine.span_filter import SpanFilter
    from plainsight.replace.state import State
    from plainsight.replace.surrogate.keyed import Keyed
    from plainsight.site.known import KnownSentences, Readings

Item = Document | SetAside
Done = TypeVar("Done")
Work = Callable[[Sequence[Document]], Sequence[Done]]

_BATCH_CHARACTERS = 1 << 17  # about forty notes; larger batches do not fit the processor's caches
_BATCH_NOTES = 1000
_PATIENT_CHARACTERS = 16 << 20
_PATIENT_NOTES = 100_000


@dataclass(frozen=True, slots=True, repr=False)
class Replaced:
    """A de-identified note, and the replaced texts: start and end in the new text, and the original.

    ``refused`` names the clinical forms that the guard of medicine kept from being replaced.
    """

    document: Document
    originals: tuple[tuple[int, int, str], ...]
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Doubted:
    """A note with the spans found in it, and what is in doubt."""

    document: Document
    doubts: NoteDoubts


class Pipeline:
    """Detect and replace identifiers by a policy.

    Without a ``key``, operations that need one get a random one, which exists only as long as the pipeline.
    ``state`` is an encrypted file in which surrogates are remembered, so that later runs agree with this one;
    it needs a key.

    >>> from plainsight.config import load_policy
    >>> pipeline = Pipeline(load_policy("redact"))
    >>> [note] = pipeline.deidentify([Document("1", "Seen by Dr. Okafor on 3/4/2019.")])
    >>> note.text
    'Seen by Dr. [DOCTOR] on [DATE].'
    """

    def __init__(self, policy: Policy, *, key: bytes | None = None, state: str | Path | None = None) -> None:
        self.policy = policy
        self._key = None if key is None else decode_key(key)
        if state is not None and self._key is None:
            raise UsageError("a state needs a key that is kept: without it, nobody can read the state again")
        self._state_path = None if state is None else Path(state)
        _ = self._state  # refuse a wrong file or key at once

    def __repr__(self) -> str:
        return f"Pipeline({self.policy.name})"  # never the key

    @cached_property
    def _secret(self) -> bytes:
        return os.urandom(32) if self._key is None else self._key

    def __getstate__(self) -> dict[str, Any]:
        """Pickle policy, key and the state's path only; the other process loads the models itself."""
        return {"policy": self.policy, "_key": self._secret, "_state_path": self._state_path}

    @cached_property
    def _state(self) -> State | None:
        if self._state_path is None:
            return None
        from plainsight.replace.state import State

        return State(self._state_path, self._secret)

    def knowing(self, known: KnownSentences) -> Pipeline:
        """Return a pipeline that knows these sentences and shares this one's loaded detectors."""
        other = self.with_key(self._key)
        other.__dict__["_known"] = known
        return other

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
                self._detector(choice),
                choice.name,
                labels=choice.labels,
                text=choice.text,
            )
            for choice in self.policy.detectors
        )

    def _detector(self, choice: Choice) -> Detector:
        """Build a detector and hand it the pipeline's key if it needs one."""
        detector: Detector = registry.create("detectors", choice.plugin, **choice.options)
        return detector.with_key(self._secret) if isinstance(detector, KeyedDetector) else detector

    @cached_property
    def local_detectors(self) -> tuple[Detector, ...]:
        """The detectors whose claims in a sentence depend on the text in and around it alone."""
        local = [detector for detector in self.detectors if is_local(detector)]
        names = {detector.name for detector in local}
        return tuple(d for d in local if not isinstance(d, Stacked) or names.issuperset(d.needs))

    @cached_property
    def _explaining(self) -> list[Explaining]:
        return [detector for detector in self.detectors if isinstance(detector, Explaining)]

    @cached_property
    def _known(self) -> KnownSentences | None:
        """What the policy's site knows of its sentences, if there is a site."""
        if self.policy.site is None:
            return None
        from plainsight.site.knowledge import knowledge_of  # loads ciphers, which only sites need

        try:
            return knowledge_of(
                self.policy, [detector.name for detector in self.local_detectors], key=self._key
            )
        except DataError as error:  # the site is damaged, not a note
            raise UsageError(str(error)) from None

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
            operation = next((known for its, known in built if its == choice), None)
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
        """Yield each document with the spans found in it; spans that it had are dropped.

        ``meta["confidence"]`` is the probability that nothing was missed in it.
        """
        return self._in_batches(items, self._confident_batch)

    def doubt(self, items: Iterable[Item]) -> Iterator[Doubted | SetAside]:
        """Yield what `detect` yields with likely misses and doubtful spans, for a reviewer to look at."""
        return self._in_batches(items, self._doubted_batch)

    def deidentify(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield each document with its identifiers replaced; its spans mark the replacements."""
        return map(_released, self.with_originals(items))

    def with_originals(self, items: Iterable[Item]) -> Iterator[Replaced | SetAside]:
        """Yield each de-identified document with the original texts, for callers that may re-identify."""
        return self._in_batches(items, self._deidentified_batch)

    def warm(self, method: str, notes: Sequence[Document]) -> None:
        """Load all that a method such as ``"detect"`` needs, by running it on some notes.

        Nothing of the notes gets into the state. Processes forked afterwards share what was loaded.
        """
        twin = Pipeline(self.policy, key=self._secret)
        for _ in getattr(twin, method)(notes):
            pass
        for name in ("detectors", "operations", "_guard", "_filter", "_sift", "_known"):
            if name in twin.__dict__:
                self.__dict__[name] = twin.__dict__[name]

    def choose(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield each document with those of its spans that the policy replaces.

        For spans that are not found by this pipeline, such as gold marks: providers and what else a policy
        lets stay are left out.
        """
        return self._in_batches(items, self._chosen_batch)

    def _chosen_batch(self, documents: Sequence[Document]) -> list[Document]:
        if self._sift:
            return self._sifted(documents)
        wanted = self.policy.labels
        return [
            replace(document, spans=tuple(span for span in document.spans if span.label in wanted))
            for document in documents
        ]

    def replace(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield each document with the spans that it has replaced."""
        return map(_released, self._in_batches(items, self._replace_batch))

    def replace_fields(
        self,
        fields: Sequence[Field],
        *,
        patient_id: str | None = None,
        patient: Patient | None = None,
        id: str = "",  # noqa: A002 - the domain's word
    ) -> tuple[Field, ...]:
        """Return values that are known to be of a label as they are replaced in this patient's notes.

        A value becomes None where the policy leaves nothing that it could be: see
        `plainsight.replace.fields`. Fields that stand beside a note travel with it instead, as
        ``Document.fields``, and `deidentify` replaces both together.

        >>> from plainsight.config import load_policy
        >>> pipeline = Pipeline(load_policy("redact"))
        >>> [field.value for field in pipeline.replace_fields([Field("family", "PATIENT", "Okafor")])]
        ['[PATIENT]']
        """
        [replaced] = self._replace_batch([Document(id, "", (), patient_id, patient, fields=tuple(fields))])
        return replaced.document.fields

    def _in_batches(self, items: Iterable[Item], work: Work[Done]) -> Iterator[Done | SetAside]:
        """Yield the results of ``work`` for each batch of a stream."""
        for batch in batches(items):
            documents = [item for item in batch if isinstance(item, Document)]
            note_cache.claim(self)
            try:
                with collector.paused():
                    done: Iterator[Done | SetAside] = iter(work(documents))
            except UsageError:  # the settings are wrong, not a note
                raise
            except Exception:  # set aside the notes that fail, go on with the others
                done = iter(_work_without_failing(documents, work))
            for item in batch:
                yield next(done) if isinstance(item, Document) else item

    def _confident_batch(self, documents: Sequence[Document]) -> list[Document]:
        return [document for document, _ in self._with_misses(documents)]

    def _doubted_batch(self, documents: Sequence[Document]) -> list[Doubted]:
        return [Doubted(note, note_doubts(note, misses)) for note, misses in self._with_misses(documents)]

    def _with_misses(self, documents: Sequence[Document]) -> Iterator[tuple[Document, list[Doubt]]]:
        """Yield documents with spans and confidence, and the places that may have been missed."""
        notes = [seen(document) for document in documents]
        proposals, possible = self._proposals([note.document for note in notes], doubt=True)
        found = self._spans([note.document for note in notes], proposals)
        for note, (document, refused), tokens in zip(notes, found, possible, strict=True):
            wanted = _outside(refused, self._wanted(tokens))
            misses = possible_misses(document, wanted, counts=self._counts)
            meta = {**document.meta, CONFIDENCE: note_confidence(misses)}
            spans = note.in_written(document.spans)
            if self.policy.calibration is not None:
                spans = calibrated(spans, self.policy.calibration)
            places = (note.place(miss.start, miss.end) for miss in misses)
            misses = [
                replace(m, start=start, end=end) for m, (start, end) in zip(misses, places, strict=True)
            ]
            yield replace(note.written, spans=spans, meta=meta), misses

    def _wanted(self, tokens: Sequence[Span] | None) -> Sequence[Span] | None:
        """Leave out possible identifiers that the policy would not take from their detector."""
        policy = self.policy
        if tokens is None:
            return None
        return [
            token
            for token in tokens
            if token.label in policy.labels
            and (token.label not in policy.routes or token.detector in policy.routes[token.label])
        ]

    @cached_property
    def _counts(self) -> Callable[[str, str], bool] | None:
        """Whether a label and a text are identifying by the policy; None if all are."""
        if self.policy.group != "safe-harbor":
            return None
        from plainsight.hipaa import identifying  # reads the calendar, which no other policy needs here

        return identifying

    def _detect_batch(self, documents: Sequence[Document]) -> list[tuple[Document, list[Refused]]]:
        notes = [seen(document) for document in documents]
        shown = [note.document for note in notes]
        found = self._spans(shown, self._proposals(shown)[0])
        return [
            (replace(note.written, spans=note.in_written(document.spans)), refused)
            for note, (document, refused) in zip(notes, found, strict=True)
        ]

    def _deidentified_batch(self, documents: Sequence[Document]) -> list[Replaced]:
        found = self._detect_batch(documents)
        replaced = self._replace_batch(self._as_before([document for document, _ in found]))
        return [
            replace(item, refused=tuple(form for _, form in refused)) if refused else item
            for item, (_, refused) in zip(replaced, found, strict=True)
        ]

    def _as_before(self, documents: Sequence[Document]) -> Sequence[Document]:
        """Return documents with the spans of an earlier run, if there is a state that knows them."""
        if self._state is None:
            return documents
        from plainsight.replace.state import with_earlier_spans

        return with_earlier_spans(self._state, self._settings, documents)

    @cached_property
    def _settings(self) -> str:
        """All that decides which spans are found: with others, notes are done anew."""
        files = sorted(Path(self.policy.site).glob("*.sealed")) if self.policy.site else []
        site = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
        return f"{__version__}\n{self.policy.to_toml()}\n{models_of(self.policy)}{site or ''}"

    @cached_property
    def _guard(self) -> Guard | None:
        """What keeps clinical forms from being replaced, if the policy wants it."""
        return Guard() if self.policy.guard else None

    def _spans(
        self, documents: Sequence[Document], proposals: Sequence[Sequence[Span]]
    ) -> list[tuple[Document, list[Refused]]]:
        """Return the documents with the spans that the claims on them come to, and what the guard refused.

        The guard looks before propagation, so that what it refuses does not spread, and after it: what is a
        name elsewhere may be a clinical form here.
        """
        found = [
            read_joined_dates(replace(document, spans=self._combine(proposed, document.text)))
            for document, proposed in zip(documents, proposals, strict=True)
        ]
        refused: list[list[Refused]] = [[] for _ in found]
        found = self._guarded(found, refused)
        if self.policy.propagate:
            runs = groupby(found, key=lambda document: document.patient_id)
            spread = [document for _, run in runs for document in propagate(list(run))]
            changed = [now is not before for now, before in zip(spread, found, strict=True)]
            found = self._guarded(spread, refused, changed)
        if self._filter is not None:
            found = self._filter(found)
        return list(zip(map(divided, self._sifted(found)), refused, strict=True))

    @cached_property
    def _filter(self) -> SpanFilter | None:
        """What drops false alarms, if the policy names a model for that."""
        if self.policy.filter is None:
            return None
        from plainsight.combine.span_filter import SpanFilter  # reads word lists, which others may not need

        return SpanFilter(model=self.policy.filter)

    @cached_property
    def _sift(self) -> Sift | None:
        """What decides on spans that stay, if the policy lets any stay by more than their label."""
        policy = self.policy
        law, keep = policy.group == "safe-harbor", policy.providers == "keep"
        if not law and not (keep and "PATIENT" in policy.labels):
            return None
        from plainsight.combine.sift import Sift  # reads calendar and word lists, which others do not need

        return Sift(labels=policy.labels, keep_providers=keep, law=law)

    def _sifted(self, documents: Sequence[Document]) -> list[Document]:
        """Return the documents with the spans that the policy replaces, by the notes of each patient."""
        if not (sift := self._sift):
            return list(documents)
        runs = groupby(documents, key=lambda note: (note.patient_id, None if note.patient_id else id(note)))
        return [document for _, run in runs for document in sift(list(run))]

    def _guarded(
        self,
        documents: Sequence[Document],
        refused: Sequence[list[Refused]],
        which: Iterable[bool] = repeat(True),
    ) -> list[Document]:
        """Return the documents without the spans that the guard refuses, which are added to ``refused``."""
        if not (guard := self._guard):
            return list(documents)
        kept = []
        for document, known, look in zip(documents, refused, which):  # noqa: B905 - which may be endless
            left, new = guard.refuse(document) if look else (document, [])
            known += new
            kept.append(left)
        return kept

    def _proposals(
        self, documents: Sequence[Document], *, doubt: bool = False
    ) -> tuple[list[list[Span]], Sequence[list[Span] | None]]:
        """Return the claims of all detectors in each document; those that need others run last.

        With ``doubt``, also return each document's possible identifiers; None if no detector says them.
        """
        claims: dict[str, list[list[Span]]] = {}
        possible: list[list[list[Span]]] = []
        readings = self._readings(documents)
        if readings:
            self._read_unknown(readings, claims, possible, doubt=doubt)
        rest = [detector for detector in self.detectors if detector.name not in claims]
        self._run(rest, documents, claims, possible, doubt=doubt)
        joined = _joined_claims(documents, [claims[detector.name] for detector in self.detectors])
        if readings:
            joined = readings.outside_accepted(joined)
            possible = [readings.outside_accepted(tokens) for tokens in possible]
        if possible and (self.policy.vote > 1 or self.policy.thresholds):
            possible.append(joined)  # claims that are outvoted or too unsure may be identifiers, too
        return joined, _joined_claims(documents, possible) if possible else [None] * len(documents)

    def _run(
        self,
        detectors: Iterable[Detector],
        documents: Sequence[Document],
        claims: dict[str, list[list[Span]]],
        possible: list[list[list[Span]]],
        *,
        doubt: bool,
    ) -> None:
        """Add the claims of detectors by name and, with ``doubt``, the possible identifiers of each."""
        for detector in sorted(detectors, key=lambda detector: isinstance(detector, Stacked)):
            needed = None
            if isinstance(detector, Stacked) and all(name in claims for name in detector.needs):
                needed = _joined_claims(documents, [claims[name] for name in detector.needs])
            if doubt and isinstance(detector, Doubting):
                claims[detector.name], tokens = detector.detect_and_doubt(documents, needed)
                possible.append(tokens)
            elif needed is not None and isinstance(detector, Stacked):
                claims[detector.name] = detector.detect_with(documents, needed)
            else:
                claims[detector.name] = detector.detect(documents)

    def _readings(self, documents: Sequence[Document]) -> Readings | None:
        """Return which sentences of documents are to be read; None if the policy's site does not know any."""
        known, explaining = self._known, self._explaining
        if known is None or not (len(known) or explaining):
            return None
        explained = [
            {start for detector in explaining for start, _ in detector.explained(document)}
            for document in documents
        ]
        return known.read(documents, explained)

    def _read_unknown(
        self,
        readings: Readings,
        claims: dict[str, list[list[Span]]],
        possible: list[list[list[Span]]],
        *,
        doubt: bool,
    ) -> None:
        """Add the claims of local detectors: those in known sentences, and what they find in the others."""
        found: dict[str, list[list[Span]]] = {}
        tokens: list[list[list[Span]]] = []
        self._run(self.local_detectors, readings.excerpts, found, tokens, doubt=doubt)
        claims |= {name: readings.claims(name, spans) for name, spans in found.items()}
        kinds = {detector.name: isinstance(detector, Doubting) for detector in self.local_detectors}
        doubting = [name for name in found if kinds[name]]  # in the order that they were run
        possible += [readings.possible(name, spans) for name, spans in zip(doubting, tokens, strict=False)]

    def claims(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return all claims of all detectors in each document, before they are combined."""
        note_cache.claim(self)
        return self._proposals(documents)[0]

    def local_claims(self, documents: Sequence[Document]) -> Iterator[tuple[Sequence[Span], Sequence[Span]]]:
        """Yield what `local_detectors` claim in each document, and the tokens that they find possible.

        All of each document is read, whatever is known of its sentences.
        """
        claims: dict[str, list[list[Span]]] = {}
        possible: list[list[list[Span]]] = []
        note_cache.claim(self)
        self._run(self.local_detectors, documents, claims, possible, doubt=True)
        return zip(
            _joined_claims(documents, [*claims.values()]), _joined_claims(documents, possible), strict=True
        )

    def _combine(self, proposals: Sequence[Span], text: str) -> tuple[Span, ...]:
        """Combine the claims on labels of the policy, or all where it is decided later what stays."""
        policy = self.policy
        labels = policy.labels if self._sift is None else policy.labels.union(LABELS)
        return combine(
            [claim for claim in proposals if claim.label in labels],
            text,
            vote=policy.vote,
            routes=policy.routes,
            thresholds=policy.thresholds,
            precedence=self._precedence,
        )

    def _replace_batch(self, documents: Sequence[Document]) -> list[Replaced]:
        of_dates = self.operations["DATE"]
        if isinstance(of_dates, MarkingOperation) and "DATE" in self.policy.labels:
            documents = [of_dates.marked(document) for document in documents]
        documents = [divided(document) for document in documents]
        beside = {
            place: self._field_note(document) for place, document in enumerate(documents) if document.fields
        }
        notes = [seen(document).document for document in documents]
        made = self._replacements([*notes, *(note.document for note in beside.values())])
        for (place, note), new in zip(beside.items(), made[len(documents) :], strict=True):
            documents[place] = replace(documents[place], fields=note.replaced(new))
        return [self._rewritten(*one) for one in zip(documents, notes, made[: len(documents)], strict=True)]

    @cached_property
    def _record_ids(self) -> Keyed:
        """The codes of ids that records refer to each other by."""
        from plainsight.replace.surrogate.keyed import Keyed  # loads ciphers, which only keys need

        return Keyed.from_secret(self._secret).child("record ids")

    def _field_note(self, document: Document) -> FieldNote:
        """Return the fields of a note as text with those spans that the policy replaces.

        The field says whose name it is, so only other labels are sifted.
        """
        note = FieldNote(document, self._record_ids, keep_times="TIME" not in self.policy.labels)
        labels, spans = self.policy.labels, note.document.spans
        if not self._sift:
            return note.only(span for span in spans if span.label in labels)
        others = tuple(span for span in spans if span.label not in NAMES)
        [sifted] = self._sifted([replace(note.document, spans=others)])
        names = (span for span in spans if span.label in NAMES and span.label in labels)
        return note.only((*sifted.spans, *names))

    def _replacements(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return what stands for each span of each document."""
        replacements: list[list[str]] = [[""] * len(document.spans) for document in documents]
        for operation in dict.fromkeys(self.operations.values()):
            indices = [
                [index for index, span in enumerate(document.spans) if self._operation_for(span) is operation]
                for document in documents
            ]
            parts = [
                document
                if len(own) == len(document.spans)
                else replace(document, spans=tuple(document.spans[index] for index in own))
                for document, own in zip(documents, indices, strict=True)
            ]
            made = self._replaced(operation, parts)
            for texts, own, new in zip(replacements, indices, made, strict=True):
                for index, text in zip(own, new, strict=True):
                    texts[index] = text
        return replacements

    def _replaced(self, operation: Operation, documents: Sequence[Document]) -> list[list[str]]:
        if self._state is None:
            return operation.replace(documents)
        from plainsight.replace.state import replace_with_state

        return replace_with_state(operation, self._state, documents)

    def _operation_for(self, span: Span) -> Operation:
        try:
            return self.operations[span.label]
        except KeyError:
            raise DataError(f"no operation for label {span.label!r}") from None

    def _rewritten(self, document: Document, note: Document, replacements: Sequence[str]) -> Replaced:
        """Return the document with its spans replaced; all other characters stay.

        ``note`` is the document as a reader sees it. What stays as it is seen stays as it is written.
        """
        pieces: list[str] = []
        written: list[str] = []
        spans: list[Span] = []
        originals: list[tuple[int, int, str]] = []
        last = length = 0
        for span, shown, replacement in zip(document.spans, note.spans, replacements, strict=True):
            before, original = document.text[last : span.start], document.text[span.start : span.end]
            if note is not document and replacement == note.text[shown.start : shown.end]:
                replacement = original
            pieces += before, replacement
            written.append(replacement)
            start = length + len(before)
            length = start + len(replacement)
            if replacement:
                spans.append(Span(start, length, span.label, span.score, span.source))
            originals.append((start, length, original))
            last = span.end
        pieces.append(document.text[last:])
        meta = released_meta(document, self.policy, self.operations["DATE"])
        patient_id = document.patient_id
        if RECORD in document.meta:  # there it is a number of the record itself
            patient_id = code_of(patient_id, self._record_ids)
        released = replace(
            document,
            patient_id=patient_id,
            text="".join(pieces),
            spans=tuple(spans),
            patient=None,
            meta=meta,
            cuts=moved(document.cuts, document.spans, written),
        )
        return Replaced(released, tuple(originals))


def _released(item: Replaced | SetAside) -> Item:
    return item.document if isinstance(item, Replaced) else item


def _outside(refused: Sequence[Refused], tokens: Sequence[Span] | None) -> Sequence[Span] | None:
    """Leave out possible identifiers that the guard refused."""
    if not tokens or not refused:
        return tokens
    places = [one.span for one in refused]
    return [t for t in tokens if not any(t.start < span.end and span.start < t.end for span in places)]


def _joined_claims(
    documents: Sequence[Document], claims: Sequence[Sequence[Sequence[Span]]]
) -> list[list[Span]]:
    """Return the claims of several detectors on each document as one list."""
    return [list(chain(*spans)) for _, *spans in zip(documents, *claims, strict=True)]


def _work_without_failing(documents: Sequence[Document], work: Work[Done]) -> list[Done | SetAside]:
    """Set aside the notes that fail alone, and work on the others as one batch."""
    failed = {
        index: aside for index, document in enumerate(documents) if (aside := _failure([document], work))
    }
    rest = [document for index, document in enumerate(documents) if index not in failed]
    if rest and (aside := _failure(rest, work)):  # fail closed
        return [failed.get(index) or replace(aside, id=d.id) for index, d in enumerate(documents)]
    done = iter(work(rest) if rest else ())
    return [failed.get(index) or next(done) for index in range(len(documents))]


def _failure(documents: Sequence[Document], work: Work[Done]) -> SetAside | None:
    """Return why the work on these notes fails, or None if it does not."""
    try:
        work(documents)
    except DataError as error:
        return SetAside(documents[0].id, str(error))
    except MemoryError:
        return SetAside(documents[0].id, "needs more memory than it may use")
    except Exception as error:  # its message could hold note text, so give only its type and line
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = "/".join(Path(frame.filename).parts[-2:])
        return SetAside(documents[0].id, f"failed with {type(error).__name__} at {place}:{frame.lineno}")
    return None


def batches(items: Iterable[Item], *, characters: int = _BATCH_CHARACTERS) -> Iterator[list[Item]]:
    """Group a stream into batches of limited text and number.

    A patient's consecutive notes are split only if they are very long or very many.

    Raise `TypeError` for anything but documents and set-aside notes, which would pass through unchanged.
    """
    batch: list[Item] = []
    size = 0
    patient: str | None = None
    for item in items:
        if isinstance(item, Document):
            same = item.patient_id is not None and item.patient_id == patient
            patient = item.patient_id
            length = len(item.text)
        elif isinstance(item, SetAside):
            same, length = False, 0
        else:
            raise TypeError(
                f"a pipeline takes plainsight.Document objects, not {type(item).__name__}; "
                "for strings, call plainsight.deidentify or plainsight.detect"
            )
        most_characters = _PATIENT_CHARACTERS if same else characters
        most_notes = _PATIENT_NOTES if same else _BATCH_NOTES
        if batch and (size >= most_characters or len(batch) >= most_notes):
            yield batch
            batch, size = [], 0
        size += length
        batch.append(item)
    if batch:
        yield batch
