"""``plainsight site doubt``, ``correct`` and ``report``: choose notes, take corrections, look back."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from plainsight import registry
from plainsight.cli.gold import GoldFormat
from plainsight.cli.notes import Job
from plainsight.cli.options import (
    Force,
    InputOptions,
    KeyOptions,
    Out,
    SiteFolder,
    check_paths,
    complete_format,
    grouped,
)
from plainsight.cli.results import print_tables
from plainsight.config import load_policy
from plainsight.errors import plural
from plainsight.evaluate.read_notes import read_notes
from plainsight.formats.base import write_all
from plainsight.formats.guess import guess
from plainsight.pipeline import Pipeline
from plainsight.site import corrections
from plainsight.site.choose import Strategy, candidates, choose, second_opinion
from plainsight.site.folder import open_site
from plainsight.site.policy import with_site
from plainsight.site.rounds import read_rounds
from plainsight.sources.places import place

_COMPARING = (
    Strategy.DISAGREEMENT,
    Strategy.DIVERSITY,
    Strategy.GAIN,
    Strategy.LEAKS,
    Strategy.SENTENCES,
)


@grouped
def doubt(
    *,
    site: SiteFolder,
    source: Annotated[Path, Argument(parser=place, metavar="NOTES", help="Notes of the site.")],
    output: Out,
    notes: Annotated[int, Option("--notes", "-n", min=1, help="How many notes to read in this round.")] = 200,
    audit: Annotated[
        int, Option(min=0, help="How many of them are drawn at random, to judge by and never to learn from.")
    ] = 50,
    strategy: Annotated[Strategy, Option(help="How the others are chosen.")] = Strategy.GAIN,
    seed: Annotated[int, Option(help="Random seed of the audit sample.")] = 0,
    anew: Annotated[
        bool, Option("--anew", help="Choose again, though the last round waits for its corrections.")
    ] = False,
    output_format: Annotated[
        str | None,
        Option(help="The format to correct in. Default: by the ending.", autocompletion=complete_format),
    ] = None,
    input_options: InputOptions,
    key_options: KeyOptions,
    force: Force = False,
) -> None:
    """Choose the notes that a reader should read next, and write them with the marks found so far.

    The output holds the notes' text. Correct the marks in any tool that reads its format, leave the text as
    it is, and bring the notes back with `plainsight site correct`. Notes read before are not chosen again.

    Strategies: `gain` (the default) reads what is expected to teach most for each second of reading;
    `diversity` the same without the seconds; `leaks` looks at likely misses alone, `sentences` at forms of
    sentences; `least-confident`, `disagreement`, `rare-words` and `random`.

    Example: plainsight site doubt ward/ notes.jsonl -o to-read.jsonl --key-file project.key
    """
    opened = open_site(site, key_options.secret)
    check_paths([source, input_options.patients], [output], force=force)
    if not anew:
        corrections.refuse_open_round(opened)  # before any note is read
    policy = with_site(load_policy(opened.policy), opened)
    given = list(Job(source=source, output=output, input=input_options).notes())
    others = second_opinion(policy.name, given) if strategy in _COMPARING else None
    known = candidates(Pipeline(policy, key=opened.secret), given, others=others)
    new = corrections.unread(opened, known)
    fresh = {note.document.id for note in new}
    read = [note for note in known if note.document.id not in fresh]
    chosen = choose(new, notes, strategy, audit=min(audit, notes), seed=seed, read=read)
    current = corrections.begin_round(opened, chosen, strategy=strategy.value, notes=len(known), anew=anew)
    documents = sorted((note.document for note, _ in chosen), key=lambda note: note.id)
    marked = [replace(note, meta={}) for note in documents]
    name = output_format or guess(output)
    write_all(registry.create("formats", name), marked, output, span_column=True)
    minutes = sum(note.seconds for note, _ in chosen) / 60
    drawn = sum(why == "audit" for _, why in chosen)
    print(
        f"round {current.number}: {plural(len(chosen), 'note')} of {len(known):,}, {drawn} drawn at random, "
        f"about {minutes:.0f} minutes to read -> {output}",
        file=sys.stderr,
    )


@grouped
def correct(
    *,
    site: SiteFolder,
    source: Annotated[Path, Argument(metavar="CORRECTED", help="The chosen notes with the right marks.")],
    gold: Annotated[
        bool,
        Option("--gold", help="CORRECTED is a gold standard of more notes: leave the others out."),
    ] = False,
    format: GoldFormat = None,  # noqa: A002 - the domain's word
    key_options: KeyOptions,
) -> None:
    """Take the corrected notes of the open round; they are kept encrypted in the site's folder.

    Every note must have been chosen by `plainsight site doubt`, with the same text. A chosen note that is
    missing counts as not read. Of the audit sample none may be missing.

    Example: plainsight site correct ward/ to-read.jsonl --key-file project.key
    """
    opened = open_site(site, key_options.secret)
    number = corrections.open_round(opened).number
    done = corrections.correct(opened, read_notes(source, format=format), more=gold)
    drawn = sum(each.is_audit for each in done)
    minutes = sum(each.seconds for each in done) / 60
    print(
        f"round {number}: {plural(len(done), 'note')} corrected, {drawn} of them drawn at random, "
        f"about {minutes:.0f} minutes of reading"
    )


@grouped
def report(
    *,
    site: SiteFolder,
    as_json: Annotated[bool, Option("--json", help="Print every figure as JSON.")] = False,
    key_options: KeyOptions,
) -> None:
    """Show what each round cost and what it brought, and how much is estimated to leak still.

    All figures are of the audit samples: random notes that no model learned from. Their intervals say how
    much a few dozen notes can tell.

    Example: plainsight site report ward/ --key-file project.key
    """
    rounds = read_rounds(open_site(site, key_options.secret))
    if as_json:
        print(json.dumps(rounds, indent=2))
        return
    if not rounds:
        print("no round yet: plainsight site doubt, correct, learn")
        return
    head = ("round", "read", "minutes", "", "P", "R", "F", "leaked tokens", "notes with a leak", "model")
    rows: list[tuple[Any, ...]] = []
    for one in rounds:
        verdict = "used" if one["kept"] else f"not used: {one['reason']}"
        first: tuple[Any, ...] = (one["round"], one["read"], f"{one['minutes']:.0f}")
        for name, outcome in (("before", ""), ("after", verdict)):
            figures = one[name]
            strict = [figures["strict"][key] for key in ("precision", "recall", "f")]
            shares = [_share(figures[key]) for key in ("leaked", "leaking_notes")]
            rows.append((*first, name, *strict, *shares, outcome))
            first = ("", "", "")
    print_tables([("Rounds, judged by random notes (exact spans with labels)", head, rows)])


def _share(share: dict[str, float | None]) -> str:
    """Return a share in per cent with its interval."""
    value, low, high = (share[key] for key in ("value", "low", "high"))
    if value is None:
        return "n/a"
    edges = "" if low is None or high is None else f" ({low:.2%} to {high:.2%})"
    return f"{value:.2%}{edges}"
