"""Measure what the recall dial brings, and how far scores mean what they say, on notes no network has seen.

    python benchmarks/recall_dial.py [NOTES] [--policies fast balanced best] [--json]

NOTES (default: benchmarks/unseen) are marked notes that the policies' networks have not learned from; the
figures are honest only for such notes. For each policy at each position of ``--recall``:

- **recall** and **precision** of tokens under any label, with intervals by bootstrap over notes;
- **leaks per 1,000 notes**: identifying tokens that are not covered whole, with the interval that a bootstrap
  over notes gives; **clean**: the share of notes without a leak, with its exact interval.

For each policy as it is, the expected calibration error of its claims, by label: the mean gap between a
claim's score and the share of claims of such a score that touch an identifier. Labels with fewer than
``--least`` claims are counted together, since their curves are chance.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plainsight.cli.policy_options import Recall, choose_policy
from plainsight.document import Document
from plainsight.evaluate.confidence import calibration
from plainsight.evaluate.intervals import clean_share
from plainsight.evaluate.leaks import leaked_tokens
from plainsight.evaluate.pairs import Pair, pair_up
from plainsight.evaluate.read_notes import read_notes
from plainsight.evaluate.scorers import score
from plainsight.evaluate.statistics import Interval, bootstrap, resampled
from plainsight.pipeline import Pipeline
from plainsight.text.rare_words import marked

UNSEEN = Path(__file__).parent / "unseen"


def found_by(policy: str, recall: Recall, notes: Sequence[Document]) -> list[Pair]:
    """Return the notes with what a policy finds at a position of the dial."""
    pipeline = Pipeline(choose_policy(policy, recall=recall))
    return pair_up(notes, pipeline.detect(sorted(notes, key=lambda note: note.patient_id or "")))


def dial_figures(pairs: Sequence[Pair]) -> dict[str, Interval]:
    """Return recall, precision, leaks per 1,000 notes and the share of clean notes."""
    tokens = bootstrap(score(pairs, "binary-token").by_note)
    leaks = np.array([(len(leaked_tokens(pair)), 1) for pair in pairs], dtype=np.float64)
    (per_thousand,) = resampled(leaks, lambda sums: 1000 * sums[..., :1] / sums[..., 1:])
    return {
        "recall": tokens["recall"],
        "precision": tokens["precision"],
        "leaks per 1,000 notes": per_thousand,
        "clean": clean_share(pairs),
    }


def calibration_errors(pairs: Sequence[Pair], *, least: int) -> dict[str, tuple[float | None, int]]:
    """Return the expected calibration error and the number of claims, by label and of all."""
    claims: dict[str, list[tuple[float, bool]]] = {}
    for pair in pairs:
        identifying = marked(pair.text, pair.gold)
        for span in pair.found:
            right = any(identifying[span.start : span.end])
            claims.setdefault(span.label, []).append((span.score, right))
    every = [claim for some in claims.values() for claim in some]
    few = [claim for some in claims.values() if len(some) < least for claim in some]
    groups = {label: some for label, some in sorted(claims.items()) if len(some) >= least}
    groups |= {f"labels with fewer than {least}": few, "all": every}
    return {
        name: (calibration([score for score, _ in some], [right for _, right in some]).error, len(some))
        for name, some in groups.items()
    }


def shown(interval: Interval, *, digits: int) -> str:
    """Return a figure with its interval."""
    if interval.value is None or interval.low is None or interval.high is None:
        return "n/a"
    return f"{interval.value:.{digits}f} [{interval.low:.{digits}f}, {interval.high:.{digits}f}]"


def main() -> None:
    """Print the dial's table, then the calibration errors."""
    parser = argparse.ArgumentParser(description="Measure the recall dial and the calibration of scores.")
    parser.add_argument("notes", type=Path, nargs="?", default=UNSEEN)
    parser.add_argument("--policies", nargs="+", default=["fast", "balanced", "best"])
    parser.add_argument("--least", type=int, default=50, help="the fewest claims of a label of its own")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    notes = read_notes(asked.notes, format="inline")
    found = {(policy, dial): found_by(policy, dial, notes) for policy in asked.policies for dial in Recall}
    dials = {key: dial_figures(pairs) for key, pairs in found.items()}
    errors = {
        policy: calibration_errors(found[policy, Recall.BALANCED], least=asked.least)
        for policy in asked.policies
    }
    if asked.json:
        print(json.dumps(_plain(len(notes), dials, errors), indent=2))
        return
    print(f"{len(notes)} notes\n")
    print("| policy | `--recall` | recall | precision | leaks per 1,000 notes | clean |")
    print("|---|---|--:|--:|--:|--:|")
    for (policy, dial), figures in dials.items():
        cells = (shown(i, digits=0 if name.startswith("leaks") else 3) for name, i in figures.items())
        print(f"| {policy} | {dial.value} | {' | '.join(cells)} |")
    print("\n| policy | label | claims | calibration error |\n|---|---|--:|--:|")
    for policy, table in errors.items():
        for label, (error, count) in table.items():
            print(f"| {policy} | {label} | {count:,} | {'n/a' if error is None else f'{error:.4f}'} |")


def _plain(
    notes: int,
    dials: dict[tuple[str, Recall], dict[str, Interval]],
    errors: dict[str, dict[str, tuple[float | None, int]]],
) -> dict[str, Any]:
    return {
        "notes": notes,
        "dial": [
            {"policy": policy, "recall": dial.value, **{name: i.to_json() for name, i in figures.items()}}
            for (policy, dial), figures in dials.items()
        ],
        "calibration": {
            policy: {label: {"error": error, "claims": count} for label, (error, count) in table.items()}
            for policy, table in errors.items()
        },
    }


if __name__ == "__main__":
    main()
