"""``plainsight demo``: de-identify the bundled example patients and show what happens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Annotated

from rich.console import Console
from rich.table import Table
from rich.text import Text
from typer import Option

import plainsight
from plainsight.cli.options import Force, PolicyName, check_paths
from plainsight.cli.page import open_page
from plainsight.config import load_policy
from plainsight.document import Document, SetAside
from plainsight.errors import DataError, UsageError, suggest
from plainsight.formats.jsonl import JsonLines
from plainsight.highlight import COLOURS
from plainsight.labels import CATEGORY_OF
from plainsight.pipeline import Item, Pipeline
from plainsight.run.patients import read_patients

DEMO_KEY = b"Everybody knows this key: it is for the demo alone, never for real notes."
"""A fixed key, so that the demo always looks the same."""


def demo(
    policy: PolicyName = "balanced",
    patient: Annotated[
        str | None, Option(help="Show all notes of this patient (p1 … p6) instead of one of each.")
    ] = None,
    lines: Annotated[int, Option(min=0, help="Lines to show of each note; 0 shows them whole.")] = 16,
    html: Annotated[Path | None, Option(help="Also write all notes side by side to this HTML page.")] = None,
    force: Force = False,
) -> None:
    """De-identify the bundled example patients; show originals beside results.

    The patients are invented, and the key is a fixed and public one: the demo always looks the same.

    Examples:

        plainsight demo

        plainsight demo --patient p3 --lines 0 --html demo.html
    """
    check_paths([], [html], force=force)
    pipeline = Pipeline(load_policy(policy), key=DEMO_KEY)
    found = _documents(pipeline.detect(example_notes()))
    replaced = _documents(pipeline.replace(found))
    pairs = list(zip(found, replaced, strict=True))
    ids = list(dict.fromkeys(document.patient_id or "" for document in found))
    if patient is not None and patient not in ids:
        raise UsageError(f"no example patient {patient!r}{suggest(patient, ids)}")
    console = Console()
    firsts = {document.patient_id: document.id for document in reversed(found)}.values()
    for before, after in pairs:
        if before.patient_id == patient if patient else before.id in firsts:
            console.print(_side_by_side(before, after, lines))
    count = sum(len(document.spans) for document in found)
    console.print(f"{len(found)} notes of {len(ids)} invented patients, {count} identifiers replaced.")
    if html:
        about = "Notes of invented patients. Left the original, right the de-identified note."
        with open_page(html, policy=pipeline.policy.name, about=about) as page:
            for before, after in pairs:
                page.write(before, after)
        console.print(f"All notes side by side: {html}")


def example_notes() -> list[Document]:
    """Return the bundled notes, each with its patient's structured record."""
    folder = Path(plainsight.__file__).parent / "data" / "demo"
    patients = read_patients(folder / "patients.jsonl")
    notes = _documents(JsonLines().read(folder / "notes.jsonl"))
    return [replace(note, patient=patients[str(note.patient_id)]) for note in notes]


def _documents(items: Iterable[Item]) -> list[Document]:
    """Return the notes; none may have been set aside."""
    documents = []
    for item in items:
        if isinstance(item, SetAside):
            raise DataError(f"example note {item.id}: {item.reason}")
        documents.append(item)
    return documents


def _side_by_side(before: Document, after: Document, lines: int) -> Table:
    table = Table(expand=True, title=before.id, title_justify="left")
    table.add_column("original", ratio=1)
    table.add_column("de-identified", ratio=1)
    rows = list(zip_longest(_marked(before), _marked(after), fillvalue=Text()))
    shown = rows[:lines] if lines else rows
    for left, right in shown:
        table.add_row(left, right)
    if len(shown) < len(rows):
        table.add_row(*[Text(f"… {len(rows) - len(shown)} more lines", style="dim")] * 2)
    return table


def _marked(document: Document) -> Sequence[Text]:
    """Return the lines of a note with its spans in colour; a span never swallows a line break here."""
    text = Text(document.text)
    for span in document.spans:
        text.stylize(f"bold black on {COLOURS[CATEGORY_OF[span.label]]}", span.start, span.end)
    return list(text.split("\n", allow_blank=True))
