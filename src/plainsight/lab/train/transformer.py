"""Fine-tune a pre-trained encoder on annotated notes, and write it as a model that needs no PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from plainsight.detect.learned import claims_of
from plainsight.detect.transformer import Transformer
from plainsight.detect.transformer.network import pack_words
from plainsight.detect.transformer.note_pieces import read
from plainsight.detect.transformer.pieces import word_splitter
from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.lab.synth.swap import swapped
from plainsight.lab.train.check_notes import check_notes
from plainsight.lab.train.encoder import Encoder
from plainsight.lab.train.encoder_fit import Schedule, TrainingNote, Windows, fit, windows_of
from plainsight.lab.train.encoder_graph import to_onnx
from plainsight.lab.train.loop import set_seed
from plainsight.lab.train.pretrained import Pretrained, read_pretrained
from plainsight.lab.train.scores import save_scored
from plainsight.labels import LABELS
from plainsight.model import save_model
from plainsight.text.tags import encode

WINDOW = 256
"""Pieces that the network sees at once, with the two that begin and end a text."""

MARGIN = 32
"""Pieces on either side of a window that are read but not labelled."""


def train_transformer(
    documents: Sequence[Document],
    folder: Path,
    *,
    encoder: str | Path | None = None,
    dev: Sequence[Document] = (),
    layers: int | None = None,
    claims: bool = True,
    swap: int = 0,
    epochs: int = 12,
    batch: int = 32,
    rate: float = 1e-4,
    masked: float = 0.1,
    quantise: bool = True,
    bias: float | None = None,
    seed: int = 0,
    progress: Callable[[int, float], None] = lambda step, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Fit a network, write its model folder and return the manifest.

    ``encoder`` is the folder of a BERT, RoBERTa or MPNet in Hugging Face's layout, of which ``layers`` are
    kept if given, spread evenly. With ``claims``, the network also sees the claims of the rules and the lists
    for English. ``masked`` is the share of pieces hidden in training. ``swap`` adds copies of each note with
    other identifiers (`synth.swap`). ``quantise`` stores weights as bytes. ``dev`` notes are only scored.
    """
    if encoder is None:
        raise UsageError("a transformer begins with a pre-trained --encoder: the folder of a BERT, say")
    found = check_notes(documents)
    documents = swapped(documents, copies=swap, seed=seed)
    set_seed(seed)
    stage("reading the notes")
    pretrained = read_pretrained(Path(encoder))
    splitter = word_splitter(pretrained.cut, pretrained.words)
    labels = sorted(found.labels)
    tags = found.tags
    number = {tag: place for place, tag in enumerate(tags)}
    claimed = sorted(LABELS) if claims else []
    of_label = {label: place for place, label in enumerate(claimed, start=1)}
    lessons = []
    spans = claims_of(Transformer.needs if claims else (), documents)
    for document, own in zip(documents, spans, strict=True):
        pieces = read(document, splitter, claims=own, labels=of_label, lists=claims)
        if pieces.tokens:
            lessons.append(
                TrainingNote(pieces, [number[tag] for tag in encode(document.spans, pieces.tokens)])
            )
    if not lessons:
        raise DataError("no note has any text to learn from")
    network = pretrained.encoder(tags=len(tags), claims=len(claimed), lists=claims, layers=layers)

    random = Random(seed)
    size = len(windows_of(lessons, splitter, size=WINDOW, random=random))

    def lots() -> Iterator[Windows]:
        while True:
            yield windows_of(lessons, splitter, size=WINDOW, random=random)

    stage("fitting")
    schedule = Schedule(
        steps=max(1, epochs * size // batch), batch=batch, rate=rate, masked=masked, seed=seed
    )
    fit(network, lots(), schedule, mask_piece=pretrained.mask, progress=progress)
    stage("writing")
    training = {**asdict(found), "swap": swap, "epochs": epochs, "batch": batch, "rate": rate, "seed": seed}
    manifest = {"labels": labels, "tags": tags, "claims": claimed, "bias": bias or 0.0, "training": training}
    save = partial(save_transformer, network, pretrained, folder, quantise=quantise)
    return save_scored(save, manifest, dev, lambda: Transformer(model=str(folder)), stage)


def save_transformer(
    network: Encoder,
    pretrained: Pretrained,
    folder: Path,
    *,
    manifest: Mapping[str, Any],
    quantise: bool = True,
) -> dict[str, Any]:
    """Write a fitted network as a model folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "network.onnx").write_bytes(to_onnx(network, exact=not quantise))
    about = {
        "pieces": pretrained.cut,
        "window": WINDOW,
        "margin": MARGIN,
        "network": network.shape.to_json(),
        "quantised": quantise,
    }
    arrays = {name: pack_words(words) for name, words in pretrained.words.items()}
    return save_model(folder, kind=Transformer.name, manifest={**manifest, **about}, arrays=arrays)
