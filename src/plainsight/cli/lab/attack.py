"""``plainsight attack``: play the attacker against released notes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table as RichTable

from plainsight.cli.marks import Gold, GoldOptions
from plainsight.cli.options import grouped
from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.lab.attack import table
from plainsight.lab.attack.dictionary import digits_kept, guess_keys, hashes
from plainsight.lab.attack.distinguisher import distinguish as run_distinguisher
from plainsight.lab.attack.offset import SETTINGS, recover
from plainsight.lab.attack.parrot import parrot as run_parrot
from plainsight.lab.attack.release import CONSISTENCIES, key_of, surrogate

__all__ = ["app"]

app = typer.Typer(
    add_completion=False,
    help=(
        "Attack released notes: what does somebody learn who has plainsight and its lists, but not the key? "
        "Each attack de-identifies notes with gold spans, plays the attacker, and reports beside chance."
    ),
    no_args_is_help=True,
)

Seed = Annotated[int, typer.Option(help="Everything random follows from it.")]
Share = Annotated[float, typer.Option(min=0.0, max=1.0, help="The share of names that is left in by chance.")]
Seeds = Annotated[int, typer.Option(min=1, help="How often names are left in anew, in each half.")]

Result = tuple[str, list[dict[str, object]], table.Table]


@dataclass(frozen=True, slots=True, kw_only=True)
class Printing:
    """How results are shown."""

    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print as Markdown tables.")] = False

    def show(self, results: Sequence[Result]) -> None:
        """Print results as asked."""
        if self.as_json:
            print(json.dumps({name: data for name, data, _ in results}, indent=2))
            return
        for _, _, shown in results:
            if self.as_markdown:
                print(shown.to_markdown())
                continue
            printed = RichTable(title=shown.title, title_justify="left")
            for number, column in enumerate(shown.columns):
                printed.add_column(column, justify="left" if number == 0 else "right")
            for row in shown.rows:
                printed.add_row(*row)
            Console().print(printed)


@app.command()
@grouped
def parrot(
    *,
    gold: Gold,
    owners: GoldOptions,
    seed: Seed = 0,
    printing: Printing,
) -> None:
    """Imitate the de-identifier; suspect the names that the imitation does not mark.

    Needs the `train` extra. Example: plainsight attack parrot corpus --format inline
    """
    documents = _read(gold, owners)
    printing.show([_parrot(documents, seed)])


@app.command()
@grouped
def distinguish(
    *,
    gold: Gold,
    owners: GoldOptions,
    share: Share = 0.01,
    seeds: Seeds = 30,
    seed: Seed = 0,
    printing: Printing,
) -> None:
    """Rank names by how unlike a surrogate they look: 0.5 means that nothing tells them apart.

    Example: plainsight attack distinguish corpus --format inline --share 0.01
    """
    documents = _read(gold, owners)
    printing.show([_distinguish(documents, seed, share, seeds)])


@app.command()
@grouped
def dictionary(
    *,
    gold: Gold,
    owners: GoldOptions,
    seed: Seed = 0,
    printing: Printing,
) -> None:
    """Count up all numbers, guess keys, and look for digits that stayed.

    Example: plainsight attack dictionary corpus --format inline
    """
    documents = _read(gold, owners)
    printing.show(_dictionary(documents, seed))


@app.command()
@grouped
def offset(
    *,
    gold: Gold,
    owners: GoldOptions,
    seed: Seed = 0,
    printing: Printing,
) -> None:
    """Find date offsets from weekdays, holidays, seasons and events.

    Example: plainsight attack offset corpus --format inline
    """
    documents = _read(gold, owners)
    printing.show([_offset(documents, seed)])


@app.command("all")
@grouped
def every(
    *,
    gold: Gold,
    owners: GoldOptions,
    seed: Seed = 0,
    printing: Printing,
) -> None:
    """Run every attack.

    Example: plainsight attack all corpus --format inline --patient-from-name 'longitudinal/(p[0-9]+)-'
    """
    documents = _read(gold, owners)
    results = [
        _parrot(documents, seed),
        _distinguish(documents, seed, 0.01, 30),
        *_dictionary(documents, seed),
        _offset(documents, seed),
    ]
    printing.show(results)


def _read(gold: Path, owners: GoldOptions) -> list[Document]:
    documents = owners.read(gold)
    if len({document.patient_id or f"note {document.id}" for document in documents if document.spans}) < 2:
        raise UsageError(f"{gold}: an attack needs notes of at least two patients with gold spans")
    return documents


def _parrot(documents: Sequence[Document], seed: int) -> Result:
    found = run_parrot(documents, seed=seed)
    return "parrot", [result.to_json() for result in found], table.parrot_table(found)


def _distinguish(documents: Sequence[Document], seed: int, share: float, seeds: int) -> Result:
    found = [
        result
        for each in CONSISTENCIES
        for result in run_distinguisher(documents, consistency=each, share=share, seeds=seeds, seed=seed)
    ]
    return "distinguish", [result.to_json() for result in found], table.distinguisher_table(found)


def _dictionary(documents: Sequence[Document], seed: int) -> list[Result]:
    hashed, guessed = hashes(seed=seed), guess_keys(seed=seed)
    kept = digits_kept(documents, surrogate(key_of(seed, "digits")).replace(documents))
    return [
        ("hashes", [result.to_json() for result in hashed], table.hash_table(hashed)),
        ("guessed_keys", [result.to_json() for result in guessed], table.guess_table(guessed)),
        ("digits_kept", [result.to_json() for result in kept], table.kept_table(kept)),
    ]


def _offset(documents: Sequence[Document], seed: int) -> Result:
    found = [recover(documents, setting=setting, seed=seed) for setting in SETTINGS]
    return "offset", [result.to_json() for result in found], table.offset_table(found)
