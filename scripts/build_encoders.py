"""Train the bundled transformer, gte-en, and its teachers on the corpus. Meant for a GPU.

    python scripts/build_encoders.py --encoders gte-small gte-small --texts *.gz --out out
    python scripts/build_encoders.py --encoders gte-small gte-small --texts *.gz --out fold-0 --fold 0

``--encoders`` are folders of pre-trained BERTs, RoBERTas or MPNets: config.json, tokenizer.json and weights.
The first becomes the model. The others are fine-tuned before it and are its teachers. If the first has more
than ``--layers`` layers, all its layers are trained first; then that many of them, evenly spread, are trained
again with all networks as teachers, perhaps with only ``--inner`` units inside each layer. ``--texts`` are
clinical texts without labels, as JSON lines.

Steps:

1. Resample notes of the corpus, fill texts with identifiers, add noise; find the claims of `patterns`.
2. Fine-tune each teacher on these notes. It then gives the probability of each tag at each token.
3. Adapt the first encoder: masked-language-model training on the texts and some notes.
4. Fine-tune it on the marks and on the mean probabilities of its teachers.

``--out`` then holds the model ``gte-en``, each teacher as a model, and training-notes.pt: the words of all
notes with the networks' mean probabilities, from which ``build_convolutions.py`` trains the fast networks.
With ``--fold``, a fifth of the corpus is left out of all this, and each encoder is scored on it at several
biases, before its weights are rounded: see scores.json in its folder.
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
    data_card,
    fold_scores,
    licence,
    read_corpus,
    runtime_manifest,
    split_fold,
    teacher_name,
    write_scores,
)
from network_notes import NAMES, TAGS, Cut, Note, prepare, read
from plainsight.detect.transformer.labelling import token_scores
from plainsight.detect.transformer.pieces import word_splitter
from plainsight.errors import UsageError
from plainsight.evaluate.read_notes import read_notes
from plainsight.lab.train.transformer import MARGIN, WINDOW, save_transformer

if TYPE_CHECKING:  # imported where used: the processes that make notes do without PyTorch
    from plainsight.detect.transformer.note_pieces import NotePieces
    from plainsight.lab.train.encoder import Encoder
    from plainsight.lab.train.encoder_fit import TrainingNote
    from plainsight.lab.train.pretrained import Pretrained

Say = Callable[[str], None]

Probabilities = list[NDArray[np.float16]]
"""The probability of each tag at each token of some notes."""

ADAPT_RATE, ADAPT_NOTES = 2e-4, 3_000
WINDOW_KINDS = ((WINDOW, False), (WINDOW, False), (160, True))
"""The kinds of windows to train on: length in pieces, and whether they join scattered stretches (cascade)."""
NOTES_AT_A_TIME = 256
WINDOWS_AT_A_TIME = 128


class Student(NamedTuple):
    """A network to train: the number of its encoder, how many layers to keep, and how many steps to train."""

    which: int
    layers: int
    steps: int


def students_of(encoders: Sequence[Pretrained], arguments: argparse.Namespace) -> list[Student]:
    """Return the networks in the order of training; the last is the model, the others are teachers."""
    depths = [int(encoder.measures["layers"]) for encoder in encoders]
    teachers = [Student(which, depths[which], arguments.teaching) for which in range(1, len(encoders))]
    whole = Student(0, depths[0], arguments.steps)
    if arguments.layers >= depths[0]:
        if arguments.inner:
            raise UsageError("--inner needs fewer --layers than the encoder has")
        return [*teachers, whole]
    return [*teachers, whole, Student(0, arguments.layers, arguments.shallow)]


def new_encoder(
    student: Student,
    pretrained: Pretrained,
    whole: Encoder | None,
    readings: Sequence[NotePieces],
    arguments: argparse.Namespace,
    say: Say,
) -> Encoder:
    """Return the network before training: pre-trained, or the layers kept of the trained ``whole`` one.

    The first encoder is adapted to clinical text.
    """
    import torch

    from plainsight.lab.train.encoder_fit import adapt

    torch.manual_seed(arguments.seed)
    measures = {"tags": len(TAGS), "claims": len(NAMES), "lists": True, "layers": student.layers}
    if whole is not None:
        return replace(pretrained, weights=whole.state_dict()).encoder(**measures, inner=arguments.inner)
    network = pretrained.encoder(**measures)
    if arguments.adapted and not student.which:
        adapt(
            network,
            readings,
            word_splitter(pretrained.cut, pretrained.words),
            mask_piece=pretrained.mask,
            steps=arguments.adapted,
            size=WINDOW,
            rate=ADAPT_RATE,
            seed=arguments.seed,
            progress=partial(progress, say, "adapting"),
        )
    return network


def fit_encoder(
    network: Encoder,
    student: Student,
    pretrained: Pretrained,
    training_notes: Sequence[TrainingNote],
    arguments: argparse.Namespace,
    say: Say,
) -> Encoder:
    """Train an encoder on notes and return it."""
    from plainsight.lab.train.encoder_fit import Schedule, fit, windows_of

    make, seed = word_splitter(pretrained.cut, pretrained.words), arguments.seed
    windows = [
        windows_of(
            training_notes[place :: len(WINDOW_KINDS)],
            make,
            size=size,
            random=Random(seed),
            scattered=scattered,
        )
        for place, (size, scattered) in enumerate(WINDOW_KINDS)
    ]
    schedule = Schedule(
        steps=student.steps,
        batch=min(arguments.batch, *map(len, windows)),
        rate=arguments.rate,
        masked=arguments.masked,
        soft_share=arguments.soft_share,
        compiled=arguments.compiled,
        seed=seed,
    )
    scored = partial(progress, say, "training")
    fit(network, lambda _: cycle(windows), schedule, mask_piece=pretrained.mask, progress=scored)
    return network


def progress(say: Say, what: str, step: int, loss: float) -> None:
    """Print the loss every 200 steps."""
    if step % 200 == 0:
        say(f"{what} {step}: {loss:.4f}")


def training_notes_of(
    which: int,
    notes: Sequence[Note],
    unmarked: Sequence[Note],
    probabilities: Probabilities | None,
    seed: int,
) -> list[TrainingNote]:
    """Return training notes with their marks and, if given, the teachers' probabilities."""
    from plainsight.lab.train.encoder_fit import TrainingNote

    if probabilities is None:
        training_notes = [TrainingNote(note.pieces[which], note.tags) for note in notes]
    else:
        training_notes = [
            TrainingNote(
                note.pieces[which], probability.argmax(1) if note.tags is None else note.tags, probability
            )
            for note, probability in zip((*notes, *unmarked), probabilities, strict=True)
        ]
    Random(seed).shuffle(training_notes)
    return training_notes


def probabilities_of(
    network: Encoder, pretrained: Pretrained, which: int, notes: Sequence[Note]
) -> Probabilities:
    """Return the probability that an encoder gives each tag at each token."""
    from plainsight.lab.train.encoder_fit import runner

    run, make = runner(network), word_splitter(pretrained.cut, pretrained.words)
    made: Probabilities = []
    for first in range(0, len(notes), NOTES_AT_A_TIME):
        readings = [note.pieces[which] for note in notes[first : first + NOTES_AT_A_TIME]]
        scored = token_scores(
            readings, run, make, tags=len(TAGS), size=WINDOW, margin=MARGIN, batch_size=WINDOWS_AT_A_TIME
        )
        made += [np.exp(scores).astype(np.float16) for scores in scored]
    return made


def logarithm(probabilities: NDArray[np.float16]) -> NDArray[np.float32]:
    """Return the logarithms of probabilities; very small ones had been rounded to 0."""
    made: NDArray[np.float32] = np.log(np.maximum(probabilities.astype(np.float32), 1e-7))
    return made


def mean(models: Sequence[Probabilities]) -> Probabilities:
    """Return the mean probabilities of several networks."""
    return [
        np.mean(probabilities, axis=0, dtype=np.float32).astype(np.float16)
        for probabilities in zip(*models, strict=True)
    ]


def card(*, encoder: str, layers: int, sources: Sequence[str]) -> dict[str, str]:
    """Return the model card's texts."""
    return {
        "description": f"English clinical notes; an encoder of {layers} layers, "
        "which also reads the claims of patterns",
        "licence": f"Apache-2.0; fine-tuned from {encoder}, whose weights are under {licence(encoder)}",
        **data_card(sources),
    }


def options() -> argparse.ArgumentParser:
    """Return the command line. Its defaults, with --compiled, made the bundled model."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--encoders",
        type=Path,
        nargs="+",
        required=True,
        help="pre-trained encoders; the first becomes the model",
    )
    parser.add_argument("--texts", type=Path, nargs="*", default=[], help="texts to fill, as JSON lines")
    parser.add_argument("--corpus", type=Path, default=ROOT / "corpus", help="notes with inline marks")
    parser.add_argument("--out", type=Path, required=True, help="folder for models and training-notes.pt")
    parser.add_argument(
        "--fold", type=int, choices=range(FOLDS), help="leave this fifth out, and score on it"
    )
    parser.add_argument("--scores", type=Path, help="scores.json of a fold, for the manifest")
    parser.add_argument("--notes", type=int, default=15_000, help="how many notes to make")
    parser.add_argument(
        "--adapted", type=int, default=400, help="steps of adapting the first encoder to the texts"
    )
    parser.add_argument("--teaching", type=int, default=3_000, help="training steps of a teacher")
    parser.add_argument("--steps", type=int, default=9_000, help="training steps of the whole first encoder")
    parser.add_argument(
        "--shallow", type=int, default=13_500, help="training steps of the layers that are kept"
    )
    parser.add_argument("--layers", type=int, default=6, help="how many layers the model keeps")
    parser.add_argument("--inner", type=int, help="units that it keeps inside each layer; all if not given")
    parser.add_argument("--batch", type=int, default=32, help="windows in a step")
    parser.add_argument("--rate", type=float, default=3e-4, help="learning rate")
    parser.add_argument("--masked", type=float, default=0.1, help="share of pieces masked in training")
    parser.add_argument(
        "--soft-share", type=float, default=0.55, help="weight of the teachers' probabilities"
    )
    parser.add_argument("--compiled", action="store_true", help="compile the layers: faster on a GPU")
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, help="processes that make notes"
    )
    parser.add_argument("--seed", type=int, default=0)
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Train the teachers, then the model."""
    arguments = options().parse_args(given)
    if arguments.layers < 1:
        raise UsageError("--layers must be at least 1")
    if arguments.inner is not None and arguments.inner < 1:
        raise UsageError("--inner must be at least 1")
    import torch

    from plainsight.lab.train.convolutional import fit as by_word
    from plainsight.lab.train.pretrained import read_pretrained

    began = time.monotonic()

    def say(what: str) -> None:
        print(f"{what}, {time.monotonic() - began:.0f} s", flush=True)

    encoders = [read_pretrained(folder) for folder in arguments.encoders]
    names = [folder.resolve().name for folder in arguments.encoders]
    students = students_of(encoders, arguments)
    training_documents, held_out_notes = split_fold(read_corpus(arguments.corpus), arguments.fold)
    texts = [text for file in arguments.texts for text in read_notes(file, format="jsonl")]
    cuts = [Cut(encoder.cut, dict(encoder.words)) for encoder in encoders]
    settings = {"count": arguments.notes, "seed": arguments.seed, "processes": arguments.processes}
    notes, unmarked = prepare(training_documents, texts, cuts, **settings)
    held_out = read(held_out_notes, cuts)
    say(
        f"{len(training_documents)} notes to train on, {len(held_out_notes)} held out; "
        f"{len(notes)} made, {len(unmarked)} texts"
    )

    sources = [file.name for file in arguments.texts]
    shared = {
        "notes": len(training_documents),
        "identifiers": sum(len(note.spans) for note in training_documents),
        "texts": len(texts),
        "resampled": arguments.notes,
        **{name: getattr(arguments, name) for name in ("batch", "rate", "masked", "seed")},
    }
    probabilities: list[Probabilities] = []
    teachers: list[str] = []
    training: dict[str, Any] = {}
    whole: Encoder | None = None
    for place, student in enumerate(students, start=1):
        which, layers, steps = student
        pretrained = encoders[which]
        training = {"encoder": names[which], "layers": layers, "steps": steps, **shared}
        if whole is not None and arguments.inner:
            training["inner"] = arguments.inner
        say(teacher_name(training))
        teachers_mean = mean(probabilities) if probabilities and not which else None
        if not which:
            training |= {"teachers": list(teachers), "adapted": arguments.adapted}
        if teachers_mean:
            training["soft_share"] = arguments.soft_share
        if not which and len(encoders) > 1:
            training["teaching"] = arguments.teaching
        readings = [note.pieces[which] for note in (*unmarked, *notes[:ADAPT_NOTES])]
        network = new_encoder(student, pretrained, whole, readings, arguments, say)
        training_notes = training_notes_of(which, notes, unmarked, teachers_mean, arguments.seed)
        network = fit_encoder(network, student, pretrained, training_notes, arguments, say)
        last = place == len(students)
        folder = arguments.out / ("gte-en" if last else f"teacher-{place}")
        about = card(encoder=names[which], layers=layers, sources=sources)
        manifest = {
            **about,
            **runtime_manifest(),
            "training": training,
            **fold_scores(arguments.scores if last else None),
        }
        save_transformer(network, pretrained, folder, manifest=manifest)
        if held_out:
            scored = probabilities_of(network, pretrained, which, held_out)
            write_scores(
                folder,
                held_out_notes,
                [
                    (note.words.edges, logarithm(probability))
                    for note, probability in zip(held_out, scored, strict=True)
                ],
            )
        probabilities.append(probabilities_of(network, pretrained, which, [*notes, *unmarked]))
        teachers.append(teacher_name(training))
        whole = None if which else network
        say(f"{teacher_name(training)}: notes labelled")
    training_notes = [
        by_word.TrainingNote(note.words, note.tags, probability)
        for note, probability in zip((*notes, *unmarked), mean(probabilities), strict=True)
    ]
    saved = {"fold": arguments.fold, "notes": training_notes, "training": training, "sources": sources}
    torch.save(saved, arguments.out / "training-notes.pt")
    say("written")


if __name__ == "__main__":
    main()
