"""Annotated notes for the tests of annotation formats: strategies, and the way to disk and back."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import strategies as st

from plainsight.document import Document, SetAside, Span
from plainsight.formats.base import Format, write_all

note_labels = st.sampled_from(["DATE", "PATIENT", "LOCATION-OTHER", "ÉDAD", "TIME"])

xml_characters = st.sampled_from("\t\n\r") | st.characters(
    min_codepoint=0x20, exclude_categories=["Cs"], exclude_characters="\ufffe\uffff"
)
marked_up = st.sampled_from(
    [
        "]]>",
        "&amp;",
        "&#13;",
        "<PHI TYPE='X'>",
        "</TEXT>",
        "\r\n",
        "</RECORD>",
        '"',
        "'",
        "<![CDATA[",
        "{{",
        "é",
        "😀",
    ]
)
xml_text = st.lists(marked_up | st.text(xml_characters, max_size=12), max_size=8).map("".join)
any_text = st.lists(marked_up | st.text(st.characters(), max_size=12), max_size=8).map("".join)
note_names = st.from_regex(r"n[a-z0-9]{0,5}(/[0-9]{1,3}-[0-9]{1,2})?", fullmatch=True)


@st.composite
def documents(
    draw: st.DrawFn,
    text: st.SearchStrategy[str] = xml_text,
    ids: st.SearchStrategy[str] = note_names,
    labels: st.SearchStrategy[str] = note_labels,
    is_edge: Callable[[str], bool] = lambda char: True,
) -> list[Document]:
    """Draw one to three notes with spans that begin and end with characters that may stand at an edge."""
    return [
        Document(name, body, draw(_spans(body, labels, is_edge)))
        for name in draw(st.lists(ids, min_size=1, max_size=3, unique=True))
        for body in [draw(text)]
    ]


@st.composite
def _spans(
    draw: st.DrawFn, text: str, labels: st.SearchStrategy[str], is_edge: Callable[[str], bool]
) -> tuple[Span, ...]:
    allowed = [offset for offset, char in enumerate(text) if is_edge(char)]
    picked = draw(st.lists(st.sampled_from(allowed), max_size=8)) if allowed else []
    picked.sort()
    spans: list[Span] = []
    for first, last in zip(picked[::2], picked[1::2], strict=False):
        if not spans or first >= spans[-1].end:
            spans.append(Span(first, last + 1, draw(labels)))
    return tuple(spans)


def contents(items: list[Document | SetAside]) -> list[tuple[str, str, tuple[Span, ...]]]:
    """Return what a format must keep, in the order of ids; fails when a note was set aside."""
    kept = []
    for item in items:
        assert isinstance(item, Document), item
        kept.append((item.id, item.text, item.spans))
    return sorted(kept)


def there_and_back(form: Format, notes: list[Document], name: str) -> tuple[list[Document | SetAside], bool]:
    """Write notes, read them, write what was read; tell whether both writings are the same to the byte."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "first", name), Path(folder, "second", name)
        write_all(form, iter(notes), first)
        read = list(form.read(first))
        write_all(form, [item for item in read if isinstance(item, Document)], second)
        return read, _bytes(first) == _bytes(second)


def _bytes(path: Path) -> dict[str, bytes]:
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return {str(file.relative_to(path)): file.read_bytes() for file in files if file.is_file()}


def written(form: Format, document: Document) -> bytes:
    """Return the file of one note."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"note{form.suffixes[0]}")
        write_all(form, [document], path)
        return path.read_bytes()
