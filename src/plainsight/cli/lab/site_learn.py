"""``plainsight site learn``: learn from the corrections of a site."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated

from typer import Option

from plainsight.cli.options import KeyOptions, SiteFolder, grouped
from plainsight.errors import plural
from plainsight.lab.site_learning import Learned
from plainsight.lab.site_learning import learn as learn_from
from plainsight.site.folder import Site, open_site


@grouped
def learn(
    *,
    site: SiteFolder,
    without_transformer: Annotated[
        bool,
        Option(
            "--without-transformer",
            help="Learn for the fast network alone: several times as fast, a little less exact.",
        ),
    ] = False,
    as_json: Annotated[bool, Option("--json", help="Print every figure as JSON.")] = False,
    key_options: KeyOptions,
) -> None:
    """Learn from all corrections so far, and use the new model if random notes show that it is better.

    The network stays as it is; what is learned is added to its scores. Notes of our own corpus are replayed,
    so that nothing is forgotten. The new model is used only if it finds more in the audit sample and is not
    worse on our corpus; otherwise the old one stays. Needs the extra `train`, and no GPU.

    Run `plainsight site sentences` again afterwards, and `plainsight site safe --rescan`: what they keep
    counts only for the model that read it.

    Example: plainsight site learn ward/ --key-file project.key
    """
    opened = open_site(site, key_options.secret)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    learned = learn_from(
        opened,
        made=now,
        without_transformer=without_transformer,
        stage=lambda name: print(f"{name} ...", file=sys.stderr),
    )
    if as_json:
        print(json.dumps(learned.to_json(), indent=2))
        return
    print(_told(learned))
    if learned.kept:
        print(*outdated(opened), sep="", end="")


def outdated(site: Site) -> Iterator[str]:
    """Yield what the old model made and the new one does not use."""
    for path, what, command in (
        (site.known, "settled sentences", "sentences"),
        (site.inclusion, "safe sentences", "safe --rescan"),
    ):
        if path.exists():
            yield f"{what} were read by the old model and no longer count: run `plainsight site {command}`\n"


def _told(learned: Learned) -> str:
    before, after, corpus = learned.before, learned.after, (learned.corpus_before, learned.corpus_after)
    verdict = "the new model is used" if learned.kept else f"the old model stays: {learned.reason}"
    spans = (
        f"exact spans: F {before.strict.f or 0:.4f} -> {after.strict.f or 0:.4f}, "
        f"missed {before.strict.missed:g} -> {after.strict.missed:g}, "
        f"wrong {before.strict.wrong:g} -> {after.strict.wrong:g}"
    )
    tokens = f"leaked tokens {before.token.missed:g} -> {after.token.missed:g}"
    ours = "F of tokens on our corpus " + " -> ".join(f"{each.token.f or 0:.4f}" for each in corpus)
    lines = (
        f"round {learned.number}: {verdict} ({learned.seconds:.0f} s)",
        f"{plural(after.notes, 'random note')}, {spans}",
        f"{tokens}; {ours}",
    )
    return "\n".join(lines)
