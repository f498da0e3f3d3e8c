"""A progress bar on stderr."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from plainsight.document import Document, SetAside
from plainsight.pipeline import Replaced


@contextmanager
def progress_bar(source: Path, *, hidden: bool) -> Iterator[Callable[[Document | Replaced | SetAside], None]]:
    """Show how many notes and characters are done; give the function to call for each note."""
    notes = TextColumn("{task.fields[notes]} notes")
    columns = (SpinnerColumn(), notes, BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), disable=hidden) as progress:
        size = source.stat().st_size if source.is_file() else None
        task = progress.add_task("", total=size, notes=0)

        def step(item: Document | Replaced | SetAside) -> None:
            if not hidden:
                document = item.document if isinstance(item, Replaced) else item
                characters = len(document.text) if isinstance(document, Document) else 0
                progress.update(task, advance=characters, notes=progress.tasks[0].fields["notes"] + 1)

        yield step
