"""``plainsight attack``: play the attacker against released notes."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Annotated

import typer
from rich.console import Console

from plainsight.cli.gold import Gold, GoldOptions
from plainsight.cli.options import grouped
from plainsight.cli.results import plain_table
from plainsight.document import Document
from plainsight.errors import UsageError, suggest
from plainsight.lab.attack.dictionary import digits_kept, guess_keys, hashes
from plainsight.lab.attack.distinguisher import distinguish
from plainsight.lab.attack.offset import SETTINGS, recover
from plainsight.lab.attack.parrot import parrot
from plainsight.lab.attack.release import CONSISTENCIES, key_of, surrogate
from plainsight.lab.attack.statistics import Record

_ATTACKS = ("parrot", "distinguish", "dictionary", "offset")
_Result = tuple[str, str, list[Record]]


@grouped
def attack(
    *,
    which: Annotated[
        str, typer.Argument(metavar="ATTACK", help=f"{', '.join(_ATTACKS)} or all.", show_default=False)
    ],
    gold: Gold,
    reading: GoldOptions,
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="distinguish: the share of names left in by chance.")
    ] = 0.01,
    seeds: Annotated[
        int, typer.Option(min=1, help="distinguish: how often names are left in anew, in each half.")
    ] = 30,
    seed: Annotated[int, typer.Option(help="Seed of all random choices.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print as Markdown tables.")] = False,
) -> None:
    """Attack released notes with plainsight and its lists, but without the key.

    Each attack de-identifies notes with gold spans, plays the attacker, and reports beside chance.

    - `parrot` imitates the de-identifier and suspects the names that the imitation does not mark; needs the
      `train` extra
    - `distinguish` ranks names by how unlike a surrogate they look; an AUC of 0.5 is chance
    - `dictionary` tries all numbers, guesses keys, and looks for digits that stayed
    - `offset` finds date offsets from weekdays, holidays, seasons and events

    Examples:

        plainsight attack distinguish corpus --format inline --share 0.01

        plainsight attack all corpus --format inline --patient-from-name 'longitudinal/(p[0-9]+)-'
    """
    if which != "all" and which not in _ATTACKS:
        raise UsageError(f"no attack {which!r}{suggest(which, (*_ATTACKS, 'all'))}")
    documents = reading.read(gold)
    if len({document.patient_id or f"note {document.id}" for document in documents if document.spans}) < 2:
        raise UsageError(f"{gold}: an attack needs notes of at least two patients with gold spans")
    wanted = list(_ATTACKS) if which == "all" else [which]
    if which == "all" and find_spec("pycrfsuite") is None:
        wanted.remove("parrot")
        print("parrot is left out: pip install 'plainsight[train]'", file=sys.stderr)
    results = [result for name in wanted for result in _run(name, documents, seed, share, seeds)]
    if as_json:
        print(json.dumps({name: records for name, _, records in results}, indent=2))
        return
    for _, title, records in results:
        columns = [key for key, value in records[0].items() if not isinstance(value, dict)] if records else []
        rows = [[_cell(record[key]) for key in columns] for record in records]
        head = [key.replace("_", " ") for key in columns]
        if as_markdown:
            lines = [head, ["---"] * len(head), *rows]
            print(f"**{title}**\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n")
        else:
            Console().print(plain_table(title, head, rows))


def _run(name: str, documents: Sequence[Document], seed: int, share: float, seeds: int) -> list[_Result]:
    """Return the tables of an attack: the name, the title and the rows of each."""
    if name == "parrot":
        return [(name, "Parrot attack: which names are originals?", parrot(documents, seed=seed))]
    if name == "distinguish":
        ranked = [
            record
            for each in CONSISTENCIES
            for record in distinguish(documents, consistency=each, share=share, seeds=seeds, seed=seed)
        ]
        return [(name, "Distinguisher: names left in by chance against surrogates", ranked)]
    if name == "offset":
        recovered = [recover(documents, setting=setting, seed=seed) for setting in SETTINGS]
        return [(name, "Date offsets: where the true one ranks", recovered)]
    digits = digits_kept(documents, surrogate(key_of(seed, "digits")).replace(documents))
    return [
        ("hashes", "Dictionary attack on hashes of record numbers", hashes(seed=seed)),
        ("guessed_keys", "Guessed keys: how often a surrogate is hit", guess_keys(seed=seed)),
        ("digits_kept", "Digits that stay in place (chance: 0.1)", digits),
    ]


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "n/a" if value is None else str(value)
