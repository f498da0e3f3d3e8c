"""``plainsight verify``: check an output against its manifest, or a release against its signature."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from plainsight.cli.notes import beside
from plainsight.cli.options import KeyOptions, grouped
from plainsight.errors import UsageError, printable
from plainsight.review.release_check import check_release, is_release
from plainsight.review.signing import read_public_key
from plainsight.run.keys import Key
from plainsight.run.verify import Check, check_inputs, read_record
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
    public_key: Annotated[
        Path | None,
        Option(metavar="FILE.pub", help="Of a release: the public key of the person who should have signed."),
    ] = None,
    key_options: KeyOptions,
    as_json: Annotated[bool, Option("--json", help="Print the checks as JSON.")] = False,
) -> None:
    """Check that an output, its list of notes set aside and its manifest are as they were written.

    A folder that `plainsight release` wrote is checked against its signature: a change of any byte of the
    notes, the report or the figures is found.

    With the key that the notes were de-identified with, the manifest itself is checked: it is signed.
    The exit code is 1 if anything is not as it should be.

    Examples:

        plainsight verify clean/ --key-file project.key

        plainsight verify release-1/ --public-key officer.key.pub
    """
    if is_release(output):
        found = list(check_release(output, public=read_public_key(public_key) if public_key else None))
    else:
        if public_key is not None:
            raise UsageError(f"{output} is no release, which --public-key is for")
        found = _of_run(output, inputs=inputs, quarantine=quarantine, key=key_options.find())
    if as_json:
        print(json.dumps([check._asdict() for check in found]))
    else:
        for check in found:
            print(f"{_WORDS[check.good]:<12}{printable(check.what)}: {printable(check.said)}")
    if any(check.good is False for check in found):
        raise typer.Exit(1)


def _of_run(output: Path, *, inputs: bool, quarantine: Path | None, key: Key | None) -> list[Check]:
    """Return the checks of what a run wrote."""
    record = read_record(beside(output, ".manifest.json"))
    found = list(
        checks(
            output,
            record,
            quarantine=quarantine or beside(output, ".quarantine.jsonl"),
            ledger=beside(output, ".ledger"),
            key=key,
        )
    )
    return [*found, *check_inputs(record)] if inputs else found
