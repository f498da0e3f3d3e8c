"""``plainsight show``: draw notes before and after as an HTML page."""

from __future__ import annotations

import sys
from itertools import tee
from pathlib import Path
from typing import Annotated

from typer import Exit, Option

from plainsight.cli import options
from plainsight.cli.notes import Job, input_and_output
from plainsight.cli.page import open_page
from plainsight.document import SetAside
from plainsight.errors import plural, printable
from plainsight.pipeline import Doubted, Pipeline


@options.grouped
def show(
    *,
    source: options.In = None,
    text: options.Text = None,
    html: Annotated[Path, Option(help="Where the page goes.", show_default=False)],
    policy_options: options.PolicyOptions,
    input_options: options.InputOptions,
    key_options: options.KeyOptions,
    force: options.Force = False,
) -> None:
    """Show notes before and after: an HTML page with the originals beside the de-identified notes.

    Identifiers are marked in the colour of their category, and likely misses are underlined. The page holds
    the originals: keep it as safe as them. It needs nothing from the network and can be printed.

    Examples:

        plainsight show notes/ --html look.html

        plainsight show --text "Seen by Dr. Okafor on 3/4/2019." --html look.html
    """
    given, _ = input_and_output(source, text, html)
    options.check_paths([given], [html], force=force)
    chosen = policy_options.load(replacing=True, key_options=key_options)
    key = key_options.find_or_forget(chosen, forget=False)
    pipeline = Pipeline(chosen, key=key.secret if key else None)
    notes = Job(source=given, output=html, input=input_options).notes()
    doubted, again = tee(pipeline.doubt(notes))
    found = (item.document if isinstance(item, Doubted) else item for item in again)
    set_aside = 0
    with open_page(
        html,
        policy=chosen.name,
        about="Left the original, right the de-identified note. What may have been missed is underlined.",
    ) as page:
        for before, after in zip(doubted, pipeline.replace(found), strict=True):
            if isinstance(before, SetAside) or isinstance(after, SetAside):
                set_aside += 1
                reason = before.reason if isinstance(before, SetAside) else "cannot be replaced"
                print(printable(f"{after.id} set aside: {reason}"), file=sys.stderr)
            else:
                page.write(before.document, after, before.doubts.places)
    counts = f"{plural(page.notes, 'note')}, {plural(page.spans, 'identifier')}"
    print(f"{counts} -> {html}", file=sys.stderr)
    if set_aside:
        raise Exit(1)
