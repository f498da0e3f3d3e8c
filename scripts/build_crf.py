"""Train the bundled CRF, crf-en, on the corpus.

    python scripts/build_crf.py                  cross-validate, choose the bias, train: five fits and one
    python scripts/build_crf.py --bias -0.5      train alone, a few minutes; scores stay as they were
    python scripts/build_crf.py --out FOLDER     somewhere else

Cross-validation measures the whole fast policy: each fold of the notes is labelled by rules, lists and a CRF
that has learnt from the other folds, at several biases. Chosen is the one that finds most while enough of
what is found is right. The figures go into the model's manifest.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plainsight.config import Choice, Policy, load_policy
from plainsight.document import Document
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import score
from plainsight.evaluate.tally import Tally
from plainsight.formats.inline import parse
from plainsight.lab.train.bias import fold_of
from plainsight.lab.train.crf import train_crf
from plainsight.model import bundled_models, read_manifest
from plainsight.pipeline import Pipeline

ROOT = Path(__file__).parent.parent
MODEL = ROOT / "src" / "plainsight" / "data" / "models" / "crf-en"
RECIPE: dict[str, Any] = {"feature_set": "plainsight", "gaussian": 0.3, "iterations": 80}
BIASES = (-2.0, -1.5, -1.0, -0.5, 0.0)
PRECISION = 0.94
"""Of the tokens that the policy finds, so many shall be identifiers."""

CARD = {
    "description": "English clinical notes; for rules and lists beside it, whose claims it reads",
    "licence": "Apache-2.0",
    "data": "the notes of corpus/, written by hand for this project; no patient's words are in it",
    "limits": "notes unlike the corpus's, other languages; it has seen few BIOID, URL and IPADDR",
}


def read_corpus(folder: Path) -> list[Document]:
    """Return the notes; those of one patient in ``longitudinal`` belong together."""
    made = []
    for path in sorted(folder.rglob("*.txt")):
        patient = path.stem.partition("-")[0] if path.parent.name == "longitudinal" else None
        text, spans = parse(path.read_text(encoding="utf-8"))
        made.append(Document(str(path.relative_to(folder)), text, spans, patient_id=patient))
    return made


def with_model(policy: Policy, model: Path, bias: float) -> Policy:
    """Return the policy with another model in its CRF."""
    crf = Choice("crf", {"model": str(model), "bias": bias})
    return replace(policy, detectors=tuple(crf if c.name == "crf" else c for c in policy.detectors))


def cross_validate(documents: Sequence[Document], folds: int) -> dict[float, dict[str, Any]]:
    """Return what the fast policy scores at every bias on notes that its CRF has not learnt from."""
    policy, fold = load_policy("fast"), fold_of(documents, folds)
    pairs: dict[float, list[Pair]] = defaultdict(list)
    for number in range(folds):
        held = [note for note, its in zip(documents, fold, strict=True) if its == number]
        learnt = [note for note, its in zip(documents, fold, strict=True) if its != number]
        with tempfile.TemporaryDirectory() as scratch:
            train_crf(learnt, Path(scratch, "crf"), bias=0.0, **RECIPE)
            print(f"fold {number + 1} of {folds}", flush=True)
            for bias in BIASES:
                found = Pipeline(with_model(policy, Path(scratch, "crf"), bias)).detect(held)
                both = zip(held, found, strict=True)
                pairs[bias] += [Pair(gold.id, gold.text, gold.spans, note.spans) for gold, note in both]
    return {bias: figures(some) for bias, some in pairs.items()}


def figures(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return precision and recall of tokens whatever their label, and of identifiers."""
    return {name: _rounded(score(pairs, name).micro) for name in ("binary-token", "strict")}


def _rounded(tally: Tally) -> dict[str, float | None]:
    values = {"precision": tally.precision, "recall": tally.recall, "f": tally.f}
    return {name: value if value is None else round(value, 4) for name, value in values.items()}


def choose(scored: dict[float, dict[str, Any]]) -> float:
    """Return the bias that finds most with enough precision, or the most precise one."""
    precise = [bias for bias, its in scored.items() if its["binary-token"]["precision"] >= PRECISION]
    return min(precise, default=max(scored))


def main() -> None:
    """Cross-validate, if wanted, and train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, default=ROOT / "corpus")
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument("--bias", type=float, help="do not cross-validate")
    parser.add_argument("--folds", type=int, default=5)
    arguments = parser.parse_args()

    documents = read_corpus(arguments.corpus)
    card: dict[str, Any] = dict(CARD)
    bias = arguments.bias
    if bias is None:
        scored = cross_validate(documents, arguments.folds)
        bias = choose(scored)
        sweep = [{"bias": each, **its} for each, its in sorted(scored.items())]
        card["cross_validation"] = {
            "policy": "fast", "folds": arguments.folds, "notes": len(documents), "sweep": sweep
        }  # fmt: skip
    elif "crf-en" in bundled_models():
        card |= {key: its for key, its in read_manifest("crf-en").items() if key == "cross_validation"}
    manifest = train_crf(
        documents,
        arguments.out,
        bias=bias,
        notes=card,
        progress=lambda iteration, loss: print(f"iteration {iteration}: {loss:,.1f}", flush=True),
        **RECIPE,
    )
    print(f"bias {bias}", *card.get("cross_validation", {}).get("sweep", ()), sep="\n")
    print(f"{manifest['training']['notes']} notes; {arguments.out}")


if __name__ == "__main__":
    main()
