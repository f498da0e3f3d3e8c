"""``plainsight project learn``: retrain on a project's corrections, and accept the new model or not."""

from __future__ import annotations

import getpass
import sys
from typing import TYPE_CHECKING, Annotated, Any

from typer import Exit, Option, confirm

from plainsight.cli.opened_project import ProjectFolder, opened
from plainsight.cli.options import KeyOptions, grouped
from plainsight.cli.results import print_tables

if TYPE_CHECKING:
    from plainsight.review.learning import Learner


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

    The audit sample is held back and judges. With a new model, all notes are read again: those that nobody
    has worked on take its marks, the others stay as people left them. Needs the extra `train`, and no GPU.

    Example: plainsight project learn ward/
    """
    from plainsight.review.learning import READY, REREADING, Learner

    with opened(project, key_options) as one:
        learner, by = Learner(one), getpass.getuser()
        if learner.status()["state"] == REREADING:
            _read_again(learner, by)
            return
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
            _read_again(learner, by)
        else:
            print("the old model stays", file=sys.stderr)


def _read_again(learner: Learner, by: str) -> None:
    from plainsight.review.learning import ACCEPTED

    print("reading all notes with the new model ...", file=sys.stderr)
    learner.accept(by=by)
    state = learner.wait()
    if state["state"] != ACCEPTED:
        print(state.get("message", "it was interrupted"), file=sys.stderr)
        raise Exit(1)
    print("the new model is used", file=sys.stderr)


def _show(state: dict[str, Any]) -> None:
    if "before" not in state:
        return
    names = {"recall": "recall", "precision": "precision", "f1": "F", "leaks": "identifying words left"}
    rows = [(name, state["before"][key], state["after"][key]) for key, name in names.items()]
    title = f"On {state['before']['notes']} notes that were held back (exact spans)"
    print_tables([(title, ("", "before", "after"), rows)])
