"""Lists of what is in doubt in notes, the least sure note first: a table, JSON, or JSON lines in a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from typer import Exit, Option

from plainsight.cli.results import print_tables
from plainsight.document import SetAside
from plainsight.errors import UsageError, plural, printable
from plainsight.formats.files import MemoryFile, atomic_file
from plainsight.pipeline import Doubted

_SHOWN = 20
"""How many notes the table on the terminal shows, unless the user says."""

HEAD = ("note", "confidence", "start", "end", "kind", "label", "probability")


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtOptions:
    """Whether doubts are listed instead of notes, and how many."""

    doubt: Annotated[
        bool,
        Option(
            "--doubt",
            help="Instead of notes, list likely misses and doubtful spans, the least sure note first.",
        ),
    ] = False
    most: Annotated[
        int | None,
        Option(min=1, help="With --doubt: list only so many notes. Default: all in files, 20 on the screen."),
    ] = None
    show_text: Annotated[
        bool, Option("--show-text", help="With --doubt: show the words in doubt. They may identify people.")
    ] = False

    def refuse(self, **others: object) -> None:
        """Refuse options that do not go together: these, or others that have no meaning with --doubt."""
        if not self.doubt:
            if self.most or self.show_text:
                raise UsageError("--most and --show-text need --doubt")
            return
        for name, value in others.items():
            if value:
                raise UsageError(f"--{name.replace('_', '-')} is for notes, and --doubt lists no notes")

    def report(self, items: Iterable[Doubted | SetAside], output: Path, *, as_json: bool) -> None:
        """List the doubts of notes; exit with 1 when notes were set aside."""
        records = []
        set_aside = 0
        for item in items:
            if isinstance(item, SetAside):
                set_aside += 1
                print(printable(f"{item.where or item.id} set aside: {item.reason}"), file=sys.stderr)
            else:
                records.append(self._record(item))
        records.sort(key=lambda record: record["confidence"])
        to_screen = isinstance(output, MemoryFile)
        most = self.most or (_SHOWN if to_screen and not as_json else len(records))
        chosen = records[:most]
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in chosen)
        if not to_screen:
            with atomic_file(output) as temporary, temporary.open("w", encoding="utf-8") as file:
                file.writelines(lines)
        if as_json:
            print(json.dumps({"notes": len(records), "set_aside": set_aside, "least_sure": chosen}))
        elif to_screen:
            head = (*HEAD, "text") if self.show_text else HEAD
            title = f"The {len(chosen):,} least sure of {plural(len(records), 'note')}"
            print_tables([(title, head, list(_rows(chosen, len(head))))])
        else:
            places = sum(len(record["doubts"]) for record in chosen)
            print(f"{plural(places, 'place')} in {plural(len(chosen), 'note')} -> {output}", file=sys.stderr)
        if set_aside:
            raise Exit(1)

    def _record(self, item: Doubted) -> dict[str, Any]:
        text = item.document.text
        places = [
            place.to_json() | ({"text": text[place.start : place.end]} if self.show_text else {})
            for place in item.doubts.places
        ]
        return {"id": item.document.id, "confidence": item.doubts.confidence, "doubts": places}


def _rows(records: Iterable[dict[str, Any]], width: int) -> Iterator[tuple[Any, ...]]:
    """Yield a row for each place; a note's name and confidence stand in its first row."""
    columns = ("start", "end", "kind", "label", "probability", "text")[: width - 2]
    for record in records:
        first: tuple[Any, ...] = (record["id"], record["confidence"])
        for place in record["doubts"] or [{}]:
            yield *first, *(place.get(column, "") for column in columns)
            first = ("", "")
