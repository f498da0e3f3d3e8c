"""A progress bar on stderr."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from plainsight.pipeline import Item

__all__ = ["Bar"]


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

    def __enter__(self) -> Callable[[Item], None]:
        self._progress.start()
        return self._step

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def _step(self, item: Item) -> None:
        self._notes += 1
        if not self._progress.disable:
            self._progress.update(self._task, advance=len(getattr(item, "text", "")), notes=self._notes)
