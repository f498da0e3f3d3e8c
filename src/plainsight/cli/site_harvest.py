"""``plainsight site harvest``: make templates of a site's notes."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option

from plainsight.cli.notes import Job, progress_bar
from plainsight.cli.options import EngineOptions, InputOptions, KeyOptions, complete_format, grouped
from plainsight.cli.results import print_tables
from plainsight.config import Policy, load_policy
from plainsight.document import Document
from plainsight.errors import UsageError, plural, printable
from plainsight.evaluate.read_notes import read_notes
from plainsight.formats.files import MemoryFile
from plainsight.pipeline import Item, Pipeline
from plainsight.site.folder import Site, open_site, write_private
from plainsight.site.harvest import Harvest, Limits, careful_claims
from plainsight.site.lists import name_words
from plainsight.site.policy import with_site
from plainsight.site.template_file import Harvested, read_harvested

_DEFAULT = Limits()


@grouped
def harvest(
    *,
    folder: Annotated[Path, Argument(metavar="SITE", help="The site's folder.", show_default=False)],
    notes: Annotated[
        list[Path],
        Argument(metavar="NOTES...", help="Files, tables or folders of notes.", show_default=False),
    ],
    gold: Annotated[
        Path | None, Option(help="Notes with gold marks: a rule that errs in them is refused.")
    ] = None,
    gold_format: Annotated[
        str | None, Option(help="Format of the gold notes. Default: guessed.", autocompletion=complete_format)
    ] = None,
    marked: Annotated[
        bool,
        Option("--marked", help="The notes have marks that a person checked: take these, run no detectors."),
    ] = False,
    support: Annotated[int, Option(min=2, help="How many sentences a rule needs.")] = _DEFAULT.support,
    least_patients: Annotated[
        int,
        Option(min=2, help="How many patients they are of, or notes where no patient is known."),
    ] = _DEFAULT.patients,
    agreement: Annotated[
        float,
        Option(min=0.5, max=1.0, help="Share of a syntax template's sentences that mean the same; 1: all."),
    ] = _DEFAULT.agreement,
    engine: EngineOptions,
    input_options: InputOptions,
    key_options: KeyOptions,
    show_text: Annotated[bool, Option("--show-text", help="Also print the rules.")] = False,
    as_json: Annotated[bool, Option("--json", help="Print the report as JSON.")] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="No progress bar, no report.")] = False,
) -> None:
    """Make templates of a site's notes: rules that find identifiers in its own forms and stock sentences.

    The site's detectors read the notes. Where a sentence occurs again and again with the same kinds of
    identifiers at the same places, it becomes a rule, such as

        Electronically signed by {{DOCTOR|W W}}, MD on {{DATE|N/N/N}}

    The rules go to `SITE/templates.json`; `plainsight deidentify --site SITE` uses them from then on.
    No name or number gets into that file: a template whose fixed words might hold one is refused and counted
    by its reason. Harvesting further notes adds to the counts; the same notes count once.

    Examples:

        plainsight site harvest ward/ notes.jsonl --key-file project.key

        plainsight site harvest ward/ 2024/ 2025/ --gold marked/ --support 20 --key-file project.key

        plainsight site harvest ward/ corrected.jsonl --marked --support 3 --key-file project.key
    """
    engine.check()
    site = open_site(folder, key_options.secret)
    earlier = read_harvested(site.templates) if site.templates.exists() else Harvested()
    for path in (*notes, *filter(None, [gold])):
        if not path.exists():
            raise UsageError(f"no input at {path}")
    gold_notes = read_notes(gold, format=gold_format) if gold else []
    policy = _without_templates(with_site(load_policy(site.policy), site))
    pipeline = Pipeline(policy, key=site.secret)
    gathered = Harvest(
        site.key("templates"),
        limits=Limits(
            support=support,
            patients=least_patients,
            agreement=agreement,
            words=1 if marked else _DEFAULT.words,  # a person has seen each of them
            fillings=1 if marked else _DEFAULT.fillings,
        ),
    )
    set_aside = 0
    for path in notes:
        with progress_bar(path, hidden=quiet or not sys.stderr.isatty()) as each:
            items = _read(path, input_options)
            for item in items if marked else engine.spread(pipeline, "detect", items):
                if isinstance(item, Document):
                    gathered.add(item)
                    each(item)
                else:
                    set_aside += 1
                    print(printable(f"{item.where or item.id} set aside: {item.reason}"), file=sys.stderr)
    known = gathered.input in earlier.inputs
    made = gathered.finish(
        earlier=earlier,
        names=name_words(site),
        careful=careful_claims(policy, key=site.secret),
        gold=gold_notes,
    )
    if not known:
        write_private(site.templates, made.to_json())
    if as_json:
        print(json.dumps(_figures(gathered, earlier, made, site)))
    elif not quiet:
        _report(gathered, earlier, made, site, show_text=show_text, known=known)
    if set_aside:
        raise Exit(1)


def _without_templates(policy: Policy) -> Policy:
    """Leave out the rules of earlier harvests, which would find themselves again."""
    others = tuple(choice for choice in policy.detectors if choice.plugin != "templates")
    return replace(policy, detectors=others)


def _read(path: Path, options: InputOptions) -> Iterator[Item]:
    return Job(source=path, output=MemoryFile("none"), input=options).notes()


def _figures(gathered: Harvest, earlier: Harvested, made: Harvested, site: Site) -> dict[str, object]:
    new = {rule.template for rule in made.rules} - {rule.template for rule in earlier.rules}
    return {
        "notes": gathered.notes,
        "sentences": gathered.sentences,
        "different": gathered.different,
        "rules": len(made.rules),
        "new_rules": len(new),
        "waiting": len(made.waiting),
        "refused": dict(Counter(one.reason for one in made.refused).most_common()),
        "file": str(site.templates),
    }


def _report(
    gathered: Harvest, earlier: Harvested, made: Harvested, site: Site, *, show_text: bool, known: bool
) -> None:
    if known:
        print(f"these {gathered.notes:,} notes are harvested already: {site.templates} stays as it is")
        return
    figures = _figures(gathered, earlier, made, site)
    print(
        f"{plural(gathered.notes, 'note')}, {plural(gathered.sentences, 'sentence')}, "
        f"{gathered.different:,} different"
    )
    print(f"{plural(len(made.rules), 'rule')}, {figures['new_rules']} of them new -> {site.templates}")
    print(f"{plural(len(made.waiting), 'template')} with too few sentences or patients yet")
    counts = Counter(one.reason for one in made.refused)
    print_tables(
        [("Refused templates", ("templates", "reason"), [(n, why) for why, n in counts.most_common()])]
    )
    if show_text:
        rows = [(rule.support, rule.patients, rule.missed, rule.template) for rule in made.rules]
        head = ("support", "patients", "missed", "template")
        print_tables([("Rules", head, sorted(rows, reverse=True))])
