"""``plainsight synth``: make labelled notes for training."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from plainsight import registry
from plainsight.cli.lab.corpus import show_statistics
from plainsight.cli.options import Force, check_paths
from plainsight.document import Document, Patient
from plainsight.errors import UsageError, suggest
from plainsight.evaluate.read_notes import read_notes
from plainsight.formats.base import Format, write_all
from plainsight.formats.guess import by_suffix, guess
from plainsight.lab.synth.records import with_staff
from plainsight.lab.synth.statistics import Statistics
from plainsight.lab.synth.stream import KINDS, Texts, synthesise
from plainsight.run.patients import read_patients
from plainsight.site.census import full_name, read_rows, read_site_patients


def synth(
    *,
    corpus: Annotated[
        Path, typer.Argument(metavar="CORPUS", help="Annotated notes, in any format.", show_default=False)
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the notes go.", show_default=False)],
    notes: Annotated[int, typer.Option("--notes", "-n", min=1, help="How many notes to make.")] = 1_000,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    noise: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="The chance of each kind of noise in a note.")
    ] = 0.15,
    without: Annotated[
        list[str] | None, typer.Option(metavar="KIND", help=f"A kind to leave out: {', '.join(KINDS)}.")
    ] = None,
    text: Annotated[
        Path | None, typer.Option(help="Clinical text without labels to fill: a folder, a table, JSON lines.")
    ] = None,
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="With --text: the share of notes made of it.")
    ] = 0.5,
    patients: Annotated[
        Path | None,
        typer.Option(
            help="Put the identifiers of these patients into every second note: records as JSON, or a table."
        ),
    ] = None,
    providers: Annotated[
        Path | None, typer.Option(help="With --patients: a table of staff, who become their providers.")
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        str | None, typer.Option(help="Format of the corpus; guessed when not given.")
    ] = None,
    statistics: Annotated[
        bool, typer.Option("--stats", help="Print counts of the notes, as `corpus stats` does.")
    ] = False,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Make labelled training notes from annotated ones, with other identifiers and noise.

    The surrogate engine replaces every identifier in its own form; labels stay exact. With `--text`,
    identifiers are also filled into clinical text that has none: into placeholders such as `Dr. X`, and with
    headers and signatures of the corpus. The same seed makes the same notes.

    With `--patients`, every second note holds the names, addresses and numbers of one of your patients. The
    notes, and any model trained on them, then hold traces of these patients: keep both private. A table has
    the columns that `plainsight site lists` reads.

    Examples:

        plainsight synth corpus -o train.jsonl --notes 20000 --seed 7

        plainsight synth corpus -o train.jsonl --notes 20000 --text texts.jsonl.gz --noise 0.2

        plainsight synth corpus -o train.jsonl --patients patients.jsonl

        plainsight synth corpus -o train.jsonl --patients patients.csv --providers staff.csv
    """
    check_paths([corpus, text, patients, providers], [output], force=force)
    if providers and not patients:
        raise UsageError("--providers are those of patients: give --patients as well")
    for name in without or ():
        if name not in KINDS:
            raise UsageError(f"unknown kind of noise {name!r}{suggest(name, KINDS)}")
    stream = synthesise(
        read_notes(corpus, format=format),
        seed=seed,
        noise=noise,
        kinds=[name for name in KINDS if name not in (without or ())],
        texts=_texts(text) if text else None,
        share=share,
        patients=_patients(patients, providers, seed) if patients else (),
    )
    counted = Statistics()
    writer: Format = registry.create("formats", by_suffix(output, "jsonl"))
    began = time.perf_counter()
    write_all(writer, _counting(islice(stream, notes), counted, statistics), output, span_column=True)
    seconds = time.perf_counter() - began
    if statistics:
        show_statistics(counted, as_json=as_json)
    elif as_json:
        print(json.dumps({"notes": notes, "seconds": round(seconds, 3), "output": str(output)}))
    print(f"{notes:,} notes, {seconds:.1f} s ({notes / seconds:.0f} notes/s) -> {output}", file=sys.stderr)


def _patients(path: Path, staff: Path | None, seed: int) -> list[Patient]:
    """Return the patients of records or of a table, with the site's staff as their providers."""
    is_table = path.is_file() and ".json" not in path.suffixes and path.suffix != ".jsonl"
    patients = list(read_site_patients(path) if is_table else read_patients(path).values())
    if staff is None:
        return patients
    names = [name for row in read_rows("providers", staff) if (name := full_name(row))]
    return with_staff(patients, names, Random(seed))


def _texts(path: Path) -> Texts:
    """Return what reads the texts of a path; their marks, if they have any, are not used."""
    if not path.exists():
        raise UsageError(f"no input at {path}")
    reader: Format = registry.create("formats", guess(path))

    def read() -> Iterator[Document]:
        return (item for item in reader.read(path) if isinstance(item, Document))

    return read


def _counting(stream: Iterator[Document], counted: Statistics, wanted: bool) -> Iterator[Document]:
    for document in stream:
        if wanted:
            counted.add(document)
        yield document
