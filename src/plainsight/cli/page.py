"""One self-contained HTML page of notes with their spans marked, alone or beside the de-identified notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import IO

from plainsight.combine.doubt import Doubt, Kind
from plainsight.document import Document
from plainsight.errors import plural
from plainsight.formats.files import atomic_file
from plainsight.highlight import legend_html, marked_html

PAGE_SUFFIXES = (".html", ".htm")


class Page:
    """A page that is being written: a sink for notes."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self.notes = self.spans = 0

    def write(
        self, document: Document, deidentified: Document | None = None, doubts: Iterable[Doubt] = ()
    ) -> None:
        """Draw a note with its likely misses underlined, and what it became beside it."""
        underlined = [
            (doubt.start, doubt.end, _about(doubt)) for doubt in doubts if doubt.kind is not Kind.SPAN
        ]
        drawn = f"<pre>{marked_html(document, underlined=underlined)}</pre>"
        if deidentified is not None:
            drawn += f"<pre>{marked_html(deidentified)}</pre>"
        self._file.write(f'<h2>{escape(document.id)}</h2>\n<div class="note">{drawn}</div>\n')
        self.notes += 1
        self.spans += len(document.spans)


def _about(doubt: Doubt) -> str:
    """Return what a likely miss says when it is pointed at."""
    if doubt.probability is None:
        return doubt.kind
    return f"{doubt.kind}: {doubt.label or 'identifier'} · {doubt.probability:.2f}"


@contextmanager
def open_page(path: Path, *, policy: str, about: str = "") -> Iterator[Page]:
    """Open a page for notes; it appears when the block ends well, readable by its owner alone."""
    with (
        atomic_file(path) as temporary,
        temporary.open("w", encoding="utf-8", errors="backslashreplace") as file,
    ):
        head = Template((files("plainsight.cli") / "page.html").read_text(encoding="utf-8"))
        file.write(head.substitute(policy=escape(policy), about=escape(about), legend=legend_html()))
        page = Page(file)
        yield page
        counts = f"{plural(page.spans, 'identifier')} in {plural(page.notes, 'note')}"
        file.write(f"<p>{counts}.</p>\n</html>\n")
