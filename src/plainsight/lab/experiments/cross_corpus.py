"""Cross-corpus: train on one corpus and test on another, without and with notes of the tested corpus.

Each corpus is split once: some of its notes are only ever used to train, the others only to test. Corpora of
``test_only`` are never used to train.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.evaluate.report.charts import ranges
from plainsight.lab.experiments.bench import Bench, Split, one_split, random_split
from plainsight.lab.experiments.results import SCORERS, Measured, Outcome, edges

OTHERS = "all others"
"""The name of all corpora but the tested one, taken together."""


@dataclass(frozen=True, slots=True)
class _Cell:
    """One model on one corpus; ``without`` is the same model without notes of the tested corpus."""

    source: str
    target: str
    added: bool
    notes: int
    run: Measured
    without: Measured | None

    @property
    def trained_on(self) -> str:
        """The names of the training corpora."""
        return f"{self.source} + {self.target}" if self.added else self.source


def cross_corpus(
    bench: Bench,
    corpora: Mapping[str, Sequence[Document]],
    *,
    test_only: Mapping[str, Sequence[Document]] | None = None,
    test_share: float = 0.3,
    seed: int = 0,
) -> Outcome:
    """Train on each corpus and test on each; then again with the tested corpus's own training notes added."""
    test_only = test_only or {}
    if not corpora or len(corpora) + len(test_only) < 2:
        raise UsageError("a cross-corpus table needs at least two corpora, one of them to learn from")
    if shared := corpora.keys() & test_only.keys():
        raise UsageError(f"two corpora are called {min(shared)}")
    splits = {name: random_split(notes, test_share, seed=seed) for name, notes in corpora.items()}
    splits |= {name: Split((), notes) for name, notes in test_only.items()}
    cells = [
        cell for target in splits for source in _sources(splits, target)
        for cell in _cells(bench, splits, source, target)
    ]  # fmt: skip
    alone = f"; {', '.join(test_only)} only tests" if test_only else ""
    return Outcome(
        name="cross-corpus",
        title=f"{bench.detector} across corpora",
        about=(
            f"{test_share:.0%} of each corpus test, the others teach{alone}. P, R and F over "
            "tokens (any label), F over phrases (span and label exact); intervals of 95 % by bootstrap over "
            "notes; p of the recall against the same model without the notes of the tested corpus, by "
            "approximate randomisation of notes, not corrected for the number of tests."
        ),
        head=("tested on", "trained on", "notes", "token P", "token R", "token F", "p of R", "phrase F"),
        rows=[_row(cell) for cell in cells],
        names=2,
        data=[_data(cell) for cell in cells],
        svg=ranges(
            "Token recall: trained on → tested on",
            {f"{c.trained_on} → {c.target}": edges(c.run.intervals("binary-token")["recall"]) for c in cells},
        ),
    )


def _sources(splits: Mapping[str, Split], target: str) -> list[str]:
    """Return the training corpora for a tested one: itself, each other, and all others together."""
    others = _others(splits, target)
    own = [target] if splits[target].train else []
    return [*own, *others, *([OTHERS] if len(others) > 1 else [])]


def _others(splits: Mapping[str, Split], target: str) -> list[str]:
    return [name for name, split in splits.items() if name != target and split.train]


def _cells(bench: Bench, splits: Mapping[str, Split], source: str, target: str) -> list[_Cell]:
    names = _others(splits, target) if source == OTHERS else [source]
    train = [note for name in names for note in splits[name].train]
    test = splits[target].test
    alone = bench.measure(one_split(train, test))
    cells = [_Cell(source, target, False, len(train), alone, None)]
    if source != target and splits[target].train:
        train = [*train, *splits[target].train]
        cells.append(_Cell(source, target, True, len(train), bench.measure(one_split(train, test)), alone))
    return cells


def _row(cell: _Cell) -> list[Any]:
    test = cell.run.against(cell.without, "binary-token") if cell.without else None
    return [
        cell.target,
        cell.trained_on,
        cell.notes,
        *cell.run.cells("binary-token"),
        test.p_recall if test else "",
        *cell.run.cells("strict", "f"),
    ]


def _data(cell: _Cell) -> dict[str, Any]:
    tests = {name: cell.run.against(cell.without, scorer) for scorer, name in SCORERS.items() if cell.without}
    return {
        "target": cell.target,
        "source": cell.source,
        "target_added": cell.added,
        "training_notes": cell.notes,
        "figures": cell.run.figures(),
        "against_without": {name: test.to_json() for name, test in tests.items()},
        "seconds": dict(cell.run.seconds),
    }
