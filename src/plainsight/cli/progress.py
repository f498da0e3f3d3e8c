"""A progress bar on stderr."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from plainsight.document import Document, SetAside
from plainsight.pipeline import Replaced


class Bar:
    """Show how many notes and characters are done; silent when hidden."""

    def __init__(self, source: Path, *, hidden: bool) -> None:
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.fields[notes]} notes"),
            BarColumn(),
            DownloadColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            disable=hidden,
        )
        total = source.stat().st_size if source.is_file() else None
        self._task = self._progress.add_task("", total=total, notes=0)
        self._notes = 0

    def __enter__(self) -> Callable[[Document | Replaced | SetAside], None]:
        self._progress.start()
        return self._step

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def _step(self, item: Document | Replaced | SetAside) -> None:
        self._notes += 1
        if not self._progress.disable:
            document = item.document if isinstance(item, Replaced) else item
            characters = len(document.text) if isinstance(document, Document) else 0
            self._progress.update(self._task, advance=characters, notes=self._notes)
