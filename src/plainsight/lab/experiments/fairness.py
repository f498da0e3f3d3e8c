"""Fairness: measure whether a system finds the names of some people less often than others.

All names of the gold notes are replaced by names of one group; everything else stays the same. Recall counts
the tokens of names alone: a token is found if it is covered, whatever the label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from plainsight.document import Document
from plainsight.errors import DataError, UsageError, suggest
from plainsight.evaluate.report.charts import ranges
from plainsight.lab.experiments.bench import Found, Ledger, remember
from plainsight.lab.experiments.name_groups import ATTRIBUTES, Group, groups, rename
from plainsight.lab.experiments.results import Measured, Outcome, average, edges, measure, shown
from plainsight.lab.experiments.systems import System

AS_WRITTEN = "as written"
"""The notes with the names that they came with."""

_SCORER = "binary-token"


def fairness(
    ledger: Ledger,
    system: System,
    documents: Sequence[Document],
    *,
    attributes: Sequence[str] = ATTRIBUTES,
    rounds: int = 3,
    seed: int = 0,
) -> Outcome:
    """Measure the recall of names group by group; each group's names are drawn anew in every round."""
    for attribute in attributes:
        if attribute not in ATTRIBUTES:
            raise UsageError(f"names are not grouped by {attribute!r}{suggest(attribute, ATTRIBUTES)}")

    def measured(group: Group | None, draw: int) -> Measured:
        name = {"attribute": group.attribute, "group": group.name, "seed": draw} if group else {}
        notes = rename(documents, group, seed=draw)

        def find() -> Found:
            ledger.tell(f"{system.name}: names {group.name if group else AS_WRITTEN}, draw {draw}")
            return Found(system.find(notes))

        key = {"experiment": "fairness", **system.key(), **name}
        return measure(notes, remember(ledger, key, notes, find).spans, seconds={})

    written = measured(None, seed)
    if not written.micro(_SCORER).gold:
        raise DataError("the gold notes hold no names of people")
    data = [_record("", AS_WRITTEN, written, written)]
    for attribute in attributes:
        runs = {
            group.name: average([measured(group, draw) for draw in range(seed, seed + rounds)])
            for group in groups(attribute)
        }
        best = max(runs.values(), key=lambda run: run.micro(_SCORER).recall or 0.0)
        data += [_record(attribute, name, run, best) for name, run in runs.items()]
    return Outcome(
        name="fairness",
        title=f"Recall of names by group: {system.name}",
        about=(
            "Share of the tokens of names that are covered, whatever the label, when all names of the notes "
            f"are of one group ({rounds} draws); intervals of 95 % by bootstrap over notes. Gap: to the best "
            "group of the same attribute; p: by approximate randomisation of notes, not corrected for the "
            "number of tests."
        ),
        head=("attribute", "group", "tokens", "recall", "gap", "p"),
        rows=[_row(record) for record in data],
        names=2,
        data=[{"system": system.name, **record, "recall": asdict(record["recall"])} for record in data],
        svg=ranges(
            f"Recall of names: {system.name}", {record["group"]: edges(record["recall"]) for record in data}
        ),
    )


def _record(attribute: str, group: str, run: Measured, best: Measured) -> dict[str, Any]:
    """Return the recall of a group, and how far it is from the best group of its attribute."""
    gap = None if run is best else run.against(best, _SCORER)
    return {
        "attribute": attribute,
        "group": group,
        "tokens": run.micro(_SCORER).gold,
        "recall": run.intervals(_SCORER)["recall"],
        "gap": -gap.recall if gap and gap.recall is not None else None,
        "p": gap.p_recall if gap else None,
    }


def _row(record: Mapping[str, Any]) -> list[Any]:
    gap, p = record["gap"], record["p"]
    if p is None:
        gap, p = "best" if record["attribute"] else "", ""
    tokens, recall = round(record["tokens"]), shown(record["recall"])
    return [record["attribute"] or "–", record["group"], tokens, recall, gap, p]
