"""``plainsight corpus sentences`` and ``spread``: annotate each sentence once, and carry the marks back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from plainsight import registry
from plainsight.cli.options import Force, check_paths, complete_format
from plainsight.cli.results import write_table
from plainsight.document import Document
from plainsight.errors import DataError, UsageError, plural
from plainsight.evaluate.read_notes import read_notes
from plainsight.formats.base import Format, write_all
from plainsight.formats.files import atomic_file
from plainsight.formats.guess import by_suffix, guess
from plainsight.formats.unique import unique
from plainsight.lab.unique_sentences import Place, UniqueSentences, from_line, spread, to_line

Notes = Annotated[Path, typer.Argument(metavar="NOTES", help="Notes or a folder.", show_default=False)]
InFormat = Annotated[
    str | None,
    typer.Option("--format", help="Format of the notes. Default: guessed.", autocompletion=complete_format),
]
OutFormat = Annotated[
    str | None,
    typer.Option(help="Output format. Default: by OUT's name, or jsonl.", autocompletion=complete_format),
]
Out = Annotated[Path, typer.Option("--output", "-o", help="Where the result goes.", show_default=False)]
MapFile = Annotated[Path, typer.Option("--map", help="The map from notes to sentences.", show_default=False)]


def write_sentences(
    *,
    notes: Notes,
    output: Out,
    places: MapFile,
    format: InFormat = None,  # noqa: A002 - the option's name
    output_format: OutFormat = None,
    force: Force = False,
) -> None:
    """Write every different sentence of notes once, and a map back to the notes.

    Sentences are notes of their own, with ids (`s000001`) and the number of their occurrences, in any format:
    annotators mark them in their tool. The map holds ids and offsets, no text. Both files are readable by
    their owner only.

    Example: plainsight corpus sentences notes/ -o sentences.jsonl --map map.jsonl
    """
    check_paths([notes], [output, places], force=force)
    found, count = UniqueSentences(), 0
    with atomic_file(places) as temporary:
        with temporary.open("w", encoding="utf-8") as file:
            for note in _read(notes, format):
                count += 1
                file.write(json.dumps(to_line(note.id, found.collect(note))) + "\n")
        write_all(_writer(output, output_format), found, output)
    print(f"{plural(count, 'note')}, {plural(found.occurrences, 'sentence')}, {len(found):,} different")


def spread_marks(
    *,
    marked: Annotated[
        Path, typer.Argument(metavar="SENTENCES", help="The sentences with marks.", show_default=False)
    ],
    notes: Notes,
    output: Out,
    places: MapFile,
    format: InFormat = None,  # noqa: A002 - the option's name
    output_format: OutFormat = None,
    counts: Annotated[
        Path | None, typer.Option(help="Write a table of identifiers for each note and label.")
    ] = None,
    force: Force = False,
) -> None:
    """Carry the marks of unique sentences back to all notes they stand in.

    Notes, map and sentences must belong together; otherwise nothing is written.

    Example: plainsight corpus spread marked.jsonl notes/ --map map.jsonl -o gold.jsonl --counts counts.csv
    """
    check_paths([marked, notes, places], [output, counts], force=force)
    sentences = read_notes(marked, keep_overlaps=True)
    by_note = dict(_map_lines(places))
    counted: list[tuple[str, str, int]] = []
    done = _counting(spread(_read(notes, format), by_note, sentences), counted)
    write_all(_writer(output, output_format), done, output, span_column=True)
    if counts:
        write_table(counts, ("note", "label", "identifiers"), counted)
    total = sum(number for _, label, number in counted if label == "all")
    print(f"{plural(len({note for note, _, _ in counted}), 'note')}, {plural(total, 'identifier')}")


def _read(path: Path, name: str | None) -> Iterator[Document]:
    """Yield notes one by one; one that cannot be read is an error."""
    if not path.exists():
        raise UsageError(f"no input at {path}")
    reader: Format = registry.create("formats", name or guess(path))
    for item in unique(reader.read(path)):
        if not isinstance(item, Document):
            raise DataError(f"{item.where or item.id}: {item.reason}")
        yield item


def _writer(output: Path, name: str | None) -> Format:
    format: Format = registry.create("formats", name or by_suffix(output, "jsonl"))  # noqa: A001 - the domain's word
    return format


def _map_lines(path: Path) -> Iterator[tuple[str, Sequence[Place]]]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                yield from_line(json.loads(line), f"{path}:{number}")
    except (OSError, ValueError):
        raise UsageError(f"no map of sentences at {path}") from None


def _counting(notes: Iterator[Document], counted: list[tuple[str, str, int]]) -> Iterator[Document]:
    """Pass notes on; note the number of their identifiers, of all labels and of each."""
    for note in notes:
        labels = Counter(span.label for span in note.spans)
        counted.append((note.id, "all", labels.total()))
        counted += [(note.id, label, labels[label]) for label in sorted(labels)]
        yield note
