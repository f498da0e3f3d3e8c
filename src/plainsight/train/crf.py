"""Train a CRF: features by channels, L-BFGS with a Gaussian prior (S22, S23), weights pruned and packed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from plainsight import registry
from plainsight.detect.crf import Crf
from plainsight.detect.crf.channels import FEATURE_SETS, Channel, Note
from plainsight.detect.crf.notes import read_notes
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError, suggest
from plainsight.model import save_model
from plainsight.text.tags import OUTSIDE, encode

__all__ = ["train_crf"]


def train_crf(
    documents: Sequence[Document],
    folder: Path,
    *,
    feature_set: str = "plainsight",
    gaussian: float = 0.1,
    lasso: float = 0.0,
    iterations: int = 100,
    rarest: int = 1,
    bias: float = 0.0,
    smallest: float = 1e-3,
    notes: dict[str, Any] | None = None,
    progress: Callable[[int, float], None] = lambda iteration, loss: None,
) -> None:
    """Fit a CRF on annotated notes and write its model folder.

    ``gaussian`` and ``lasso`` weigh the penalties; features seen fewer than ``rarest`` times are left out,
    and so are weights that come out smaller than ``smallest``. ``progress`` is told each iteration's loss.
    """
    if feature_set not in FEATURE_SETS:
        raise UsageError(f"unknown feature set {feature_set!r}{suggest(feature_set, FEATURE_SETS)}")
    if not any(document.spans for document in documents):
        raise DataError("the training notes hold no identifier, so there is nothing to learn")
    channels = FEATURE_SETS[feature_set]
    read = read_notes(documents, _claims(documents, channels))
    with tempfile.TemporaryDirectory() as scratch:
        path = str(Path(scratch) / "model")
        _fit(read, channels, path, progress, {
            "c1": lasso, "c2": gaussian, "max_iterations": iterations, "feature.minfreq": rarest,
            "feature.possible_transitions": False,
        })  # fmt: skip
        tags, transitions, weights = _read_weights(path)
    packed = _pack(weights, tags, smallest)
    save_model(
        folder,
        kind=Crf.name,
        manifest={
            "tags": tags,
            "labels": sorted({tag[2:] for tag in tags if tag != OUTSIDE}),
            "feature_set": feature_set,
            "bias": bias,
            "scale": packed.pop("scale"),
            "training": {
                "notes": len(documents),
                "identifiers": sum(len(document.spans) for document in documents),
                "gaussian": gaussian,
                "lasso": lasso,
                "iterations": iterations,
                "rarest": rarest,
            },
            **(notes or {}),
        },
        arrays={"transitions": transitions, **packed},
    )


def _claims(documents: Sequence[Document], channels: Sequence[Channel]) -> list[list[Span]]:
    claims: list[list[Span]] = [[] for _ in documents]
    if any(channel.name == "claim" for channel in channels):
        for name in Crf.needs:
            for said, spans in zip(claims, registry.create("detectors", name).detect(documents), strict=True):
                said += spans
    return claims


def attributes(
    note: Note, channels: Sequence[Channel], known: dict[tuple[str, int, str], list[str]]
) -> list[list[str]]:
    """Return the names of every token's features; ``known`` remembers those of each value."""
    made: list[list[str]] = [[] for _ in note.tokens]
    for channel in channels:
        values = channel.values(note)
        for offset in channel.offsets:
            for place, value in enumerate(values):
                if 0 <= place - offset < len(made):
                    key = channel.name, offset, value
                    names = known.get(key)
                    if names is None:
                        names = known[key] = [
                            f"{channel.name}{offset:+d} {f}" for f in channel.features(value)
                        ]
                    made[place - offset] += names
    return made


def _fit(
    notes: Sequence[Note],
    channels: Sequence[Channel],
    path: str,
    progress: Callable[[int, float], None],
    settings: dict[str, Any],
) -> None:
    crfsuite = _crfsuite()

    class Trainer(crfsuite.Trainer):  # type: ignore[misc, name-defined]
        def on_iteration(self, log: Any, info: dict[str, Any]) -> None:
            progress(info["num"], info["loss"])

    trainer = Trainer(algorithm="lbfgs", params=settings)
    known: dict[tuple[str, int, str], list[str]] = {}
    for note in notes:
        if note.tokens:
            tags = encode(note.document.spans, note.tokens)
            trainer.append(crfsuite.ItemSequence(attributes(note, channels, known)), tags)
    trainer.train(path)


def _crfsuite() -> Any:
    try:
        return import_module("pycrfsuite")
    except ModuleNotFoundError:
        raise UsageError("training a CRF needs python-crfsuite: pip install 'plainsight[train]'") from None


Weighted = dict[str, list[tuple[int, float]]]


def _read_weights(path: str) -> tuple[list[str], Any, Weighted]:
    """Return tags, transitions and each feature's weights from CRFsuite's model."""
    tagger = _crfsuite().Tagger()
    tagger.open(path)
    info = tagger.info()
    tags = sorted(info.labels, key=lambda tag: (tag != OUTSIDE, tag))
    place = {tag: number for number, tag in enumerate(tags)}
    transitions = np.zeros((len(tags), len(tags)), dtype=np.float32)
    for (one, two), weight in info.transitions.items():
        transitions[place[one], place[two]] = weight
    weights: Weighted = {}
    for (name, tag), weight in info.state_features.items():
        weights.setdefault(name, []).append((place[tag], weight))
    return tags, transitions, weights


def _pack(weights: Weighted, tags: Sequence[str], smallest: float) -> dict[str, Any]:
    """Return the weights as arrays: sorted names, where each name's weights start, their labels and values.

    Values are 16-bit whole numbers of ``scale``: an error under a ten-thousandth of the greatest weight.
    """
    kept = {
        name: sorted(pair for pair in row if abs(pair[1]) >= smallest)
        for name, row in sorted(weights.items())
    }
    kept = {name: row for name, row in kept.items() if row}
    flat = np.array([weight for row in kept.values() for _, weight in row], dtype=np.float64)
    scale = float(np.abs(flat).max() / 32_767) if len(flat) else 1.0
    return {
        "scale": scale,
        "names": np.frombuffer("\n".join(kept).encode("utf-8"), dtype=np.uint8),
        "starts": np.cumsum([0, *(len(row) for row in kept.values())]).astype(np.int32),
        "labels": np.array([label for row in kept.values() for label, _ in row], dtype=np.uint8),
        "values": np.round(flat / scale).astype(np.int16),
    }
