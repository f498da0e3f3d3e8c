"""``plainsight site sentences`` and ``safe``: what a site repeats, and what a person accepts of it."""

from __future__ import annotations

import getpass
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from plainsight.cli.notes import Job, progress_bar
from plainsight.cli.options import InputOptions, KeyOptions, SiteFolder, grouped
from plainsight.cli.results import print_tables
from plainsight.config import Policy, load_policy
from plainsight.document import Document
from plainsight.errors import UsageError, plural
from plainsight.formats.files import MemoryFile
from plainsight.pipeline import Item, Pipeline
from plainsight.site.folder import Site, open_site
from plainsight.site.inclusion import (
    InclusionList,
    Scan,
    load_inclusion,
    proposals,
    save_inclusion,
    starter_sentences,
)
from plainsight.site.knowledge import gain_of, save_known
from plainsight.site.policy import with_site
from plainsight.site.sentences import SentenceStore
from plainsight.site.settle import LEAST, MOST, settle

_TRIED = 60  # notes on which it is measured whether known sentences save time
_LEAST_GAIN = 1.1
_SAVED = 20  # decisions after which the list is written

NoteFiles = Annotated[
    list[Path], Argument(metavar="NOTES...", help="Files, tables or folders of notes.", show_default=False)
]


@grouped
def sentences(
    *,
    site: SiteFolder,
    notes: NoteFiles,
    only_count: Annotated[
        bool, Option("--only-count", help="Only add the notes to the store; run no detectors.")
    ] = False,
    input_options: InputOptions,
    key_options: KeyOptions,
    as_json: Annotated[bool, Option("--json", help="Print the figures as JSON.")] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="No progress bar, no summary.")] = False,
) -> None:
    """Store the sentences that a site repeats, and learn what they hold.

    Every different sentence goes to `SITE/sentences.db`, encrypted, with how often and where it occurs. Notes
    that were added before count once. Sentences that occur again and again are read in a few notes; from then
    on `--site SITE` takes what was found in them from the site's folder and reads only the rest of each
    note. That is kept only if it is faster with the site's policy. Sentences without any identifier are
    proposed for the list of safe sentences: decide on them with `plainsight site safe`.

    Run it again after `plainsight site learn`: known sentences count only for the models that read them.

    Example: plainsight site sentences ward/ notes.jsonl --key-file project.key
    """
    opened = open_site(site, key_options.secret)
    for path in notes:
        if not path.exists():
            raise UsageError(f"no input at {path}")
    policy = with_site(load_policy(opened.policy), opened)
    hidden = quiet or not sys.stderr.isatty()
    with SentenceStore(opened.sentences, opened.key("sentences")) as store:
        added = store.add(_notes(notes, input_options, hidden=hidden))
        figures: dict[str, float] = {
            "new": added.new,
            "changed": added.changed,
            "known": added.known,
            "notes": store.notes,
            "sentences": store.occurrences,
            "different": len(store),
        }
        if not only_count:
            repeated = store.repeated(least=LEAST, most=MOST)
            figures |= _settle(opened, policy, repeated, lambda: _notes(notes, input_options, hidden=hidden))
            entries = load_inclusion(opened)
            scan = Scan(policy, key=opened.secret)
            figures["proposed"] = entries.propose(proposals(store.sentences(least=2), scan, entries))
            save_inclusion(opened, entries)
    if as_json:
        print(json.dumps(figures))
    elif not quiet:
        _report(figures)


def _notes(paths: list[Path], options: InputOptions, *, hidden: bool) -> Iterator[Item]:
    for path in paths:
        with progress_bar(path, hidden=hidden) as step:
            for item in Job(source=path, output=MemoryFile("none"), input=options).notes():
                step(item)
                yield item


def _settle(
    site: Site, policy: Policy, repeated: dict[str, int], notes: Callable[[], Iterator[Item]]
) -> dict[str, float]:
    """Learn what repeated sentences hold; keep it if it saves time."""
    pipeline = Pipeline(policy, key=site.secret)
    settled = settle(pipeline, notes(), repeated)
    tried = [*islice((item for item in notes() if isinstance(item, Document)), _TRIED)]
    local = [detector.name for detector in pipeline.local_detectors]
    gain = gain_of(pipeline, settled, tried, clock=time.process_time) if settled and tried else 0.0
    if gain >= _LEAST_GAIN:
        save_known(site, policy, local, settled)
    else:
        site.known.unlink(missing_ok=True)
    return {"repeated": len(repeated), "settled": len(settled), "gain": round(gain, 2)}


def _report(figures: dict[str, float]) -> None:
    print(
        f"{plural(int(figures['new']), 'new note')}, {figures['changed']} changed, {figures['known']} known; "
        f"{plural(int(figures['sentences']), 'sentence')} in all, {figures['different']:,} different"
    )
    if "gain" not in figures:
        return
    kept = figures["gain"] >= _LEAST_GAIN
    verdict = "kept" if kept else "not kept, because that saves no time with this policy"
    print(
        f"{figures['settled']:,} of {figures['repeated']:,} repeated sentences are settled; "
        f"{figures['gain']:.1f} times as fast with them: {verdict}"
    )
    print(f"{plural(int(figures['proposed']), 'sentence')} proposed: `plainsight site safe` asks about them")


@grouped
def safe(
    *,
    site: SiteFolder,
    rescan: Annotated[
        bool, Option("--rescan", help="Look at all entries again with the present models; ask nothing.")
    ] = False,
    starter: Annotated[
        bool, Option("--starter", help="Also propose stock sentences that come with plainsight.")
    ] = False,
    show: Annotated[bool, Option("--list", help="Print how many entries there are; ask nothing.")] = False,
    show_text: Annotated[bool, Option("--show-text", help="With --list: print the sentences.")] = False,
    who: Annotated[str | None, Option(help="Who decides. Default: your login.", show_default=False)] = None,
    key_options: KeyOptions,
    as_json: Annotated[bool, Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Decide which sentences are safe: free of identifiers wherever they stand.

    Shows each proposed sentence and how often it occurs. Answer `y` to accept it, `n` to refuse it, `s` to
    decide later, `q` to stop. In an accepted sentence nothing is replaced, unless the patient's record knows
    it. An entry keeps who decided, when, and which models found nothing in it. When models change, entries do
    not count until `--rescan` looked at them again; where any detector now finds something, the entry is
    suspended.

    Examples:

        plainsight site safe ward/ --key-file project.key

        plainsight site safe ward/ --rescan --key-file project.key
    """
    opened = open_site(site, key_options.secret)
    entries = load_inclusion(opened)
    if rescan or starter:
        scan = Scan(with_site(load_policy(opened.policy), opened), key=opened.secret)
        if starter:
            entries.propose(proposals(starter_sentences(), scan, entries))
        suspended = entries.rescan(scan) if rescan else []
        save_inclusion(opened, entries)
        if rescan and not as_json:
            print(f"{plural(len(suspended), 'sentence')} suspended")
    if not (rescan or show or as_json):
        _ask(opened, entries, who or getpass.getuser())
    _list(entries, show_text=show_text, as_json=as_json)


def _ask(site: Site, entries: InclusionList, who: str) -> None:
    """Ask about each proposal; decisions are kept whatever happens."""
    proposed = entries.entries("proposed")
    try:
        for number, entry in enumerate(proposed, start=1):
            print(f"\n[{number}/{len(proposed)}] {entry.count:,} times ({entry.reason})\n  {entry.text}")
            answer = _answer()
            if answer == "q":
                break
            if answer != "s":
                entries.decide(entry.text, accept=answer == "y", who=who, when=datetime.now(UTC))
            if number % _SAVED == 0:
                save_inclusion(site, entries)
    finally:
        save_inclusion(site, entries)


def _answer() -> str:
    while True:
        try:
            given = input("safe? [y/n/s/q] ").strip().lower()
        except EOFError:
            return "q"
        if given in ("y", "n", "s", "q"):
            return given


def _list(entries: InclusionList, *, show_text: bool, as_json: bool) -> None:
    counts = Counter(entry.state for entry in entries.entries())
    if as_json:
        print(json.dumps(counts))
        return
    print(", ".join(f"{count:,} {state}" for state, count in counts.most_common()) or "no entries yet")
    if show_text:
        rows = [
            (entry.state, entry.count, entry.who, entry.when, entry.doubted_by, entry.text)
            for entry in entries.entries()
        ]
        print_tables([("Safe sentences", ("state", "times", "who", "when", "doubted by", "sentence"), rows)])
