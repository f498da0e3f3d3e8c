"""Cross-corpus: trained on one corpus, tested on another, without and with notes from there.

Each corpus is parted once: some of its notes only ever teach, the others only ever test. A corpus may also be
for the test alone: all its notes test, and nobody learns from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.evaluate.report.charts import ranges
from plainsight.lab.experiments import trainers
from plainsight.lab.experiments.bench import Bench
from plainsight.lab.experiments.measurement import SCORERS, Measured
from plainsight.lab.experiments.outcome import Outcome, edges, shown
from plainsight.lab.experiments.splits import Split, given, held_out

OTHERS = "all others"
"""The name under which all corpora but the one that is tested teach together."""


@dataclass(frozen=True, slots=True)
class _Cell:
    """One model on one corpus; ``without`` is the same without the notes of the corpus that is tested."""

    source: str
    target: str
    added: bool
    notes: int
    run: Measured
    without: Measured | None

    @property
    def taught(self) -> str:
        """What the model learnt from."""
        return f"{self.source} + {self.target}" if self.added else self.source


def cross_corpus(
    bench: Bench,
    corpora: Mapping[str, Sequence[Document]],
    *,
    test_only: Mapping[str, Sequence[Document]] | None = None,
    test_share: float = 0.3,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
) -> Outcome:
    """Train on each corpus and test on each; then again with the tested corpus's own training notes added.

    The corpora of ``test_only`` test every model that others made.
    """
    test_only = test_only or {}
    if not corpora or len(corpora) + len(test_only) < 2:
        raise UsageError("a cross-corpus table needs at least two corpora, one of them to learn from")
    if shared := corpora.keys() & test_only.keys():
        raise UsageError(f"two corpora are called {min(shared)}")
    settings = trainers.check_settings(bench.detector, settings or {})
    parted = {name: held_out(notes, test_share, seed=seed) for name, notes in corpora.items()}
    parted |= {name: Split((), notes) for name, notes in test_only.items()}
    cells = [
        cell for target in parted for source in _sources(parted, target)
        for cell in _cells(bench, parted, source, target, settings)
    ]  # fmt: skip
    return Outcome(
        name="cross-corpus",
        title=f"{bench.detector} across corpora",
        about=(
            f"{test_share:.0%} of each corpus test, the others teach{_alone(test_only)}. P, R and F over "
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
            {f"{c.taught} → {c.target}": edges(c.run.intervals("binary-token")["recall"]) for c in cells},
        ),
    )


def _alone(test_only: Mapping[str, Sequence[Document]]) -> str:
    return f"; {', '.join(test_only)} only tests" if test_only else ""


def _sources(parted: Mapping[str, Split], target: str) -> list[str]:
    """Return who teaches: the corpus itself, each other, and all others where they are several."""
    others = _others(parted, target)
    own = [target] if parted[target].train else []
    return [*own, *others, *([OTHERS] if len(others) > 1 else [])]


def _others(parted: Mapping[str, Split], target: str) -> list[str]:
    return [name for name, split in parted.items() if name != target and split.train]


def _cells(
    bench: Bench, parted: Mapping[str, Split], source: str, target: str, settings: Mapping[str, Any]
) -> list[_Cell]:
    names = _others(parted, target) if source == OTHERS else [source]
    teach = [note for name in names for note in parted[name].train]
    test = parted[target].test
    alone = bench.measure(given(teach, test), settings)
    cells = [_Cell(source, target, False, len(teach), alone, None)]
    if source != target and parted[target].train:
        more = [*teach, *parted[target].train]
        run = bench.measure(given(more, test), settings)
        cells.append(_Cell(source, target, True, len(more), run, alone))
    return cells


def _row(cell: _Cell) -> list[Any]:
    token = cell.run.intervals("binary-token")
    test = cell.run.against(cell.without, "binary-token") if cell.without else None
    return [
        cell.target,
        cell.taught,
        cell.notes,
        *(shown(token[key]) for key in ("precision", "recall", "f")),
        test.p_recall if test else "",
        shown(cell.run.intervals("strict")["f"]),
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
