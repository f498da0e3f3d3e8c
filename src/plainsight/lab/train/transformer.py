"""Fine-tune a pre-trained encoder on annotated notes, and write it as a model that needs no PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from plainsight.arrays import Floats
from plainsight.detect.learned import claims_of
from plainsight.detect.transformer import Transformer
from plainsight.detect.transformer.network import pack_words
from plainsight.detect.transformer.note_pieces import read
from plainsight.detect.transformer.pieces import WordSplitter, word_splitter
from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.lab.synth.swap import swapped
from plainsight.lab.train.bias import parts_for_bias, sweep_with
from plainsight.lab.train.check_notes import check_notes
from plainsight.lab.train.checkpoint import Checkpoint, signature
from plainsight.lab.train.encoder import Encoder
from plainsight.lab.train.encoder_fit import Schedule, TrainingNote, Windows, fit, windows_of
from plainsight.lab.train.encoder_graph import to_onnx
from plainsight.lab.train.init import Init, tags_of
from plainsight.lab.train.loop import set_seed
from plainsight.lab.train.onnx_weights import with_tags
from plainsight.lab.train.pretrained import Pretrained, read_pretrained, restored
from plainsight.lab.train.scores import save_scored
from plainsight.labels import LABELS
from plainsight.model import save_model
from plainsight.text.rare_words import surprise
from plainsight.text.tags import OUTSIDE, encode
from plainsight.text.variants import in_variant

WINDOW = 256
"""Pieces that the network sees at once, with the two that begin and end a text."""

MARGIN = 32
"""Pieces on either side of a window that are read but not labelled."""

_USUAL_BITS = 16.0  # of an identifying word: about those of a common surname


def train_transformer(
    documents: Sequence[Document],
    folder: Path,
    *,
    encoder: str | Path | None,
    init: str | Path | None = None,
    dev: Sequence[Document] = (),
    layers: int | None = None,
    window: int | None = None,
    claims: bool = True,
    swap: int = 0,
    text: str | None = None,
    epochs: int = 12,
    batch: int = 32,
    rate: float = 1e-4,
    warm_up: float = 0.1,
    masked: float = 0.1,
    rarity: float = 0.0,
    quantise: bool = True,
    bias: float | None = 0.0,
    recall: float | None = None,
    seed: int = 0,
    progress: Callable[[int, float], None] = lambda step, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Fit a network, write its model folder and return the manifest.

    ``init`` is a transformer model to continue from: its labels stay beside those of the notes. Otherwise
    ``encoder`` is the folder of a BERT, RoBERTa or MPNet in Hugging Face's layout, of which ``layers`` are
    kept if given, spread evenly; it sees ``window`` pieces at once. With ``claims``, the network also sees
    the claims of the rules and the lists for English. ``swap`` adds copies of each note with other
    identifiers (`synth.swap`). ``text`` is the variant of the text that the network reads (`TEXT_VARIANTS`),
    as written if None. The rate rises for a share ``warm_up`` of the steps. ``masked`` is the share of pieces
    hidden in training. With ``rarity``, an identifying word counts by how rare it is: 0 for all the same, 1
    for its bits of information, so that a rare surname counts more than ``hospital`` (S62). ``quantise``
    stores weights as bytes.

    Without a ``bias``, it is chosen on a fifth of the patients by a network that learns from the others: for
    the best F, or for a wanted ``recall`` of tokens. Then all notes teach. ``dev`` notes are only scored. An
    interrupted training leaves ``FOLDER.part``, and the same call continues from there.
    """
    if (encoder is None) == (init is None):
        raise UsageError("a transformer begins with an --encoder or an --init, a model: give one of them")
    if not 0 <= rarity <= 1:
        raise UsageError(f"rarity is from 0 to 1, not {rarity:g}")
    found = check_notes(documents)
    begin = Init(init, kind=Transformer.name)
    if begin.model:
        pretrained, known = restored(begin.model)
        window = begin.same("window", window, begin.model.manifest["window"])
        begin.same("number of layers", layers, known.shape.layers)
    else:
        pretrained, known = read_pretrained(Path(encoder or "")), None
        window = window or WINDOW
    room = pretrained.measures["positions"] - pretrained.measures["offset"]
    if not 4 * MARGIN <= window <= room:
        raise UsageError(f"the window of this encoder is from {4 * MARGIN} to {room} pieces, not {window}")
    splitter = word_splitter(pretrained.cut, pretrained.words)
    labels, claimed, text = begin.labels(found.labels), begin.claims(claims, LABELS), begin.text(text)
    tags = tags_of(labels)
    save = partial(save_transformer, pretrained=pretrained, quantise=quantise, window=window)
    training = {
        "swap": swap,
        "epochs": epochs,
        "batch": batch,
        "rate": rate,
        "warm_up": warm_up,
        "rarity": rarity,
        "seed": seed,
    }
    manifest = {
        "labels": labels, "tags": tags, "claims": claimed, "text": text, "bias": bias or 0.0,
        "training": {**asdict(found), **training, "init": begin.to_record()},
    }  # fmt: skip

    settings = {**manifest, "window": window, "layers": layers, "masked": masked, "bias": bias}
    settings |= {"encoder": encoder and Path(encoder).resolve()}
    checkpoint = Checkpoint(folder, signature(documents, settings))

    def learn(notes: Sequence[Document], name: str, stage: Callable[[str], None]) -> Encoder:
        """Fit a network on notes."""
        set_seed(seed)
        stage("reading the notes")
        notes = swapped(notes, copies=swap, seed=seed)  # only here: held-out notes give no identifiers
        lessons = _lessons(notes, splitter, tags, claimed, text, rarity)
        if known and begin.model:
            network = deepcopy(known)
            network.out = with_tags(known.out, begin.model.manifest["tags"], tags)
            network.shape = replace(known.shape, tags=len(tags))
        else:
            network = pretrained.encoder(tags=len(tags), claims=len(claimed), lists=claims, layers=layers)
        size = len(windows_of(lessons, splitter, size=window, random=Random(seed)))

        def lots(number: int) -> Iterator[Windows]:
            random = Random(seed * 10_007 + number)
            while True:
                yield windows_of(lessons, splitter, size=window, random=random)

        stage("fitting")
        steps = max(1, epochs * size // batch)
        schedule = Schedule(steps=steps, batch=batch, rate=rate, warm_up=warm_up, masked=masked, seed=seed)
        fit(
            network,
            lots,
            schedule,
            mask_piece=pretrained.mask,
            rounds=min(epochs, steps),
            checkpoint=checkpoint.part(name),
            progress=progress,
        )
        return network

    if bias is None:
        rest, held_out = parts_for_bias(documents)
        with TemporaryDirectory() as scratch:
            first = learn(rest, "bias", lambda name: stage(f"choosing the bias: {name}"))
            save(first, folder=Path(scratch), manifest=manifest)
            swept = sweep_with(Transformer(model=scratch), held_out)
        manifest |= swept.to_manifest(notes=len(held_out), recall=recall)
    network = learn(documents, "all", stage)
    stage("writing")
    write = partial(save, network, folder=folder)
    saved = save_scored(write, manifest, dev, lambda: Transformer(model=str(folder)), stage)
    checkpoint.clear()
    return saved


def _lessons(
    documents: Sequence[Document],
    splitter: WordSplitter,
    tags: Sequence[str],
    claimed: Sequence[str],
    text: str | None,
    rarity: float,
) -> list[TrainingNote]:
    """Read the notes: their pieces, and the tag and the weight of each token."""
    number = {tag: place for place, tag in enumerate(tags)}
    of_label = {label: place for place, label in enumerate(claimed, start=1)}
    spans = claims_of(Transformer.needs if claimed else (), documents)
    lessons = []
    for document, own in zip(in_variant(documents, text), spans, strict=True):
        pieces = read(document, splitter, claims=own, labels=of_label, lists=bool(claimed))
        if pieces.tokens:
            own_tags = encode(document.spans, pieces.tokens)
            weights = rarity_weights(document.text, pieces.tokens, own_tags, rarity) if rarity else None
            lessons.append(TrainingNote(pieces, [number[tag] for tag in own_tags], weights=weights))
    if not lessons:
        raise DataError("no note has any text to learn from")
    return lessons


def rarity_weights(
    text: str, tokens: Sequence[tuple[int, int]], tags: Sequence[str], rarity: float
) -> Floats:
    """Return how much each token counts: 1, but an identifying one more the rarer it is."""
    bits = np.array(
        [
            _USUAL_BITS if tag == OUTSIDE else surprise(text[start:end])
            for (start, end), tag in zip(tokens, tags, strict=True)
        ],
        np.float32,
    )
    made: Floats = 1 - rarity + rarity * bits / _USUAL_BITS
    return made


def save_transformer(
    network: Encoder,
    pretrained: Pretrained,
    folder: Path,
    *,
    manifest: Mapping[str, Any],
    quantise: bool = True,
    window: int = WINDOW,
) -> dict[str, Any]:
    """Write a fitted network as a model folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "network.onnx").write_bytes(to_onnx(network, exact=not quantise))
    about = {
        "pieces": pretrained.cut,
        "window": window,
        "margin": MARGIN,
        "network": network.shape.to_json(),
        "quantised": quantise,
    }
    arrays = {name: pack_words(words) for name, words in pretrained.words.items()}
    return save_model(folder, kind=Transformer.name, manifest={**manifest, **about}, arrays=arrays)
