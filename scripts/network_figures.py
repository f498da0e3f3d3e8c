"""What the scripts that build networks say of them: folds of the corpus, figures, cards."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from network_notes import NAMES, TAGS
from plainsight.detect.learned import Scored, decode_scores
from plainsight.document import Document, Span
from plainsight.evaluate.leaks import leaks
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.read_notes import read_notes
from plainsight.lab.train.bias import fold_of
from plainsight.lab.train.scores import scores
from plainsight.text.tokens import tokenize

ROOT = Path(__file__).resolve().parents[1]
FOLDS = 5
BIAS = -0.5
"""Of a network by itself: below 0 it finds more."""

BIASES = (0.0, BIAS, -1.0, -1.5, -2.0, -2.5, -3.0)
PATIENT = r"^longitudinal/([^-/]+)-"

LICENCES = {
    "gte-small": "the MIT licence",
    "granite-embedding-30m-english": "the Apache licence 2.0",
    "all-mpnet-base-v2": "the Apache licence 2.0",
}
TEXTS = {
    "mtsamples": "MTSamples transcriptions",
    "aci-bench": "ACI-BENCH (CC BY 4.0)",
    "mts-dialog": "MTS-Dialog (CC BY 4.0)",
}


def corpus_of(folder: Path) -> list[Document]:
    """Return the notes of a corpus that have any token; those of one patient know it."""
    notes = read_notes(folder, format="inline", patient_from_name=PATIENT)
    return [note for note in notes if tokenize(note.text)]


def parted(documents: Sequence[Document], number: int | None) -> tuple[list[Document], list[Document]]:
    """Return notes to learn from and the fold to measure on; a patient's notes stay together."""
    parts: tuple[list[Document], list[Document]] = ([], [])
    for note, its in zip(documents, fold_of(documents, FOLDS), strict=True):
        parts[its == number].append(note)
    return parts


def swept(notes: Sequence[Document], told: Sequence[Scored]) -> list[dict[str, Any]]:
    """Return figures on notes at each bias, given what a network says of each."""
    found = {bias: decode_scores(told, TAGS, bias=bias, source="network") for bias in BIASES}
    return [{"bias": bias, **figures(notes, spans)} for bias, spans in found.items()]


def figures(notes: Sequence[Document], found: Sequence[Sequence[Span]]) -> dict[str, Any]:
    """Return precision, recall and F, and the share of notes in which nothing was missed."""
    both = zip(notes, found, strict=True)
    clean = leaks([Pair(note.id, note.text, note.spans, tuple(spans)) for note, spans in both]).clean_share
    return {**scores(notes, found), "clean_share": None if clean is None else round(clean, 4)}


def table(sweep: Sequence[Mapping[str, Any]]) -> str:
    """Return the figures of each bias as a table."""
    lines = ["| bias | token recall | precision | F | strict F | notes without a leak |", "|---" * 6 + "|"]
    for its in sweep:
        token = its["binary-token"]
        row = (token["recall"], token["precision"], token["f"], its["strict"]["f"], its["clean_share"])
        lines.append(f"| {its['bias']:g} | {' | '.join(map(cell, row))} |")
    return "\n".join(lines)


def cell(share: float | None) -> str:
    """Return a share as a table shows it."""
    return "n/a" if share is None else f"{share:.4f}"


def measured(folder: Path, notes: Sequence[Document], told: Sequence[Scored]) -> None:
    """Print a network's figures, and put them beside it."""
    sweep = swept(notes, told)
    (folder / "scores.json").write_text(json.dumps({"sweep": sweep}, indent=2) + "\n", encoding="utf-8")
    print(table(sweep), flush=True)


def shape() -> dict[str, Any]:
    """Return what the manifest of a network must say for it to run."""
    return {"labels": NAMES, "tags": TAGS, "claims": NAMES, "bias": BIAS}


def named(training: Mapping[str, Any]) -> str:
    """Return what a teacher is called: the encoder it was made of, and how much of it was kept."""
    inner = f", {training['inner']} inside" if "inner" in training else ""
    return f"{training['encoder']}, {training['layers']} layers{inner}"


def licence(encoder: str) -> str:
    """Return what an encoder's weights are under."""
    return LICENCES.get(encoder, "a licence of their own")


def learnt_from(sources: Sequence[str]) -> dict[str, str]:
    """Return what a manifest says of the notes, and of what they therefore did not teach."""
    named = [TEXTS.get(source.partition(".")[0], source) for source in sources]
    filled = f"; and, with identifiers filled in, {', '.join(named)}" if named else ""
    return {
        "data": f"the notes of corpus/, written by hand for this project, resampled{filled}",
        "limits": "notes unlike the corpus's, other languages; it has seen few BIOID, URL and IPADDR",
    }


def known_scores(file: Path | None) -> dict[str, Any]:
    """Return the scores for a manifest: those of a fold, at the bias that it has."""
    if file is None:
        return {}
    sweep = json.loads(file.read_text(encoding="utf-8"))["sweep"]
    its = next(its for its in sweep if its["bias"] == BIAS)
    return {"scores": {name: value for name, value in its.items() if name != "bias"}}
