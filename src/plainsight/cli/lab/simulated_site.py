"""``plainsight experiment simulated-site``: make the notes and tables of an invented hospital."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from plainsight import registry
from plainsight.cli.options import Force, check_paths
from plainsight.document import Document
from plainsight.formats.base import write_all
from plainsight.lab.synth.simulated_site import LineCounts, SimulatedSite


def simulated_site(
    *,
    output: Annotated[Path, typer.Argument(metavar="OUT", help="A new folder.", show_default=False)],
    notes: Annotated[int, typer.Option("--notes", "-n", min=1, help="How many notes to make.")] = 20_000,
    patients: Annotated[int, typer.Option(min=1, help="How many patients they are about.")] = 200,
    census: Annotated[
        int, typer.Option(min=0, help="People in the registration who have no notes here.")
    ] = 2_000,
    seed: Annotated[int, typer.Option(help="Random seed: each is another hospital.")] = 1,
    force: Force = False,
) -> None:
    """Make the notes of an invented hospital over three years, with exact marks, and what its systems export.

    Nine of ten lines are boiler-plate in the hospital's own wording. The notes use its wards, record numbers,
    initials and nicknames, which shipped models do not know; 3 % hold a trap, named in their meta. Use one
    seed to develop with and others to measure with.

    `OUT` gets `notes.jsonl` (notes with marks), `patients.jsonl` (records for `--patients`) and the tables
    `patients.csv`, `providers.csv`, `facilities.csv`, `units.csv`, `employers.csv` and `streets.csv`.

    Example: plainsight experiment simulated-site out/site --notes 2000 --seed 1
    """
    check_paths([], [output], force=force)
    site = SimulatedSite(seed=seed, patients=patients, census=census)
    output.mkdir(parents=True, exist_ok=True)
    counts = LineCounts()
    write_all(
        registry.create("formats", "jsonl"), _counted(site.notes(notes), counts), output / "notes.jsonl"
    )
    for name, rows in site.hospital.tables().items():
        with (output / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    lines = (json.dumps(record) for record in site.records())
    (output / "patients.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(
        f"{notes:,} notes of {patients:,} patients, {counts.repeated:.1%} of lines repeated -> {output}",
        file=sys.stderr,
    )


def _counted(stream: Iterator[Document], counts: LineCounts) -> Iterator[Document]:
    for document in stream:
        counts.add(document)
        yield document
