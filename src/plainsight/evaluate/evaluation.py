"""All figures of one system on one set of notes: what ``plainsight evaluate`` prints and writes.

| figure | what |
|---|---|
| ``scores`` | every scorer: micro over all notes, macro (mean and SD over notes), by label and by category |
| ``groups`` | the main scorers on the labels of A, B, C and i2b2-2014's HIPAA subset alone |
| ``categories`` | the main scorers on each category's labels alone |
| ``note_types`` | the main scorers on the notes of each type alone |
| ``i2b2_2014`` | the official script's report, block by block |
| ``with_negatives`` | the 2006 challenge's token F, in which unmarked tokens count |
| ``partial_credit`` | correct, incorrect, partly correct, missing and spurious marks, counted four ways |
| ``entities`` | how many people and things are hidden in every mention, by label |
| ``leaks`` | clean notes, leaked strings, information-weighted leak, over-redaction |
| ``errors`` | kinds, confusion, extents and what short ones leave, missing and spurious by label, figures |
| | with the extent ignored, misses per note, per note type and by kind |
| ``conventions`` | the main scorers with the system's edges moved to where annotators put them |
| ``detectors`` | what each detector covered, and covered alone |
| ``confidence`` | whether notes and claims with higher scores are better |
| ``agreement`` | Cohen's kappa of both sides |
| ``likely_misses`` | how good the list of rare unmarked words is |
| ``by_note`` | each note's binary token figures |

No figure holds note text. Undefined figures are None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from plainsight.evaluate import challenges, errors
from plainsight.evaluate.agreement import agreement
from plainsight.evaluate.confidence import Confidence, confidence
from plainsight.evaluate.edge_conventions import trim_edges
from plainsight.evaluate.entities import entities
from plainsight.evaluate.leaks import Leaks, covered_by_detector, leaked_tokens, leaks, list_quality
from plainsight.evaluate.miss_kinds import miss_kinds
from plainsight.evaluate.pairs import Pair, spellings
from plainsight.evaluate.partial_credit import partial_credit
from plainsight.evaluate.scorers import SCORERS, Score, score
from plainsight.evaluate.tally import plain
from plainsight.labels import CATEGORIES, GROUPS

MAIN_SCORERS = ("binary-token", "token", "strict")
"""The scorers that measure label groups, categories and note types."""


@dataclass(frozen=True)
class Evaluation:
    """The figures of one system, each computed when first asked for."""

    pairs: tuple[Pair, ...]
    sentences_of: Mapping[str, int] | None = None
    """The official numbers of sentences by note id, for MEDDOCAN's leak score."""

    @cached_property
    def scores(self) -> dict[str, Score]:
        """Every scorer's counts."""
        return {name: score(self.pairs, name) for name in SCORERS}

    @cached_property
    def groups(self) -> dict[str, dict[str, Score]]:
        """The main scorers on the labels of each group alone."""
        return {group: self._on_labels(GROUPS[group]) for group in ("A", "B", "C", "i2b2-hipaa")}

    @cached_property
    def categories(self) -> dict[str, dict[str, Score]]:
        """The main scorers on the labels of each category alone."""
        return {category: self._on_labels(labels) for category, labels in CATEGORIES.items()}

    def _on_labels(self, labels: Iterable[str]) -> dict[str, Score]:
        forms = spellings(labels)
        return _main_scores([pair.only(forms) for pair in self.pairs])

    @cached_property
    def note_types(self) -> dict[str, dict[str, Score]]:
        """The main scorers on the notes of each type alone."""
        types = sorted({pair.note_type for pair in self.pairs})
        return {name: _main_scores([p for p in self.pairs if p.note_type == name]) for name in types}

    @cached_property
    def conventions(self) -> dict[str, Score]:
        """The main scorers, the system's edges moved to where annotators put them."""
        return _main_scores([trim_edges(pair) for pair in self.pairs])

    @cached_property
    def leaks(self) -> Leaks:
        """What leaked."""
        return leaks(self.pairs)

    @cached_property
    def confidence(self) -> Confidence:
        """How far the system's confidence can be trusted."""
        return confidence(self.pairs)

    @cached_property
    def data(self) -> dict[str, Any]:
        """Every figure as plain data."""
        judgements = [judgement for pair in self.pairs for judgement in errors.judge(pair)]
        tallies = zip(self.pairs, self.scores["binary-token"].by_note, strict=True)
        figures: dict[str, Any] = plain(
            {
                "notes": len(self.pairs),
                "scores": {name: score.to_json() for name, score in self.scores.items()},
                "groups": {group: _micro(scores) for group, scores in self.groups.items()},
                "categories": {category: _micro(scores) for category, scores in self.categories.items()},
                "note_types": {name: _micro(scores) for name, scores in self.note_types.items()},
                "i2b2_2014": challenges.i2b2_2014(self.pairs),
                "i2b2_2014_categories": challenges.i2b2_2014_by_category(self.pairs),
                "meddocan": challenges.meddocan(self.pairs, sentences_of=self.sentences_of),
                "with_negatives": challenges.i2b2_2006(self.pairs),
                "partial_credit": partial_credit(self.pairs),
                "entities": entities(self.pairs),
                "leaks": self.leaks,
                "errors": {
                    "kinds": errors.kinds(judgements),
                    "confusion": errors.confusion(judgements),
                    "extents": errors.extents(judgements),
                    "remainders": errors.remainders(self.pairs),
                    "missed_by_label": errors.missed_by_label(judgements),
                    "by_label": errors.figures_by_label(judgements),
                    "per_note": errors.errors_per_note(self.pairs),
                    "by_note_type": errors.errors_per_note_type(self.pairs),
                    "miss_kinds": miss_kinds(self.pairs),
                },
                "conventions": _micro(self.conventions),
                "detectors": covered_by_detector(self.pairs),
                "confidence": self.confidence,
                "agreement": agreement(self.pairs),
                "likely_misses": list_quality(self.pairs),
                "by_note": [
                    {"id": pair.id, "leaked": len(leaked_tokens(pair)), **tally.to_json()}
                    for pair, tally in tallies
                ],
            }
        )
        return figures


def _main_scores(pairs: Sequence[Pair]) -> dict[str, Score]:
    return {name: score(pairs, name) for name in MAIN_SCORERS}


def _micro(scores: dict[str, Score]) -> dict[str, Any]:
    return {name: score.micro for name, score in scores.items()}
