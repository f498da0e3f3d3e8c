"""``plainsight project learn``: retrain on a project's corrections, and accept the new model or not."""

from __future__ import annotations

import getpass
import sys
from typing import Annotated, Any

from typer import Exit, Option, confirm

from plainsight.cli.opened_project import ProjectFolder, opened
from plainsight.cli.options import KeyOptions, grouped
from plainsight.cli.results import print_tables


@grouped
def learn(
    *,
    project: ProjectFolder,
    accept: Annotated[
        bool | None,
        Option("--accept/--leave", help="Use the new model, or do not. Default: ask.", show_default=False),
    ] = None,
    key_options: KeyOptions,
) -> None:
    """Learn from the notes that are finished; a better model is used when you accept it.

    The audit sample is held back and judges. What was found in notes that are imported already stays as it
    is. Needs the extra `train`, and no GPU.

    Example: plainsight project learn ward/
    """
    from plainsight.review.learning import READY, Learner

    with opened(project, key_options) as one:
        learner, by = Learner(one), getpass.getuser()
        state = learner.start(by=by)
        print(f"learning from {state['notes']} notes, {state['held_back']} held back ...", file=sys.stderr)
        state = learner.wait()
        _show(state)
        if state["state"] != READY:
            print(state.get("message", "nothing was learned"), file=sys.stderr)
            raise Exit(1)
        if accept is None:
            accept = sys.stdin.isatty() and confirm("Use the new model from now on?", err=True)
        if accept:
            learner.accept(by=by)
        print("the new model is used" if accept else "the old model stays", file=sys.stderr)


def _show(state: dict[str, Any]) -> None:
    if "before" not in state:
        return
    names = {"recall": "recall", "precision": "precision", "f1": "F", "leaks": "identifying words left"}
    rows = [(name, state["before"][key], state["after"][key]) for key, name in names.items()]
    title = f"On {state['before']['notes']} notes that were held back (exact spans)"
    print_tables([(title, ("", "before", "after"), rows)])
