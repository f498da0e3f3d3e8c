"""``plainsight evaluate``: measure what was done to notes whose identifiers are known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from plainsight.cli.options import Keys, grouped
from plainsight.config import Choice, Policy, load_policy
from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.evaluate.gold import read_notes
from plainsight.evaluate.surrogates.measure import MEASURES, Measured, measure
from plainsight.evaluate.surrogates.pairs import Note, exact, pair_up
from plainsight.labels import LABELS
from plainsight.pipeline import Pipeline
from plainsight.run.patients import read_patients

__all__ = ["Gold", "Owners", "evaluate"]

Gold = Annotated[
    Path, typer.Argument(help="Notes with gold spans, in any annotation format.", show_default=False)
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Owners:
    """How gold notes are read, and whose they are."""

    format: Annotated[str | None, typer.Option(help="Format of the gold notes; guessed when not given.")] = (
        None
    )
    patient_from_name: Annotated[
        str | None,
        typer.Option(help="A pattern over note ids; its first group is the patient's id: '^(p[0-9]+)-'."),
    ] = None
    patient_folders: Annotated[
        bool,
        typer.Option("--patient-folders", help="The first folder of a note's id is the patient's id."),
    ] = False

    def read(self, path: Path) -> list[Document]:
        """Return the gold notes of a path."""
        return read_notes(
            path,
            format=self.format,
            patient_from_name=self.patient_from_name,
            patient_folders=self.patient_folders,
        )


@grouped
def evaluate(
    *,
    gold: Gold,
    released: Annotated[
        Path | None,
        typer.Argument(help="The same notes de-identified, by id. Default: made here.", show_default=False),
    ] = None,
    surrogates: Annotated[
        bool, typer.Option("--surrogates", help="Measure how coherent the surrogates are.")
    ] = False,
    policy: Annotated[
        str | None,
        typer.Option("--policy", "-p", help="Without RELEASED: how to replace. Default: all by surrogates."),
    ] = None,
    patients: Annotated[
        Path | None, typer.Option(help="Without RELEASED: structured patient records.")
    ] = None,
    keys: Keys,
    owners: Owners,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON, also for each patient.")] = False,
) -> None:
    """Measure surrogates on gold notes: each number is a count of things gone wrong, so 0 is best.

    People are told apart by a simple rule (same given word, same surname word), not by the engine's own.
    A measure with nothing to count is `n/a`. The report holds no note text.

    Examples:

        plainsight evaluate corpus/longitudinal --surrogates --key-file key --patient-from-name '^(p[0-9]+)-'

        plainsight evaluate gold.jsonl clean.jsonl --surrogates --json
    """
    if not surrogates:
        raise UsageError("say what to measure: --surrogates")
    documents = owners.read(gold)
    if not any(document.spans for document in documents):
        raise UsageError(f"{gold}: no note has gold spans")
    if released:
        if policy or patients:
            raise UsageError("--policy and --patients are for making RELEASED, which is given")
        paired = pair_up(documents, read_notes(released))
    else:
        if patients:
            records = read_patients(patients)
            documents = [replace(d, patient=records.get(d.patient_id or "")) for d in documents]
        paired = _replaced(documents, _policy(policy), keys)
    measured = measure(paired)
    if as_json:
        print(json.dumps(measured.to_json(), indent=2))
    else:
        Console().print(_table(measured))


def _replaced(documents: Sequence[Document], policy: Policy, keys: Keys) -> list[Note]:
    """Replace the gold spans, and pair each with its replacement."""
    key = keys.find_or_forget(policy, forget=False)
    pipeline = Pipeline(policy, key=key.secret if key else None)
    paired = []
    ordered = sorted(documents, key=lambda document: document.patient_id or "")
    for before, after in zip(ordered, pipeline.replace(ordered), strict=True):
        if not isinstance(after, Document):
            raise DataError(f"{after.id}: {after.reason}")
        made = [after.text[span.start : span.end] for span in after.spans]
        paired += [exact(before, made)] if len(made) == len(before.spans) else pair_up([before], [after])
    return paired


def _policy(name: str | None) -> Policy:
    if name:
        return load_policy(name)
    return replace(
        load_policy("fast"), name="surrogates", operations=dict.fromkeys(LABELS, Choice("surrogate"))
    )


def _table(measured: Measured) -> Table:
    about = f"{measured.notes} notes, {measured.patients} patients, {measured.identifiers} identifiers"
    table = Table("what went wrong", "count", "of", "share", title=about, title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, description in MEASURES.items():
        count = measured.counts[name]
        share = count.share
        table.add_row(
            description,
            str(count.count) if count.of else "n/a",
            str(count.of),
            "n/a" if share is None else f"{share:.2%}",
        )
    if measured.inexact:
        table.caption = (
            f"In {len(measured.inexact)} notes more than the gold spans was changed; paired word by word."
        )
    return table
