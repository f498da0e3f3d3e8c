"""Shared by the scripts that build networks: folds of the corpus, figures, parts of model cards."""

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
"""The bias of a network that runs alone; below 0 it finds more."""

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


def read_corpus(folder: Path) -> list[Document]:
    """Return the notes of a corpus that have tokens, with the patients of the longitudinal ones."""
    notes = read_notes(folder, format="inline", patient_from_name=PATIENT)
    return [note for note in notes if tokenize(note.text)]


def split_fold(documents: Sequence[Document], number: int | None) -> tuple[list[Document], list[Document]]:
    """Return notes to learn from and the fold to measure on; a patient's notes stay together."""
    parts: tuple[list[Document], list[Document]] = ([], [])
    for note, fold in zip(documents, fold_of(documents, FOLDS), strict=True):
        parts[fold == number].append(note)
    return parts


def sweep_biases(notes: Sequence[Document], scored: Sequence[Scored]) -> list[dict[str, Any]]:
    """Return figures on notes at each bias, given a network's scores of each."""
    found = {bias: decode_scores(scored, TAGS, bias=bias, source="network") for bias in BIASES}
    return [{"bias": bias, **figures(notes, spans)} for bias, spans in found.items()]


def figures(notes: Sequence[Document], found: Sequence[Sequence[Span]]) -> dict[str, Any]:
    """Return precision, recall and F, and the share of notes in which nothing was missed."""
    both = zip(notes, found, strict=True)
    clean = leaks([Pair(note.id, note.text, note.spans, tuple(spans)) for note, spans in both]).clean_share
    return {**scores(notes, found), "clean_share": None if clean is None else round(clean, 4)}


def table(sweep: Sequence[Mapping[str, Any]]) -> str:
    """Return the figures of each bias as a table."""
    lines = ["| bias | token recall | precision | F | strict F | notes without a leak |", "|---" * 6 + "|"]
    for row in sweep:
        token = row["binary-token"]
        shares = (token["recall"], token["precision"], token["f"], row["strict"]["f"], row["clean_share"])
        lines.append(f"| {row['bias']:g} | {' | '.join(map(cell, shares))} |")
    return "\n".join(lines)


def cell(share: float | None) -> str:
    """Return a share as a table shows it."""
    return "n/a" if share is None else f"{share:.4f}"


def write_scores(folder: Path, notes: Sequence[Document], scored: Sequence[Scored]) -> None:
    """Print a network's figures at each bias, and write them to scores.json in its folder."""
    sweep = sweep_biases(notes, scored)
    (folder / "scores.json").write_text(json.dumps({"sweep": sweep}, indent=2) + "\n", encoding="utf-8")
    print(table(sweep), flush=True)


def runtime_manifest() -> dict[str, Any]:
    """Return the fields of a manifest that a detector needs to run the network."""
    return {"labels": NAMES, "tags": TAGS, "claims": NAMES, "bias": BIAS}


def teacher_name(training: Mapping[str, Any]) -> str:
    """Return a name for a trained encoder: the pre-trained one, and how much of it was kept."""
    inner = f", {training['inner']} inside" if "inner" in training else ""
    return f"{training['encoder']}, {training['layers']} layers{inner}"


def licence(encoder: str) -> str:
    """Return the licence of an encoder's weights."""
    return LICENCES.get(encoder, "a licence of their own")


def data_card(sources: Sequence[str]) -> dict[str, str]:
    """Return the fields of a manifest on training data and their limits."""
    names = [TEXTS.get(source.partition(".")[0], source) for source in sources]
    filled = f"; and, with identifiers filled in, {', '.join(names)}" if names else ""
    return {
        "data": f"the notes of corpus/, written by hand for this project, resampled{filled}",
        "limits": "notes unlike the corpus's, other languages; it has seen few BIOID, URL and IPADDR",
    }


def fold_scores(file: Path | None) -> dict[str, Any]:
    """Return the scores for a manifest: those of a held-out fold at `BIAS`."""
    if file is None:
        return {}
    sweep = json.loads(file.read_text(encoding="utf-8"))["sweep"]
    row = next(row for row in sweep if row["bias"] == BIAS)
    return {"scores": {name: value for name, value in row.items() if name != "bias"}}
