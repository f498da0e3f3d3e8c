"""Train a convolutional network on annotated notes, and perhaps on the output of a larger model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from plainsight.detect.convolution import Convolution
from plainsight.detect.convolution.features import WordRows
from plainsight.detect.convolution.note_tokens import claim_numbers, read
from plainsight.detect.learned import claims_of
from plainsight.detect.transformer.network import pack_words
from plainsight.detect.transformer.pieces import word_splitter
from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.lab.synth.swap import swapped
from plainsight.lab.train.bias import parts_for_bias, sweep_with
from plainsight.lab.train.check_notes import check_notes
from plainsight.lab.train.convolutional.fit import Schedule, TrainingNote, fit, notes_in_a_row
from plainsight.lab.train.convolutional.graph import to_onnx
from plainsight.lab.train.convolutional.network import SIGNED, Convolutions, Shape, arrays_of
from plainsight.lab.train.loop import set_seed
from plainsight.lab.train.pretrained import Pretrained, read_pretrained
from plainsight.lab.train.scores import save_scored
from plainsight.labels import LABELS
from plainsight.model import save_model
from plainsight.text.tags import encode
from plainsight.text.variants import in_variant

_VECTORS = 128  # the widest word vectors: wider layers learn more, wider tables only take up room


def train_convolution(
    documents: Sequence[Document],
    folder: Path,
    *,
    dev: Sequence[Document] = (),
    teacher: Callable[[Document], Any] | None = None,
    unlabelled: Sequence[Document] = (),
    encoder: str | Path | None = None,
    claims: bool = True,
    swap: int = 0,
    text: str | None = None,
    width: int = 128,
    epochs: int = 20,
    rate: float = 2e-3,
    quantise: bool = True,
    bias: float | None = 0.0,
    recall: float | None = None,
    seed: int = 0,
    progress: Callable[[int, float], None] = lambda step, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Fit a network, write its model folder and return the manifest.

    A ``teacher`` returns the logarithm of the probability of each tag at each token of a note, in the order
    ``O``, then beginning and inside of each label of the notes; with one, the network also learns from
    ``unlabelled`` notes. ``encoder`` is the folder of a BERT, RoBERTa or MPNet in Hugging Face's layout: the
    network also sees its pieces of words and begins with their vectors. With ``claims``, it also sees the
    claims of the rules for English. ``swap`` adds copies of each note with other identifiers
    (`synth.swap`); a teacher sees them too. ``text`` is the variant of the text that the network reads
    (`TEXT_VARIANTS`), as written if None.

    Without a ``bias``, it is chosen on a fifth of the patients by a network that learns from the others: for
    the best F, or for a wanted ``recall`` of tokens. Then all notes teach. ``dev`` notes are only scored.
    """
    if unlabelled and not teacher:
        raise UsageError("notes without marks teach nothing without a teacher")
    known = read_pretrained(Path(encoder)) if encoder else None
    found = check_notes(documents)
    labels = sorted(found.labels)
    tags, claimed = found.tags, sorted(LABELS) if claims else []
    shape = shape_of(width, known)
    save = partial(save_convolution, known=known, quantise=quantise)

    def learn(notes: Sequence[Document], stage: Callable[[str], None]) -> tuple[Convolutions, dict[str, Any]]:
        """Fit a network on notes; return it and its part of the manifest."""
        set_seed(seed)
        stage("reading the notes")
        notes = swapped(notes, copies=swap, seed=seed)  # only here: held-out notes give no identifiers
        lessons = _lessons(notes, unlabelled, tags, claimed, teacher, text)
        network = new_network(shape, known, claims=2 * len(claimed) + 1, tags=len(tags))
        splitter = word_splitter(known.cut, known.words) if known else None
        row = notes_in_a_row(lessons, WordRows(shape.rows, splitter))
        tokens = min(32_768, max(1024, len(row.words) // 20))  # twenty batches to an epoch, if large
        steps = max(1, epochs * len(row.words) // tokens)
        schedule = Schedule(steps=steps, tokens=tokens, rate=rate, seed=seed)
        stage("fitting")
        fit(network, row, schedule, progress=progress)
        training = {"swap": swap, "schedule": asdict(schedule), "taught": teacher is not None}
        return network, {
            "labels": labels, "tags": tags, "claims": claimed, "text": text, "bias": 0.0,
            "training": training,
        }  # fmt: skip

    choice = {"bias": bias}
    if bias is None:
        rest, held_out = parts_for_bias(documents)
        with TemporaryDirectory() as scratch:
            network, manifest = learn(rest, lambda name: stage(f"choosing the bias: {name}"))
            save(network, folder=Path(scratch), manifest=manifest)
            swept = sweep_with(Convolution(model=scratch), held_out)
        choice = swept.to_manifest(notes=len(held_out), recall=recall)
    network, manifest = learn(documents, stage)
    stage("writing")
    manifest |= {**choice, "training": {**asdict(found), **manifest["training"]}}
    write = partial(save, network, folder=folder)
    return save_scored(write, manifest, dev, lambda: Convolution(model=str(folder)), stage)


def _lessons(
    documents: Sequence[Document],
    unlabelled: Sequence[Document],
    tags: Sequence[str],
    claimed: Sequence[str],
    teacher: Callable[[Document], Any] | None,
    text: str | None,
) -> list[TrainingNote]:
    """Read the annotated notes, then the unlabelled ones, which only the teacher labels."""
    number = {tag: place for place, tag in enumerate(tags)}
    numbers, notes = claim_numbers(claimed), [*documents, *unlabelled]
    lessons = []
    claims = claims_of(Convolution.needs if claimed else (), notes)
    texts = [document.text for document in in_variant(notes, text)]
    for place, (document, own_text, spans) in enumerate(zip(notes, texts, claims, strict=True)):
        tokens = read(own_text, spans, numbers)
        if tokens.words:
            marked = encode(document.spans, tokens.tokens) if place < len(documents) else ()
            own = np.array([number[tag] for tag in marked]) if marked else None
            lessons.append(TrainingNote(tokens, own, np.exp(teacher(document)) if teacher else None))
    if not lessons:
        raise DataError("no note has any text to learn from")
    return lessons


def shape_of(width: int, known: Pretrained | None, *, inner: int | None = None) -> Shape:
    """Return the shape of a network, perhaps with an encoder's words; ``inner`` is the width if None."""
    most = known.weights["pieces.weight"].shape[1] if known else _VECTORS
    shape = Shape(vectors=min(width, _VECTORS, most), width=width, inner=inner or width)
    if width > _VECTORS:  # a wide network gains by one more block of short reach
        shape = replace(shape, reach=(*shape.reach, (1, 2)))
    return shape


def new_network(shape: Shape, known: Pretrained | None, *, claims: int, tags: int) -> Convolutions:
    """Return a new network, perhaps with an encoder's word vectors."""
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
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "network.onnx").write_bytes(to_onnx(network, exact=not quantise))
    about = {
        "sight": sum(map(sum, network.shape.reach)),
        "network": asdict(network.shape),
        "pieces": known and known.cut,
        "quantised": quantise,
        **({"step": float(SIGNED[0])} if quantise else {}),
    }
    words = {name: pack_words(words) for name, words in known.words.items()} if known else {}
    arrays = {**arrays_of(network), **words}
    return save_model(folder, kind=Convolution.name, manifest={**about, **manifest}, arrays=arrays)
