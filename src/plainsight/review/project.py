"""A review project: open or make one, and all that can be done with it.

>>> from tempfile import TemporaryDirectory
>>> from plainsight.document import Document
>>> with TemporaryDirectory() as folder:
...     with Project.create(f"{folder}/ward", policy="fast") as project:
...         added = project.import_notes([Document("1", "Seen by Dr. Okafor on 3/4/2019.")]).added
...         print(added, [span.label for span in project.document(1).spans])
1 ['DOCTOR', 'DATE']
"""

from __future__ import annotations

import getpass
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from plainsight.config import Policy
from plainsight.document import Document, Span
from plainsight.errors import DataError, PlainsightError, UsageError
from plainsight.labels import LABELS
from plainsight.pipeline import Item, Pipeline
from plainsight.review import store
from plainsight.review.audit_log import AuditLog
from plainsight.review.edits import MADE, Add, Edit, apply, found_state, read_edits
from plainsight.review.folder import Folder, Settings, new_folder, open_folder
from plainsight.review.importing import Imported, Importer
from plainsight.review.notes import DONE, Note, Notes
from plainsight.review.queue import Queue
from plainsight.review.readings import Reading, Readings
from plainsight.review.row_seals import RowSeals
from plainsight.review.store import Store
from plainsight.review.users import ADMIN, User, Users
from plainsight.run.processes import Limits

_FORMAT = 2


class Project:
    """An open project. ``clock`` gives the time in seconds since 1970."""

    def __init__(self, folder: Folder, opened: Store, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self.store = opened
        self.clock = clock
        self.audit_log = AuditLog(opened, folder.key("audit log"))
        self.seals = RowSeals(opened, folder)
        self.users = Users(opened, folder, self.seals, self.audit_log, clock)
        self.note_table = Notes(opened, folder, self.seals)
        self.queue = Queue(opened, folder, self.note_table, clock)
        self.readings = Readings(
            opened, folder, self.seals, self.note_table, self.audit_log, clock, lambda: self.labels
        )
        self._replacing = threading.Lock()

    def __repr__(self) -> str:
        return f"Project({self.name!r})"

    def __enter__(self) -> Project:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self.store.close()

    @classmethod
    def create(
        cls,
        folder: str | Path,
        *,
        policy: str | Path | Policy,
        key: bytes | None = None,
        name: str | None = None,
        url: str | None = None,
        readers: int = 1,
        audit: float = 0.05,
        seed: int = 0,
        clock: Callable[[], float] = time.time,
    ) -> Project:
        """Make a project. Without a ``key``, one is made and kept in the folder.

        ``url`` is that of a PostgreSQL database; without it, the database is in the folder. ``readers`` is
        how many people read each note, blind to each other. ``audit`` is the share of the notes that are
        drawn for the audit sample, or, as a whole number, how many of each import.
        """
        path = Path(folder)
        settings = Settings(name or path.absolute().name, "", readers, audit, seed)
        made = new_folder(path, policy=policy, key=key, url=url, settings=settings)
        opened = made.open_store(new=True)
        project = cls(made, opened, clock)
        opened.create()
        with opened.write() as connection:
            if connection.execute(sa.select(store.about.c.name)).first():
                raise UsageError("the database holds a project already: give another one")
            values = [
                {"name": "format", "value": str(_FORMAT)},
                {"name": "project", "value": made.settings.salt},
            ]
            connection.execute(store.about.insert(), values)
            project.seals.begin(connection)
            project.audit_log.begin(connection)
            project.audit_log.add(connection, clock(), _owner(), "make project")
        project.users.add(_owner(), ADMIN, by=_owner())
        return project

    @classmethod
    def open(
        cls, folder: str | Path, *, key: bytes | None = None, clock: Callable[[], float] = time.time
    ) -> Project:
        """Open a project with its key; without one, with the key in its folder."""
        opened = open_folder(Path(folder), key)
        tables = opened.open_store()
        try:
            with tables.read() as connection:
                rows = connection.execute(sa.select(store.about.c.name, store.about.c.value)).all()
        except PlainsightError:
            raise DataError(f"{folder}: the project's database cannot be read") from None
        said = {row.name: row.value for row in rows}
        if said.get("format", "").isdigit() and int(said["format"]) < _FORMAT:
            raise DataError(
                f"{folder}: the project was made by an earlier version, which did not seal its rows: make it "
                "anew (plainsight project new) and import its notes again"
            )
        if said.get("format") != str(_FORMAT) or said.get("project") != opened.settings.salt:
            raise DataError(f"{folder}: the database is of another project or another version")
        return cls(opened, tables, clock)

    # --- what it is -------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the project."""
        return self.folder.settings.name

    @property
    def settings(self) -> Settings:
        """What the project was made with."""
        return self.folder.settings

    @property
    def secret(self) -> bytes:
        """The project's key, with which its surrogates are drawn."""
        return self.folder.secret

    @cached_property
    def policy(self) -> Policy:
        """The policy that finds and replaces identifiers."""
        return self.folder.policy

    @cached_property
    def pipeline(self) -> Pipeline:
        """A pipeline with the policy and the key of the project."""
        return Pipeline(self.policy, key=self.secret)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels that the policy replaces: those that a mark can have."""
        wanted = self.policy.labels
        return tuple(label for label in LABELS if label in wanted) + tuple(sorted(wanted - set(LABELS)))

    def use_policy(self, policy: Policy, *, by: str) -> None:
        """Give the project another policy; what was found in its notes stays."""
        self.folder.settings = self.folder.with_policy(policy).settings
        for name in ("policy", "pipeline", "labels"):
            self.__dict__.pop(name, None)
        self.log(by, "change policy")

    def local_admin(self) -> User:
        """Return the person who made the project and may open it without a password."""
        for user in self.users.all():
            if user.may(ADMIN) and not user.has_password:
                return user
        raise UsageError("every admin of the project has a password: log in with it")

    # --- notes ------------------------------------------------------------------------------------------

    def import_notes(
        self,
        documents: Iterable[Item],
        *,
        audit: float | None = None,
        marked: bool = False,
        processes: int = 1,
        limits: Limits | None = None,
        by: str | None = None,
    ) -> Imported:
        """Run the policy on notes and put them into the queue; notes whose id is there are skipped.

        With ``marked``, the spans of the documents are taken as found instead, without those that the policy
        does not replace. ``audit`` is as for `create`.
        """
        importer = Importer(self.store, self.folder, self.seals, self.note_table)
        done = importer.run(
            documents, self.pipeline, audit=audit, marked=marked, processes=processes, limits=limits
        )
        if done.added:
            self.log(by or _owner(), f"import {done.added} notes")
        return done

    def notes(self, state: str | None = None) -> Iterator[Note]:
        """Yield the notes in the order of the import, without their text."""
        return self.note_table.list(state=state)

    def audit_notes(self) -> Iterator[Note]:
        """Yield the notes of the audit sample. No reader may see which they are."""
        return self.note_table.list(audit=True)

    def document(self, note: int) -> Document:
        """Return a note with what the policy found in it."""
        with self.store.read() as connection:
            return self.note_table.document(connection, note)

    def spans_now(self, note: int) -> tuple[Span, ...]:
        """Return what the policy in use finds in a note, whatever it found when the note was read."""
        with self.store.read() as connection:
            return self.note_table.found(connection, note).now

    def final_spans(self, note: int) -> tuple[Span, ...] | None:
        """Return the spans of a note that is read: adjudicated, or those of its readers; else None."""
        with self.store.read() as connection:
            return self.readings.final_spans(connection, note)

    def final_document(self, note: int) -> Document | None:
        """Return a note that is read with its final spans; else None."""
        with self.store.read() as connection:
            spans = self.readings.final_spans(connection, note)
            return None if spans is None else self.note_table.document(connection, note, spans)

    def unread_document(self, note: int) -> Document:
        """Return a note that is not read, as it would be released.

        It has what the policy in use finds, and what readers marked beside that, such as all alike in the
        project. What they rejected is hidden as long as nobody finished the note.
        """
        with self.store.read() as connection:
            found, text = self.note_table.found(connection, note), self.note_table.text(connection, note)
            state = found_state(found.now)
            for marks in self.readings.begun(connection, note):
                wanted = [Add(one.start, one.end, one.label) for one in marks if one.status in MADE]
                state = apply(text, state, wanted, self.labels)
            return self.note_table.document(connection, note, state.spans)

    def final_documents(self) -> Iterator[Document]:
        """Yield all notes that are read, with their final spans."""
        for note in self.notes(state=DONE):
            document = self.final_document(note.id)
            if document is not None:
                yield document

    # --- readings ---------------------------------------------------------------------------------------

    def reading(self, note: int, reader: str) -> Reading:
        """Return a reader's reading of a note."""
        return self.readings.get(note, reader)

    def edit(
        self,
        note: int,
        reader: str,
        edits: Sequence[Edit] | Sequence[dict[str, Any]],
        revision: int,
        *,
        seconds: float = 0.0,
    ) -> Reading:
        """Make edits, objects or their JSON, at a revision of a reading; they are one step of undo."""
        read = read_edits(edits) if any(isinstance(edit, dict) for edit in edits) else edits
        return self.readings.edit(note, reader, read, revision, seconds=seconds)  # type: ignore[arg-type]

    def undo(self, note: int, reader: str, revision: int) -> Reading:
        """Take back the last step."""
        return self.readings.undo(note, reader, revision)

    def redo(self, note: int, reader: str, revision: int) -> Reading:
        """Make the step again that was taken back last."""
        return self.readings.redo(note, reader, revision)

    def finish(
        self, note: int, reader: str, seconds: float = 0.0, *, revision: int | None = None, done: bool = True
    ) -> Reading:
        """Say that a reader has read a note, or not after all."""
        return self.readings.finish(note, reader, seconds, revision=revision, done=done)

    def adjudicate(self, note: int, by: str, spans: Sequence[Span]) -> None:
        """Write the spans of a note that count, whatever its readers made of it."""
        self.readings.adjudicate(note, by, spans)

    def preview(self, note: int, reader: str) -> tuple[str, list[tuple[Span, int]]]:
        """Return a note with surrogates by the marks as they are now, and which mark each stands for."""
        from plainsight.review.preview import preview

        reading = self.reading(note, reader)
        with self._replacing:
            return preview(self.pipeline, self.document(note), reading.marks)

    # --- the log ----------------------------------------------------------------------------------------

    def log(self, user: str, action: str, *, note: int | None = None, label: str | None = None) -> None:
        """Write an entry of the audit log; no word of a note may be in it."""
        with self.store.write() as connection:
            self.audit_log.add(connection, self.clock(), user, action, note=note, label=label)


def _owner() -> str:
    """Return the name of whoever runs the program."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in a container
        return "admin"
