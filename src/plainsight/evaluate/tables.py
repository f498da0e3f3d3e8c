"""Every table of an evaluation by name, for the terminal and the report alike; no note text is in any."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.review import likely_misses
from plainsight.evaluate.scorers import Score, by_any_label
from plainsight.evaluate.tally import ratio

__all__ = ["TABLES", "Sheet", "main_scores"]

_LIKELY = 20
"""How many likely misses are shown; `review.likely_misses` lists all."""


class Sheet(NamedTuple):
    """A table: its title, its head and its rows; the first column names, the others are figures."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Any]]


Sheets = Iterator[Sheet]

_PRF = ("precision", "recall", "f")
_COUNTS = ("gold", "found")


def main_scores(evaluation: Evaluation) -> dict[str, Score]:
    """Return every scorer's counts, and those of the main ones on the labels that i2b2-2014 calls HIPAA."""
    hipaa = evaluation.groups["i2b2-hipaa"]
    return {**evaluation.scores, **{f"HIPAA {name}": score for name, score in hipaa.items()}}


def _scores(evaluation: Evaluation) -> Sheets:
    rows = []
    for name, score in main_scores(evaluation).items():
        macro = score.macro
        rows.append((name, *_figures(score), *(_spread(macro[key]) for key in _PRF), *_sizes(score)))
    notes = len(evaluation.pairs)
    head = ("scorer", "P", "R", "F", "macro P (SD)", "macro R (SD)", "macro F (SD)", *_COUNTS)
    yield Sheet(f"Scores ({notes:,} note{'s' * (notes != 1)})", head, rows)
    negatives = evaluation.data["with_negatives"]
    rows = [
        ("token F, unmarked tokens counted (2006)", negatives["f"]),
        ("token F, identifiers alone", negatives["f_identifiers"]),
        ("tokens", negatives["tokens"]),
    ]
    yield Sheet("As in the 2006 challenge", ("figure", "value"), rows)


def _spread(macro: Mapping[str, float | None]) -> str:
    return "n/a" if macro["mean"] is None else f"{macro['mean']:.4f} ({macro['sd']:.2f})"


def _figures(score: Score) -> tuple[float | None, ...]:
    return score.micro.precision, score.micro.recall, score.micro.f


def _sizes(score: Score) -> tuple[int, int]:
    return int(score.micro.gold), int(score.micro.found)


def _parts(title: str, column: str, parts: Mapping[str, Mapping[str, Score]]) -> Sheet:
    """Return the main scorers' figures on parts of the labels or notes."""
    rows = [
        (f"{part}: {name}", *_figures(score), *_sizes(score))
        for part, scores in parts.items()
        for name, score in scores.items()
    ]
    return Sheet(title, (column, "P", "R", "F", *_COUNTS), rows)


def _groups(evaluation: Evaluation) -> Sheets:
    yield _parts("Label groups", "group: scorer", evaluation.groups)


def _categories(evaluation: Evaluation) -> Sheets:
    yield _parts("Categories", "category: scorer", evaluation.categories)


def _note_types(evaluation: Evaluation) -> Sheets:
    yield _parts("Note types", "note type: scorer", evaluation.note_types)


def _conventions(evaluation: Evaluation) -> Sheets:
    rows = [
        (name, *_figures(evaluation.scores[name]), *_figures(score))
        for name, score in evaluation.conventions.items()
    ]
    yield Sheet("Conventions", ("scorer", "P", "R", "F", "P with", "R with", "F with"), rows)


def _labels(evaluation: Evaluation) -> Sheets:
    typed, strict = (evaluation.scores[name].by_label for name in ("token", "strict"))
    rows = []
    for label, tally in by_any_label(evaluation.pairs).items():
        span = strict[label]
        rows.append(
            (
                label, int(tally.gold), tally.recall, int(tally.found), tally.precision,
                typed[label].precision, typed[label].recall, typed[label].f,
                int(span.gold), span.precision, span.recall, span.f,
            )
        )  # fmt: skip
    head = (
        "label", "tokens", "R any label", "claimed", "P any label", "token P", "token R", "token F",
        "spans", "strict P", "strict R", "strict F",
    )  # fmt: skip
    yield Sheet("Labels", head, rows)


def _notes(evaluation: Evaluation) -> Sheets:
    rows = [
        (note["id"], *(note[key] for key in _PRF), note["leaked"], int(note["gold"]))
        for note in evaluation.data["by_note"]
    ]
    yield Sheet("Notes", ("note", "P", "R", "F", "leaked tokens", "identifying tokens"), rows)


def _official(evaluation: Evaluation) -> Sheets:
    for title, key in (("i2b2-2014", "i2b2_2014"), ("i2b2-2014, by category", "i2b2_2014_categories")):
        rows = [
            (
                name, *(block[key] for key in _PRF),
                f"{block['macro_precision']:.4f} ({block['macro_precision_sd']:.2f})",
                f"{block['macro_recall']:.4f} ({block['macro_recall_sd']:.2f})", block["macro_f"],
            )
            for name, block in evaluation.data[key].items()
        ]  # fmt: skip
        yield Sheet(title, ("block", "P", "R", "F", "macro P (SD)", "macro R (SD)", "macro F"), rows)
    rows = [
        (name, *(block[key] for key in _PRF), block.get("leak", ""))
        for name, block in evaluation.data["meddocan"].items()
    ]
    yield Sheet("MEDDOCAN", ("track", "P", "R", "F", "leak"), rows)


def _leaks(evaluation: Evaluation) -> Sheets:
    found = evaluation.leaks
    characters = found.leaked_characters
    rows = [
        ("notes with no leak at all", found.clean_notes, found.notes, found.clean_share),
        ("leaked tokens", found.leaked, found.tokens, ratio(found.leaked, found.tokens)),
        ("unique leaked strings", found.unique, "", ""),
        ("leaked information, bits", round(found.leaked_bits), round(found.bits), found.weighted_leak),
        ("leaked characters", characters, found.characters, ratio(characters, found.characters)),
        ("characters hidden in vain", found.hidden_in_vain, found.harmless_characters, found.over_redaction),
    ]
    yield Sheet("Leaks", ("what", "count", "of", "share"), rows)


def _detectors(evaluation: Evaluation) -> Sheets:
    rows = [(name, row["found"], row["alone"]) for name, row in evaluation.data["detectors"].items()]
    if rows:
        yield Sheet("Detectors", ("detector", "gold tokens covered", "by no other"), rows)


def _errors(evaluation: Evaluation) -> Sheets:
    errors = evaluation.data["errors"]
    rows = [(name, row["count"], row["share"]) for name, row in errors["kinds"].items()]
    yield Sheet("Errors by kind", ("kind", "count", "share"), rows)
    rows = [(label, *row.values()) for label, row in errors["missed_by_label"].items()]
    head = ("label", "key", "missing", "of key", "of all identifiers", "spurious", "of claims")
    yield Sheet("Missing and spurious by label", head, rows)
    rows = [(label, *row.values()) for label, row in errors["extents"].items()]
    yield Sheet("Extent errors", ("label", "short", "long", "both"), rows)
    rows = [(label, *row.values()) for label, row in errors["remainders"].items()]
    yield Sheet("What short spans leave", ("label", "no word", "common words", "revealing"), rows)
    rows = [(label, row["key"], *(row[key] for key in _PRF)) for label, row in errors["by_label"].items()]
    yield Sheet("By label, extent ignored", ("label", "key", "P", "R", "F"), rows)


def _confusion(evaluation: Evaluation) -> Sheets:
    table = evaluation.data["errors"]["confusion"]
    columns = sorted({column for row in table.values() for column in row})
    rows = [(label, *(row.get(column, "") for column in columns)) for label, row in table.items()]
    yield Sheet("Confusion (gold down)", ("", *columns), rows)


def _misses(evaluation: Evaluation) -> Sheets:
    errors = evaluation.data["errors"]
    rows: list[tuple[Any, ...]] = [tuple(row.values()) for row in errors["per_note"]]
    yield Sheet("Misses per note", ("misses", "notes", "cumulative misses", "coverage", "mean labels"), rows)
    rows = [(name, *row.values()) for name, row in errors["by_note_type"].items()]
    head = ("note type", "misses", "identifiers", "notes with a miss", "notes", "share")
    yield Sheet("Misses per note type", head, rows)


def _confidence(evaluation: Evaluation) -> Sheets:
    figures = evaluation.confidence
    curve = figures.calibration
    rows = [
        ("Spearman of a note's confidence with its F", figures.with_f),
        ("Spearman of a note's shortness with its F", figures.length_with_f),
        (f"surest notes before the first error (of {len(figures.ranked):,})", figures.perfect_prefix),
        ("expected calibration error of claims", curve.error),
    ]
    yield Sheet("Confidence", ("figure", "value"), rows)
    bins = list(zip(curve.confidence, curve.share_right, curve.count, strict=True))
    yield Sheet("Calibration", ("mean score", "share right", "claims"), bins)


def _agreement(evaluation: Evaluation) -> Sheets:
    figures = evaluation.agreement
    rows = [
        ("tokens", figures.tokens),
        ("kappa, with labels", figures.kappa),
        ("kappa, marked or not", figures.kappa_marked),
    ]
    yield Sheet("Agreement (kappa)", ("figure", "value"), rows)


def _likely(evaluation: Evaluation) -> Sheets:
    figures = evaluation.review
    rows: list[tuple[Any, ...]] = [
        ("rare words that nobody marked", figures.listed, "", ""),
        ("of these leaks", figures.leaks, figures.listed, figures.precision),
        ("leaked tokens that the list shows", figures.leaks, figures.leaked, figures.recall),
    ]
    yield Sheet("Likely misses", ("what", "count", "of", "share"), rows)
    rows = [
        (entry.note, str(entry.start), str(entry.end), f"{entry.bits:.1f}", "leak" if entry.leaks else "")
        for entry in islice(likely_misses(evaluation.pairs), _LIKELY)
    ]
    yield Sheet(f"The first {_LIKELY} of them", ("note", "start", "end", "bits", ""), rows)


TABLES: Mapping[str, Callable[[Evaluation], Sheets]] = MappingProxyType(
    {
        "scores": _scores,
        "groups": _groups,
        "categories": _categories,
        "note-types": _note_types,
        "labels": _labels,
        "conventions": _conventions,
        "official": _official,
        "leaks": _leaks,
        "detectors": _detectors,
        "errors": _errors,
        "confusion": _confusion,
        "misses": _misses,
        "confidence": _confidence,
        "agreement": _agreement,
        "likely-misses": _likely,
        "notes": _notes,
    }
)
"""Every table by the name by which ``plainsight evaluate --table`` prints it."""
