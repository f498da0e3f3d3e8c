"""Train the bundled convolutions, conv-en and wide-en, from notes that encoders have labelled.

    python scripts/build_convolutions.py --encoder gte-small --training-notes training-notes.pt --out conv-en
    ... --width 192 --inner 96 --rate 1.5e-3 --out wide-en

``--training-notes`` is the file that ``build_encoders.py`` writes: annotated notes, and the probabilities of
encoders. ``--encoder`` is the folder of a pre-trained encoder; only its word vectors are used. If the
training notes leave out a fold, the network is scored on it at several biases: see scores.json beside it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from network_figures import (
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
from network_notes import NAMES, TAGS
from plainsight.detect.convolution import Convolution
from plainsight.detect.convolution.features import WordRows
from plainsight.detect.learned import claims_of
from plainsight.detect.transformer.pieces import word_splitter
from plainsight.errors import UsageError
from plainsight.lab.train.convolution import new_network, save_convolution, shape_of


def card(encoder: str, sources: Sequence[str]) -> dict[str, str]:
    """Return what the manifest says of the model in words."""
    known = f"; words begin as the pieces of {encoder}, whose weights are under {licence(encoder)}"
    return {
        "description": "English clinical notes; convolutions over hashed words, "
        "which also read the claims of patterns",
        "licence": f"Apache-2.0{known}",
        **learnt_from(sources),
    }


def options() -> argparse.ArgumentParser:
    """Return the command line; what made the bundled models stands in their cards."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--training-notes", type=Path, required=True, help="what build_encoders.py leaves")
    parser.add_argument("--encoder", type=Path, required=True, help="a pre-trained encoder, for its pieces")
    parser.add_argument("--out", type=Path, required=True, help="folder of the model")
    parser.add_argument("--corpus", type=Path, default=ROOT / "corpus", help="notes with inline marks")
    parser.add_argument("--scores", type=Path, help="scores.json of a fold, for the manifest")
    parser.add_argument("--width", type=int, default=96, help="of layers")
    parser.add_argument("--inner", type=int, help="width inside blocks; as elsewhere, if not given")
    parser.add_argument("--steps", type=int, default=18_000, help="steps of fitting")
    parser.add_argument("--tokens", type=int, default=8_192, help="of a step")
    parser.add_argument("--rate", type=float, default=3e-3, help="of fitting")
    parser.add_argument("--seed", type=int, default=0)
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Train a network, and measure it if it has not seen all notes."""
    asked = options().parse_args(given)
    if asked.width < 1 or (asked.inner is not None and asked.inner < 1):
        raise UsageError("layers need at least one number: --width, --inner")
    import torch

    from plainsight.lab.train.convolutional.fit import Schedule, fit, notes_in_a_row
    from plainsight.lab.train.pretrained import read_pretrained

    began = time.monotonic()

    def say(step: int, loss: float) -> None:
        if step % 500 == 0:
            print(f"fitting {step}: {loss:.4f}, {time.monotonic() - began:.0f} s", flush=True)

    training_notes = torch.load(asked.training_notes, weights_only=False)  # our own file, and not a model's
    known, encoder = read_pretrained(asked.encoder), asked.encoder.resolve().name
    torch.manual_seed(asked.seed)
    measures = shape_of(asked.width, known, inner=asked.inner)
    network = new_network(measures, known, claims=2 * len(NAMES) + 1, tags=len(TAGS))
    schedule = Schedule(steps=asked.steps, tokens=asked.tokens, rate=asked.rate, seed=asked.seed)
    ready = notes_in_a_row(
        training_notes["notes"], WordRows(network.shape.rows, word_splitter(known.cut, known.words))
    )
    fit(network, ready, schedule, progress=say)
    taught = {
        name: training_notes["training"][name] for name in ("notes", "identifiers", "resampled", "texts")
    }
    teachers = [*training_notes["training"]["teachers"], named(training_notes["training"])]
    training = {"teachers": teachers, "encoder": encoder, **taught, **asdict(schedule)}
    manifest = {**card(encoder, training_notes["sources"]), **shape(), "training": training}
    save_convolution(network, known, asked.out, manifest={**manifest, **known_scores(asked.scores)})
    if training_notes["fold"] is not None:
        _, apart = parted(corpus_of(asked.corpus), training_notes["fold"])
        detector = Convolution(model=str(asked.out))
        claims = claims_of(detector.needs, apart)
        told = [detector.scores(note, said) for note, said in zip(apart, claims, strict=True)]
        measured(asked.out, apart, told)


if __name__ == "__main__":
    main()
