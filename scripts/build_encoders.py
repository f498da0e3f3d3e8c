"""Train the bundled transformer, gte-en, and its teachers on the corpus. Meant for a GPU.

    python scripts/build_encoders.py notes --encoder gte-small --texts *.gz --out out
    python scripts/build_encoders.py teacher --encoder gte-small --out out --seed 0 &
    python scripts/build_encoders.py teacher --encoder gte-small --out out --seed 1 &
    wait
    python scripts/build_encoders.py model --encoder gte-small --out out

``--encoder`` is the folder of a pre-trained BERT, RoBERTa or MPNet: config.json, tokenizer.json and weights.
``--texts`` are clinical texts without labels, as JSON lines. Each step reads from ``--out`` what the step
before it left there:

1. ``notes``: resample notes of the corpus, fill texts with identifiers, add noise, find what `patterns`
   claims.
2. ``teacher``: adapt the encoder to clinical text by masked-language-model training, fine-tune it on the
   marks, and keep the probability of each tag at each token. Teachers with other seeds can be trained at the
   same time.
3. ``model``: take ``--layers`` layers of a teacher, evenly spread, fine-tune them on the marks and on the
   mean probabilities of all teachers, and write the model ``gte-en``.

4. ``label``: instead of teachers, let a finished model say how likely each tag is. It needs no GPU, and the
   processor's cores share the work.

``build_convolutions.py`` trains the fast networks from the same notes and teachers; it need not wait for the
model. With ``notes --fold``, a fifth of the corpus is left out of all this, and each encoder is scored on it
at several biases, before its weights are rounded: see ``scores.json`` in its folder.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache, partial
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

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
from network_notes import (
    NAMES,
    TAGS,
    Cut,
    Made,
    Note,
    Probabilities,
    prepare,
    probabilities_in,
    read,
    teachers_in,
    write_probabilities,
)
from plainsight.detect.transformer.labelling import token_scores
from plainsight.detect.transformer.network import Network
from plainsight.detect.transformer.pieces import word_splitter
from plainsight.errors import UsageError
from plainsight.evaluate.read_notes import read_notes
from plainsight.lab.train.transformer import MARGIN, WINDOW, save_transformer
from plainsight.model import load_model

if TYPE_CHECKING:  # imported where used: the processes that make notes do without PyTorch
    from plainsight.detect.transformer.note_pieces import NotePieces
    from plainsight.lab.train.encoder import Encoder
    from plainsight.lab.train.encoder_fit import TrainingNote
    from plainsight.lab.train.pretrained import Pretrained

ADAPT_RATE, ADAPT_NOTES = 2e-4, 3_000
WINDOW_KINDS = ((WINDOW, False), (WINDOW, False), (160, True))
"""The kinds of windows to train on: length in pieces, and whether they join scattered stretches (cascade)."""
NOTES_AT_A_TIME = 256
WINDOWS_AT_A_TIME = 128
MEASURES = {"tags": len(TAGS), "claims": len(NAMES), "lists": True}
BEGAN = time.monotonic()


def make_notes(asked: argparse.Namespace, pretrained: Pretrained) -> None:
    """Make the notes to train on, and keep them in ``--out``."""
    documents, _ = split_fold(read_corpus(asked.corpus), asked.fold)
    texts = [text for file in asked.texts for text in read_notes(file, format="jsonl")]
    cut = Cut(pretrained.cut, dict(pretrained.words))
    settings = {"count": asked.notes, "seed": asked.seed, "processes": asked.processes}
    notes, unmarked = prepare(documents, texts, cut, **settings)
    counts = {
        "notes": len(documents),
        "identifiers": sum(len(note.spans) for note in documents),
        "texts": len(texts),
        "resampled": asked.notes,
    }
    asked.out.mkdir(parents=True, exist_ok=True)
    Made(notes, unmarked, counts, [file.name for file in asked.texts], asked.fold).write(asked.out)
    say(f"{len(documents)} notes to train on; {len(notes)} made, {len(unmarked)} texts")


def train_teacher(asked: argparse.Namespace, pretrained: Pretrained) -> None:
    """Train all layers of the encoder; keep their weights and what they say of each token."""
    import torch

    from plainsight.lab.train.encoder_fit import adapt

    made = Made.read(asked.out)
    folder = asked.out / f"teacher-{asked.seed}"
    folder.mkdir(exist_ok=True)
    torch.manual_seed(asked.seed)
    network = pretrained.encoder(**MEASURES)
    if asked.adapted:
        adapt(
            network,
            [note.pieces for note in (*made.unmarked, *made.notes[:ADAPT_NOTES])],
            word_splitter(pretrained.cut, pretrained.words),
            mask_piece=pretrained.mask,
            steps=asked.adapted,
            size=WINDOW,
            rate=ADAPT_RATE,
            seed=asked.seed,
            progress=progress,
        )
    fit_encoder(network, pretrained, training_notes_of(made, None, asked.seed), asked)
    torch.save(network.state_dict(), folder / "weights.pt")
    say("trained")
    score_fold(network, pretrained, folder, asked, made.fold)
    write_probabilities(folder, probabilities_of(network, pretrained, [*made.notes, *made.unmarked]))
    say("notes labelled")


def train_model(asked: argparse.Namespace, pretrained: Pretrained) -> None:
    """Train some layers of a teacher on the marks and on what all teachers say, and write the model."""
    import torch

    made = Made.read(asked.out)
    teachers = teachers_in(asked.out)
    torch.manual_seed(asked.seed)
    weights = torch.load(teachers[0] / "weights.pt", map_location="cpu")
    whole = replace(pretrained, weights=weights)
    network = whole.encoder(**MEASURES, layers=asked.layers, inner=asked.inner)
    fit_encoder(network, pretrained, training_notes_of(made, probabilities_in(teachers), asked.seed), asked)
    name = asked.encoder.resolve().name
    training = {
        "encoder": name,
        "layers": asked.layers,
        **({"inner": asked.inner} if asked.inner else {}),
        **made.counts,
        **{key: getattr(asked, key) for key in ("steps", "batch", "rate", "masked", "soft_share", "seed")},
        "teachers": [teacher_name({"encoder": name, "layers": pretrained.measures["layers"]})]
        * len(teachers),
    }
    manifest = {
        **card(encoder=name, layers=asked.layers, sources=made.sources),
        **runtime_manifest(),
        "training": training,
        **fold_scores(asked.scores),
    }
    folder = asked.out / "gte-en"
    save_transformer(network, pretrained, folder, manifest=manifest)
    score_fold(network, pretrained, folder, asked, made.fold)
    say("written")


def label(asked: argparse.Namespace, _: Pretrained) -> None:
    """Let a finished model say how likely each tag is at each token."""
    made = Made.read(asked.out)
    folder = asked.out / "teacher-model"
    folder.mkdir(exist_ok=True)
    readings = [note.pieces for note in (*made.notes, *made.unmarked)]
    with ProcessPoolExecutor(asked.processes, mp_context=get_context("spawn")) as pool:
        write_probabilities(folder, list(pool.map(partial(said_by, asked.model), readings, chunksize=100)))
    say("notes labelled")


@cache
def network_of(model: str) -> Network:
    """Return a finished model's network, once a process."""
    return Network(load_model(model, kind="transformer"), threads=1)


def said_by(model: str, note: NotePieces) -> NDArray[np.float16]:
    """Return the probability that a finished model gives each tag at each token."""
    probabilities: NDArray[np.float16] = np.exp(network_of(model).scores_of(note)).astype(np.float16)
    return probabilities


def fit_encoder(
    network: Encoder,
    pretrained: Pretrained,
    training_notes: Sequence[TrainingNote],
    asked: argparse.Namespace,
) -> None:
    """Train an encoder on notes."""
    from plainsight.lab.train.encoder_fit import Schedule, fit, windows_of

    make = word_splitter(pretrained.cut, pretrained.words)
    windows = [
        windows_of(
            training_notes[place :: len(WINDOW_KINDS)],
            make,
            size=size,
            random=Random(asked.seed),
            scattered=scattered,
        )
        for place, (size, scattered) in enumerate(WINDOW_KINDS)
    ]
    schedule = Schedule(
        steps=asked.steps,
        batch=min(asked.batch, *map(len, windows)),
        rate=asked.rate,
        masked=asked.masked,
        soft_share=asked.soft_share,
        compiled=asked.compiled,
        seed=asked.seed,
    )
    fit(network, lambda _: cycle(windows), schedule, mask_piece=pretrained.mask, progress=progress)


def training_notes_of(made: Made, probabilities: Probabilities | None, seed: int) -> list[TrainingNote]:
    """Return training notes with their marks and, if given, the teachers' probabilities."""
    from plainsight.lab.train.encoder_fit import TrainingNote

    if probabilities is None:
        training_notes = [TrainingNote(note.pieces, note.tags) for note in made.notes]
    else:
        training_notes = [
            TrainingNote(note.pieces, probability.argmax(1) if note.tags is None else note.tags, probability)
            for note, probability in zip((*made.notes, *made.unmarked), probabilities, strict=True)
        ]
    Random(seed).shuffle(training_notes)
    return training_notes


def probabilities_of(network: Encoder, pretrained: Pretrained, notes: Sequence[Note]) -> Probabilities:
    """Return the probability that an encoder gives each tag at each token."""
    from plainsight.lab.train.encoder_fit import runner

    run, make = runner(network), word_splitter(pretrained.cut, pretrained.words)
    found: Probabilities = []
    for first in range(0, len(notes), NOTES_AT_A_TIME):
        readings: list[NotePieces] = [note.pieces for note in notes[first : first + NOTES_AT_A_TIME]]
        scored = token_scores(
            readings, run, make, tags=len(TAGS), size=WINDOW, margin=MARGIN, batch_size=WINDOWS_AT_A_TIME
        )
        found += [np.exp(scores).astype(np.float16) for scores in scored]
    return found


def score_fold(
    network: Encoder, pretrained: Pretrained, folder: Path, asked: argparse.Namespace, fold: int | None
) -> None:
    """Score an encoder on the notes that were left out, if any were."""
    if fold is None:
        return
    _, documents = split_fold(read_corpus(asked.corpus), fold)
    notes = read(documents, Cut(pretrained.cut, dict(pretrained.words)))
    scored = probabilities_of(network, pretrained, notes)
    both = zip(notes, scored, strict=True)
    write_scores(folder, documents, [(note.words.edges, logarithm(found)) for note, found in both])


def logarithm(probabilities: NDArray[np.float16]) -> NDArray[np.float32]:
    """Return the logarithms of probabilities; very small ones had been rounded to 0."""
    made: NDArray[np.float32] = np.log(np.maximum(probabilities.astype(np.float32), 1e-7))
    return made


def card(*, encoder: str, layers: int, sources: Sequence[str]) -> dict[str, str]:
    """Return the model card's texts."""
    return {
        "description": f"English clinical notes; an encoder of {layers} layers, "
        "which also reads the claims of patterns",
        "licence": f"Apache-2.0; fine-tuned from {encoder}, whose weights are under {licence(encoder)}",
        **data_card(sources),
    }


def progress(step: int, loss: float) -> None:
    """Print the loss every 200 steps."""
    if step % 200 == 0:
        say(f"step {step}: loss {loss:.4f}")


def say(what: str) -> None:
    """Print a line with the seconds since the start."""
    print(f"{what}, {time.monotonic() - BEGAN:.0f} s", flush=True)


def options() -> argparse.ArgumentParser:
    """Return the command line. Its defaults, with --compiled, made the bundled model."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--encoder", type=Path, required=True, help="a pre-trained encoder")
    shared.add_argument("--out", type=Path, required=True, help="folder of all that is made")
    shared.add_argument("--corpus", type=Path, default=ROOT / "corpus", help="notes with inline marks")
    shared.add_argument("--seed", type=int, default=0)
    training = argparse.ArgumentParser(add_help=False)
    training.add_argument("--batch", type=int, default=32, help="windows in a step")
    training.add_argument("--rate", type=float, default=3e-4, help="learning rate")
    training.add_argument("--masked", type=float, default=0.1, help="share of pieces masked in training")
    training.add_argument("--compiled", action="store_true", help="compile the layers: faster on a GPU")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = parser.add_subparsers(dest="step", required=True)
    notes = steps.add_parser("notes", parents=[shared], help="make notes to train on")
    notes.add_argument("--texts", type=Path, nargs="*", default=[], help="texts to fill, as JSON lines")
    notes.add_argument("--fold", type=int, choices=range(FOLDS), help="leave this fifth out, and score on it")
    notes.add_argument("--notes", type=int, default=15_000, help="how many notes to make")
    notes.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="processes that make notes")
    notes.set_defaults(run=make_notes)
    teacher = steps.add_parser("teacher", parents=[shared, training], help="train all layers on the marks")
    teacher.add_argument(
        "--adapted", type=int, default=400, help="steps of adapting the encoder to the texts"
    )
    teacher.add_argument("--steps", type=int, default=9_000, help="training steps")
    teacher.set_defaults(run=train_teacher, soft_share=0.0)
    model = steps.add_parser("model", parents=[shared, training], help="train fewer layers, with teachers")
    model.add_argument("--layers", type=int, default=6, help="how many layers the model keeps")
    model.add_argument("--inner", type=int, help="units that it keeps inside each layer; all if not given")
    model.add_argument("--steps", type=int, default=13_500, help="training steps")
    model.add_argument("--soft-share", type=float, default=0.55, help="weight of the teachers' probabilities")
    model.add_argument("--scores", type=Path, help="scores.json of a fold, for the manifest")
    model.set_defaults(run=train_model)
    labelled = steps.add_parser("label", parents=[shared], help="let a finished model label the notes")
    labelled.add_argument("--model", required=True, help="a transformer: gte-en, or a folder")
    labelled.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    labelled.set_defaults(run=label)
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Make notes, train a teacher, or train the model."""
    asked = options().parse_args(given)
    for name in ("layers", "inner"):
        if (value := getattr(asked, name, None)) is not None and value < 1:
            raise UsageError(f"--{name} must be at least 1")
    from plainsight.lab.train.pretrained import read_pretrained

    asked.run(asked, read_pretrained(asked.encoder))


if __name__ == "__main__":
    main()
