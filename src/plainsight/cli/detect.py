"""``plainsight detect``: say where the identifiers are, change nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from plainsight.cli.notes import Job
from plainsight.cli.options import In, Out, PolicyName, Reading, Telling, Writing, grouped
from plainsight.config import load_policy
from plainsight.pipeline import Pipeline

__all__ = ["detect"]


@grouped
def detect(
    *,
    source: In,
    output: Out,
    policy: PolicyName = "balanced",
    reading: Reading,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also write every claim behind a span, and who made it.")
    ] = False,
    writing: Writing,
    telling: Telling,
) -> None:
    """Find identifiers: write each note with its spans, as JSON lines unless another format is asked for.

    The output holds the notes' text. Any annotation format can be written too, so that the marks can be
    looked at in other tools.

    Examples:

        plainsight detect notes.jsonl -o found.jsonl

        plainsight detect notes/ -o marked/ --output-format brat
    """
    chosen = load_policy(policy)
    job = Job(source=source, output=output, reading=reading, writing=writing, telling=telling)
    job.run(
        "detect",
        Pipeline(chosen).detect,
        policy=chosen,
        writer="jsonl",
        writing={"spans": "spans", "explain": explain},
    )
