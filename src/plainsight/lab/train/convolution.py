"""Train a convolutional network on annotated notes, and perhaps on the output of a larger model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from plainsight.detect.convolution import Convolution
from plainsight.detect.convolution.note_tokens import claim_numbers, read
from plainsight.detect.convolution.words import WordRows
from plainsight.detect.learned import claims_of
from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.lab.synth.swap import swapped
from plainsight.lab.train.bias import Sweep, fold_of, sweep_of
from plainsight.lab.train.check_notes import check_notes
from plainsight.lab.train.extra import require_network_libraries
from plainsight.lab.train.scores import save_scored
from plainsight.labels import LABELS
from plainsight.text.tags import OUTSIDE, encode

if TYPE_CHECKING:
    from plainsight.lab.train.convolutional.corpus import TrainingNote
    from plainsight.lab.train.convolutional.fit import Schedule
    from plainsight.lab.train.convolutional.network import Convolutions, Shape
    from plainsight.lab.train.pretrained import Pretrained

_VECTORS = 128  # how wide words' are at most: wider layers learn more, wider tables only take up room
_HELD_OUT = 5  # one patient in so many, to choose a bias


def train_convolution(
    documents: Sequence[Document],
    folder: Path,
    *,
    dev: Sequence[Document] = (),
    teacher: Callable[[Document], Any] | None = None,
    unlabelled: Sequence[Document] = (),
    labels: Sequence[str] | None = None,
    encoder: str | Path | None = None,
    claims: bool = True,
    swap: int = 0,
    width: int = 128,
    epochs: int = 20,
    rate: float = 2e-3,
    schedule: Schedule | None = None,
    quantise: bool = True,
    bias: float | None = 0.0,
    recall: float | None = None,
    seed: int = 0,
    notes: Mapping[str, Any] | None = None,
    progress: Callable[[int, float], None] = lambda step, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Fit a network, write its model folder and return the manifest.

    A ``teacher`` returns the logarithm of the probability of each tag at each token of a note, in the order
    ``O``, then beginning and inside of each of the ``labels`` (those of the notes, if not given); with one,
    ``unlabelled`` notes are learnt from as well. ``encoder`` is the folder of a BERT, RoBERTa or MPNet in
    Hugging Face's layout: words are also known by its pieces, and begin as its vectors say. With ``claims``,
    the network is also told what the rules for English say. ``swap`` copies of each note, with other
    identifiers, are learnt from as well (`synth.swap`); a teacher is asked about them too. A ``schedule``
    stands instead of ``epochs`` and ``rate``.

    Without a ``bias``, it is chosen on a fifth of the patients by a network that learns from the others: for
    the best F, or for a wanted ``recall`` of tokens. Then all notes teach. ``dev`` notes are only measured.
    """
    require_network_libraries()
    if unlabelled and not teacher:
        raise UsageError("notes without marks teach nothing without a teacher")
    from plainsight.lab.train.pretrained import read_pretrained

    known = read_pretrained(Path(encoder)) if encoder else None
    found = check_notes(documents)
    labels = sorted(found.labels if labels is None else labels)
    shape = shape_of(width, known)
    learn = partial(
        _learnt, known=known, shape=shape, labels=labels, claimed=sorted(LABELS) if claims else [],
        teacher=teacher, unlabelled=unlabelled, swap=swap, epochs=epochs, rate=rate, schedule=schedule,
        seed=seed, progress=progress,
    )  # fmt: skip
    save = partial(save_convolution, known=known, quantise=quantise)
    choice = {}
    if bias is None:
        rest, held = _held_out(documents)
        with TemporaryDirectory() as scratch:
            network, made = learn(rest, stage=lambda name: stage(f"choosing the bias: {name}"))
            save(network, folder=Path(scratch), manifest=made)
            chosen = _sweep(Convolution(model=scratch), held)
        bias = chosen.best(recall=recall)
        choice = chosen.to_record(folds=1, notes=len(held), recall=recall)
    network, made = learn(documents, stage=stage)
    stage("writing")
    manifest = {**made, "bias": bias, **({"bias_choice": choice} if choice else {})}
    manifest["training"] = {**asdict(found), **made["training"]}
    manifest |= notes or {}
    write = partial(save, network, folder=folder)
    return save_scored(write, manifest, dev, lambda: Convolution(model=str(folder)), stage)


def _learnt(
    documents: Sequence[Document],
    *,
    known: Pretrained | None,
    shape: Shape,
    labels: Sequence[str],
    claimed: Sequence[str],
    teacher: Callable[[Document], Any] | None,
    unlabelled: Sequence[Document],
    swap: int,
    epochs: int,
    rate: float,
    schedule: Schedule | None,
    seed: int,
    progress: Callable[[int, float], None],
    stage: Callable[[str], None],
) -> tuple[Convolutions, dict[str, Any]]:
    """Fit a network on notes; return it and its part of the manifest."""
    import torch

    from plainsight.detect.transformer.pieces import piece_maker
    from plainsight.lab.train.convolutional.corpus import notes_in_a_row
    from plainsight.lab.train.convolutional.fit import Schedule, fit

    torch.manual_seed(seed)
    stage("reading the notes")
    tags = [OUTSIDE, *(f"{prefix}-{label}" for label in labels for prefix in "BI")]
    documents = swapped(documents, copies=swap, seed=seed)  # only here, so that nothing held out gets in
    lessons = _lessons(documents, unlabelled, tags, claimed, teacher)
    if not lessons:
        raise DataError("no note has any text to learn from")
    network = new_network(shape, known, claims=2 * len(claimed) + 1, tags=len(tags))
    ready = notes_in_a_row(
        lessons, WordRows(shape.rows, piece_maker(known.cut, known.words) if known else None)
    )
    if schedule is None:
        tokens = min(32_768, max(1024, len(ready.words) // 20))  # twenty batches to an epoch, if large
        steps = max(1, epochs * len(ready.words) // tokens)
        schedule = Schedule(steps=steps, tokens=tokens, rate=rate, seed=seed)
    stage("fitting")
    fit(network, ready, schedule, progress=progress)
    training = {"swap": swap, "schedule": asdict(schedule), "taught": teacher is not None}
    return network, {"labels": labels, "tags": tags, "claims": claimed, "bias": 0.0, "training": training}


def _lessons(
    documents: Sequence[Document],
    unlabelled: Sequence[Document],
    tags: Sequence[str],
    claimed: Sequence[str],
    teacher: Callable[[Document], Any] | None,
) -> list[TrainingNote]:
    """Read the annotated notes, then the unlabelled ones, which only the teacher labels."""
    import numpy as np

    from plainsight.lab.train.convolutional.corpus import TrainingNote

    number = {tag: place for place, tag in enumerate(tags)}
    numbers = claim_numbers(claimed)
    every = [*documents, *unlabelled]
    made = []
    for place, (document, said) in enumerate(
        zip(every, claims_of(Convolution.needs if claimed else (), every), strict=True)
    ):
        reading = read(document.text, said, numbers)
        if reading.words:
            marked = encode(document.spans, reading.tokens) if place < len(documents) else ()
            own = np.array([number[tag] for tag in marked]) if marked else None
            made.append(TrainingNote(reading, own, np.exp(teacher(document)) if teacher else None))
    return made


def _held_out(documents: Sequence[Document]) -> tuple[list[Document], list[Document]]:
    """Split notes by patient into those to train on and those to choose the bias on."""
    parts: tuple[list[Document], list[Document]] = ([], [])
    for document, fold in zip(documents, fold_of(documents, _HELD_OUT), strict=True):
        parts[fold == 0].append(document)
    if not all(any(document.spans for document in part) for part in parts):
        raise DataError("too few notes to choose a bias on: give one, --bias 0 to begin with")
    return parts


def _sweep(model: Convolution, documents: Sequence[Document]) -> Sweep:
    """Count what is found at every bias; the network runs once."""
    said = claims_of(model.needs if model.manifest["claims"] else (), documents)
    told = [model.scores(*note) for note in zip(documents, said, strict=True)]
    return sweep_of(documents, told, model.manifest["tags"])


def shape_of(width: int, known: Pretrained | None, *, inner: int | None = None) -> Shape:
    """Return the shape of a network; ``inner`` is the width unless given.

    Its words may begin as an encoder's.
    """
    from plainsight.lab.train.convolutional.network import Shape

    most = known.weights["pieces.weight"].shape[1] if known else _VECTORS
    shape = Shape(vectors=min(width, _VECTORS, most), width=width, inner=inner or width)
    if width > _VECTORS:  # a wide network has use for another look at what is near
        shape = replace(shape, reach=(*shape.reach, (1, 2)))
    return shape


def new_network(shape: Shape, known: Pretrained | None, *, claims: int, tags: int) -> Convolutions:
    """Return a new network, perhaps with an encoder's word vectors."""
    from plainsight.lab.train.convolutional.network import Convolutions

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
    """Write a fitted network as a model folder; ``known`` is the encoder whose pieces it uses."""
    from plainsight.detect.transformer.network import joined
    from plainsight.lab.train.convolutional.graph import to_onnx
    from plainsight.lab.train.convolutional.network import SIGNED, arrays_of
    from plainsight.model import save_model

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "network.onnx").write_bytes(to_onnx(network, exact=not quantise))
    about = {
        "sight": sum(map(sum, network.shape.reach)),
        "network": asdict(network.shape),
        "pieces": known and known.cut,
        "quantised": quantise,
        **({"step": float(SIGNED[0])} if quantise else {}),
    }
    words = {name: joined(words) for name, words in known.words.items()} if known else {}
    arrays = {**arrays_of(network), **words}
    return save_model(folder, kind=Convolution.name, manifest={**about, **manifest}, arrays=arrays)
