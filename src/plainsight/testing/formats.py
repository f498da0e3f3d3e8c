"""Check formats."""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from plainsight.document import Document, SetAside, Span
from plainsight.errors import PlainsightError, UsageError
from plainsight.formats.base import Format, write_all
from plainsight.testing.promise import expect, name_of, repeats
from plainsight.testing.samples import sample_documents
from plainsight.testing.stages import check_parts


def check_format(format: Format, documents: Sequence[Document] | None = None) -> None:  # noqa: A002
    """Check a format by writing ``documents``, or the sample documents, and reading them back.

    Its name and suffixes; keyword-only, annotated options; each note comes back with its id, its exact text
    and, if the format keeps spans at all, its spans, or is refused with a `PlainsightError` and nothing is
    written; a folder of files is read whole, if the format reads folders; a stream that breaks off leaves
    nothing behind; damaged files give a `PlainsightError` or a `SetAside`, and neither repeats note text.
    """
    check_parts(format, Format, "read")
    expect(callable(getattr(format, "open", None)), "there is an open method")
    suffixes = format.suffixes
    expect(
        isinstance(suffixes, tuple) and all(isinstance(s, str) and s.startswith(".") for s in suffixes),
        "suffixes is a tuple of strings with a dot in front",
    )
    with tempfile.TemporaryDirectory(prefix="plainsight-") as name:
        trial = _Trial(format, Path(name))
        documents = sample_documents() if documents is None else list(documents)
        held = [document for document in documents if trial.check_alone(document)]
        expect(bool(held), "at least one of the documents can be written")
        trial.check_together(held)
        trial.check_folder(held)
        trial.check_broken_stream()
        trial.check_damage()


_SECRET = "Quillfeather Obadiah"
"""The note text in damaged files: no error may repeat it."""


class _Trial:
    """Try one format in a temporary folder."""

    def __init__(self, format: Format, folder: Path) -> None:  # noqa: A002 - the domain's word
        self.format = format
        self.folder = folder
        self.suffix = format.suffixes[0] if format.suffixes else ""
        self.keeps_spans: bool | None = None
        self._used = 0

    def path(self, name: str) -> Path:
        """Return a path in a new folder."""
        self._used += 1
        folder = self.folder / f"{self._used:04}"
        folder.mkdir()
        return folder / name

    def check_alone(self, document: Document) -> bool:
        """Check that one note comes back, or is refused; return whether it was written."""
        # In formats with one note per file, the id comes from the file's name.
        note, path = replace(document, id="note"), self.path(f"note{self.suffix}")
        try:
            if not self._write([note], path):
                return False
            self._same([note], self._read(path))
        except AssertionError as error:
            raise AssertionError(f"{error} (with {name_of(document)})") from None
        return True

    def check_together(self, documents: Sequence[Document]) -> None:
        """Check that many notes come back in one go, from a stream and more than once."""
        documents = [replace(document, id=f"n{index:04}") for index, document in enumerate(documents)]
        path = self._write_many(documents)
        first = self._read(path)
        self._same(documents, first)
        expect(self._read(path) == first, "reading again gives the same")

    def check_folder(self, documents: Sequence[Document]) -> None:
        """Check that a folder of files gives the notes of all files, if the format reads folders."""
        folder = self.path("folder")
        folder.mkdir()
        notes = [replace(note, id=f"n{number}") for number, note in enumerate(documents[:3])]
        for note in notes:
            write_all(self.format, [note], folder / f"{note.id}{self.suffix}", span_column=True)
        try:
            next(self.format.read(folder), None)
        except (PlainsightError, OSError):
            return  # it reads files alone
        self._same(notes, self._read(folder))

    def check_broken_stream(self) -> None:
        """Check that a stream that fails half-way leaves nothing behind."""
        for name in (f"notes{self.suffix}", "notes"):
            path = self.path(name)
            try:
                write_all(self.format, _breaking(), path)
            except UsageError:
                continue  # one note per file: the folder is tried next
            except _BrokenOffError:
                pass
            else:
                raise AssertionError("broken promise: write lets an error of the stream pass")
            self._nothing_at(path)
            return

    def check_damage(self) -> None:
        """Check that damaged files are refused or set aside, and that no error repeats their text."""
        secret = _SECRET.encode()
        for data in (b"", secret, secret + b"\xff\xfe\x00\x81" + secret, bytes(range(256)) * 4 + secret):
            path = self.path(f"note{self.suffix}")
            path.write_bytes(data)
            self._read_damaged(path)
        note = Document("note", f"Seen: {_SECRET}, aged 67.\n", (Span(6, 26, "PATIENT"), Span(33, 35, "AGE")))
        for cut in (0.2, 0.5, 0.8, 0.95):
            whole = self._write_many([note])
            for file in sorted(whole.rglob("*")) if whole.is_dir() else [whole]:
                if file.is_file():
                    data = file.read_bytes()
                    file.write_bytes(data[: int(len(data) * cut)])
                    self._read_damaged(whole)

    def _write(self, documents: Sequence[Document], path: Path) -> bool:
        """Write from a stream; False when refused."""
        before = copy.deepcopy(documents)
        try:
            write_all(self.format, iter(documents), path, span_column=True, explain=True)
        except PlainsightError as error:
            self._silent(error, [document.text for document in documents])
            self._nothing_at(path)
            return False
        except Exception as error:
            raise AssertionError(
                f"broken promise: write refuses a note with a PlainsightError, not {type(error).__name__}"
            ) from None
        expect(list(documents) == list(before), "documents are left unchanged")
        expect(path.exists(), "write leaves its output at the path")
        return True

    def _write_many(self, documents: Sequence[Document]) -> Path:
        """Write to one file, or to a folder where a file takes one note."""
        for name in (f"notes{self.suffix}", "notes"):
            path = self.path(name)
            if self._write(documents, path):
                return path
        raise AssertionError("broken promise: notes that can be written one by one can be written together")

    def _read(self, path: Path) -> list[Document]:
        stream = self.format.read(path)
        expect(isinstance(stream, Iterator), "read gives an iterator")
        found = []
        for item in stream:
            expect(isinstance(item, Document | SetAside), "read gives Documents and SetAsides")
            expect(isinstance(item, Document), f"what write wrote is read: {_reason(item)}")
            found.append(item)
        return [item for item in found if isinstance(item, Document)]

    def _same(self, written: Sequence[Document], back: Sequence[Document]) -> None:
        expect(len(back) == len(written), f"{len(written)} notes written, {len(back)} read")
        read = {document.id: document for document in back}
        for document in written:
            expect(document.id in read, f"{name_of(document)} comes back with its id")
            twin = read[document.id]
            expect(twin.text == document.text, f"{name_of(document)}: its text comes back to the character")
            marks = [(span.start, span.end, span.label) for span in document.spans]
            marks_back = [(span.start, span.end, span.label) for span in twin.spans]
            if marks and self.keeps_spans is None:
                self.keeps_spans = bool(marks_back)
            if self.keeps_spans or marks_back:
                expect(marks_back == marks, f"{name_of(document)}: its spans come back")

    def _read_damaged(self, path: Path) -> None:
        try:
            items = list(self.format.read(path))
        except PlainsightError as error:
            self._silent(error, [_SECRET])
            return
        except Exception as error:
            raise AssertionError(
                f"broken promise: a damaged file gives a PlainsightError, not {type(error).__name__}"
            ) from None
        for item in items:
            if isinstance(item, SetAside):
                said = f"{item.id} {item.reason} {item.where}"
                expect(not repeats(said, [_SECRET]), "a note set aside does not repeat note text")

    def _silent(self, error: BaseException, texts: Sequence[str]) -> None:
        """Check an error and all that a traceback would print with it."""
        chain: BaseException | None = error
        while chain is not None:
            said = f"{chain} {chain.args!r}"
            expect(not repeats(said, texts), f"{type(chain).__name__} does not repeat note text")
            chain = chain.__cause__ or (None if chain.__suppress_context__ else chain.__context__)

    def _nothing_at(self, path: Path) -> None:
        expect(not list(path.parent.iterdir()), "a write that fails leaves nothing behind")


class _BrokenOffError(Exception):
    pass


def _breaking() -> Iterator[Document]:
    yield Document("n1", "First note.")
    yield Document("n2", "Second note.")
    raise _BrokenOffError


def _reason(item: object) -> str:
    return item.reason if isinstance(item, SetAside) else ""
