"""Run a pipeline over an input in this process: read, work, write, and keep account.

Streams from end to end, so memory does not grow with the input.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from plainsight.document import Document, SetAside
from plainsight.errors import DataError, FormatError
from plainsight.pipeline import Item
from plainsight.run.quarantine import Quarantine

__all__ = ["Account", "run"]


@dataclass(slots=True)
class Account:
    """What a run has done."""

    notes: int = 0
    set_aside: int = 0
    characters: int = 0
    without_patient: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the counts; nothing in them comes from a note's text."""
        return {
            "notes": self.notes,
            "set_aside": self.set_aside,
            "characters": self.characters,
            "notes_without_patient_id": self.without_patient,
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


def run(
    items: Iterable[Item],
    write: Callable[[Iterable[Document]], None],
    quarantine: Quarantine,
    *,
    prepare: Callable[[Document], Document] = lambda document: document,
    each: Callable[[Item], None] = lambda item: None,
    whole: bool = False,
) -> Account:
    """Pull worked notes into the writer and the quarantine; return the account of what was done.

    ``prepare`` makes a note ready to be written; one it refuses with a `FormatError` is set aside. ``each``
    is called for every note that is done or set aside, for example to move a progress bar. With ``whole``, a
    note that would be set aside stops the run, and nothing is written.
    """
    account = Account()
    began = time.perf_counter()

    def done() -> Iterator[Document]:
        for item in items:
            each(item)
            if isinstance(item, Document):
                try:
                    ready = prepare(item)
                except FormatError as error:
                    item = SetAside(item.id, f"the output format cannot hold it: {error.reason}")
            if isinstance(item, SetAside):
                if whole:
                    raise DataError(f"note {item.id!r}: {item.reason}")
                account.set_aside += 1
                quarantine.add(item)
                continue
            account.notes += 1
            account.characters += len(item.text)
            account.without_patient += item.patient_id is None
            account.labels.update([span.label for span in item.spans])
            yield ready

    write(done())
    account.seconds = time.perf_counter() - began
    return account
