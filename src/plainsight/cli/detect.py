"""``plainsight detect``: find identifiers, change nothing."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Option

from plainsight.cli import options
from plainsight.cli.doubts import DoubtOptions
from plainsight.cli.notes import Job, input_and_output
from plainsight.cli.page import PAGE_SUFFIXES, open_page
from plainsight.formats.files import MemoryFile
from plainsight.models import models_of
from plainsight.pipeline import Pipeline


@options.grouped
def detect(
    *,
    source: options.In = None,
    text: options.Text = None,
    output: options.OutOrStandard = None,
    policy_options: options.PolicyOptions,
    engine: options.EngineOptions,
    input_options: options.InputOptions,
    explain: Annotated[
        bool, Option("--explain", help="Also write every claim behind a span, and who made it.")
    ] = False,
    doubt_options: DoubtOptions,
    key_options: options.KeyOptions,
    writer: options.WriterOptions,
    output_options: options.OutputOptions,
) -> None:
    """Find identifiers: write each note with its spans, as JSON lines unless another format is asked for.

    The output holds the notes' text. Any annotation format can be written too, so that the marks can be
    looked at in other tools. An output that ends in `.html` is a page that shows the notes with their spans.

    Each note gets a confidence: the probability that nothing in it was missed. `--doubt` lists what a reader
    should look at, without any gold standard; it holds note text only with `--show-text`.

    A model with labels other than ours works without the policy's detectors; of several such models the mean
    is taken.

    Examples:

        plainsight detect notes.jsonl -o found.jsonl

        plainsight detect notes/ -o marked/ --output-format brat

        plainsight detect notes/ -o found.jsonl --model our-ward/

        plainsight detect notes/ -o found.html

        plainsight detect notes/ --doubt --most 50 -o doubts.jsonl
    """
    doubt_options.refuse(explain=explain, output_format=writer.output_format, quarantine=writer.quarantine)
    engine.check()
    chosen = policy_options.load(replacing=False, key_options=key_options)
    pipeline = Pipeline(chosen, key=key_options.secret if chosen.site else None)
    records = policy_options.records(chosen, key_options)
    on_screen = doubt_options.doubt and output in (None, Path("-"))
    given, target = input_and_output(source, text, MemoryFile("stdout") if on_screen else output)
    if doubt_options.doubt:
        options.check_paths([given, input_options.patients], [target], force=output_options.force)
        notes = Job(source=given, output=target, input=input_options, records=records).notes()
        items = engine.spread(pipeline, "doubt", notes)
        doubt_options.report(items, target, as_json=output_options.as_json)
        return
    job = Job(
        source=given,
        output=target,
        input=input_options,
        writer=writer,
        options=output_options,
        reads=(key_options.key_file, *(policy_options.model or ())),
        records=records,
    )
    with job.open(
        "detect",
        policy=chosen,
        default_format="jsonl",
        span_column=True,
        explain=explain,
        open_sink=partial(open_page, policy=chosen.name) if target.suffix.lower() in PAGE_SUFFIXES else None,
        about={"models": models_of(chosen)},
    ) as out:
        for item in engine.spread(pipeline, "detect", job.notes(), here=text is not None):
            out.write(item)
