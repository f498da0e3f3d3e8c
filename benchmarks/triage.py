"""Ask of marked notes whether a policy's confidence finds the notes with leaks, and fit how it is computed.

    python scripts/held_out_policies.py --out aside --models conv-en=f-{}/conv-en wide-en=f-{}/wide-en …
    python benchmarks/triage.py aside/notes --policies aside/fast.toml aside/balanced.toml aside/best.toml
    python benchmarks/triage.py benchmarks/unseen --policies fast balanced best

The networks must not have learned from the notes. Prints for each policy, and for the order by length alone:
Spearman's rank correlation of doubt with leaks per note; the share of all leaked tokens in the 10, 20 and
30 % least sure notes, and in a perfect order; the area under the risk-coverage curve, beside those of a
perfect and a random order. Then how often notes of a confidence are clean, which value of
`plainsight.combine.doubt.MISSES_PER_PROBABILITY` makes this most likely, and which `combine.calibration` fits
the spans best; the calibration error of the scores without one, and of one fitted on every other note and
measured on the rest. ``--out`` takes all as JSON.
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
from plainsight.evaluate.confidence import calibration
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
        "calibration": fitted_calibration(pairs, loaded.calibration or Calibration(0.0, 1.0)),
        "intervals": intervals(confidences, leaks),
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


def fitted_calibration(pairs: Sequence[Pair], present: Calibration) -> tuple[Calibration, float, float]:
    """Return the calibration that fits best which spans touch an identifier, and two calibration errors.

    The first error is that of the scores without a calibration. The second is that of a calibration fitted on
    every other note and measured on the rest.
    """
    odds, right, note = [], [], []
    for number, pair in enumerate(pairs):
        identifying = marked(pair.text, pair.gold)
        odds += [(log_odds(span.score) - present.offset) / present.slope for span in pair.found]
        right += [any(identifying[span.start : span.end]) for span in pair.found]
        note += [number] * len(pair.found)
    x, hit, learned = np.array(odds), np.array(right), np.array(note) % 2 == 0

    def fit(which: np.ndarray) -> Calibration:
        sign = np.where(hit[which], 1.0, -1.0)
        best = minimize(lambda c: np.logaddexp(0.0, -sign * (c[0] + c[1] * x[which])).mean(), present)
        return Calibration(*map(float, best.x))

    def error(numbers: Calibration, which: np.ndarray) -> float:
        scores = 1.0 / (1.0 + np.exp(-numbers.offset - numbers.slope * x[which]))
        return calibration(scores.tolist(), hit[which].tolist()).error or 0.0

    everything = np.ones(len(x), bool)
    return fit(everything), error(Calibration(0.0, 1.0), everything), error(fit(learned), ~learned)


def intervals(confidences: Sequence[float], leaks: Sequence[int]) -> dict[str, list[float]]:
    """Return 95 % intervals, by bootstrap over notes, of Spearman and of the leaks in the 20 % least sure."""
    random = np.random.default_rng(0)
    sure, lost = np.array(confidences), np.array(leaks)
    drawn = []
    for _ in range(500):
        chosen = random.integers(0, len(lost), len(lost))
        figures = triage(sure[chosen].tolist(), lost[chosen].tolist())
        drawn.append((figures.spearman, list(figures.found.values())[1]))
    low, high = np.percentile(np.array(drawn, float), [2.5, 97.5], axis=0)
    return {name: [float(low[at]), float(high[at])] for at, name in enumerate(("Spearman", "in 20 %"))}


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
        best, plain, held_out = figures["calibration"]
        print(f"likeliest calibration: offset {best.offset:.2f}, slope {best.slope:.2f}")
        print(f"calibration error: {plain:.4f} without one, {held_out:.4f} held out")
        for name, (low, high) in figures["intervals"].items():
            print(f"95 % interval, {name}: {low:.3f} to {high:.3f}")
        print(flush=True)
    if asked.out:
        plain = json.dumps(told, indent=2, default=lambda figures: figures.to_json())
        asked.out.write_text(plain + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
