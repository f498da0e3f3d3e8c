"""Ask of marked notes whether a policy's confidence finds the notes with leaks, and fit how it is computed.

    python scripts/held_out_policies.py --out aside --models conv-en=f-{}/conv-en wide-en=f-{}/wide-en …
    python benchmarks/triage.py aside/notes --policies aside/fast.toml aside/balanced.toml aside/best.toml
    python benchmarks/triage.py benchmarks/unseen --policies fast balanced best

The networks must not have learned from the notes. Prints for each policy, and for the order by length alone:
Spearman's rank correlation of doubt with leaks per note; the share of all leaked tokens in the 10, 20 and
30 % least sure notes, and in a perfect order; the area under the risk-coverage curve, beside those of a
perfect and a random order. Then how often notes of a confidence are clean, which value of
`plainsight.combine.doubt.MISSES_PER_PROBABILITY` makes this most likely, and which `combine.calibration` fits
the spans best. ``--out`` takes all as JSON.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from plainsight.combine.calibrate import log_odds
from plainsight.combine.doubt import MISSES_PER_PROBABILITY
from plainsight.config import Calibration, load_policy
from plainsight.document import CONFIDENCE, Document
from plainsight.errors import UsageError
from plainsight.evaluate.leaks import leaked_tokens
from plainsight.evaluate.pairs import Pair, pair_up
from plainsight.evaluate.read_notes import read_notes
from plainsight.evaluate.triage import Triage, triage
from plainsight.pipeline import Pipeline
from plainsight.text.rare_words import marked

PATIENT = r"^longitudinal/([^-/]+)-"
EDGES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
FLOOR = 1e-3  # misses expected where no place is possible: something may always be missed
HEAD = (
    "| order | Spearman | leaks in 10 % | 20 % | 30 % | area (perfect, random) |\n|---|--:|--:|--:|--:|--:|"
)


def measured(policy: str, notes: Sequence[Document], without: str | None) -> dict[str, Any]:
    """Return how well a policy's confidence orders notes, and how well it is calibrated."""
    loaded = load_policy(policy)
    pairs = pair_up(notes, Pipeline(loaded).detect(notes))
    leaks = [len(leaked_tokens(pair)) for pair in pairs]
    confidences = [float(pair.meta[CONFIDENCE]) for pair in pairs]
    clean = np.array([not count for count in leaks])
    orders = {
        "confidence": triage(confidences, leaks),
        "length alone": triage([-len(note.text) for note in notes], leaks),
        "perfect": triage([-count for count in leaks], leaks),
    }
    if without:
        some = [place for place, note in enumerate(notes) if not note.id.startswith(without)]
        fewer = [leaks[place] for place in some]
        orders[f"confidence, without {without}"] = triage([confidences[place] for place in some], fewer)
        orders[f"perfect, without {without}"] = triage([-count for count in fewer], fewer)
    return {
        "policy": Path(policy).stem,
        "notes": len(notes),
        "leaks": sum(leaks),
        "clean notes": int(clean.sum()),
        "orders": orders,
        "bins": list(bins(np.array(confidences), clean)),
        "likeliest weight": likeliest_weight(np.array(confidences), clean),
        "likeliest calibration": likeliest_calibration(pairs, loaded.calibration or Calibration(0.0, 1.0)),
    }


def bins(confidences: np.ndarray, clean: np.ndarray) -> Any:
    """Yield notes, mean confidence and share of clean notes in bins of confidence."""
    place = np.clip(np.searchsorted(EDGES, confidences, "right") - 1, 0, len(EDGES) - 2)
    for at in range(len(EDGES) - 1):
        if (own := place == at).any():
            yield int(own.sum()), float(confidences[own].mean()), float(clean[own].mean())


def likeliest_weight(confidences: np.ndarray, clean: np.ndarray) -> float:
    """Return the number of misses for each expected one under which the clean notes are most likely."""
    expected = -np.log(np.maximum(confidences, 1e-4)) / MISSES_PER_PROBABILITY + FLOOR
    weights = np.arange(0.2, 6.0, 0.01)
    risk = np.outer(weights, expected)
    likelihood = np.where(clean, -risk, np.log(-np.expm1(-risk))).sum(axis=1)
    return round(float(weights[likelihood.argmax()]), 2)


def likeliest_calibration(pairs: Sequence[Pair], present: Calibration) -> Calibration:
    """Return the calibration under which it is most likely which spans touch an identifier."""
    odds, right = [], []
    for pair in pairs:
        identifying = marked(pair.text, pair.gold)
        odds += [(log_odds(span.score) - present.offset) / present.slope for span in pair.found]
        right += [any(identifying[span.start : span.end]) for span in pair.found]
    x, sign = np.array(odds), np.where(right, 1.0, -1.0)
    best = minimize(lambda both: np.logaddexp(0.0, -sign * (both[0] + both[1] * x)).mean(), present)
    return Calibration(*(round(float(number), 2) for number in best.x))


def row(name: str, order: Triage) -> str:
    """Return a row of the table."""
    shares = " | ".join(f"{share:.3f}" for share in order.found.values() if share is not None)
    areas = f"{order.area:.2f} ({order.perfect_area:.2f}, {order.random_area:.2f})"
    return f"| {name} | {order.spearman:.3f} | {shares} | {areas} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", type=Path, help="marked notes that the networks have not learned from")
    parser.add_argument("--format", default="inline")
    parser.add_argument("--policies", nargs="+", default=["balanced"])
    parser.add_argument("--without", help="measure also without notes whose ids begin so: fragments/")
    parser.add_argument("--out", type=Path, help="where all figures go, as JSON")
    asked = parser.parse_args()
    notes = [
        note for note in read_notes(asked.notes, format=asked.format, patient_from_name=PATIENT) if note.text
    ]
    if not notes:
        raise UsageError(f"no notes in {asked.notes}")
    told = []
    for policy in asked.policies:
        figures = measured(policy, notes, asked.without)
        told.append(figures)
        name = figures["policy"]
        print(f"{name}: {figures['leaks']} leaks, {figures['clean notes']} of {len(notes)} notes clean")
        print(HEAD, *(row(*order) for order in figures["orders"].items()), sep="\n")
        print("\n| notes | mean confidence | clean |\n|--:|--:|--:|")
        for count, confidence, share in figures["bins"]:
            print(f"| {count} | {confidence:.2f} | {share:.2f} |")
        print(f"\nlikeliest weight: {figures['likeliest weight']} (in use: {MISSES_PER_PROBABILITY})")
        print(f"likeliest calibration: {figures['likeliest calibration']}\n", flush=True)
    if asked.out:
        plain = json.dumps(told, indent=2, default=lambda figures: figures.to_json())
        asked.out.write_text(plain + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
