"""``plainsight corpus``: check and count annotated notes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from plainsight import registry
from plainsight.cli.lab.sentences import spread_marks, write_sentences
from plainsight.cli.results import plain_table
from plainsight.document import Document
from plainsight.errors import DataError, FormatError, UsageError
from plainsight.evaluate.read_notes import read_notes
from plainsight.formats.base import Format
from plainsight.formats.files import file_name
from plainsight.lab.synth.check import KINDS, Finding, check
from plainsight.lab.synth.statistics import Statistics
from plainsight.lab.word_clusters import word_clusters

app = typer.Typer(
    add_completion=False,
    help="Check and count annotated notes; annotate each sentence once.",
    no_args_is_help=True,
)

app.command("sentences")(write_sentences)
app.command("spread")(spread_marks)

NotesFormat = Annotated[str, typer.Option(help="Format of the notes (see `plainsight plugins`).")]
Json = Annotated[bool, typer.Option("--json", help="Print as JSON.")]


@app.command("check")
def check_notes(
    *,
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Notes or folders of them.", show_default=False)
    ],
    format: NotesFormat = "inline",  # noqa: A002 - the option's name
    accepted: Annotated[
        Path | None, typer.Option(help="A file of accepted findings: lines as printed here.")
    ] = None,
    scraps: Annotated[
        str, typer.Option(help="In folders of this name, each paragraph is a note of its own.")
    ] = "fragments",
    show_text: Annotated[
        bool, typer.Option("--show-text", help="Show a few words of the notes around each finding.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Find bad marks, unmarked identifiers and near-duplicate notes; exit with 1 if there are any.

    Prints `file:line: kind`, and words of the notes only with `--show-text`. Not every finding is an error:
    put the lines of correct ones into a file and pass it as `--accepted`.

    Examples:

        plainsight corpus check corpus --accepted corpus/accepted.lst

        plainsight corpus check corpus/letters --show-text
    """
    known = _lines(accepted) if accepted else frozenset()
    unread: list[Finding] = []
    notes = [note for path in paths for note in _notes(path, format, unread)]
    found = [*unread, *check(notes, scraps=lambda note: scraps in Path(note).parts)]
    left = [finding for finding in found if finding.place not in known]
    if as_json:
        record = {
            "notes": len(notes),
            "accepted": len(found) - len(left),
            "kinds": {kind: sum(finding.kind == kind for finding in left) for kind in KINDS},
            "findings": [finding.to_json(show_text=show_text) for finding in left],
        }
        print(json.dumps(record, indent=2, ensure_ascii=False))
    else:
        for finding in left:
            print(finding.place + (f" | {finding.text}" if show_text and finding.text else ""))
        print(f"{len(notes)} notes: {len(left)} findings, {len(found) - len(left)} more accepted")
    if left:
        raise typer.Exit(1)


@app.command()
def stats(
    *,
    path: Annotated[Path, typer.Argument(help="Notes or a folder of them.", show_default=False)],
    format: Annotated[  # noqa: A002 - the option's name
        str | None, typer.Option(help="Format of the notes; guessed when not given.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Count notes, words and identifiers, by folder and by label, with their shapes.

    A shape has 9 for each digit, A and a for runs of large and small letters. The counts hold no note text.

    Example: plainsight corpus stats corpus
    """
    show_statistics(Statistics.of(read_notes(path, format=format)), as_json=as_json)


@app.command()
def clusters(
    *,
    path: Annotated[Path, typer.Argument(help="Notes or a folder of them.", show_default=False)],
    format: Annotated[  # noqa: A002 - the option's name
        str | None, typer.Option(help="Format of the notes; guessed when not given.")
    ] = None,
    model: Annotated[str, typer.Option(help="The model: a bundled one's name or a folder.")] = "conv-en",
    count: Annotated[int, typer.Option("--clusters", min=1, help="How many clusters to make.")] = 30,
    least: Annotated[int, typer.Option(min=1, help="Leave out words that occur fewer times.")] = 2,
    words: Annotated[int, typer.Option(min=1, help="How many words of each cluster to print.")] = 12,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    as_json: Json = False,
) -> None:
    """Group words that stand in like places, to find unmarked ones that should be marked.

    Prints words of the notes. Each cluster has the label that the model expects there, the share of its
    places that are marked, and its most frequent words, with a `*` after those that are never marked.

    Example: plainsight corpus clusters corpus/letters
    """
    found = word_clusters(
        list(read_notes(path, format=format)), model=model, clusters=count, least=least, seed=seed
    )
    if as_json:
        print(json.dumps([asdict(cluster) for cluster in found], indent=2, ensure_ascii=False))
        return
    for cluster in found:
        places = sum(word.count for word in cluster.words)
        marked = sum(word.marked for word in cluster.words)
        shown = " ".join(word.text + ("" if word.marked else "*") for word in cluster.words[:words])
        print(f"{cluster.label} {cluster.share:.2f}  {places} places, {marked / places:.0%} marked: {shown}")


def show_statistics(statistics: Statistics, *, as_json: bool) -> None:
    """Print what was counted."""
    record = statistics.to_json()
    if as_json:
        print(json.dumps(record, indent=2, ensure_ascii=False))
        return
    folders: dict[str, dict[str, Any]] = record["folders"]
    whole = [("all", *statistics.total.to_json().values())]
    parts = [(name or "(no folder)", *counts.values()) for name, counts in folders.items()]
    per_note = record["identifiers_per_note"]
    labels = [
        (
            label,
            row["identifiers"],
            row["texts"],
            row["shapes"],
            "  ".join(list(row["frequent_shapes"])[:3])[:32],
        )
        for label, row in record["labels"].items()
    ]
    one = len(parts) < 2
    print(
        f"{record['notes']:,} notes, {record['notes_without_identifiers']:,} of them without identifiers; "
        f"vocabulary {record['vocabulary']:,} words"
    )
    if record["notes"]:
        print(
            f"identifiers per note: {per_note['mean']:.1f} on average, "
            f"median {per_note['median']:g}, at most {per_note['most']:,}"
        )
    head = ("folder", "notes", "words", "characters", "identifiers")
    Console().print(
        plain_table("Notes", head, whole if one else parts + whole),
        plain_table("Labels", ("label", "marks", "texts", "shapes", "frequent shapes"), labels),
    )


def _notes(path: Path, format: str, unread: list[Finding]) -> Iterator[Document]:  # noqa: A002
    """Yield the notes of a path under the names of their files; note what cannot be read."""
    if not path.exists():
        raise UsageError(f"no input at {path}")
    reader: Format = registry.create("formats", format)
    try:
        for item in reader.read(path):
            if isinstance(item, Document):
                yield replace(item, id=_file(path, item.id, reader))
            else:
                unread.append(_unreadable(item.where or item.id, item.reason))
    except FormatError as error:  # a file by itself: a folder sets it aside
        unread.append(_unreadable(error.where or str(path), error.reason))
    except DataError as error:
        unread.append(_unreadable(str(path), str(error)))


def _file(path: Path, note: str, reader: Format) -> str:
    if not path.is_dir():
        return str(path) if path.suffix in reader.suffixes else f"{path}:{note}"
    file = path / file_name(note, reader.suffixes)
    return str(file) if file.exists() else f"{path}:{note}"


def _unreadable(where: str, reason: str) -> Finding:
    return Finding(where, 1, "unreadable", reason)


def _lines(path: Path) -> frozenset[str]:
    try:
        return frozenset(map(str.strip, path.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeError):
        raise UsageError(f"no list of accepted findings at {path}") from None
