"""Fairness: whether a system finds the names of some people less often than those of others.

All names of the gold notes are replaced by names of one group, so that everything but the names is the same,
and recall is measured on the names alone: a token of a name is found when it is covered, whatever the label.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from plainsight.document import Document
from plainsight.errors import DataError, UsageError, suggest
from plainsight.evaluate.report.charts import ranges
from plainsight.evaluate.statistics import Interval, Significance
from plainsight.lab.experiments.bench import Found
from plainsight.lab.experiments.ledger import Ledger, summary
from plainsight.lab.experiments.measurement import Measured, average, measure
from plainsight.lab.experiments.name_groups import ATTRIBUTES, Group, groups, renamed
from plainsight.lab.experiments.outcome import Outcome, edges, shown
from plainsight.lab.experiments.system import System

AS_WRITTEN = "as written"
"""The notes with the names that they came with."""

_SCORER = "binary-token"


@dataclass(frozen=True, slots=True)
class _Row:
    """The recall of one group, and how far it is from the best group of its attribute."""

    attribute: str
    group: str
    names: float
    recall: Interval
    gap: Significance | None

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {
            "attribute": self.attribute,
            "group": self.group,
            "tokens": self.names,
            "recall": asdict(self.recall),
            "gap": -self.gap.recall if self.gap and self.gap.recall is not None else None,
            "p": self.gap.p_recall if self.gap else None,
        }


def fairness(
    ledger: Ledger,
    system: System,
    documents: Sequence[Document],
    *,
    attributes: Sequence[str] = ATTRIBUTES,
    rounds: int = 3,
    seed: int = 0,
    tell: Callable[[str], None] = lambda said: None,
) -> Outcome:
    """Measure the recall of names group by group; each group's names are drawn anew in every round."""
    for attribute in attributes:
        if attribute not in ATTRIBUTES:
            raise UsageError(f"names are not grouped by {attribute!r}{suggest(attribute, ATTRIBUTES)}")

    def measured(group: Group | None, chance: int) -> Measured:
        name = {"attribute": group.attribute, "group": group.name, "seed": chance} if group else {}
        key = {"experiment": "fairness", **system.key(), **name, "test": summary(documents)}

        notes = renamed(documents, group, seed=chance)

        def work() -> dict[str, Any]:
            tell(f"{system.name}: names {group.name if group else AS_WRITTEN}, draw {chance}")
            return Found(system.find(notes), {}).to_json()

        return measure(notes, Found.from_json(ledger.run(key, work)).spans, seconds={})

    written = measured(None, seed)
    if not written.micro(_SCORER).gold:
        raise DataError("the gold notes hold no names of people")
    rows = [_Row("", AS_WRITTEN, written.micro(_SCORER).gold, written.intervals(_SCORER)["recall"], None)]
    for attribute in attributes:
        runs = {
            group.name: average([measured(group, chance) for chance in range(seed, seed + rounds)])
            for group in groups(attribute)
        }
        rows += _compared(attribute, runs)
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
        rows=[_cells(row) for row in rows],
        names=2,
        data=[{"system": system.name, **row.to_json()} for row in rows],
        svg=ranges(f"Recall of names: {system.name}", {row.group: edges(row.recall) for row in rows}),
    )


def _compared(attribute: str, runs: Mapping[str, Measured]) -> list[_Row]:
    recalls = {name: run.intervals(_SCORER)["recall"] for name, run in runs.items()}
    best = max(recalls, key=lambda name: recalls[name].value or 0.0)
    return [
        _Row(
            attribute,
            name,
            run.micro(_SCORER).gold,
            recalls[name],
            None if name == best else run.against(runs[best], _SCORER),
        )
        for name, run in runs.items()
    ]


def _cells(row: _Row) -> list[Any]:
    data = row.to_json()
    best = "" if row.group == AS_WRITTEN else "best"
    gap, p = (data["gap"], data["p"]) if row.gap else (best, "")
    return [row.attribute or "–", row.group, round(row.names), shown(row.recall), gap, p]
