"""``plainsight detect``: find identifiers, change nothing."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from plainsight.cli import options
from plainsight.cli.notes import Job, input_and_output
from plainsight.cli.page import PAGE_SUFFIXES, open_page
from plainsight.models import models_of
from plainsight.pipeline import Pipeline
from plainsight.run.processes import spread


@options.grouped
def detect(
    *,
    source: options.In = None,
    text: options.Text = None,
    output: options.OutOrStandard = None,
    policy_options: options.PolicyOptions,
    processes: options.Processes = 1,
    input_options: options.InputOptions,
    explain: Annotated[
        bool, Option("--explain", help="Also write every claim behind a span, and who made it.")
    ] = False,
    writer: options.WriterOptions,
    output_options: options.OutputOptions,
) -> None:
    """Find identifiers: write each note with its spans, as JSON lines unless another format is asked for.

    The output holds the notes' text. Any annotation format can be written too, so that the marks can be
    looked at in other tools. An output that ends in `.html` is a page that shows the notes with their spans.

    A model with labels other than ours works without the policy's detectors; of several such models the mean
    is taken.

    Examples:

        plainsight detect notes.jsonl -o found.jsonl

        plainsight detect notes/ -o marked/ --output-format brat

        plainsight detect notes/ -o found.jsonl --model our-ward/

        plainsight detect notes/ -o found.html
    """
    chosen = policy_options.load(replacing=False)
    given, target = input_and_output(source, text, output)
    job = Job(
        source=given,
        output=target,
        input=input_options,
        writer=writer,
        options=output_options,
        reads=tuple(policy_options.model or ()),
    )
    with job.open(
        "detect",
        policy=chosen,
        default_format="jsonl",
        span_column=True,
        explain=explain,
        sink=open_page(target, policy=chosen.name) if target.suffix.lower() in PAGE_SUFFIXES else None,
        about={"models": models_of(chosen)},
    ) as out:
        for item in spread(Pipeline(chosen), "detect", job.notes(), processes=processes):
            out.write(item)
