"""Put notes into a project: run its policy, store what it found, draw the audit sample.

A killed import is continued by doing it again: notes that are there are skipped. The notes of an import are
in the queue when it ends, because only then is the sample drawn from all of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

import sqlalchemy as sa

from plainsight.combine.doubt import NoteDoubts
from plainsight.document import CONFIDENCE, Document, SetAside
from plainsight.pipeline import Doubted, Item, Pipeline
from plainsight.review import store
from plainsight.review.folder import Folder
from plainsight.review.notes import TODO, Miss, Notes, claimed, misses_of
from plainsight.review.row_seals import RowSeals
from plainsight.review.store import Store
from plainsight.run.processes import LIMITS, Limits, spread

_BATCH = 200
Given = TypeVar("Given")

_AMONG = 4
"""The audit sample is spread over the most urgent notes, so many times as many as were drawn."""


@dataclass(slots=True)
class Imported:
    """What an import did; ``set_aside`` are the notes that could not be handled, and why."""

    added: int = 0
    skipped: int = 0
    audit: int = 0
    set_aside: list[SetAside] = field(default_factory=list)


class Importer:
    """Import notes into a project."""

    def __init__(self, opened: Store, folder: Folder, seals: RowSeals, notes: Notes) -> None:
        self._store = opened
        self._folder = folder
        self._seals = seals
        self._notes = notes

    def run(
        self,
        items: Iterable[Item],
        pipeline: Pipeline,
        *,
        audit: float | None,
        marked: bool,
        processes: int,
        limits: Limits | None = LIMITS,
    ) -> Imported:
        """Import notes; with ``marked``, the marks that they have are taken instead of the policy's."""
        done = Imported()
        fresh = self._fresh(items, done)
        results: Iterable[Any]
        if marked:
            results = (
                Doubted(item, _no_doubts(item)) if isinstance(item, Document) else item
                for item in pipeline.choose(fresh)
            )
        else:
            results = spread(pipeline, "doubt", fresh, processes=processes, limits=limits)
        for batch in _batches(results):
            done.set_aside += [item for item in batch if isinstance(item, SetAside)]
            self._write([item for item in batch if isinstance(item, Doubted)], done)
        done.audit = self._draw(self._folder.settings.audit if audit is None else audit)
        return done

    def _fresh(self, items: Iterable[Item], done: Imported) -> Iterator[Item]:
        """Yield the notes that the project has not."""
        known = set[bytes]()
        for batch in _batches(items):
            digests = [self._digest(item) for item in batch]
            asked = [digest for digest in digests if digest is not None]
            with self._store.read() as connection:
                rows = connection.execute(
                    sa.select(store.notes.c.digest).where(store.notes.c.digest.in_(asked))
                )
                known.update(bytes(row.digest) for row in rows)
            for item, digest in zip(batch, digests, strict=True):
                if digest is not None and digest in known:
                    done.skipped += 1
                    continue
                if digest is not None:
                    known.add(digest)
                yield item

    def _digest(self, item: Item) -> bytes | None:
        return self._folder.digest("note", item.id) if isinstance(item, Document) else None

    def _write(self, notes: list[Doubted], done: Imported) -> None:
        if not notes:
            return
        rows: dict[sa.Table, list[dict[str, Any]]] = {
            table: [] for table in (store.notes, store.texts, store.found, store.note_labels, store.claims)
        }
        with self._store.write() as connection:
            last = connection.execute(sa.select(sa.func.max(store.notes.c.id))).scalar() or 0
            for number, item in enumerate(notes, start=last + 1):
                document, misses = item.document, misses_of(item.doubts.places)
                confidence = item.doubts.confidence
                seed = f"{self._folder.settings.seed} {document.id}"
                rows[store.notes].append(
                    {
                        "id": number,
                        "digest": self._folder.digest("note", document.id),
                        "patient": self.patient_digest(document.patient_id),
                        "position": number,
                        "words": len(document.text.split()),
                        "marks": len(document.spans),
                        "confidence": confidence,
                        "doubt": round(1 - confidence, 4),
                        "urgency": round(1 - confidence, 4),
                        "shuffled": _number(self._folder.digest("shuffled", seed)),
                        "drawn": _number(self._folder.digest("drawn", seed)),
                        "state": TODO,
                        "finished": 0,
                        "sealed": self._notes.sealed_title(number, document),
                    }
                )
                text = self._notes.sealed_text(number, document)
                rows[store.texts].append({"note": number, "sealed": text})
                sealed = self._notes.sealed_found(number, document, misses)
                rows[store.found].append({"note": number, "sealed": sealed})
                rows[store.note_labels] += [
                    {"label": label, "note": number, "marks": count}
                    for label, count in labels_of(document, misses).items()
                ]
                spans = [(span.label, span.score) for span in document.spans]
                rows[store.claims] += [
                    {"note": number, "item": item_, "label": label} for item_, label in claimed(spans, misses)
                ]
            with (
                self._seals.changing(connection, store.notes, store.notes.c.id > last),
                self._seals.changing(connection, store.found, store.found.c.note > last),
            ):
                for table, values in rows.items():
                    if values:
                        connection.execute(table.insert(), values)
        done.added += len(notes)

    def patient_digest(self, patient_id: str | None) -> bytes | None:
        """Return by what the notes of a patient are found."""
        return None if patient_id is None else self._folder.digest("patient", patient_id)

    def _draw(self, audit: float) -> int:
        """Draw the audit sample of the notes that were just imported, and hide it in the queue.

        Its notes, and as many others drawn at random, take the urgency of notes among the most urgent ones.
        So nobody can tell the sample from the order, and whoever reads the first notes reads the sample.
        """
        table = store.notes
        with self._store.write() as connection:
            pending = connection.execute(
                sa.select(table.c.id, table.c.doubt).where(table.c.is_audit.is_(None)).order_by(table.c.drawn)
            ).all()
            wanted = audit if isinstance(audit, int) else round(audit * len(pending))
            sample = [row.id for row in pending[: int(wanted)]]
            hidden = [row.id for row in pending[: 2 * len(sample)]]
            most = sorted((row.doubt for row in pending), reverse=True)[: _AMONG * len(hidden)]
            chance = random.Random(self._folder.digest("urgency", f"{len(pending)} {sum(hidden)}"))
            drawn = [{"number": note, "urgency": chance.choice(most)} for note in hidden]
            first = min((row.id for row in pending), default=0)
            with self._seals.changing(connection, table, table.c.id >= first) if pending else nullcontext():
                if drawn:
                    change = table.update().where(table.c.id == sa.bindparam("number"))
                    connection.execute(change.values(urgency=sa.bindparam("urgency")), drawn)
                    in_sample = table.update().where(table.c.id == sa.bindparam("number"))
                    connection.execute(in_sample.values(is_audit=1), [{"number": note} for note in sample])
                connection.execute(table.update().where(table.c.is_audit.is_(None)).values(is_audit=0))
        return len(sample)


def _batches(items: Iterable[Given]) -> Iterator[list[Given]]:
    left = iter(items)
    while batch := list(islice(left, _BATCH)):
        yield batch


def labels_of(document: Document, misses: tuple[Miss, ...]) -> dict[str, int]:
    """Return how many spans and likely misses of each label a note has."""
    labels: dict[str, int] = {}
    for label in (*(span.label for span in document.spans), *(miss.label for miss in misses)):
        if label:
            labels[label] = labels.get(label, 0) + 1
    return labels


def _number(digest: bytes) -> int:
    return int.from_bytes(digest[:7])


def _no_doubts(document: Document) -> NoteDoubts:
    """Return the doubts of a note that brought its marks: those that its confidence says."""
    confidence = document.meta.get(CONFIDENCE, 1.0)
    sure = float(confidence) if isinstance(confidence, int | float) and 0 <= confidence <= 1 else 1.0
    return NoteDoubts(sure, ())
