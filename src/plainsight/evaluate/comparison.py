"""Several systems on the same notes: figures with intervals, significance, labels and leaks side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from plainsight.document import Span
from plainsight.evaluate.agreement import Agreement, agreement
from plainsight.evaluate.leaks import Leaks, leaks
from plainsight.evaluate.pairs import Pair, spellings
from plainsight.evaluate.scorers import UNLABELLED, Score, by_any_label, score
from plainsight.evaluate.statistics import SHUFFLES, Interval, Significance, bootstrap, holm, randomisation
from plainsight.evaluate.tally import EMPTY, Tally, plain
from plainsight.labels import CATEGORIES
from plainsight.text.rare_words import marked, words


@dataclass(frozen=True)
class Comparison:
    """Systems by name, each with the same notes in the same order; all are compared with the first."""

    pairs: Mapping[str, Sequence[Pair]]
    scorer: str = "binary-token"
    shuffles: int = SHUFFLES
    seed: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The systems' names; the others are tested against the first."""
        return tuple(self.pairs)

    @cached_property
    def scores(self) -> dict[str, Score]:
        """Each system's counts."""
        return {name: score(pairs, self.scorer) for name, pairs in self.pairs.items()}

    @cached_property
    def intervals(self) -> dict[str, dict[str, Interval]]:
        """Each system's precision, recall and F, with bootstrap intervals over notes."""
        return {
            name: bootstrap(score.by_note, draws=self.shuffles, seed=self.seed)
            for name, score in self.scores.items()
        }

    @cached_property
    def against_first(self) -> dict[str, Significance]:
        """Each other system's differences from the first, and how likely chance alone makes them."""
        first, *others = (score.by_note for score in self.scores.values())
        tests = (randomisation(other, first, shuffles=self.shuffles, seed=self.seed) for other in others)
        return dict(zip(self.names[1:], tests, strict=True))

    @cached_property
    def corrected(self) -> dict[str, dict[str, float | None]]:
        """The chances of P, R and F of each other system, corrected for the number of all these tests."""
        tests = [(name, key) for name in self.against_first for key in ("p_precision", "p_recall", "p_f")]
        chances = holm([getattr(self.against_first[name], key) for name, key in tests])
        table: dict[str, dict[str, float | None]] = {name: {} for name in self.against_first}
        for (name, key), chance in zip(tests, chances, strict=True):
            table[name][key] = chance
        return table

    @cached_property
    def by_label(self) -> dict[str, dict[str, Tally]]:
        """Each label's counts, system by system; if the scorer ignores labels, found under any label."""
        counted = {
            name: by_any_label(pairs, self.scorer)
            if self.scorer in UNLABELLED
            else self.scores[name].by_label
            for name, pairs in self.pairs.items()
        }
        labels = sorted({label for tallies in counted.values() for label in tallies})
        return {
            label: {name: tallies.get(label, EMPTY) for name, tallies in counted.items()} for label in labels
        }

    @cached_property
    def by_category(self) -> dict[str, dict[str, Tally]]:
        """The counts on the labels of each category alone, system by system."""
        return {
            category: {
                name: score((pair.only(spellings(labels)) for pair in pairs), self.scorer).micro
                for name, pairs in self.pairs.items()
            }
            for category, labels in CATEGORIES.items()
        }

    @cached_property
    def agreement(self) -> dict[str, Agreement]:
        """How far each other system agrees with the first."""
        first, *others = self.names
        return {
            name: agreement(
                replace(one, gold=one.found, found=two.found)
                for one, two in zip(self.pairs[first], self.pairs[name], strict=True)
            )
            for name in others
        }

    @cached_property
    def leaks(self) -> dict[str, Leaks]:
        """What each system lets through."""
        return {name: leaks(pairs) for name, pairs in self.pairs.items()}

    @cached_property
    def alone_by_label(self) -> dict[str, dict[str, dict[str, int]]]:
        """For each other system and each label, what only it found, and what only the first found."""
        first, *others = self.names
        counts = {}
        for name in others:
            two = {first: self.pairs[first], name: self.pairs[name]}
            found = Counter((entry.span.label, entry.found_by) for entry in disagreements(two))
            labels = sorted({label for label, _ in found})
            counts[name] = {label: {who: found[label, who] for who in (name, first)} for label in labels}
        return counts

    @cached_property
    def alone(self) -> dict[str, dict[str, int]]:
        """For each other system, how many identifiers only it found, and how many only the first."""
        first, *others = self.names
        return {
            name: {who: sum(row[who] for row in self.alone_by_label[name].values()) for who in (name, first)}
            for name in others
        }

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain data, without note text."""
        return {
            "notes": len(self.pairs[self.names[0]]),
            "scorer": self.scorer,
            "shuffles": self.shuffles,
            "seed": self.seed,
            "systems": {name: plain(self._system(name)) for name in self.names},
        }

    def _system(self, name: str) -> dict[str, Any]:
        figures = {
            "micro": self.scores[name].micro,
            "macro": self.scores[name].macro,
            "intervals": self.intervals[name],
            "by_label": {label: tallies[name] for label, tallies in self.by_label.items()},
            "by_category": {part: tallies[name] for part, tallies in self.by_category.items()},
            "leaks": self.leaks[name],
        }
        if name in self.against_first:
            figures["against_first"] = self.against_first[name]
            figures["corrected"] = self.corrected[name]
            figures["found_alone"] = self.alone[name]
            figures["found_alone_by_label"] = self.alone_by_label[name]
            figures["agreement_with_first"] = self.agreement[name]
        return figures


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An identifier that one system found and the other missed."""

    id: str
    span: Span
    found_by: str


def disagreements(pairs: Mapping[str, Sequence[Pair]]) -> list[Disagreement]:
    """List the identifiers found by exactly one of two systems, by label, then note.

    A span is found when none of its tokens leaks, whatever label the system gave it.
    """
    (first, ones), (second, twos) = pairs.items()
    listed = []
    for one, two in zip(ones, twos, strict=True):
        by_one, by_two = _found(one), _found(two)
        listed += [Disagreement(one.id, span, first) for span in by_one - by_two]
        listed += [Disagreement(two.id, span, second) for span in by_two - by_one]
    return sorted(listed, key=lambda entry: (entry.span.label, entry.id, entry.span))


def _found(pair: Pair) -> set[Span]:
    marks = marked(pair.text, pair.found)
    return {
        span
        for span in pair.gold
        if all(all(marks[start:end]) for start, end in words(pair.text, span.start, span.end))
    }
