"""JSON lines: one note a line, the interchange form everywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from plainsight.document import Document, Patient, SetAside, Span
from plainsight.errors import DataError
from plainsight.formats.base import OpenSink, free_key, plain_meta
from plainsight.formats.compression import also_compressed
from plainsight.formats.datasets import file_or_dataset, in_part, part_of
from plainsight.formats.encodings import (
    READ_ERRORS,
    Encoding,
    Undecoded,
    find_encoding,
    first_bytes,
    read_lines,
    refuse_binary,
    refuse_encoded,
)
from plainsight.formats.files import one_file, open_bytes, read_files
from plainsight.formats.limits import cause

_DEEPEST = 64  # levels of lists and objects in a line
_KEYS = frozenset(["id", "text", "patient_id", "patient", "meta", "spans"])


@dataclass(kw_only=True)
class JsonLines:
    """Notes as JSON lines, compressed when the file's name ends in ``.gz``, ``.bz2``, ``.xz`` or ``.zst``.

    A line is an object with ``id``, ``text`` and perhaps ``patient_id``, ``patient`` (what the record knows;
    never written), ``spans`` and ``meta``. Other keys become meta and are written back beside it.
    ``encoding`` declares an input that is not UTF-8.
    """

    name: ClassVar[str] = "jsonl"
    suffixes: ClassVar[tuple[str, ...]] = also_compressed(".jsonl", ".ndjson")

    encoding: str | None = None

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the note of each line, setting aside those that are none; a folder's files in order."""
        numbers = count()

        def notes(file: Path, note_id: str) -> Iterator[Document | SetAside]:
            part = part_of(file, path, next(numbers), self.suffixes)
            return (in_part(item, part) for item in self._read_file(file, note_id))

        return read_files(path, self.suffixes, notes)

    def _read_file(self, file: Path, _id: str) -> Iterator[Document | SetAside]:
        number = 0
        try:
            encoding = self._encoding(file)
            with open_bytes(file) as stream:
                for number, line in enumerate(read_lines(stream, encoding), start=1):
                    if not line.isspace():
                        yield _note(line, number, file)
        except (*READ_ERRORS, UnicodeError) as error:
            # the lines before are good: keep them, and report that some are lost
            reason = f"cannot be read ({cause(error)}), nor any line after it"
            yield SetAside(f"line {number + 1}", reason, f"{file}:{number + 1}")

    def _encoding(self, file: Path) -> Encoding:
        """Look at the beginning: JSON is UTF-8 unless declared or marked otherwise."""
        head = first_bytes(lambda: open_bytes(file))
        marked = head.startswith((b"\xff\xfe", b"\xfe\xff"))
        if self.encoding is None and not marked:
            refuse_binary(head, str(file))
            return Encoding("utf-8", bom=head.startswith(b"\xef\xbb\xbf"))
        return find_encoding(lambda: open_bytes(file), str(file), self.encoding)

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open a file, in UTF-8, that gets a line for each note, or a folder of such files."""
        return file_or_dataset(
            path, self.suffixes, lambda file: one_file(file, lambda note: _line(note, explain=explain))
        )


def _note(line: str, number: int, file: Path) -> Document | SetAside:
    """Read one line, or say why it is no note."""
    note_id = f"line {number}"
    try:
        if isinstance(line, Undecoded):
            raise DataError(line.problem)
        record = _object(line)
        given = record.get("id")
        if type(given) is int:
            note_id = str(given)
        elif isinstance(given, str):
            note_id = given
        else:
            raise DataError("no id" if given is None else "the id is neither a string nor a whole number")
        return _document(note_id, record)
    except DataError as error:
        return SetAside(note_id, str(error), f"{file}:{number}")


_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


def _object(line: str) -> dict[str, Any]:
    try:
        try:
            record = _decode(line)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            record = json.loads(line)  # reads what msgspec refuses: NaN, lone surrogates
    except json.JSONDecodeError as error:
        raise DataError(f"not JSON at column {min(error.pos, len(line.rstrip())) + 1}") from None
    except (ValueError, RecursionError):  # numbers without end, brackets without end
        raise DataError("not JSON that can be read") from None
    if not isinstance(record, dict):
        raise DataError("not a JSON object")
    return record


def _document(note_id: str, record: dict[str, Any]) -> Document:
    text = record.get("text")
    if not isinstance(text, str):
        raise DataError("no text" if text is None else "the text is not a string")
    refuse_encoded(text)
    patient_id, patient = record.get("patient_id"), None
    if type(patient_id) is int:
        patient_id = str(patient_id)
    elif not isinstance(patient_id, str | None):
        raise DataError("the patient_id is neither a string nor a whole number")
    if record.get("patient") is not None:
        patient = _patient(record["patient"], patient_id)
        patient_id = patient_id if patient_id is not None else patient.id
    spans = read_spans(record["spans"]) if record.get("spans") else ()
    return Document(note_id, text, spans, patient_id, patient, _meta(record))


def _patient(record: Any, patient_id: str | None) -> Patient:
    try:
        if isinstance(record, dict) and patient_id is not None:
            record = {"patient_id": patient_id, **record}
        return Patient.from_json(record)
    except (TypeError, ValueError, AttributeError, RecursionError):
        raise DataError("the patient is not a patient record") from None


def read_spans(records: Any) -> tuple[Span, ...]:
    """Read the interchange form of a note's spans, in any order."""
    if not isinstance(records, list):
        raise DataError("spans are not a list")
    try:
        return tuple(sorted(map(Span.from_json, records)))
    except TypeError:
        raise DataError("a span's claims are not a list") from None


def _meta(record: dict[str, Any]) -> dict[str, Any]:
    """Collect the other keys of a line; ``_jsonl`` says where each one was, for writing it back."""
    inner = record.get("meta")
    integers = [key for key in ("id", "patient_id") if type(record.get(key)) is int]
    if not (inner or integers or record.keys() - _KEYS):
        return {}
    if not isinstance(inner, dict | None):
        raise DataError("meta is not an object")
    _refuse_deep(record)
    meta: dict[str, Any] = {}
    was: dict[str, Any] = {"integers": integers} if integers else {}
    for key, value in (inner or {}).items():
        meta[name := free_key(key, meta)] = value
        if name != key:
            was.setdefault("inside", {})[name] = key
    for key in record:
        if key not in _KEYS:
            meta[name := free_key(key, meta)] = record[key]
            was.setdefault("beside", {})[name] = key
    if was:
        meta["_jsonl"] = was
    return meta


def _refuse_deep(record: Any) -> None:
    """Refuse data that is nested so deeply that code which walks through it would fail."""
    level = [record]
    for _ in range(_DEEPEST):
        level = [inner for value in level for inner in _inner(value)]
        if not level:
            return
    raise DataError(f"data nested more than {_DEEPEST} deep")


def _inner(value: Any) -> list[Any]:
    values = value.values() if isinstance(value, dict) else value
    return [inner for inner in values if isinstance(inner, dict | list)]


_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode
_escaped = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), default=str).encode
_SPLIT_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def _line(document: Document, *, explain: bool) -> bytes:
    """Render the interchange form of one document."""
    was = document.meta.get("_jsonl") or {}
    integers = was.get("integers", ())
    record: dict[str, Any] = {"id": _original_id(document.id, "id" in integers), "text": document.text}
    if document.patient_id is not None:
        record["patient_id"] = _original_id(document.patient_id, "patient_id" in integers)
    if meta := plain_meta(document.meta):
        beside, inside = was.get("beside", {}), was.get("inside", {})
        if inner := {inside.get(key, key): value for key, value in meta.items() if key not in beside}:
            record["meta"] = inner
        record.update((beside[key], value) for key, value in meta.items() if key in beside)
    record["spans"] = [span.to_json(explain=explain) for span in document.spans]
    if not meta:  # which may hold what only json can write
        with suppress(TypeError, UnicodeError):
            return _encode(record) + b"\n"
    line = _compact(record)
    try:
        return f"{line}\n".encode()
    except UnicodeEncodeError:
        # A lone surrogate has no bytes in UTF-8, but an escape in JSON. Two that are apart in the text would
        # read back from escapes as one character and shift every span, so they alone are written raw.
        if _SPLIT_PAIR.search(line):
            return f"{line}\n".encode("utf-8", "surrogatepass")
        return f"{_escaped(record)}\n".encode()


def _original_id(value: str, integer: bool) -> str | int:
    """Return an id as the number that it was read from, unless it has changed."""
    with suppress(ValueError):
        if integer and str(number := int(value)) == value:
            return number
    return value
