"""Intervals of 95 % for all figures of a system: scores, labels, official blocks, clean notes, kappa.

Notes are drawn with replacement, since errors within a note go together. The share of clean notes has the
exact interval of independent trials instead, which is right also where no note or every note is clean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from plainsight.evaluate.agreement import OUTSIDE, token_labels
from plainsight.evaluate.challenges import Count, counts_2014, counts_meddocan
from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.leaks import leaked_tokens
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import Score, by_any_label
from plainsight.evaluate.shares import binomial_share
from plainsight.evaluate.statistics import Interval, Numbers, bootstrap, resampled
from plainsight.evaluate.tables import Sheet, with_interval
from plainsight.evaluate.tally import EMPTY, Tally

_DRAWS = 2_000
"""Draws for each of many figures: the ends of an interval are stable to half a hundredth of its width."""

Intervals = dict[str, dict[str, Interval]]


def all_intervals(evaluation: Evaluation, scores: Mapping[str, Score]) -> dict[str, Intervals]:
    """Return the intervals of every kind of figure: by scorer, label, official block and figure of notes."""
    pairs = evaluation.pairs
    return {
        "scores": {name: bootstrap(score.by_note) for name, score in scores.items()},
        "labels": _labels(pairs, evaluation.scores["token"]),
        "i2b2_2014": {
            title: _official(counts) | _macro(counts) for title, counts in counts_2014(pairs).items()
        },
        "meddocan": {title: _official(counts) for title, counts in counts_meddocan(pairs).items()},
        "notes": {"clean notes": {"share": clean_share(pairs)}},
        "agreement": {"kappa": kappas(pairs)},
    }


def _labels(pairs: Sequence[Pair], typed: Score) -> Intervals:
    """Return each label's recall and precision under any label, and its figures as tokens of that label."""
    any_label = [by_any_label([pair]) for pair in pairs]
    intervals = {}
    for label in sorted({label for note in any_label for label in note}):
        found = bootstrap([note.get(label, EMPTY) for note in any_label], draws=_DRAWS)
        tokens = bootstrap([note.get(label, EMPTY) for note in typed.notes], draws=_DRAWS)
        intervals[label] = {
            "recall_any_label": found["recall"],
            "precision_any_label": found["precision"],
            **tokens,
        }
    return intervals


def _official(counts: Sequence[Count]) -> dict[str, Interval]:
    tallies = [
        Tally(right + missed, right, right + spurious, right) for right, spurious, missed in counts
    ]  # fmt: skip
    return bootstrap(tallies, draws=_DRAWS)


def _macro(counts: Sequence[Count]) -> dict[str, Interval]:
    """Return the means over notes; as in the script, what is undefined is 0."""
    right, spurious, missed = np.array(counts, dtype=np.float64).reshape(-1, 3).T
    shares = [right / np.maximum(right + wrong, 1) for wrong in (spurious, missed)]
    table = np.stack((*shares, np.ones(len(right))), axis=-1)

    def means(sums: Numbers) -> Numbers:
        precision, recall = sums[..., 0] / sums[..., 2], sums[..., 1] / sums[..., 2]
        with np.errstate(invalid="ignore"):
            return np.stack((precision, recall, 2 * precision * recall / (precision + recall)), axis=-1)

    return dict(
        zip(
            ("macro_precision", "macro_recall", "macro_f"),
            resampled(table, means, draws=_DRAWS),
            strict=True,
        )
    )


def clean_share(pairs: Sequence[Pair]) -> Interval:
    """Return the share of notes without a leak, with its exact interval."""
    share = binomial_share(sum(not leaked_tokens(pair) for pair in pairs), len(pairs))
    return Interval(share.value, share.low, share.high)


def kappas(pairs: Sequence[Pair]) -> dict[str, Interval]:
    """Return Cohen's kappa of both sides over all tokens, with labels, and marked against unmarked."""
    notes = [
        tuple(token_labels(pair.text, side) for side in (pair.gold, pair.found)) for pair in pairs
    ]  # fmt: skip
    marked = [
        tuple([label if label == OUTSIDE else "marked" for label in side] for side in note) for note in notes
    ]
    return {"with_labels": _kappa(notes), "marked": _kappa(marked)}


def _kappa(notes: Sequence[Sequence[Sequence[str]]]) -> Interval:
    """Sum over notes the tokens that agree and each side's tokens by label: kappa needs no more."""
    labels = sorted({label for note in notes for side in note for label in side})
    rows = []
    for one, two in notes:
        ones, twos = Counter(one), Counter(two)
        agreed = sum(first == second for first, second in zip(one, two, strict=True))
        rows.append([agreed, *(ones[label] for label in labels), *(twos[label] for label in labels)])

    def kappa(sums: Numbers) -> Numbers:
        agreed, ones = sums[..., 0], sums[..., 1 : 1 + len(labels)]
        twos = sums[..., 1 + len(labels) :]
        items = ones.sum(axis=-1)
        chance = (ones * twos).sum(axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(((agreed * items - chance) / (items * items - chance))[..., np.newaxis])

    return resampled(np.array(rows, dtype=np.float64).reshape(len(rows), -1), kappa, draws=_DRAWS)[0]


def interval_sheets(intervals: Mapping[str, Intervals], *, in_percent: bool = False) -> Iterator[Sheet]:
    """Yield the intervals as tables."""

    def rows(table: Intervals, *keys: str) -> list[tuple[str, ...]]:
        return [
            (name, *(with_interval(i.value, i.low, i.high, in_percent=in_percent) for i in shown))
            for name, found in table.items()
            for shown in [[found[key] for key in keys or found]]
        ]

    if not intervals:
        return
    prf = ("P", "R", "F")
    yield Sheet("Intervals of 95 %", ("scorer", *prf), rows(intervals["scores"]))
    keys = ("recall_any_label", "precision_any_label", "f")
    columns = ("label", "R any label", "P any label", "token F")
    yield Sheet("Intervals of labels", columns, rows(intervals["labels"], *keys))
    for title, key in (("i2b2-2014", "i2b2_2014"), ("MEDDOCAN", "meddocan")):
        figures = ("precision", "recall", "f")
        yield Sheet(f"Intervals of {title}", ("block", *prf), rows(intervals[key], *figures))
    macro = [f"macro_{name}" for name in ("precision", "recall", "f")]
    head = ("block", "macro P", "macro R", "macro F")
    yield Sheet("Intervals of i2b2-2014, means over notes", head, rows(intervals["i2b2_2014"], *macro))
    kappa = intervals["agreement"]["kappa"]
    single = {
        "notes with no leak at all": intervals["notes"]["clean notes"]["share"],
        "kappa, with labels": kappa["with_labels"],
        "kappa, marked or not": kappa["marked"],
    }
    yield Sheet(
        "Further intervals", ("figure", "value"), rows({name: {"value": i} for name, i in single.items()})
    )
