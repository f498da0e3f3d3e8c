"""PhysioNet's deid (Perl) beside plainsight: run it where it is installed, or read what it wrote.

It reads ``NAME.text``, one record after the other, and writes ``NAME.res``, the text with marks such as
``[**Known lastname 12**]``, and ``NAME.phi``, a list of offsets without kinds. A ``.res`` file is aligned
with the original text. The program is not part of this package: it is at https://physionet.org/content/deid.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from plainsight.document import Document, Span
from plainsight.errors import DataError, SpanError, UsageError
from plainsight.interop.philter import with_spans

_RECORD = re.compile(
    r"START_OF_RECORD=([^|\n]*)\|\|\|\|([^|\n]*)\|\|\|\|\r?\n(.*?)\r?\n?\|\|\|\|END_OF_RECORD", re.DOTALL
)
_MARK = re.compile(r"\[\*\*(.*?)\*\*\]", re.DOTALL)
_NOTE = re.compile(r"Patient\s+(\S+)\s+Note\s+(\S+)")
_LINE = re.compile(r"(\d+)\s+(?:\d+\s+)?(\d+)")
_CONFIG = "deid-output.config"

_KINDS: Sequence[tuple[str, str]] = (
    ("SSN", r"social security"),
    ("MRN", r"medical record|unit number"),
    ("EMAIL", r"e-?mail"),
    ("URL", r"\burl\b|web"),
    ("PHONE", r"telephone|phone|fax|pager|contact info"),
    ("AGE", r"\bage\b"),
    ("ZIP", r"^(?:zip ?code|\d{5})"),
    ("STATE", r"^state"),
    ("COUNTRY", r"country"),
    ("ADDRESS", r"address|po box|apartment"),
    ("WARD", r"ward"),
    ("HOSPITAL", r"hospital|clinic"),
    ("COMPANY", r"company|university|college"),
    ("DOCTOR", r"doctor|attending|provider|dictator|md[ -]"),
    ("ID", r"number|identifier|\bid\b|numeric"),
    ("NAME", r"name|initial"),
    ("LOCATION", r"location"),
    ("DATE", r"^[-\d/?* ]+$|\b(?:date|month|day|year|holiday)\b"),
)
"""Kinds of marks, by what stands in them; the first that fits."""


def kind_of(mark: str) -> str:
    """Return the kind of a mark: a label of the scheme ``physionet``.

    >>> [kind_of(mark) for mark in ("Known lastname 12", "2151-7-16", "Hospital1 18", "Telephone/Fax (1)")]
    ['NAME', 'DATE', 'HOSPITAL', 'PHONE']
    """
    return next((kind for kind, sign in _KINDS if re.search(sign, mark.strip(), re.IGNORECASE)), "PHI")


def check(place: Path) -> None:
    """Refuse a place that holds neither the program nor its output, and a program without Perl."""
    if place.is_dir() and (place / "deid.pl").is_file():
        if shutil.which("perl") is None:
            raise UsageError("PhysioNet's deid needs perl")
    elif not (place.is_file() and place.suffix.lower() in (".res", ".phi")):
        raise UsageError(
            f"{place}: give the folder that holds PhysioNet's deid.pl (https://physionet.org/content/deid), "
            "or a .res or .phi file that it wrote"
        )


def mark(place: Path, documents: Sequence[Document]) -> list[Document]:
    """Return notes as deid marks them: run it from its folder, or read its ``.res`` or ``.phi`` file."""
    check(place)
    return read(place, documents) if place.is_file() else _run(place, documents)


def _run(folder: Path, documents: Sequence[Document]) -> list[Document]:
    """Run deid; the notes lie in a private folder meanwhile, because it reads files."""
    with tempfile.TemporaryDirectory(prefix=".plainsight-", suffix=".tmp") as private:
        stem = Path(private, "notes")
        records = (
            f"START_OF_RECORD={number}||||{number}||||\n{document.text}\n||||END_OF_RECORD\n"
            for number, document in enumerate(documents, start=1)
        )
        stem.with_suffix(".text").write_text("".join(records), encoding="utf-8", newline="")
        command = ["perl", "deid.pl", str(stem), _CONFIG]
        done = subprocess.run(command, cwd=folder, capture_output=True)
        result = stem.with_suffix(".res")
        if done.returncode or not result.exists():
            raise UsageError(f"{folder}/deid.pl failed with exit code {done.returncode}")
        return read(result, documents)


def read(path: Path, documents: Sequence[Document]) -> list[Document]:
    """Return notes as a ``.res`` or ``.phi`` file marks them.

    Records are matched by ids ``PATIENT-NOTE`` (also with ``/`` or ``_``), else by their order.
    """
    written = path.read_bytes().decode("utf-8", "surrogateescape")  # line ends stay
    if path.suffix.lower() == ".phi":
        records = _phi_records(written)
        found = _matched(records, documents, path)
        return [
            with_spans(note, _offsets(lines, note, path))
            for note, lines in zip(documents, found, strict=True)
        ]
    records = {(patient, note): text for patient, note, text in _RECORD.findall(written)}
    found = _matched(records, documents, path)
    return [with_spans(note, _aligned(note, text, path)) for note, text in zip(documents, found, strict=True)]


def _phi_records(written: str) -> dict[tuple[str, str], str]:
    heads = list(_NOTE.finditer(written))
    ends = [head.start() for head in heads[1:]] + [len(written)]
    return {(head[1], head[2]): written[head.end() : end] for head, end in zip(heads, ends, strict=True)}


def _matched(records: Mapping[tuple[str, str], str], documents: Sequence[Document], path: Path) -> list[str]:
    named = {f"{patient}{joint}{note}": text for (patient, note), text in records.items() for joint in "-/_"}
    if all(document.id in named for document in documents):
        return [named[document.id] for document in documents]
    if len(records) != len(documents):
        raise DataError(f"{path}: it has {len(records)} records, and there are {len(documents)} notes")
    return list(records.values())


def _offsets(lines: str, note: Document, path: Path) -> list[Span]:
    spans = []
    for start, end in _LINE.findall(lines):
        try:
            spans.append(Span(int(start), int(end), "PHI", source="physionet"))
        except SpanError:
            raise DataError(f"{path}: a mark of note {note.id} from {start} to {end}") from None
        if int(end) > len(note.text):
            raise DataError(f"{path}: a mark of note {note.id} ends at {end}, its text at {len(note.text)}")
    return spans


def _aligned(note: Document, text: str, path: Path) -> list[Span]:
    """Return what the marks of a text stand for in the original.

    The pieces between marks are found in the original, each as early as possible; marks without anything
    between them become one.
    """
    parts = _MARK.split(text)  # text, mark, text, mark, …, text
    pieces, kinds = [parts[0]], list[str]()
    for kind, piece in zip(parts[1::2], parts[2::2], strict=True):
        if pieces[-1] or not kinds:
            kinds.append(kind)
            pieces.append(piece)
        else:
            pieces[-1] = piece
    original = note.text.rstrip("\r\n")
    pieces[-1] = pieces[-1].rstrip("\r\n")
    wrong = DataError(f"{path}: the text of note {note.id} is another")
    if (not kinds and pieces[0] != original) or not original.startswith(pieces[0]):
        raise wrong
    spans, at = [], len(pieces[0])
    for number, (kind, piece) in enumerate(zip(kinds, pieces[1:], strict=True), start=1):
        is_last = number == len(kinds)
        end = len(original) - len(piece) if is_last else original.find(piece, at + 1)
        if end <= at or not original.startswith(piece, end):
            raise wrong
        spans.append(Span(at, end, kind_of(kind), source="physionet"))
        at = end + len(piece)
    return spans
