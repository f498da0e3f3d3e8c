"""The output of a run: each note is written or set aside, and counted."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from typing import Any, Self

from plainsight.document import Document, SetAside
from plainsight.errors import DataError, FormatError
from plainsight.formats.base import Sink
from plainsight.pipeline import Replaced
from plainsight.run.ids import IdChoice, Ids, has_identifying_id
from plainsight.run.mapping import MappingFile
from plainsight.run.quarantine import Quarantine


@dataclass(slots=True)
class Account:
    """What a run has done."""

    notes: int = 0
    set_aside: int = 0
    characters: int = 0
    without_patient: int = 0
    identifying_ids: int = 0
    labels: Counter[str] = field(default_factory=Counter)
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
            "seconds": round(self.seconds, 3),
        }

    def _scopes(self) -> str:
        """Say within what identifiers were taken together."""
        if not self.without_patient:
            return "every note has a patient id"
        alone = "1 note has" if self.without_patient == 1 else f"{self.without_patient} notes have"
        return f"{alone} no patient id: each such note is its own scope"


class Output:
    """Take what becomes of each note of a run.

    ``spans`` says whether the spans of de-identified notes are written. With ``whole``, a note that would be
    set aside stops the run and nothing is written. ``each`` is called for every note, to show progress. The
    output, the mapping and the quarantine file appear when the block ends well.
    """

    def __init__(
        self,
        sink: AbstractContextManager[Sink],
        quarantine: Quarantine,
        *,
        mapping: MappingFile | None = None,
        ids: Ids | None = None,
        spans: bool = True,
        whole: bool = False,
        each: Callable[[Document | Replaced | SetAside], None] = lambda item: None,
    ) -> None:
        self.account = Account()
        self.quarantine = quarantine
        self._opens_sink = sink
        self._mapping = mapping
        self._ids = ids or Ids()
        self._spans = spans
        self._whole = whole
        self._each = each
        self._open = ExitStack()
        self._began = 0.0

    def __enter__(self) -> Self:
        self._began = time.perf_counter()
        self._open.enter_context(self.quarantine)
        if self._mapping is not None:
            self._open.enter_context(self._mapping)
        self._sink = self._open.enter_context(self._opens_sink)
        return self

    def __exit__(self, *error: Any) -> None:
        self._open.__exit__(*error)
        self.account.seconds = time.perf_counter() - self._began

    def write(self, item: Document | Replaced | SetAside) -> None:
        """Write a note, or set it aside when the output format cannot hold it."""
        account = self.account
        self._each(item)
        identifying = isinstance(item, Replaced) and self._has_identifying_id(item)
        item = self._ids.rename(item)
        if not isinstance(item, SetAside):
            document = item.document if isinstance(item, Replaced) else item
            try:
                self._sink.write(document if self._spans else replace(document, spans=()))
            except FormatError as error:
                item = SetAside(document.id, f"the output format cannot hold it: {error.reason}")
        if isinstance(item, SetAside):
            if self._whole:
                raise DataError(f"note {item.id!r}: {item.reason}")
            account.set_aside += 1
            self.quarantine.add(item)
            return
        if self._mapping is not None and isinstance(item, Replaced):
            self._mapping.add(item)
        account.notes += 1
        account.characters += len(document.text)
        account.without_patient += document.patient_id is None
        account.identifying_ids += identifying
        account.labels.update([span.label for span in document.spans])

    def _has_identifying_id(self, item: Replaced) -> bool:
        return self._ids.choice is IdChoice.KEEP and has_identifying_id(item)
