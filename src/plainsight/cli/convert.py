"""``plainsight convert``: notes in another format, under other labels."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from plainsight import registry
from plainsight.cli import options
from plainsight.cli.notes import Job, input_and_output
from plainsight.document import Document, SetAside
from plainsight.errors import FormatError, UsageError, plural
from plainsight.formats.base import Format
from plainsight.formats.files import MemoryFile
from plainsight.formats.guess import guess
from plainsight.labels import SCHEMES
from plainsight.pipeline import Item
from plainsight.run.convert import LOSSES, Conversion, loss_kinds
from plainsight.sources.places import place

_MORE = 1000
"""After the first loss, this many notes are read to complete the list of losses."""

_SCHEMES = ", ".join(SCHEMES)


@dataclass(frozen=True, slots=True, kw_only=True)
class InputOptions(options.InputOptions):
    """How to read the notes."""

    format: Annotated[
        str | None,
        Option(
            "--from-format", "--format", help="IN's format. Default: guessed.",
            autocompletion=options.complete_format,
        ),
    ] = None  # fmt: skip


@options.grouped
def convert(
    *,
    source: Annotated[
        Path, Argument(parser=place, metavar="IN", help="Notes; `-` is standard input.", show_default=False)
    ],
    output: Annotated[
        Path,
        Argument(
            parser=place, metavar="OUT", help="Where they go; `-` is standard output.", show_default=False
        ),
    ],
    input_options: InputOptions,
    to_format: Annotated[
        str | None,
        Option(help="OUT's format. Default: by OUT's name.", autocompletion=options.complete_format),
    ] = None,
    from_labels: Annotated[
        str | None,
        Option(
            metavar="SCHEME",
            help=f"The labels of IN: {_SCHEMES}. Default: as they stand.",
            autocompletion=options.complete_scheme,
        ),
    ] = None,
    to_labels: Annotated[
        str | None,
        Option(
            metavar="SCHEME",
            help=f"The labels of OUT: {_SCHEMES}. Default: ours with `--from-labels`, else as they stand.",
            autocompletion=options.complete_scheme,
        ),
    ] = None,
    allow_loss: Annotated[
        str,
        Option(
            metavar="A,B,...",
            help=f"What may be lost: all, {', '.join(LOSSES)}.",
            autocompletion=options.complete_loss,
        ),
    ] = "",
    output_options: options.OutputOptions,
) -> None:
    """Convert notes with their spans to another format, another label scheme, or both.

    What the output cannot hold is counted: marks, edges, finer labels, scores, patient ids, meta. If
    anything is lost that `--allow-loss` does not name, nothing is written and the losses are listed. A
    single note that the format cannot hold is set aside, and the exit code is 1.

    Examples:

        plainsight convert gold/ gold.jsonl

        plainsight convert found.jsonl brat/ --to-format brat --allow-loss scores

        plainsight convert train.xml train.muc --from-format i2b2-2006

        plainsight convert gold/ gold.xml --to-format i2b2-2006 --to-labels i2b2-2006 --allow-loss all
    """
    allowed = loss_kinds(allow_loss)
    given, target = input_and_output(source, None, output)
    target = MemoryFile("stdout") if output == Path("-") else target
    if to_format is None and output == Path("-"):
        raise UsageError("name the format of standard output with --to-format")
    name = to_format or _named_format(output)
    format: Format = registry.create("formats", name)  # noqa: A001 - the domain's word
    conversion = Conversion(
        format=format, from_labels=from_labels, to_labels=to_labels, beside=target.absolute().parent
    )
    job = Job(
        source=given,
        output=target,
        input=input_options,
        writer=options.WriterOptions(output_format=name),
        options=output_options,
    )
    about: dict[str, Any] = {"from_labels": from_labels, "to_labels": to_labels}
    with job.open("convert", span_column=True, about=about) as out:
        for item in _converted(job.notes(), conversion, allowed):
            out.write(item)
        about["lost"] = conversion.losses.to_json()
    if conversion.losses and not output_options.quiet:
        print(f"lost, as allowed: {conversion.losses}", file=sys.stderr)


def _named_format(output: Path) -> str:
    """Return the format that the output's name asks for."""
    try:
        return guess(output)
    except FormatError as error:
        raise UsageError(f"{output}: {error.reason} with --to-format") from None


def _converted(items: Iterator[Item], conversion: Conversion, allowed: frozenset[str]) -> Iterator[Item]:
    """Yield the notes; stop when more is lost than allowed."""
    read = since = 0
    for item in items:
        read += 1
        if isinstance(item, Document):
            try:
                item = conversion.convert(item)
            except FormatError as error:
                item = SetAside(item.id, f"the output format cannot hold it: {error.reason}")
        yield item
        since += bool(since or conversion.losses.but(allowed))
        if since > _MORE:
            break
    if lost := conversion.losses.but(allowed):
        raise UsageError(
            f"nothing is written: of {plural(read, 'note')}, this would be lost: {lost}. "
            f"Allow it with --allow-loss {','.join(lost.counts)}"
        )
