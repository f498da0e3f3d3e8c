"""``plainsight attack``: play the attacker against released notes."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console

from plainsight.cli.gold import GoldOptions
from plainsight.cli.options import complete_policy, grouped
from plainsight.cli.results import plain_table
from plainsight.config import load_policy
from plainsight.document import Document
from plainsight.errors import UsageError, suggest
from plainsight.lab.attack.dictionary import digits_kept, guess_keys, hashes
from plainsight.lab.attack.distinguisher import distinguish
from plainsight.lab.attack.exclusion import exclusion
from plainsight.lab.attack.offset import SETTINGS, recover
from plainsight.lab.attack.parrot import parrot
from plainsight.lab.attack.release import (
    CONSISTENCIES,
    KINDS,
    Consistency,
    key_of,
    name_places,
    surrogate,
    with_missed,
)
from plainsight.lab.attack.statistics import Record
from plainsight.pipeline import Pipeline

_ATTACKS = ("parrot", "distinguish", "exclusion", "dictionary", "offset")
_WITHOUT_NOTES = ("exclusion",)
_Result = tuple[str, str, list[Record]]


@grouped
def attack(
    *,
    which: Annotated[
        str, typer.Argument(metavar="ATTACK", help=f"{', '.join(_ATTACKS)} or all.", show_default=False)
    ],
    gold: Annotated[
        Path | None,
        typer.Argument(
            metavar="GOLD",
            help="Notes with gold spans, in any annotation format; not for exclusion.",
            show_default=False,
        ),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            "-p",
            help="Attack what this policy finds, not the gold spans.",
            autocompletion=complete_policy,
        ),
    ] = None,
    reading: GoldOptions,
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="distinguish: the share of identifiers left in by chance.")
    ] = 0.01,
    seeds: Annotated[
        int, typer.Option(min=1, help="distinguish: how often some are left in anew, in each half.")
    ] = 30,
    lessons: Annotated[
        Path | None,
        typer.Option(
            help="distinguish: learn from these notes with gold spans, not from half of GOLD.",
            show_default=False,
        ),
    ] = None,
    sites: Annotated[int, typer.Option(min=2, help="exclusion: how many sites, each with its own key.")] = 20,
    site_patients: Annotated[
        int, typer.Option(min=2, help="exclusion: the patients of a site, one note each.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of all random choices.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print as Markdown tables.")] = False,
) -> None:
    """Attack released notes with plainsight and its lists, but without the key.

    Each attack de-identifies notes with gold spans, plays the attacker, and reports beside chance.

    - `parrot` imitates the de-identifier and suspects the names that the imitation does not mark; needs the
      `train` extra
    - `distinguish` ranks names, numbers, places and organisations by how unlike a surrogate they look; an AUC
      of 0.5 is chance
    - `exclusion` looks for what a site's patients share (a provider, the town) as the value that is never
      there; it makes its own notes
    - `dictionary` tries all numbers, guesses keys, and looks for digits that stayed
    - `offset` weighs all date offsets by weekdays, seasons and events, and counts the candidates of a patient

    Examples:

        plainsight attack distinguish corpus --format inline --share 0.01

        plainsight attack exclusion --sites 20

        plainsight attack all corpus --format inline --patient-from-name 'longitudinal/(p[0-9]+)-'
    """
    if which != "all" and which not in _ATTACKS:
        raise UsageError(f"no attack {which!r}{suggest(which, (*_ATTACKS, 'all'))}")
    wanted = list(_ATTACKS) if which == "all" else [which]
    documents = _documents(gold, reading, policy) if set(wanted) - set(_WITHOUT_NOTES) else []
    if which == "all" and find_spec("pycrfsuite") is None:
        wanted.remove("parrot")
        print("parrot is left out: pip install 'plainsight[train]'", file=sys.stderr)
    learnt = _documents(lessons, reading, policy) if lessons and "distinguish" in wanted else ()
    choices = _Choices(seed, share, seeds, sites, site_patients, learnt)
    results = [result for name in wanted for result in _run(name, documents, choices)]
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


class _Choices(NamedTuple):
    """What the user chose."""

    seed: int
    share: float
    seeds: int
    sites: int
    site_patients: int
    lessons: Sequence[Document]


def _documents(gold: Path | None, reading: GoldOptions, policy: str | None) -> list[Document]:
    """Return the notes that are attacked, with gold spans or with those that a policy finds."""
    if gold is None:
        raise UsageError("this attack needs notes with gold spans: plainsight attack ATTACK GOLD")
    documents = reading.read(gold)
    if policy:
        ordered = sorted(documents, key=lambda note: note.patient_id or "")
        found = Pipeline(load_policy(policy)).detect(ordered)
        both = zip(ordered, found, strict=True)
        documents = [with_missed(marked, note) for marked, note in both if isinstance(note, Document)]
    if len({document.patient_id or f"note {document.id}" for document in documents if document.spans}) < 2:
        raise UsageError(f"{gold}: an attack needs notes of at least two patients with gold spans")
    return documents


def _run(name: str, documents: Sequence[Document], choices: _Choices) -> list[_Result]:
    """Return the tables of an attack: the name, the title and the rows of each."""
    seed = choices.seed
    if name == "parrot":
        return [(name, "Parrot attack: which names are originals?", parrot(documents, seed=seed))]
    if name == "distinguish":
        trials: list[tuple[str, Consistency]] = [("names", each) for each in CONSISTENCIES]
        others = [
            kind for kind, labels in KINDS.items() if kind != "names" and name_places(documents, labels)
        ]
        trials += [(kind, "patient") for kind in others]
        ranked = [
            record
            for kind, each in trials
            for record in distinguish(
                documents,
                kind=kind,
                consistency=each,
                share=choices.share,
                seeds=choices.seeds,
                seed=seed,
                lessons=choices.lessons,
            )
        ]
        return [(name, "Distinguisher: identifiers left in by chance against surrogates", ranked)]
    if name == "exclusion":
        excluded = exclusion(patients=choices.site_patients, sites=choices.sites, seed=seed)
        return [(name, "Exclusion: where a site's originals rank among all values by count", excluded)]
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
