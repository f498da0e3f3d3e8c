"""The results of experiments: counts for each note, figures with intervals and tests, tables and charts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from plainsight.document import Document, Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import score
from plainsight.evaluate.statistics import Interval, Significance, bootstrap, randomisation
from plainsight.evaluate.tables import best_of, figure, with_interval
from plainsight.evaluate.tally import Tally, total
from plainsight.formats.files import atomic_file
from plainsight.formats.standoff import marks_of

SCORERS = {"strict": "phrase", "binary-token": "token"}
"""The scorers of experiments and what their figures are called: exact spans with labels, tokens without."""


@dataclass(frozen=True, slots=True)
class Measured:
    """For each scorer the counts of every note, and how long it took to train and to detect."""

    tallies: Mapping[str, tuple[Tally, ...]]
    seconds: Mapping[str, float]

    def micro(self, scorer: str) -> Tally:
        """Return the counts of all notes together."""
        return total(self.tallies[scorer])

    def intervals(self, scorer: str) -> dict[str, Interval]:
        """Return precision, recall and F with intervals by bootstrap over notes."""
        return _intervals(self.tallies[scorer])

    def cells(self, scorer: str, *keys: str) -> list[str]:
        """Return figures with their intervals as text: these, or precision, recall and F."""
        intervals = self.intervals(scorer)
        return [shown(intervals[key]) for key in keys or ("precision", "recall", "f")]

    def against(self, other: Measured, scorer: str) -> Significance:
        """Return the differences from another run on the same notes, and their p-values."""
        return _difference(self.tallies[scorer], other.tallies[scorer])

    def figures(self) -> dict[str, Any]:
        """Return every figure with its interval as plain data."""
        return {
            name: {key: asdict(interval) for key, interval in self.intervals(scorer).items()}
            for scorer, name in SCORERS.items()
        }


# A table, its data and its figure need the same statistics.
_intervals = lru_cache(1024)(bootstrap)
_difference = lru_cache(1024)(randomisation)


def measure(
    documents: Sequence[Document],
    found: Iterable[Sequence[Span]],
    *,
    seconds: Mapping[str, float],
    group: str | None = None,
) -> Measured:
    """Count what was found in gold notes; with a group, only its labels count."""
    pairs = [
        Pair(document.id, document.text, marks_of(document), tuple(spans))
        for document, spans in zip(documents, found, strict=True)
    ]
    if group:
        pairs = [pair.in_group(group) for pair in pairs]
    return Measured({scorer: score(pairs, scorer).by_note for scorer in SCORERS}, seconds)


def pool(parts: Sequence[Measured]) -> Measured:
    """Return the runs on different notes as one run on all of them."""
    return Measured(
        {scorer: tuple(tally for part in parts for tally in part.tallies[scorer]) for scorer in SCORERS},
        _seconds(parts, 1),
    )


def average(parts: Sequence[Measured]) -> Measured:
    """Return the mean run of several on the same notes."""
    return Measured(
        {
            scorer: tuple(_mean(tallies) for tallies in zip(*(p.tallies[scorer] for p in parts), strict=True))
            for scorer in SCORERS
        },
        _seconds(parts, len(parts)),
    )


def _mean(tallies: Sequence[Tally]) -> Tally:
    whole, count = total(tallies), len(tallies)
    return Tally(whole.gold / count, whole.gold_hits / count, whole.found / count, whole.found_hits / count)


def _seconds(parts: Sequence[Measured], divisor: int) -> dict[str, float]:
    kinds = dict.fromkeys(kind for part in parts for kind in part.seconds)
    return {kind: sum(part.seconds.get(kind, 0.0) for part in parts) / divisor for kind in kinds}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A table with a line about it, a figure as SVG, and the rows as data.

    The first ``names`` columns are names, the others figures.
    """

    name: str
    title: str
    about: str
    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    data: Sequence[dict[str, Any]]
    svg: str
    names: int = 1

    def to_markdown(self) -> str:
        """Return title, table and the line about it; what is undefined is ``n/a``, the best figure bold."""
        sides = ["---" if place < self.names else "--:" for place in range(len(self.head))]
        best = self._best()
        rows = [
            [f"**{_cell(cell)}**" if (at, place) in best else _cell(cell) for place, cell in enumerate(row)]
            for at, row in enumerate(self.rows)
        ]
        lines = [[_cell(name) for name in self.head], sides, *rows]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return f"# {self.title}\n\n{table}\n\n{self.about}\n"

    def _best(self) -> set[tuple[int, int]]:
        """Return where the best precision, recall and F stand, among rows that share their first names."""
        alike: dict[tuple[Any, ...], list[int]] = {}
        for at, row in enumerate(self.rows):
            alike.setdefault(tuple(row[: self.names - 1]), []).append(at)
        scores = [place for place, name in enumerate(self.head) if name.split()[-1:] in (["P"], ["R"], ["F"])]
        return {
            (those[best], place)
            for those in alike.values()
            for place in scores
            for best in best_of([_value(self.rows[at][place]) for at in those])
        }

    def write(self, folder: Path) -> list[Path]:
        """Write table and figure beside the ledger; return where."""
        table, drawing = folder / f"{self.name}.md", folder / f"{self.name}.svg"
        for path, content in ((table, self.to_markdown()), (drawing, f"{self.svg}\n")):
            with atomic_file(path) as temporary:
                temporary.write_text(content, encoding="utf-8")
        return [table, drawing]


def _cell(value: Any) -> str:
    return figure(value).replace("|", "\\|")


def _value(cell: Any) -> float | None:
    """Return the figure of a cell, without its interval."""
    number = re.match(r"-?\d+\.\d+", figure(cell))
    return float(number[0]) if number else None


def shown(interval: Interval) -> str:
    """Return a figure with its interval."""
    return with_interval(*edges(interval))


def edges(interval: Interval) -> tuple[float | None, float | None, float | None]:
    """Return value, low and high."""
    return interval.value, interval.low, interval.high
