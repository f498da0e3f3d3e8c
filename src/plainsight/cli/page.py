"""One self-contained HTML page of notes with their spans marked, alone or beside the de-identified notes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from string import Template
from typing import IO

from plainsight.document import Document
from plainsight.formats.files import atomic_file
from plainsight.highlight import legend_html, marked_html

PAGE_SUFFIXES = (".html", ".htm")

_HEAD = Template("""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>plainsight</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 84rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1rem; margin: 2.5rem 0 .5rem; }
.note { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; padding: 1rem; border: 1px solid #8884;
  border-radius: .5rem; font: 13px/1.5 ui-monospace, monospace; }
mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
@media (max-width: 50rem) { .note { grid-auto-flow: row; } }
@media print { :root { color-scheme: light; font-size: 10pt; } body { margin: 0; }
  h2 { break-after: avoid; } }
</style>
<h1>plainsight</h1>
<p>$about Policy <em>$policy</em>. Point at a mark to see its label, its detector and
its score.</p>
<p>$legend</p>
""")
_FOOT = "<p>{spans} identifiers in {notes} notes.</p>\n</html>\n"


class Page:
    """A page that is being written: a sink for notes."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self.notes = self.spans = 0

    def write(self, document: Document, deidentified: Document | None = None) -> None:
        """Draw a note, and what it became beside it."""
        columns = [document] if deidentified is None else [document, deidentified]
        drawn = "".join(f"<pre>{marked_html(column)}</pre>" for column in columns)
        self._file.write(f'<h2>{escape(document.id)}</h2>\n<div class="note">{drawn}</div>\n')
        self.notes += 1
        self.spans += len(document.spans)


@contextmanager
def open_page(path: Path, *, policy: str, about: str = "") -> Iterator[Page]:
    """Open a page for notes; it appears when the block ends well, readable by its owner alone."""
    with (
        atomic_file(path) as temporary,
        temporary.open("w", encoding="utf-8", errors="backslashreplace") as file,
    ):
        file.write(_HEAD.substitute(policy=escape(policy), about=escape(about), legend=legend_html()))
        page = Page(file)
        yield page
        file.write(_FOOT.format(spans=page.spans, notes=page.notes))
