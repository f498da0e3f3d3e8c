"""All figures of one system on one set of notes: what ``plainsight evaluate`` prints and writes.

| figure | what |
|---|---|
| ``scores`` | every scorer: micro over all notes, macro (mean and SD over notes), by label and by category |
| ``groups`` | the main scorers on the labels of A, B, C and i2b2-2014's HIPAA subset alone (S5, S9) |
| ``categories`` | the main scorers on each category's labels alone (S95) |
| ``note_types`` | the main scorers on the notes of each type alone |
| ``i2b2_2014`` | the official script's report, block by block |
| ``with_negatives`` | the 2006 challenge's token F, in which unmarked tokens count (S45) |
| ``leaks`` | clean notes, leaked strings, information-weighted leak, over-redaction |
| ``errors`` | kinds, confusion, extents and what short ones leave, missing and spurious by label, figures |
| | by the formula of S60, misses per note and per note type |
| ``conventions`` | the main scorers with the system's edges where annotators put them (S94) |
| ``detectors`` | what each detector covered, and covered alone (S131) |
| ``confidence`` | whether notes and claims that a system was sure of are better (S49) |
| ``agreement`` | Cohen's kappa of both sides (S166) |
| ``likely_misses`` | how good the list of rare unmarked words is (S63) |
| ``by_note`` | each note's binary token figures |

Nothing in it is note text. Undefined figures are None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from plainsight.evaluate.agreement import Agreement, agreement
from plainsight.evaluate.comparison import by_note_type, contributions, note_type
from plainsight.evaluate.confidence import Confidence, confidence
from plainsight.evaluate.conventions import conventional
from plainsight.evaluate.errors import (
    confusion,
    errors_per_note,
    extents,
    figures_by_label,
    judge,
    kinds,
    missed_by_label,
)
from plainsight.evaluate.leaks import Leaks, leaked_tokens, leaks
from plainsight.evaluate.meddocan import meddocan
from plainsight.evaluate.negatives import with_negatives
from plainsight.evaluate.official import official, official_by_category
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.remainders import remainders
from plainsight.evaluate.review import Review, review
from plainsight.evaluate.scorers import SCORERS, Score, score
from plainsight.labels import CATEGORIES, GROUPS

__all__ = ["GROUP_SCORERS", "Evaluation", "on_labels"]

GROUP_SCORERS = ("binary-token", "token", "strict")
"""The scorers by which label groups, categories and note types are measured."""


@dataclass(frozen=True)
class Evaluation:
    """The figures of one system; each is computed when it is asked for."""

    pairs: tuple[Pair, ...]

    @cached_property
    def scores(self) -> dict[str, Score]:
        """Every scorer's counts."""
        return {name: score(self.pairs, name) for name in SCORERS}

    @cached_property
    def groups(self) -> dict[str, dict[str, Score]]:
        """The main scorers on the labels of each group alone."""
        return {group: self._on(GROUPS[group]) for group in ("A", "B", "C", "i2b2-hipaa")}

    @cached_property
    def categories(self) -> dict[str, dict[str, Score]]:
        """The main scorers on the labels of each category alone."""
        return {category: self._on(labels) for category, labels in CATEGORIES.items()}

    def _on(self, labels: Iterable[str]) -> dict[str, Score]:
        return _scores(on_labels(self.pairs, labels))

    @cached_property
    def note_types(self) -> dict[str, dict[str, Score]]:
        """The main scorers on the notes of each type alone."""
        kinds = sorted({note_type(pair) for pair in self.pairs})
        return {kind: _scores([pair for pair in self.pairs if note_type(pair) == kind]) for kind in kinds}

    @cached_property
    def conventions(self) -> dict[str, Score]:
        """The main scorers, the system's marks under annotators' habits."""
        return _scores([conventional(pair) for pair in self.pairs])

    @cached_property
    def leaks(self) -> Leaks:
        """What got through."""
        return leaks(self.pairs)

    @cached_property
    def confidence(self) -> Confidence:
        """Whether the system's confidence means anything."""
        return confidence(self.pairs)

    @cached_property
    def agreement(self) -> Agreement:
        """How far both sides agree beyond chance."""
        return agreement(self.pairs)

    @cached_property
    def review(self) -> Review:
        """How good the list of likely misses is."""
        return review(self.pairs)

    @cached_property
    def data(self) -> dict[str, Any]:
        """Everything as plain data, made once."""
        return self.to_json()

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        judgements = [judgement for pair in self.pairs for judgement in judge(pair)]
        return {
            "notes": len(self.pairs),
            "scores": {name: score.to_json() for name, score in self.scores.items()},
            "groups": _micro(self.groups),
            "categories": _micro(self.categories),
            "note_types": _micro(self.note_types),
            "i2b2_2014": {title: block.to_json() for title, block in official(self.pairs).items()},
            "i2b2_2014_categories": {
                title: block.to_json() for title, block in official_by_category(self.pairs).items()
            },
            "meddocan": {title: block.to_json() for title, block in meddocan(self.pairs).items()},
            "with_negatives": with_negatives(self.pairs).to_json(),
            "leaks": self.leaks.to_json(),
            "errors": {
                "kinds": kinds(judgements),
                "confusion": confusion(judgements),
                "extents": extents(judgements),
                "remainders": remainders(self.pairs),
                "missed_by_label": missed_by_label(judgements),
                "by_label": figures_by_label(judgements),
                "per_note": [row.to_json() for row in errors_per_note(self.pairs)],
                "by_note_type": by_note_type(self.pairs),
            },
            "conventions": {name: score.micro.to_json() for name, score in self.conventions.items()},
            "detectors": contributions(self.pairs),
            "confidence": self.confidence.to_json(),
            "agreement": self.agreement.to_json(),
            "likely_misses": self.review.to_json(),
            "by_note": self.by_note(),
        }

    def by_note(self) -> list[dict[str, Any]]:
        """Return each note's binary token figures and leaks."""
        tallies = self.scores["binary-token"].by_note
        return [
            {"id": pair.id, "leaked": len(leaked_tokens(pair)), **tally.to_json()}
            for pair, tally in zip(self.pairs, tallies, strict=True)
        ]


def on_labels(pairs: Iterable[Pair], labels: Iterable[str]) -> list[Pair]:
    """Return pairs with the marks of these labels alone, as we write them or as i2b2-2014 does."""
    forms = {form for label in labels for form in (label, label.replace("_", "-"))}
    return [pair.only(forms) for pair in pairs]


def _scores(pairs: Sequence[Pair]) -> dict[str, Score]:
    return {name: score(pairs, name) for name in GROUP_SCORERS}


def _micro(groups: Mapping[str, Mapping[str, Score]]) -> dict[str, dict[str, Any]]:
    return {
        group: {name: score.micro.to_json() for name, score in scores.items()}
        for group, scores in groups.items()
    }
