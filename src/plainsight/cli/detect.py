"""``plainsight detect``: say where the identifiers are, change nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from plainsight.cli import notes
from plainsight.config import load_policy
from plainsight.pipeline import Pipeline

__all__ = ["detect"]


def detect(
    source: notes.In,
    output: notes.Out,
    policy: notes.PolicyName = "balanced",
    format: notes.FormatName = None,  # noqa: A002
    output_format: notes.OutputFormat = None,
    text_column: notes.TextColumn = None,
    id_column: notes.IdColumn = None,
    patient_column: notes.PatientColumn = None,
    type_column: notes.TypeColumn = None,
    date_column: notes.DateColumn = None,
    encoding: notes.Encoding = None,
    patients: notes.Patients = None,
    patient_folders: notes.PatientFolders = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also write every claim behind a span, and who made it.")
    ] = False,
    quarantine: notes.QuarantineFile = None,
    force: notes.Force = False,
    as_json: notes.AsJson = False,
    quiet: notes.Quiet = False,
) -> None:
    """Find identifiers: write each note with its spans, as JSON lines unless another format is asked for.

    The output holds the notes' text. Any annotation format can be written too, so that the marks can be
    looked at in other tools.

    Examples:

        plainsight detect notes.jsonl -o found.jsonl

        plainsight detect notes/ -o marked/ --output-format brat
    """
    chosen = load_policy(policy)
    job = notes.Job(
        source=source,
        output=output,
        reading=notes.Reading(
            text=text_column,
            id=id_column,
            patient=patient_column,
            type=type_column,
            date=date_column,
            encoding=encoding,
        ),
        format=format,
        output_format=output_format,
        patients=patients,
        patient_folders=patient_folders,
        quarantine=quarantine,
        force=force,
        as_json=as_json,
        quiet=quiet,
    )
    writing = {"spans": "spans", "explain": explain}
    job.run("detect", chosen, Pipeline(chosen).detect, writer="jsonl", writing=writing)
