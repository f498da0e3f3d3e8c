"""Measure each bundled network alone on the blind notes, and write the figures into its manifest.

    python scripts/score_networks.py

The notes of ``benchmarks/blind`` were written after the networks. Run scripts/build_checksums.py after it.
"""

from __future__ import annotations

import json

from network_figures import BIAS, ROOT, cell, figures
from plainsight import registry
from plainsight.detect.learned import TokenScorer
from plainsight.evaluate.read_notes import read_notes
from plainsight.model import bundled_models, read_manifest

NOTES = ROOT / "benchmarks" / "blind" / "notes"
MODELS = ROOT / "src" / "plainsight" / "data" / "models"


def main() -> None:
    """Score every bundled network."""
    notes = read_notes(NOTES, format="inline")
    print("| network | token recall | precision | F | strict F | clean notes |\n|---" + "|--:" * 5 + "|")
    for name in bundled_models():
        manifest = read_manifest(name)
        network: TokenScorer = registry.create("detectors", manifest["kind"], model=name, bias=BIAS)
        scores = figures(notes, network.detect(notes))
        token = scores["binary-token"]
        shares = token["recall"], token["precision"], token["f"], scores["strict"]["f"], scores["clean_share"]
        print(f"| `{name}` | {' | '.join(map(cell, shares))} |", flush=True)
        text = json.dumps({**manifest, "scores": scores}, indent=2, ensure_ascii=False) + "\n"
        (MODELS / name / "manifest.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
