"""Train the bundled convolutions, conv-en and wide-en, from notes that encoders have labelled.

    python scripts/build_convolutions.py --encoder gte-small --notes out --out conv-en
    ... --width 192 --inner 96 --rate 1.5e-3 --out wide-en

``--notes`` is the folder where ``build_encoders.py`` left the notes and what its teachers say of them.
``--encoder`` is the folder of a pre-trained encoder; only its word vectors are used. If a fold was left out,
the network is scored on it at several biases: see scores.json beside it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from network_figures import (
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
from network_notes import NAMES, TAGS, Made, probabilities_in, teachers_in
from plainsight.detect.convolution import Convolution
from plainsight.detect.convolution.features import WordRows
from plainsight.detect.learned import claims_of
from plainsight.detect.transformer.pieces import word_splitter
from plainsight.errors import UsageError
from plainsight.lab.train.convolution import new_network, restored, save_convolution, shape_of
from plainsight.model import load_model


def card(encoder: str, sources: Sequence[str]) -> dict[str, str]:
    """Return the model card's texts."""
    vectors = f"; words begin as the pieces of {encoder}, whose weights are under {licence(encoder)}"
    return {
        "description": "English clinical notes; convolutions over hashed words, "
        "which also read the claims of patterns",
        "licence": f"Apache-2.0{vectors}",
        **data_card(sources),
    }


def options() -> argparse.ArgumentParser:
    """Return the command line. The cards of the bundled models hold the options that made them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--notes", type=Path, required=True, help="the folder that build_encoders.py wrote to"
    )
    parser.add_argument(
        "--encoder", type=Path, required=True, help="a pre-trained encoder, for its word vectors"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of the model")
    parser.add_argument("--corpus", type=Path, default=ROOT / "corpus", help="notes with inline marks")
    parser.add_argument("--scores", type=Path, help="scores.json of a fold, for the manifest")
    parser.add_argument("--init", help="continue from this model, whose size counts, instead of the vectors")
    parser.add_argument("--width", type=int, default=96, help="width of the layers")
    parser.add_argument("--inner", type=int, help="width inside blocks; the same if not given")
    parser.add_argument("--steps", type=int, default=18_000, help="training steps")
    parser.add_argument("--tokens", type=int, default=8_192, help="tokens in a step")
    parser.add_argument("--rate", type=float, default=3e-3, help="learning rate")
    parser.add_argument("--seed", type=int, default=0)
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Train a network; score it on the fold that the training notes leave out, if there is one."""
    arguments = options().parse_args(given)
    if arguments.width < 1 or (arguments.inner is not None and arguments.inner < 1):
        raise UsageError("--width and --inner must be at least 1")
    import torch

    from plainsight.lab.train.convolutional.fit import Schedule, TrainingNote, fit, notes_in_a_row
    from plainsight.lab.train.pretrained import read_pretrained

    began = time.monotonic()

    def say(step: int, loss: float) -> None:
        if step % 500 == 0:
            print(f"step {step}: loss {loss:.4f}, {time.monotonic() - began:.0f} s", flush=True)

    made, teachers = Made.read(arguments.notes), teachers_in(arguments.notes)
    labelled = zip((*made.notes, *made.unmarked), probabilities_in(teachers), strict=True)
    notes = [TrainingNote(note.words, note.tags, probability) for note, probability in labelled]
    pretrained, encoder = read_pretrained(arguments.encoder), arguments.encoder.resolve().name
    torch.manual_seed(arguments.seed)
    if arguments.init:
        _, network = restored(load_model(arguments.init, kind=Convolution.name))
    else:
        sizes = shape_of(arguments.width, pretrained, inner=arguments.inner)
        network = new_network(sizes, pretrained, claims=2 * len(NAMES) + 1, tags=len(TAGS))
    schedule = Schedule(
        steps=arguments.steps, tokens=arguments.tokens, rate=arguments.rate, seed=arguments.seed
    )
    row = notes_in_a_row(notes, WordRows(network.shape.rows, word_splitter(pretrained.cut, pretrained.words)))
    fit(network, row, schedule, progress=say)
    whole, names = (
        teacher_name({"encoder": encoder, "layers": pretrained.measures["layers"]}),
        {"teacher-model": "gte-en"},
    )
    training = {
        "teachers": [names.get(teacher.name, whole) for teacher in teachers],
        **(
            {"init": load_model(arguments.init, kind=Convolution.name).manifest["training"]}
            if arguments.init
            else {}
        ),
        "encoder": encoder,
        **made.counts,
        **asdict(schedule),
    }
    manifest = {**card(encoder, made.sources), **runtime_manifest(), "training": training}
    save_convolution(
        network, pretrained, arguments.out, manifest={**manifest, **fold_scores(arguments.scores)}
    )
    if made.fold is not None:
        _, held_out_notes = split_fold(read_corpus(arguments.corpus), made.fold)
        detector = Convolution(model=str(arguments.out))
        claims = claims_of(detector.needs, held_out_notes)
        scored = [
            detector.scores(note, claimed) for note, claimed in zip(held_out_notes, claims, strict=True)
        ]
        write_scores(arguments.out, held_out_notes, scored)


if __name__ == "__main__":
    main()
