"""Train a convolutional network on annotated notes, and perhaps on the output of a larger model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch

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
from plainsight.lab.train.checkpoint import Checkpoint, signature
from plainsight.lab.train.convolutional.fit import Schedule, TrainingNote, fit, notes_in_a_row
from plainsight.lab.train.convolutional.graph import build, to_onnx
from plainsight.lab.train.convolutional.network import SIGNED, Convolutions, Shape, arrays_of
from plainsight.lab.train.init import Init, tags_of
from plainsight.lab.train.loop import set_seed
from plainsight.lab.train.onnx_weights import GraphReader, with_tags
from plainsight.lab.train.pretrained import Pretrained, read_pretrained
from plainsight.lab.train.scores import save_scored
from plainsight.labels import LABELS
from plainsight.model import Model, save_model
from plainsight.text.tags import encode
from plainsight.text.variants import in_variant

_WIDTH = 128
_VECTORS = 128  # the widest word vectors: wider layers learn more, wider tables only take up room


def train_convolution(
    documents: Sequence[Document],
    folder: Path,
    *,
    dev: Sequence[Document] = (),
    teacher: Callable[[Document], Any] | None = None,
    unlabelled: Sequence[Document] = (),
    encoder: str | Path | None = None,
    init: str | Path | None = None,
    claims: bool = True,
    swap: int = 0,
    text: str | None = None,
    width: int | None = None,
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
    claims of the rules for English. ``init`` is a model to continue from instead of an encoder: its labels
    stay beside those of the notes. ``swap`` adds copies of each note with other identifiers (`synth.swap`); a
    teacher sees them too. ``text`` is the variant of the text that the network reads (`TEXT_VARIANTS`), as
    written if None.

    Without a ``bias``, it is chosen on a fifth of the patients by a network that learns from the others: for
    the best F, or for a wanted ``recall`` of tokens. Then all notes teach. ``dev`` notes are only scored. An
    interrupted training leaves ``FOLDER.part``, and the same call continues from there.
    """
    if unlabelled and not teacher:
        raise UsageError("notes without marks teach nothing without a teacher")
    if encoder and init:
        raise UsageError("give an --encoder or an --init, a model, to begin with: not both")
    begin = Init(init, kind=Convolution.name)
    known = read_pretrained(Path(encoder)) if encoder else None
    found = check_notes(documents)
    labels, claimed, text = begin.labels(found.labels), begin.claims(claims, LABELS), begin.text(text)
    tags = tags_of(labels)
    if begin.model:
        known, earlier = restored(begin.model)
        shape = earlier.shape
        begin.same("width", width, shape.width)
    else:
        shape = shape_of(width or _WIDTH, known)
    save = partial(save_convolution, known=known, quantise=quantise)

    settings: dict[str, Any] = {
        "shape": asdict(shape),
        "tags": tags,
        "claims": claimed,
        "text": text,
        "swap": swap,
    }
    settings |= {"epochs": epochs, "rate": rate, "seed": seed, "init": begin.to_record(), "bias": bias}
    settings |= {"encoder": encoder and Path(encoder).resolve(), "taught": teacher is not None}
    checkpoint = Checkpoint(folder, signature([*documents, *unlabelled], settings))

    def learn(
        notes: Sequence[Document], name: str, stage: Callable[[str], None]
    ) -> tuple[Convolutions, dict[str, Any]]:
        """Fit a network on notes; return it and its part of the manifest."""
        set_seed(seed)
        stage("reading the notes")
        notes = swapped(notes, copies=swap, seed=seed)  # only here: held-out notes give no identifiers
        lessons = _lessons(notes, unlabelled, tags, claimed, teacher, text)
        if begin.model:
            network = deepcopy(earlier)
            network.out = with_tags(earlier.out, begin.model.manifest["tags"], tags)
        else:
            network = new_network(shape, known, claims=2 * len(claimed) + 1, tags=len(tags))
        splitter = word_splitter(known.cut, known.words) if known else None
        row = notes_in_a_row(lessons, WordRows(shape.rows, splitter))
        tokens = min(32_768, max(1024, len(row.words) // 20))  # twenty batches to an epoch, if large
        steps = max(1, epochs * len(row.words) // tokens)
        schedule = Schedule(steps=steps, tokens=tokens, rate=rate, seed=seed)
        stage("fitting")
        part = checkpoint.part(name)
        fit(network, row, schedule, rounds=min(epochs, steps), checkpoint=part, progress=progress)
        training = {
            "init": begin.to_record(),
            "swap": swap,
            "schedule": asdict(schedule),
            "taught": teacher is not None,
        }
        return network, {
            "labels": labels, "tags": tags, "claims": claimed, "text": text, "bias": 0.0,
            "training": training,
        }  # fmt: skip

    choice = {"bias": bias}
    if bias is None:
        rest, held_out = parts_for_bias(documents)
        with TemporaryDirectory() as scratch:
            network, manifest = learn(rest, "bias", lambda name: stage(f"choosing the bias: {name}"))
            save(network, folder=Path(scratch), manifest=manifest)
            swept = sweep_with(Convolution(model=scratch), held_out)
        choice = swept.to_manifest(notes=len(held_out), recall=recall)
    network, manifest = learn(documents, "all", stage)
    stage("writing")
    manifest |= {**choice, "training": {**asdict(found), **manifest["training"]}}
    write = partial(save, network, folder=folder)
    saved = save_scored(write, manifest, dev, lambda: Convolution(model=str(folder)), stage)
    checkpoint.clear()
    return saved


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


def restored(model: Model) -> tuple[Pretrained | None, Convolutions]:
    """Return the vocabulary, if it has one, and the network of a trained model, to continue from."""
    manifest, arrays = model.manifest, model.arrays
    sizes = {**manifest["network"], "reach": tuple(map(tuple, manifest["network"]["reach"]))}
    shape = Shape(**sizes)
    network = Convolutions(
        shape,
        claims=len(arrays["claims"]),
        tags=len(manifest["tags"]),
        pieces=len(arrays["table"]) - shape.rows,
    )
    reader = GraphReader(model.folder, exact=not manifest["quantised"])
    build(reader, network)
    tables = {
        network.table: arrays["table"] * arrays["steps"][:, None],
        network.gaps: arrays["gaps"],
        network.claims: arrays["claims"],
    }
    layers = [network.widened, *network.layers] if network.widened is not None else [*network.layers]
    with torch.no_grad():
        for table, values in tables.items():
            table.weight.copy_(torch.from_numpy(np.array(values, np.float32)))
        for layer, (step, _, weights, steps, _, _, _, bias) in zip(layers, reader.convolved, strict=False):
            flat = weights.transpose(0, 2, 1).reshape(len(weights), -1) * steps[:, None]
            layer.weight.copy_(torch.from_numpy(flat))
            layer.bias.copy_(torch.from_numpy((bias * step * steps).astype(np.float32)))
    names = [name for name in ("vocabulary", "merges") if name in arrays]
    words = {name: arrays[name].tobytes().decode().split("\n") for name in names}
    return Pretrained({}, manifest["pieces"], words, {}) if manifest["pieces"] else None, network


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
