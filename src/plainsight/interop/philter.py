"""Philter beside plainsight: run philter-lite, or read what any Philter wrote.

Philter keeps what it knows to be safe and hides the rest, so what it hides often has no type. Its outputs:

- *asterisks*: text files in which every hidden letter and digit is ``*``; the length is that of the original.
- *i2b2 XML*: files with a ``<Philter>`` root and one element for each typed identifier.
- *coordinates*: one JSON file, ``{file: {"phi": [{"start", "stop", "phi_type"}]}}``.

Only asterisks hold all that is hidden. Labels are Philter's own (scheme ``philter``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plainsight.document import Document, Span
from plainsight.errors import DataError, SpanError, UsageError
from plainsight.formats.standoff import annotated
from plainsight.interop.packages import need

OTHER = "OTHER"
"""What Philter hides without a type."""

_RUN = re.compile(r"\*+(?:[^\w\s*]\*+)*")
_TAG = re.compile(r'<(\w+) id="P\d+" start="(\d+)" end="(\d+)"')
_ENDINGS = (".txt", ".xml", ".json")


def check() -> None:
    """Refuse to run Philter where it, or the data of its tagger, is not installed."""
    need("philter_lite", "philter-lite")
    try:
        need("nltk", "nltk").pos_tag(["word"])
    except LookupError:
        raise UsageError(
            "Philter needs NLTK's tagger: python -m nltk.downloader averaged_perceptron_tagger_eng"
        ) from None


def run(documents: Sequence[Document]) -> Iterator[Document]:
    """Yield each note as philter-lite, with its own filters, marks it."""
    check()
    philter = need("philter_lite", "philter-lite")
    filters = philter.load_filters(str(Path(philter.__file__).parent / "configs" / "philter_delta.toml"))
    for document in documents:
        include, _, tracker = _detected(philter.detect_phi(document.text, filters))
        hidden = philter.transform_text_asterisk(document.text, include)
        typed = [(phi.start, phi.stop, phi.phi_type) for phi in tracker.phi]
        yield with_spans(document, from_asterisks(document.text, hidden, typed))


def _detected(result: Any) -> tuple[Any, Any, Any]:
    """Return include map, exclude map and types, of a version that gives two of them or all three."""
    return result if len(result) == 3 else (result[0], None, result[1])


def from_asterisks(text: str, hidden: str, typed: Iterable[tuple[int, int, str]] = ()) -> list[Span]:
    """Return what asterisks hide; a sign without a space around it joins two runs of them.

    >>> [(span.start, span.end) for span in from_asterisks("On 3/4 Ann Roe", "On */* *** ***")]
    [(3, 6), (7, 10), (11, 14)]
    """
    if len(hidden) != len(text):
        raise DataError(f"Philter's text has {len(hidden)} characters, the note {len(text)}")
    runs = (
        (run.start() + cut.start(), run.start() + cut.end())
        for run in _RUN.finditer(hidden)
        for cut in re.finditer(r"[^*](?:.*[^*])?", text[run.start() : run.end()], re.DOTALL)
    )  # stars of the note itself are text
    types = list(typed)
    return [
        Span(
            start, end, next((name for a, b, name in types if a < end and start < b), OTHER), source="philter"
        )
        for start, end in runs
    ]


def read(path: Path, documents: Sequence[Document]) -> list[Document]:
    """Return notes as Philter marked them in its output: a folder of files, or one file."""
    if path.is_file() and path.suffix.lower() == ".json":
        return _from_coordinates(path, documents)
    files = {file.stem: file for file in sorted(path.rglob("*")) if file.suffix.lower() in _ENDINGS}
    if path.is_file():
        files = {path.stem: path}
    return [_from_file(document, _found(files, document, path)) for document in documents]


def _found(files: Mapping[str, Any], document: Document, path: Path) -> Any:
    """Return what belongs to a note: under its id, or the last part of it."""
    for name in (document.id, document.id.rpartition("/")[2]):
        for key in (name, name.rpartition(".")[0] if name.endswith(_ENDINGS) else name):
            if key in files:
                return files[key]
    raise DataError(f"{path}: Philter's output has no note {document.id}")


def _from_file(document: Document, file: Path) -> Document:
    written = file.read_text(encoding="utf-8", errors="surrogateescape")
    if file.suffix.lower() != ".xml":
        try:
            spans = from_asterisks(document.text.replace("\r\n", "\n"), written)
        except DataError as error:
            raise DataError(f"{file}: {error}") from None
        return with_spans(document, [_span(s.start, s.end, s.label, document, file) for s in spans])
    spans = []
    for label, start, end in _TAG.findall(written):
        spans.append(_span(int(start), int(end), label, document, file))
    return with_spans(document, spans)


def _from_coordinates(path: Path, documents: Sequence[Document]) -> list[Document]:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        files = {Path(name).stem: entry["phi"] for name, entry in table.items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        raise DataError(f"{path}: no coordinates as Philter writes them") from None
    marked = []
    for document in documents:
        try:
            spans = [
                _span(int(phi["start"]), int(phi["stop"]), str(phi["phi_type"]), document, path)
                for phi in _found(files, document, path)
            ]
        except (KeyError, TypeError, ValueError):
            raise DataError(f"{path}: no coordinates as Philter writes them") from None
        marked.append(with_spans(document, spans))
    return marked


def _span(start: int, end: int, label: str, document: Document, file: Path) -> Span:
    """Return a mark; Philter counts a carriage return and a line feed as one character."""
    text = document.text
    places = [at for at in range(len(text)) if not text.startswith("\r\n", at)] if "\r\n" in text else None
    try:
        if places is not None and end <= len(places):
            return Span(places[start], places[end - 1] + 1, label, source="philter")
        if places is None and end <= len(text):
            return Span(start, end, label, source="philter")
    except SpanError:
        pass
    raise DataError(f"{file}: a mark from {start} to {end} does not fit note {document.id}")


def with_spans(document: Document, spans: Iterable[Span]) -> Document:
    """Return a note with a system's marks; marks without a letter or digit are left out."""
    text = document.text
    marks = [span for span in spans if any(char.isalnum() for char in text[span.start : span.end])]
    made = annotated(document.id, text, marks, document.meta)
    return replace(document, spans=made.spans, meta=made.meta)
