"""Train a convolutional network on annotated notes, and perhaps by what a larger model says of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plainsight.detect.convolution import Convolution
from plainsight.detect.convolution.reading import claim_numbers, read
from plainsight.detect.convolution.words import WordRows
from plainsight.detect.learned import claims_of
from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.labels import LABELS
from plainsight.text.tags import OUTSIDE, encode
from plainsight.train.checks import check_notes

if TYPE_CHECKING:
    from plainsight.train.checkpoints import Pretrained
    from plainsight.train.convolutional.network import Convolutions, Shape

__all__ = ["new_network", "save_convolution", "train_convolution"]


def train_convolution(
    documents: Sequence[Document],
    folder: Path,
    *,
    dev: Sequence[Document] = (),
    teacher: Callable[[Document], Any] | None = None,
    unlabelled: Sequence[Document] = (),
    encoder: str | Path | None = None,
    claims: bool = True,
    width: int = 128,
    epochs: int = 20,
    rate: float = 2e-3,
    quantise: bool = True,
    bias: float | None = None,
    seed: int = 0,
    notes: Mapping[str, Any] | None = None,
    progress: Callable[[int, float], None] = lambda step, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Fit a network, write its model folder and return the manifest.

    A ``teacher`` returns the logarithm of the probability of each tag at each token of a note; with one,
    ``unlabelled`` notes are learnt from as well. ``encoder`` is the folder of a BERT or RoBERTa in Hugging
    Face's layout: words are also known by its pieces, and begin as its vectors say. With ``claims``, the
    network is also told what the rules for English say. ``dev`` notes are only measured.
    """
    for name in ("torch", "onnx", "onnxruntime"):
        if find_spec(name) is None:
            raise UsageError(f"training a network needs {name}: pip install 'plainsight[train]' {name}")
    import numpy as np
    import torch

    from plainsight.detect.transformer.pieces import piece_maker
    from plainsight.train.checkpoints import read_pretrained
    from plainsight.train.convolutional.fit import Schedule, fit
    from plainsight.train.convolutional.lessons import Lesson, lessons_of
    from plainsight.train.convolutional.network import Shape

    if unlabelled and not teacher:
        raise UsageError("notes without marks teach nothing without a teacher")
    found = check_notes(documents)
    torch.manual_seed(seed)
    stage("reading the notes")
    labels = sorted(found.labels)
    tags = [OUTSIDE, *(f"{prefix}-{label}" for label in labels for prefix in "BI")]
    number = {tag: place for place, tag in enumerate(tags)}
    claimed = sorted(LABELS) if claims else []
    numbers = claim_numbers(claimed)
    every = [*documents, *unlabelled]
    lessons = []
    said = claims_of(Convolution.needs, every) if claims else [[]] * len(every)
    for place, (document, spans) in enumerate(zip(every, said, strict=True)):
        reading = read(document.text, spans, numbers)
        if reading.tokens:
            marked = encode(document.spans, reading.tokens) if place < len(documents) else ()
            lessons.append(
                Lesson(
                    reading,
                    np.array([number[tag] for tag in marked]) if marked else None,
                    np.exp(teacher(document)) if teacher else None,
                )
            )
    if not lessons:
        raise DataError("no note has any text to learn from")
    shape = Shape(width=width)
    known = read_pretrained(Path(encoder)) if encoder else None
    network = new_network(shape, known, claims=2 * len(claimed) + 1, tags=len(tags))
    ready = lessons_of(lessons, WordRows(shape.rows, piece_maker(known.cut, known.words) if known else None))
    tokens = min(32_768, max(1024, len(ready.words) // 20))  # a batch: twenty to an epoch, if they are large
    schedule = Schedule(
        steps=max(1, epochs * len(ready.words) // tokens), tokens=tokens, rate=rate, seed=seed
    )
    stage("fitting")
    network.load_state_dict(fit(network, ready, schedule, progress=progress))
    stage("writing")
    training = {
        **asdict(found),
        "epochs": epochs,
        "schedule": asdict(schedule),
        "taught": teacher is not None,
    }
    manifest = {"labels": labels, "tags": tags, "claims": claimed, "bias": bias or 0.0, "training": training}
    manifest |= notes or {}
    saved = save_convolution(network, known, folder, manifest=manifest, quantise=quantise)
    if dev:
        from plainsight.train.scores import scores

        stage("measuring")
        manifest["scores"] = scores(dev, Convolution(model=str(folder)).detect(dev))
        saved = save_convolution(network, known, folder, manifest=manifest, quantise=quantise)
    return saved


def new_network(shape: Shape, known: Pretrained | None, *, claims: int, tags: int) -> Convolutions:
    """Return a network that has learnt nothing yet but what an encoder knows of words."""
    from plainsight.train.convolutional.network import Convolutions

    if known is None:
        return Convolutions(shape, claims=claims, tags=tags)
    vectors = known.weights["pieces.weight"].float()
    network = Convolutions(shape, claims=claims, tags=tags, pieces=len(vectors))
    network.begin(vectors)
    return network


def save_convolution(
    network: Convolutions,
    known: Pretrained | None,
    folder: Path,
    *,
    manifest: Mapping[str, Any],
    quantise: bool = True,
) -> dict[str, Any]:
    """Write a fitted network as a model folder; ``known`` is the encoder whose pieces it knows."""
    from plainsight.detect.transformer.network import joined
    from plainsight.model import save_model
    from plainsight.train.convolutional.graph import to_onnx
    from plainsight.train.convolutional.network import arrays_of

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "network.onnx").write_bytes(to_onnx(network, exact=not quantise))
    about = {
        "sight": sum(network.shape.reach),
        "network": asdict(network.shape),
        "pieces": known and known.cut,
        "quantised": quantise,
    }
    words = {name: joined(words) for name, words in known.words.items()} if known else {}
    arrays = {**arrays_of(network), **words}
    return save_model(folder, kind=Convolution.name, manifest={**about, **manifest}, arrays=arrays)
