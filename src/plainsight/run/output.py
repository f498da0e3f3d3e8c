"""The output of a run: each note is written or set aside, and counted."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, Self

from plainsight.document import DROPPED_FIELDS, Document, SetAside
from plainsight.errors import DataError, FormatError, plural
from plainsight.formats.base import Sink
from plainsight.formats.files import atomic_file
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.events import load_events
from plainsight.pipeline import Replaced
from plainsight.run.ids import IdChoice, Ids, has_identifying_id
from plainsight.run.mapping import MappingFile

_SHOWN = 5  # notes set aside that a run prints


@dataclass(slots=True)
class Account:
    """What a run has done."""

    notes: int = 0
    set_aside: int = 0
    characters: int = 0
    without_patient: int = 0
    identifying_ids: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    detectors: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    fields: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the counts; nothing in them comes from a note's text."""
        return {
            "notes": self.notes,
            "set_aside": self.set_aside,
            "characters": self.characters,
            "notes_without_patient_id": self.without_patient,
            "notes_with_identifying_id": self.identifying_ids,
            "scopes": self._scopes(),
            "identifiers": self.labels.total(),
            "identifiers_by_label": dict(sorted(self.labels.items())),
            "identifiers_by_detector": dict(sorted(self.detectors.items())),
            "clinical_forms_refused": dict(sorted(self.refused.items())),
            "events_left": dict(sorted(self.events.items())),
            "fields_by_label": dict(sorted(self.fields.items())),
            "fields_dropped": dict(sorted(self.dropped.items())),
            "seconds": round(self.seconds, 3),
        }

    def _scopes(self) -> str:
        """Say how many notes are a scope of their own."""
        if not self.without_patient:
            return "every note has a patient id"
        have = "has" if self.without_patient == 1 else "have"
        return f"{plural(self.without_patient, 'note')} {have} no patient id: each such note is its own scope"


class Quarantine:
    """List the notes that were set aside, and why; never note text.

    The file appears when the run ends, and only if there are such notes. ``first`` holds the first of them;
    all of them when there is no file.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.count = 0
        self.first: list[SetAside] = []
        self._file: IO[str] | None = None
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self._open.__exit__(*error)

    def add(self, item: SetAside) -> None:
        """Write down one note."""
        self.count += 1
        if self.path is None or len(self.first) < _SHOWN:
            self.first.append(item)
        if self.path is None:
            return
        if self._file is None:
            temporary = self._open.enter_context(atomic_file(self.path))
            self._file = self._open.enter_context(temporary.open("w", encoding="utf-8"))
        self._file.write(json.dumps({"id": item.id, "reason": item.reason, "where": item.where}) + "\n")


@dataclass
class Output:
    """Write the notes of a run.

    ``spans`` says whether the spans of de-identified notes are written. With ``whole``, a note that would be
    set aside stops the run and nothing is written. ``as_written`` changes a note on its way out. ``each`` is
    called for every note, to show progress, and ``refused`` with the id of each that the format refuses. The
    output, the mapping and the quarantine file appear when the block ends well.
    """

    sink: AbstractContextManager[Sink]
    quarantine: Quarantine
    mapping: MappingFile | None = None
    ids: Ids = field(default_factory=Ids)
    spans: bool = True
    whole: bool = False
    as_written: Callable[[Document], Document] = lambda document: document
    each: Callable[[Document | Replaced | SetAside], None] = lambda item: None
    refused: Callable[[str], None] = lambda note: None
    account: Account = field(default_factory=Account, init=False)
    _open: ExitStack = field(default_factory=ExitStack, init=False)

    def __enter__(self) -> Self:
        self._began = time.perf_counter()
        self._open.enter_context(self.quarantine)
        if self.mapping is not None:
            self._open.enter_context(self.mapping)
        self._sink = self._open.enter_context(self.sink)
        return self

    def __exit__(self, *error: Any) -> None:
        self._open.__exit__(*error)
        self.account.seconds = time.perf_counter() - self._began

    def write(self, item: Document | Replaced | SetAside) -> None:
        """Write a note, or set it aside when the output format cannot hold it."""
        account, keeps_ids = self.account, self.ids.choice is IdChoice.KEEP
        self.each(item)
        given = item.document.id if isinstance(item, Replaced) else item.id
        identifying = keeps_ids and isinstance(item, Replaced) and has_identifying_id(item)
        item = self.ids.rename(item)
        if not isinstance(item, SetAside):
            document = item.document if isinstance(item, Replaced) else item
            try:
                self._sink.write(self.as_written(document) if self.spans else replace(document, spans=()))
            except FormatError as error:
                self.refused(given)
                item = SetAside(document.id, f"the output format cannot hold it: {error.reason}")
        if isinstance(item, SetAside):
            if self.whole:
                raise DataError(f"note {item.id!r}: {item.reason}")
            account.set_aside += 1
            self.quarantine.add(item)
            return
        if self.mapping is not None and isinstance(item, Replaced):
            self.mapping.add(item)
        account.notes += 1
        account.characters += len(document.text)
        account.without_patient += document.patient_id is None
        account.identifying_ids += identifying
        account.labels.update([span.label for span in document.spans])
        account.detectors.update([span.detector for span in document.spans if span.source])
        account.fields.update([one.label for one in document.fields])
        account.dropped.update(document.meta.get(DROPPED_FIELDS, {}))
        if isinstance(item, Replaced):
            account.refused.update(item.refused)
            account.events.update(_events_left(document))


def _events_left(document: Document) -> Iterator[str]:
    """Yield the kinds of events in a released note that may betray its date offset."""
    for event in load_events(DEFAULT_LOCALE).find(document.text):
        if all(span.end <= event.start or event.end <= span.start for span in document.spans):
            yield event.name
