"""Train the bundled transformer, gte-en, and its teachers on the corpus. Meant for a GPU.

    python scripts/build_encoders.py --encoders gte-small gte-small --texts *.gz --out out
    python scripts/build_encoders.py --encoders gte-small gte-small --texts *.gz --out fold-0 --fold 0

``--encoders`` are folders of pre-trained BERTs, RoBERTas or MPNets: config.json, tokenizer.json and weights.
The first is what the model is made of; the others learn before it and teach it: so it may be taught by
another of its kind. If it has more than ``--layers``, so many of them, spread evenly, are then taught by all,
and are the model, perhaps with only ``--inner`` of the numbers inside each. ``--texts`` are clinical texts
without labels, as JSON lines.

Notes of the corpus are resampled, texts filled with identifiers, and both disturbed; `patterns` says what
it claims. Teachers learn to label all notes, and tell how probable each tag is at each token of notes and
bare texts. The first goes on reading: it guesses hidden pieces of the texts and of some notes. Then it learns
from the teachers' mean, and from the marks. Left in ``--out``: the model, gte-en; each teacher, as a model;
and training-notes.pt, the words of all notes with the mean of what the encoders say of them, from which
``build_convolutions.py`` trains the quick networks. With ``--fold``, a fifth of the corpus is kept from all
of this, and encoders are measured on it, before their weights are rounded, at several biases: see
scores.json beside each.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from network_figures import (
    FOLDS,
    ROOT,
    corpus_of,
    known_scores,
    learnt_from,
    licence,
    measured,
    named,
    parted,
    shape,
)
from network_notes import NAMES, TAGS, Cut, Note, prepare, read
from plainsight.detect.transformer.labelling import token_scores
from plainsight.detect.transformer.pieces import word_splitter
from plainsight.errors import UsageError
from plainsight.evaluate.read_notes import read_notes
from plainsight.lab.train.transformer import MARGIN, WINDOW, save_transformer

if TYPE_CHECKING:  # PyTorch is loaded where it is used: the processes that make notes need none
    from plainsight.detect.transformer.note_pieces import NotePieces
    from plainsight.lab.train.encoder import Encoder
    from plainsight.lab.train.encoder_fit import TrainingNote
    from plainsight.lab.train.pretrained import Pretrained

Say = Callable[[str], None]

Said = list[NDArray[np.float16]]
"""The probability of each tag at each token of some notes."""

ADAPT_RATE, ADAPT_NOTES = 2e-4, 3_000
WAYS = ((WINDOW, False), (WINDOW, False), (160, True))
"""How many pieces encoders learn from at once, and whether scattered ones, as a cascade shows them."""
SOME = 256  # notes labelled at a time
TOGETHER = 128  # windows


class Pupil(NamedTuple):
    """An encoder to be taught: which of those given, how many of its layers, and for how many steps."""

    which: int
    layers: int
    steps: int


def pupils_of(encoders: Sequence[Pretrained], asked: argparse.Namespace) -> list[Pupil]:
    """Return who is taught, teachers first; the last is the model: the first encoder with fewer layers."""
    had = [int(encoder.measures["layers"]) for encoder in encoders]
    teachers = [Pupil(which, had[which], asked.teaching) for which in range(1, len(encoders))]
    whole = Pupil(0, had[0], asked.steps)
    if asked.layers >= had[0]:
        if asked.inner:
            raise UsageError("--inner needs fewer --layers than the encoder has")
        return [*teachers, whole]
    return [*teachers, whole, Pupil(0, asked.layers, asked.shallow)]


def started(
    pupil: Pupil,
    pretrained: Pretrained,
    whole: Encoder | None,
    readings: Sequence[NotePieces],
    asked: argparse.Namespace,
    say: Say,
) -> Encoder:
    """Return an encoder that has learnt no marks yet, or the layers kept of the ``whole`` one that has.

    The first encoder has read on.
    """
    import torch

    from plainsight.lab.train.encoder_fit import adapt

    torch.manual_seed(asked.seed)
    measures = {"tags": len(TAGS), "claims": len(NAMES), "lists": True, "layers": pupil.layers}
    if whole is not None:
        return replace(pretrained, weights=whole.state_dict()).encoder(**measures, inner=asked.inner)
    network = pretrained.encoder(**measures)
    if asked.adapted and not pupil.which:
        adapt(
            network,
            readings,
            word_splitter(pretrained.cut, pretrained.words),
            mask_piece=pretrained.mask,
            steps=asked.adapted,
            size=WINDOW,
            rate=ADAPT_RATE,
            seed=asked.seed,
            progress=partial(progress, say, "reading on"),
        )
    return network


def fitted(
    network: Encoder,
    pupil: Pupil,
    pretrained: Pretrained,
    training_notes: Sequence[TrainingNote],
    asked: argparse.Namespace,
    say: Say,
) -> Encoder:
    """Return the encoder after training."""
    from plainsight.lab.train.encoder_fit import Schedule, fit, windows_of

    make, seed = word_splitter(pretrained.cut, pretrained.words), asked.seed
    lots = [
        windows_of(
            training_notes[place :: len(WAYS)], make, size=size, random=Random(seed), scattered=scattered
        )
        for place, (size, scattered) in enumerate(WAYS)
    ]
    schedule = Schedule(
        steps=pupil.steps,
        batch=min(asked.batch, *map(len, lots)),
        rate=asked.rate,
        masked=asked.masked,
        soft_share=asked.soft_share,
        compiled=asked.compiled,
        seed=seed,
    )
    told = partial(progress, say, "fitting")
    fit(network, cycle(lots), schedule, mask_piece=pretrained.mask, progress=told)
    return network


def progress(say: Say, what: str, step: int, loss: float) -> None:
    """Say now and then how far a network has come."""
    if step % 200 == 0:
        say(f"{what} {step}: {loss:.4f}")


def training_notes_of(
    which: int, notes: Sequence[Note], bare: Sequence[Note], said: Said | None, seed: int
) -> list[TrainingNote]:
    """Return what an encoder learns from: marks and, if anything is ``said``, that."""
    from plainsight.lab.train.encoder_fit import TrainingNote

    if said is None:
        training_notes = [TrainingNote(note.pieces[which], note.tags) for note in notes]
    else:
        training_notes = [
            TrainingNote(note.pieces[which], word.argmax(1) if note.tags is None else note.tags, word)
            for note, word in zip((*notes, *bare), said, strict=True)
        ]
    Random(seed).shuffle(training_notes)
    return training_notes


def word_of(network: Encoder, pretrained: Pretrained, which: int, notes: Sequence[Note]) -> Said:
    """Return how probable an encoder finds each tag."""
    from plainsight.lab.train.encoder_fit import runner

    run, make = runner(network), word_splitter(pretrained.cut, pretrained.words)
    made: Said = []
    for first in range(0, len(notes), SOME):
        readings = [note.pieces[which] for note in notes[first : first + SOME]]
        told = token_scores(
            readings, run, make, tags=len(TAGS), size=WINDOW, margin=MARGIN, batch_size=TOGETHER
        )
        made += [np.exp(scores).astype(np.float16) for scores in told]
    return made


def logarithm(said: NDArray[np.float16]) -> NDArray[np.float32]:
    """Return the logarithms of probabilities, of which very small ones were rounded to 0."""
    made: NDArray[np.float32] = np.log(np.maximum(said.astype(np.float32), 1e-7))
    return made


def mean(words: Sequence[Said]) -> Said:
    """Return the mean of what several say."""
    return [np.mean(said, axis=0, dtype=np.float32).astype(np.float16) for said in zip(*words, strict=True)]


def card(*, encoder: str, layers: int, sources: Sequence[str]) -> dict[str, str]:
    """Return what the manifest says of the model in words."""
    return {
        "description": f"English clinical notes; an encoder of {layers} layers, "
        "which also reads the claims of patterns",
        "licence": f"Apache-2.0; fine-tuned from {encoder}, whose weights are under {licence(encoder)}",
        **learnt_from(sources),
    }


def options() -> argparse.ArgumentParser:
    """Return the command line; its defaults made the bundled model, compiled."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--encoders", type=Path, nargs="+", required=True, help="pre-trained; the first is taught"
    )
    parser.add_argument("--texts", type=Path, nargs="*", default=[], help="texts to fill, as JSON lines")
    parser.add_argument("--corpus", type=Path, default=ROOT / "corpus", help="notes with inline marks")
    parser.add_argument("--out", type=Path, required=True, help="folder for models and training-notes.pt")
    parser.add_argument("--fold", type=int, choices=range(FOLDS), help="keep this fifth apart to measure on")
    parser.add_argument("--scores", type=Path, help="scores.json of a fold, for the manifest")
    parser.add_argument("--notes", type=int, default=15_000, help="to make of corpus and texts")
    parser.add_argument("--adapted", type=int, default=400, help="steps of reading on")
    parser.add_argument("--teaching", type=int, default=3_000, help="steps of fitting a teacher")
    parser.add_argument("--steps", type=int, default=9_000, help="steps of fitting the first encoder, whole")
    parser.add_argument("--shallow", type=int, default=13_500, help="steps of fitting the layers it keeps")
    parser.add_argument("--layers", type=int, default=6, help="that the model keeps of the first encoder's")
    parser.add_argument(
        "--inner", type=int, help="numbers that the model keeps inside each; all, if not given"
    )
    parser.add_argument("--batch", type=int, default=32, help="windows of a step")
    parser.add_argument("--rate", type=float, default=3e-4, help="of fitting")
    parser.add_argument("--masked", type=float, default=0.1, help="share of pieces hidden in fitting")
    parser.add_argument("--soft-share", type=float, default=0.55, help="how much teachers' word counts")
    parser.add_argument("--compiled", action="store_true", help="compile layers: quicker on a GPU")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="to make notes with")
    parser.add_argument("--seed", type=int, default=0)
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Train the teachers, then the model."""
    asked = options().parse_args(given)
    if asked.layers < 1:
        raise UsageError("a model needs at least one layer: --layers")
    if asked.inner is not None and asked.inner < 1:
        raise UsageError("a layer needs at least one number inside: --inner")
    import torch

    from plainsight.lab.train.convolutional import fit as by_word
    from plainsight.lab.train.pretrained import read_pretrained

    began = time.monotonic()

    def say(what: str) -> None:
        print(f"{what}, {time.monotonic() - began:.0f} s", flush=True)

    encoders = [read_pretrained(folder) for folder in asked.encoders]
    names = [folder.resolve().name for folder in asked.encoders]
    pupils = pupils_of(encoders, asked)
    learnt, apart = parted(corpus_of(asked.corpus), asked.fold)
    texts = [text for file in asked.texts for text in read_notes(file, format="jsonl")]
    cuts = [Cut(encoder.cut, dict(encoder.words)) for encoder in encoders]
    how = {"count": asked.notes, "seed": asked.seed, "processes": asked.processes}
    notes, bare = prepare(learnt, texts, cuts, **how)
    held = read(apart, cuts)
    say(
        f"{len(learnt)} notes to learn from, {len(apart)} to measure on; {len(notes)} made, {len(bare)} texts"
    )

    sources = [file.name for file in asked.texts]
    shared = {
        "notes": len(learnt),
        "identifiers": sum(len(note.spans) for note in learnt),
        "texts": len(texts),
        "resampled": asked.notes,
        **{name: getattr(asked, name) for name in ("batch", "rate", "masked", "seed")},
    }
    said: list[Said] = []
    teachers: list[str] = []
    training: dict[str, Any] = {}
    whole: Encoder | None = None
    for place, pupil in enumerate(pupils, start=1):
        which, layers, steps = pupil
        pretrained = encoders[which]
        training = {"encoder": names[which], "layers": layers, "steps": steps, **shared}
        if whole is not None and asked.inner:
            training["inner"] = asked.inner
        say(named(training))
        taught = mean(said) if said and not which else None
        if not which:
            training |= {"teachers": list(teachers), "adapted": asked.adapted}
        if taught:
            training["soft_share"] = asked.soft_share
        if not which and len(encoders) > 1:
            training["teaching"] = asked.teaching
        readings = [note.pieces[which] for note in (*bare, *notes[:ADAPT_NOTES])]
        network = started(pupil, pretrained, whole, readings, asked, say)
        training_notes = training_notes_of(which, notes, bare, taught, asked.seed)
        network = fitted(network, pupil, pretrained, training_notes, asked, say)
        last = place == len(pupils)
        folder = asked.out / ("gte-en" if last else f"teacher-{place}")
        about = card(encoder=names[which], layers=layers, sources=sources)
        manifest = {**about, **shape(), "training": training, **known_scores(asked.scores if last else None)}
        save_transformer(network, pretrained, folder, manifest=manifest)
        if held:
            told = word_of(network, pretrained, which, held)
            measured(
                folder,
                apart,
                [(note.words.edges, logarithm(word)) for note, word in zip(held, told, strict=True)],
            )
        said.append(word_of(network, pretrained, which, [*notes, *bare]))
        teachers.append(named(training))
        whole = None if which else network
        say(f"{named(training)}: has labelled the notes")
    training_notes = [
        by_word.TrainingNote(note.words, note.tags, word)
        for note, word in zip((*notes, *bare), mean(said), strict=True)
    ]
    left = {"fold": asked.fold, "notes": training_notes, "training": training, "sources": sources}
    torch.save(left, asked.out / "training-notes.pt")
    say("written")


if __name__ == "__main__":
    main()
