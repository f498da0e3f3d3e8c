"""FHIR R4 as JSON: a file is one resource or bundle, or NDJSON with one in each line; a folder is many files.

A record, that is a resource or a whole bundle, is one note: it is done whole or set aside. Texts, narratives
and attachments are read by the detectors. Names, dates, addresses, numbers and other identifiers are
replaced as what their element says. Ids and references become keyed codes. The patients of a bulk export
(files ``Patient….ndjson`` of the folder) are read first, so that their names are found in their notes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

import msgspec

from plainsight.document import Document, Patient, SetAside
from plainsight.errors import DataError, FormatError
from plainsight.formats.base import OpenSink
from plainsight.formats.files import file_per_note, note_files, one_file, open_bytes, read_files, set_aside
from plainsight.formats.limits import longest_note, too_long
from plainsight.sources.fhir_walk import ACTIONS, Walk, patient_of
from plainsight.sources.field_policy import load_fields
from plainsight.sources.forms import FORMS
from plainsight.sources.records import filled

_LINES = (".ndjson", ".ndjson.gz", ".jsonl", ".jsonl.gz")


@dataclass(kw_only=True)
class Fhir:
    """FHIR R4 resources and bundles. ``fields`` is a file that changes the field policy."""

    name: ClassVar[str] = "fhir"
    suffixes: ClassVar[tuple[str, ...]] = (".ndjson", ".ndjson.gz", ".fhir.json")
    reads: ClassVar[tuple[str, ...]] = (".json", ".json.gz", *_LINES)

    fields: Path | str | None = None

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield each record of a file or, recursively, a folder."""
        policy = load_fields(self.name, Path(self.fields) if self.fields else None, ACTIONS)
        known = _patients(path, self.reads, policy)
        return read_files(path, self.reads, lambda file, name: _records(file, name, policy, known))

    def record(self, id: str, data: bytes) -> Document:  # noqa: A002 - the domain's word
        """Return a resource or bundle as a note."""
        policy = load_fields(self.name, Path(self.fields) if self.fields else None, ACTIONS)
        return _document(id, data, policy, {})

    def render(self, document: Document) -> bytes:
        """Return the JSON of a note that was a resource or bundle."""
        return _render(document)

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open a file of NDJSON, a JSON file for one record, or a folder for many; spans are not written."""
        if not path.is_dir() and path.name.lower().endswith(_LINES):
            return one_file(path, lambda note: _render(note) + b"\n")
        return file_per_note(
            path, self.reads, lambda note: msgspec.json.format(_render(note), indent=2) + b"\n"
        )


def _records(
    file: Path,
    id: str,  # noqa: A002 - the domain's word
    policy: dict[str, Any],
    known: Mapping[str, Patient],
) -> Iterator[Document | SetAside]:
    with open_bytes(file) as stream:
        lines = _lines(stream)
        first = next(lines, b"")
        if first is not None and not file.name.lower().endswith(_LINES) and not _decodes(first):
            rest = stream.read(longest_note() + 1)
            if len(rest) > longest_note():
                raise FormatError(too_long(), str(file))
            yield _document(id, first + rest, policy, known)
            return
        for number, line in enumerate(chain([first], lines), start=1):
            own, where = f"{id}-{number}", f"{file}:{number}"
            if line is None:
                yield SetAside(own, too_long(), where)
            elif line.strip():
                try:
                    yield _document(own, line, policy, known)
                except DataError as error:
                    yield set_aside(own, error, where)


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines of a file; None for one that is longer than a note may be."""
    limit = longest_note()
    while line := stream.readline(limit):
        if len(line) < limit or line.endswith(b"\n"):
            yield line
            continue
        while (rest := stream.readline(limit)) and not rest.endswith(b"\n"):
            pass
        yield None


def _document(id: str, data: bytes, policy: dict[str, Any], known: Mapping[str, Patient]) -> Document:  # noqa: A002
    content = _decoded(data)
    if not isinstance(content, dict):
        raise FormatError("not a JSON object")
    try:
        patient_id, walk = patient_of(content), Walk(policy)
        document = walk.record.document(id, walk.resource(content), patient_id)
    except RecursionError:
        raise FormatError("it is nested too deeply") from None
    if patient_id is not None and patient_id in known:
        own, other = document.patient, known[patient_id]
        if own is None or not own.names:
            document = replace(document, patient=other)
    return document


_decoder = msgspec.json.Decoder(float_hook=Decimal)
_encoder = msgspec.json.Encoder(decimal_format="number")


def _decoded(data: bytes) -> Any:
    try:
        return _decoder.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, RecursionError, ValueError, ArithmeticError):
        raise FormatError("not JSON that can be read") from None


def _decodes(line: bytes) -> bool:
    try:
        return isinstance(_decoded(line), dict)
    except FormatError:
        return False


def _patients(path: Path, suffixes: tuple[str, ...], policy: dict[str, Any]) -> dict[str, Patient]:
    """Return the patients of a bulk export by id: those in the files that are named for them."""
    found: dict[str, Patient] = {}
    if not path.is_dir():
        return found
    for file, name in note_files(path, suffixes):
        if file.name.startswith("Patient") and file.name.lower().endswith(_LINES):
            try:
                for item in _records(file, name, policy, {}):
                    if isinstance(item, Document) and item.patient_id and item.patient:
                        found[item.patient_id] = item.patient
            except (DataError, OSError, EOFError):  # reading the records reports it
                continue
    return found


# --- writing ------------------------------------------------------------------------------------------------


def _render(document: Document) -> bytes:
    """Return the JSON of a record."""
    tree = filled(document, FORMS, "fhir")
    if not isinstance(tree, dict):
        raise FormatError("its record was not read from fhir")
    try:
        return _encoder.encode(_without_empty(tree))
    except (UnicodeEncodeError, msgspec.EncodeError):
        raise FormatError("JSON cannot hold a character of its text") from None


def _without_empty(value: Any) -> Any:
    """Return a tree without empty elements, which FHIR does not allow."""
    if isinstance(value, dict):
        return {
            key: one for key, item in value.items() if (one := _without_empty(item)) not in (None, {}, [])
        }
    if isinstance(value, list):
        return [one for item in value if (one := _without_empty(item)) not in (None, {}, [])]
    return value
