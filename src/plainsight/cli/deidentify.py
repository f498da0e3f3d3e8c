"""``plainsight deidentify``: replace every identifier."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from plainsight.cli import notes
from plainsight.config import load_policy
from plainsight.errors import UsageError
from plainsight.pipeline import Pipeline

__all__ = ["deidentify"]

_SHORTEST_KEY = 32


def deidentify(
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
    key_file: Annotated[
        Path | None, typer.Option("--key-file", help="The secret key, for operations that need one.")
    ] = None,
    anonymous_names: Annotated[
        bool, typer.Option("--anonymous-names", help="Number the notes instead of keeping their ids.")
    ] = False,
    with_spans: Annotated[
        bool,
        typer.Option("--with-spans", help="Also write where the replacements are (helps an attacker, too)."),
    ] = False,
    quarantine: notes.QuarantineFile = None,
    force: notes.Force = False,
    as_json: notes.AsJson = False,
    quiet: notes.Quiet = False,
) -> None:
    """De-identify notes: find every identifier and replace it as the policy says.

    Writes the same notes in the same format, with their ids; columns and metadata that the policy does
    not name are left out. Notes that cannot be done are set aside, listed in OUT.quarantine.jsonl (ids
    and reasons only), and the exit code is 1. Beside the output stands OUT.manifest.json.

    Examples:

        plainsight deidentify notes/ -o clean/

        plainsight deidentify notes.jsonl -o clean.jsonl --policy safe-harbor

        plainsight deidentify notes.csv -o clean.csv --text-column NOTE_TEXT --patients records.jsonl
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
        anonymous_names=anonymous_names,
        force=force,
        as_json=as_json,
        quiet=quiet,
    )
    if key_file and key_file.resolve() == output.resolve():
        raise UsageError("the output would overwrite the key")
    pipeline = Pipeline(chosen, key=_key(key_file) if key_file else None)
    job.run(
        "deidentify",
        chosen,
        pipeline.deidentify,
        writing={"metadata": False, **({"spans": "spans"} if with_spans else {})},
        finish=lambda document: document if with_spans else replace(document, spans=()),
    )


def _key(path: Path) -> bytes:
    """Read the key; it is refused when it is short, and never shown."""
    if not path.is_file():
        raise UsageError(f"no key file at {path}")
    key = path.read_bytes().strip()
    if len(key) < _SHORTEST_KEY:
        raise UsageError(f"{path}: a key has at least {_SHORTEST_KEY} bytes")
    return key
