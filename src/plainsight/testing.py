"""The contract suite: check that a detector, an operation or a format keeps its promises.

Plugin authors call it in their own tests; every built-in is checked, too::

    from plainsight.testing import check_detector

    def test_contract():
        check_detector(BadgeDetector())

A broken promise is an `AssertionError` that says which one, without repeating note text.
"""

from __future__ import annotations

import copy
import inspect
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from plainsight.detect.base import Detector
from plainsight.document import Address, Document, Patient, SetAside, Span
from plainsight.errors import PlainsightError, UsageError
from plainsight.formats.base import Format, write_all
from plainsight.labels import LABELS
from plainsight.replace.base import KeyedOperation, Operation

__all__ = ["check_detector", "check_format", "check_operation", "sample_documents"]

Result = TypeVar("Result")


def check_detector(detector: Detector, documents: Sequence[Document] | None = None) -> None:
    """Check a detector on ``documents``, or on the sample documents.

    Its name and labels; keyword-only, annotated options; spans inside the text, with its own labels and
    source; the same spans again, in any order of the documents, and one document at a time; documents left
    unchanged; nothing found in nothing.
    """
    _check_parts(detector, Detector, "detect")
    labels = getattr(detector, "labels", None)
    _expect(
        isinstance(labels, frozenset) and all(isinstance(label, str) and label for label in labels),
        "labels is a frozenset of strings",
    )
    unknown = sorted(detector.labels.difference(LABELS))
    _expect(not unknown, f"labels are among the 28 that policies take; not {unknown}")
    documents = sample_documents() if documents is None else list(documents)
    found = _check_calls(detector.detect, documents, [[document] for document in documents])
    for document, spans in zip(documents, found, strict=True):
        for span in spans:
            _expect(isinstance(span, Span), f"{_of(document)}: detect gives Spans")
            _expect(
                span.end <= len(document.text),
                f"{_of(document)}: span ends at {span.end}, inside {len(document.text)} characters",
            )
            _expect(span.label in detector.labels, f"{_of(document)}: {span.label!r} is one of its labels")
            _expect(
                span.detector == detector.name,
                f"{_of(document)}: source {span.source!r} is {detector.name!r} or begins with it and a dot",
            )


def check_operation(operation: Operation, documents: Sequence[Document] | None = None) -> None:
    """Check an operation on the spans of ``documents``, or on those of the sample documents.

    Its name; keyword-only, annotated options; one string for each span; the same strings again, in any
    order of the documents, and one patient at a time; documents left unchanged; labels it has never
    seen taken like any other. A `KeyedOperation` is given a key.
    """
    _check_parts(operation, Operation, "replace")
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
        _expect(len(texts) == len(document.spans), f"{_of(document)}: one replacement for each span")
        _expect(all(isinstance(text, str) for text in texts), f"{_of(document)}: replacements are strings")


def check_format(format: Format, documents: Sequence[Document] | None = None) -> None:  # noqa: A002
    """Check a format by writing ``documents``, or the sample documents, and reading them back.

    Its name and suffixes; keyword-only, annotated options; each note comes back with its id, its exact text
    and, if the format keeps spans at all, its spans, or is refused with a `PlainsightError` and nothing is
    written; a folder of files is read whole, if the format reads folders; a stream that breaks off leaves
    nothing behind; damaged files give a `PlainsightError` or a `SetAside`, and neither repeats note text.
    """
    _check_parts(format, Format, "read")
    _expect(callable(getattr(format, "open", None)), "there is an open method")
    suffixes = format.suffixes
    _expect(
        isinstance(suffixes, tuple) and all(isinstance(s, str) and s.startswith(".") for s in suffixes),
        "suffixes is a tuple of strings with a dot in front",
    )
    with tempfile.TemporaryDirectory(prefix="plainsight-") as name:
        trial = _Trial(format, Path(name))
        documents = sample_documents() if documents is None else list(documents)
        held = [document for document in documents if trial.check_alone(document)]
        _expect(bool(held), "at least one of the documents can be written")
        trial.check_together(held)
        trial.check_folder(held)
        trial.check_broken_stream()
        trial.check_damage()


# --- detectors and operations -----------------------------------------------------------------------------


def _expect(kept: object, promise: str) -> None:
    # Not an assert statement: the suite must also work under ``python -O``.
    if not kept:
        raise AssertionError(f"broken promise: {promise}")


def _of(document: Document) -> str:
    return f"doc {document.id}"


def _check_parts(plugin: object, protocol: type, method: str) -> None:
    """Check what can be seen without running: name, method, options."""
    _expect(not isinstance(plugin, type), "an instance is checked, not a class")
    _expect(isinstance(plugin, protocol), f"it has all parts of the {protocol.__name__} protocol")
    name = getattr(type(plugin), "name", None)
    _expect(isinstance(name, str) and name, "name is a string and belongs to the class")
    _expect(callable(getattr(plugin, method, None)), f"there is a {method} method")
    for option, parameter in inspect.signature(type(plugin)).parameters.items():
        _expect(parameter.kind is parameter.KEYWORD_ONLY, f"option {option!r} is keyword-only")
        _expect(parameter.annotation is not parameter.empty, f"option {option!r} has a type")


def _check_calls(
    call: Callable[[Sequence[Document]], list[list[Result]]],
    documents: Sequence[Document],
    alone: Iterable[Sequence[Document]],
) -> list[list[Result]]:
    """Check that a batch method is a pure function of each document, or each patient's documents."""
    before = copy.deepcopy(documents)
    results = call(documents)
    _check_shape(results, len(documents))
    _expect(call(documents) == results, "a second call gives the same")
    _expect(list(documents) == list(before), "documents are left unchanged")
    _expect(call([]) == [], "no documents give an empty list")
    backwards = call(documents[::-1])
    _check_shape(backwards, len(documents))
    for document, first, second in zip(documents, results, reversed(backwards), strict=True):
        _expect(first == second, f"{_of(document)}: the order of the documents does not matter")
    index = {id(document): number for number, document in enumerate(documents)}
    for batch in alone:
        apart = call(batch)
        _check_shape(apart, len(batch))
        for document, result in zip(batch, apart, strict=True):
            _expect(result == results[index[id(document)]], f"{_of(document)}: other documents do not matter")
    return results


def _check_shape(results: object, count: int) -> None:
    _expect(
        isinstance(results, list) and len(results) == count and all(isinstance(r, list) for r in results),
        "a call gives one list for each document",
    )


# --- formats ----------------------------------------------------------------------------------------------

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
            raise AssertionError(f"{error} (with {_of(document)})") from None
        return True

    def check_together(self, documents: Sequence[Document]) -> None:
        """Check that many notes come back in one go, from a stream and more than once."""
        documents = [replace(document, id=f"n{index:04}") for index, document in enumerate(documents)]
        path = self._write_many(documents)
        first = self._read(path)
        self._same(documents, first)
        _expect(self._read(path) == first, "reading again gives the same")

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
        _expect(list(documents) == list(before), "documents are left unchanged")
        _expect(path.exists(), "write leaves its output at the path")
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
        _expect(isinstance(stream, Iterator), "read gives an iterator")
        found = []
        for item in stream:
            _expect(isinstance(item, Document | SetAside), "read gives Documents and SetAsides")
            _expect(isinstance(item, Document), f"what write wrote is read: {_reason(item)}")
            found.append(item)
        return [item for item in found if isinstance(item, Document)]

    def _same(self, written: Sequence[Document], back: Sequence[Document]) -> None:
        _expect(len(back) == len(written), f"{len(written)} notes written, {len(back)} read")
        read = {document.id: document for document in back}
        for document in written:
            _expect(document.id in read, f"{_of(document)} comes back with its id")
            twin = read[document.id]
            _expect(twin.text == document.text, f"{_of(document)}: its text comes back to the character")
            marks = [(span.start, span.end, span.label) for span in document.spans]
            marks_back = [(span.start, span.end, span.label) for span in twin.spans]
            if marks and self.keeps_spans is None:
                self.keeps_spans = bool(marks_back)
            if self.keeps_spans or marks_back:
                _expect(marks_back == marks, f"{_of(document)}: its spans come back")

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
                _expect(not _repeats(said, [_SECRET]), "a note set aside does not repeat note text")

    def _silent(self, error: BaseException, texts: Sequence[str]) -> None:
        """Check an error and all that a traceback would print with it."""
        chain: BaseException | None = error
        while chain is not None:
            said = f"{chain} {chain.args!r}"
            _expect(not _repeats(said, texts), f"{type(chain).__name__} does not repeat note text")
            chain = chain.__cause__ or (None if chain.__suppress_context__ else chain.__context__)

    def _nothing_at(self, path: Path) -> None:
        _expect(not list(path.parent.iterdir()), "a write that fails leaves nothing behind")


class _BrokenOffError(Exception):
    pass


def _breaking() -> Iterator[Document]:
    yield Document("n1", "First note.")
    yield Document("n2", "Second note.")
    raise _BrokenOffError


def _repeats(said: str, texts: Iterable[str]) -> bool:
    """Whether a message holds a long word of a text."""
    return any(word in said for text in texts for word in text.split() if len(word) >= 8)


def _reason(item: object) -> str:
    return item.reason if isinstance(item, SetAside) else ""


# --- documents --------------------------------------------------------------------------------------------

_NOTE = """Memphis Bluff Clinic  MRN 0371-88-214
Patient: {{PATIENT}}  DOB {{DATE}}  Age {{AGE}}
Seen 3/4/2019 by Dr. {{DOCTOR}}, pager 4471; lives at {{STREET}}, {{CITY}}, {{STATE}} {{ZIP}}.
Call {{PHONE}} or write to {{EMAIL}}. BP 120/80, pain 6/10.
"""
_VALUES = {
    "PATIENT": "Theodora Quist",
    "DATE": "02/26/1985",
    "AGE": "67",
    "DOCTOR": "Okafor",
    "STREET": "128 Williams Ct\nApt 4",
    "CITY": "Memphis",
    "STATE": "TN",
    "ZIP": "38114-1702",
    "PHONE": "(901) 555-0123",
    "EMAIL": "t.quist@example.org",
}


def sample_documents() -> list[Document]:
    """Return easy notes, notes with every label, and strange texts."""
    patient = Patient(
        id="p1",
        names=("Theodora Quist",),
        providers=("Okafor",),
        addresses=(Address(street="128 Williams Ct", city="Memphis", state="TN", zip="38114"),),
        phones=("901-555-0123",),
        ids=(("MEDICALRECORD", "0371-88-214"),),
        dates=("1985-02-26",),
    )
    note = _filled("easy", _NOTE, _VALUES)
    strange = {
        "empty": "",
        "blank": " \n\t \n",
        "no-newline": "Seen by Dr. Okafor",
        "crlf": "Seen by Dr. Okafor\r\non 3/4/2019\r\n\r\nold Mac\rend",
        "nul": "Dr. Okafor\x00 saw \x00\x01\x1b[31m Ms. Quist on 3/4\x7f",
        "surrogate": "Dr. Okafor \ud83d saw \udc00 Ms. Quist",
        "right-to-left": "ראתה את Dr. כהן ב-3/4/2019 \u202eabc\u202c مريض ٦٧",
        "emoji": "👩🏽‍⚕️ Dr. Okafor 🙂 saw Zoë Q\u0301uist 👨‍👩‍👧 on 3/4/2019",
        "wide": "Ｄｒ．Ｏｋａｆｏｒ　on ２０１９／３／４ İstanbul ﬁne ½",
        "spaces": "Dr.\u00a0Okafor\u2003saw\u2028Ms.\u0085Quist\u200b on\u00ad 3/4\ufeff",
        "markup": '<PHI TYPE="DATE">3/4</PHI> & {{DATE|x}} ]]> <!-- --> "a,b",\t\'c\' \\n T1\tDATE 0 3\tabc',
        "long-line": "Dr. Okafor saw Ms. Quist on 3/4/2019; " * 3000,
        "digits": "0123456789" * 500,
        "one": "x",
    }
    documents = [
        replace(note, patient_id="p1", patient=patient),
        replace(note, id="easy-again", patient_id="p1", patient=patient),
        replace(note, id="other-patient", patient_id="p2", meta={"note_type": "letter", "beds": [1, 2]}),
        _filled("labels", " ".join(f"{{{{{label}}}}}" for label in (*LABELS, "BADGE")), _any_value()),
        _filled("touching", "{{PATIENT}}{{DATE}}{{AGE}}", _VALUES),
    ]
    for name, text in strange.items():
        documents.append(Document(f"strange-{name}", text))
        if text.strip():
            documents.append(replace(documents[-1], id=f"marked-{name}", spans=(_first_words(text),)))
    return documents


def _any_value() -> dict[str, str]:
    return {label: _VALUES.get(label, f"{label.title()} 77") for label in (*LABELS, "BADGE")}


def _first_words(text: str) -> Span:
    """Mark about ten characters at the beginning of a text, without white space at the edges."""
    start = len(text) - len(text.lstrip())
    return Span(start, start + len(text[start : start + 10].rstrip()), "PATIENT")


def _filled(name: str, template: str, values: dict[str, str]) -> Document:
    """Fill values into a template and mark them."""
    pieces: list[str] = []
    spans: list[Span] = []
    length = 0
    for index, part in enumerate(piece for chunk in template.split("{{") for piece in chunk.split("}}")):
        text = values[part] if index % 2 else part
        if index % 2:
            spans.append(Span(length, length + len(text), part))
        pieces.append(text)
        length += len(text)
    return Document(name, "".join(pieces), tuple(spans))
