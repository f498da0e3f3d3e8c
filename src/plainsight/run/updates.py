"""Add a night's notes to an output: new files, a new part, or rows of a database's table.

An output that is updated is a folder or a table. A format that writes one file a note adds and replaces
files; any other adds one part a night (``part-00002.jsonl``), and a note that has changed is taken out of its
earlier part. A database replaces rows itself, in one transaction (`sources.sql_sink`).
All steps can be done again, so a night that is killed half-way through them is finished by the next run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from plainsight.document import Document
from plainsight.errors import DataError, UsageError, plural
from plainsight.formats.base import Format, has_one_note_a_file
from plainsight.formats.files import atomic_file
from plainsight.formats.staging import Staged, staged, sync
from plainsight.formats.urls import UrlPath
from plainsight.run.nights import NoteIndex


class Update:
    """One night of an output; ``format`` reads and writes it, ``released`` gives the id of a note in it.

    ``begun`` says that the night was begun before and killed.
    """

    def __init__(
        self,
        output: Path,
        format: Format,  # noqa: A002 - the domain's word
        index: NoteIndex,
        released: Callable[[str], str],
        *,
        begun: bool,
    ) -> None:
        self._output, self._format, self._index, self._released = output, format, index, released
        self._by_file = has_one_note_a_file(format)
        self._is_table = isinstance(output, UrlPath)
        if not self._is_table and output.exists() and not output.is_dir():
            raise UsageError(f"{output}: an output that is updated is a folder, and this is a file")
        filled = output.exists() if self._is_table else output.is_dir() and any(output.iterdir())
        if index.night == 1 and filled and not begun:
            raise UsageError(f"{output} was not made with --update; give another output")
        self.deleted = 0

    def staged(self) -> AbstractContextManager[Staged | None]:
        """Open a place inside the output for what this night writes; a table needs none."""
        if self._is_table:
            return nullcontext()
        self._output.mkdir(exist_ok=True)
        return staged(self._part(self._index.night), as_folder=self._by_file)

    def place(self, made: Staged, notes: int) -> None:
        """Put what this night wrote where it belongs."""
        if self._by_file:
            self._move_files(made.path)
            return
        for night, ids in self._index.superseded.items():
            self._drop(self._part(night), {self._released(note) for note in ids})
        if notes:
            made.place()

    def about(self) -> dict[str, Any]:
        """Return the counts for the manifest."""
        index = self._index
        return {
            "night": index.night,
            "new": index.added - index.changed,
            "changed": index.changed,
            "unchanged": index.unchanged,
            "no_longer_in_the_input": self.deleted,
        }

    def __str__(self) -> str:
        """Return the counts for the screen."""
        counts = self.about()
        return (
            f"run {counts['night']} of this output: {counts['new']} new, {counts['changed']} changed, "
            f"{plural(counts['unchanged'], 'note')} as before, {self.deleted} no longer in the input"
        )

    def write_deleted(self, path: Path) -> None:
        """List the notes that the output holds and the input no longer does; no file if there are none."""
        with atomic_file(path) as temporary, temporary.open("w", encoding="utf-8") as file:
            for note in self._index.deleted():
                self.deleted += 1
                file.write(json.dumps({"id": self._released(note)}) + "\n")
        if not self.deleted:
            path.unlink()

    def _part(self, night: int) -> Path:
        suffix = self._format.suffixes[0] if self._format.suffixes else ""
        return self._output / f"part-{night:05}{suffix}"

    def _move_files(self, folder: Path) -> None:
        for root, _, names in os.walk(folder):
            for name in names:
                file = Path(root, name)
                sync(file)
                goal = self._output / file.relative_to(folder)
                goal.parent.mkdir(parents=True, exist_ok=True)
                file.replace(goal)

    def _drop(self, part: Path, ids: Collection[str]) -> None:
        """Write an earlier part again without some notes."""
        if not part.exists():  # all its notes have changed before
            return
        kept = 0
        with self._format.open(part) as sink:
            for item in self._format.read(part):
                if not isinstance(item, Document):
                    raise DataError(f"{part} cannot be read as it was written: has it been changed?")
                if item.id not in ids:
                    kept += 1
                    sink.write(item)
        if not kept:
            part.unlink()
