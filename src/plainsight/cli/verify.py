"""``plainsight verify``: check an output against its manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from plainsight.cli.notes import beside
from plainsight.cli.options import KeyOptions, grouped
from plainsight.run.verify import check_inputs, read_record
from plainsight.run.verify import verify as checks

_WORDS = {True: "ok", False: "WRONG", None: "not checked"}


@grouped
def verify(
    *,
    output: Annotated[Path, Argument(help="What a command wrote.", show_default=False)],
    inputs: Annotated[
        bool, Option("--inputs", help="Also look whether the inputs are still those that were read.")
    ] = False,
    quarantine: Annotated[
        Path | None, Option(help="The list of notes set aside, if it is not OUT.quarantine.jsonl.")
    ] = None,
    key_options: KeyOptions,
    as_json: Annotated[bool, Option("--json", help="Print the checks as JSON.")] = False,
) -> None:
    """Check that an output, its list of notes set aside and its manifest are as they were written.

    With the key that the notes were de-identified with, the manifest itself is checked: it is signed.
    The exit code is 1 if anything is not as it should be.

    Example:

        plainsight verify clean/ --key-file project.key
    """
    record = read_record(beside(output, ".manifest.json"))
    found = list(
        checks(
            output,
            record,
            quarantine=quarantine or beside(output, ".quarantine.jsonl"),
            ledger=beside(output, ".ledger"),
            key=key_options.find(),
        )
    )
    if inputs:
        found += check_inputs(record)
    if as_json:
        print(json.dumps([check._asdict() for check in found]))
    else:
        for check in found:
            print(f"{_WORDS[check.good]:<12}{check.what}: {check.said}")
    if any(check.good is False for check in found):
        raise typer.Exit(1)
