"""Train the bundled convolutions, conv-en and wide-en, on the corpus and by transformers. Meant for a GPU.

    python scripts/build_convolution.py --encoder gte-small --texts *.gz --teachers out/gte/fold-0 --fold 0
    python scripts/build_convolution.py --encoder gte-small --texts *.gz --scores out/conv-en/scores.json

``--teachers`` are models of transformers, gte-en if none are given: the mean of their probabilities is learnt
beside the marks. ``--encoder`` is the folder of a pre-trained BERT or RoBERTa, of which only the pieces are
used: words begin as its vectors say. ``--texts`` are clinical texts without labels, as JSON lines.

Notes are made as for the transformer (`build_transformer.py`). The teachers label them and the bare texts, on
the CPU, in several processes; then the convolutions learn. With ``--fold``, a fifth of the corpus is kept
from this and labelled by the network as it would ship, at several biases; the figures are printed and go into
scores.json; ``--keep`` keeps the network. They are honest only if the teachers have not seen that fifth
either: take those that ``build_transformer.py --fold --keep`` leaves, not gte-en. Without ``--fold``, the
model is written: wide-en, if ``--width`` is above 128. ``--scores`` puts the figures of a fold into its
manifest; else those that it had stay.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from build_transformer import (
    FOLDS,
    PATIENT,
    ROOT,
    figures,
    known_scores,
    labelled,
    learnt_from,
    licence,
    parted,
    table,
    teachers_of,
)
from convolution_notes import prepare
from plainsight.detect.convolution import Convolution
from plainsight.document import Document
from plainsight.evaluate.gold import read_notes
from plainsight.train.convolution import train_convolution
from transformer_notes import NAMES

if TYPE_CHECKING:  # PyTorch is loaded where it is used: the processes that make notes need none
    from plainsight.train.convolutional.fit import Schedule

MODELS = ROOT / "src" / "plainsight" / "data" / "models"


def train(
    notes: Sequence[Document],
    texts: Sequence[Document],
    folder: Path,
    schedule: Schedule,
    asked: argparse.Namespace,
    *,
    teachers: Sequence[str],
    manifest: dict[str, Any],
) -> None:
    """Write a network that has learnt from notes and texts, by marks and by the teachers."""
    began = time.monotonic()

    def say(what: str) -> None:
        print(f"{what}, {time.monotonic() - began:.0f} s", flush=True)

    made, bare = prepare(
        notes, texts, teachers, count=asked.notes, seed=asked.seed, processes=asked.processes
    )
    say(f"{len(made)} notes and {len(bare)} texts")
    said = {note.id: mean for note, mean in (*made, *bare)}
    train_convolution(
        [note for note, _ in made],
        folder,
        teacher=lambda note: said[note.id],
        unlabelled=[note for note, _ in bare],
        labels=NAMES,
        encoder=asked.encoder,
        width=asked.width,
        schedule=schedule,
        bias=asked.bias,
        seed=asked.seed,
        notes=manifest,
        progress=lambda step, loss: say(f"fitting {step}: {loss:.4f}"),
        stage=say,
    )


def measure(
    documents: Sequence[Document], texts: Sequence[Document], schedule: Schedule, asked: argparse.Namespace
) -> list[dict[str, Any]]:
    """Return figures at each bias over the notes of a fold, labelled by a network that never saw them."""
    learnt, apart = parted(documents, asked.fold)
    with tempfile.TemporaryDirectory() as scratch:
        folder = asked.keep / f"fold-{asked.fold}" if asked.keep else Path(scratch)
        teachers = teachers_of(asked.teachers, asked.fold)
        train(learnt, texts, folder, schedule, asked, teachers=teachers, manifest={})
        found = labelled(apart, Convolution(model=str(folder)))
    return [{"bias": bias, **figures(apart, spans)} for bias, spans in found.items()]


def card(encoder: str | None, sources: Sequence[Path]) -> dict[str, str]:
    """Return what the manifest says of the model in words."""
    known = ""
    if encoder:
        known = f"; words begin as the pieces of {encoder}, whose weights are under {licence(encoder)}"
    return {
        "description": "English clinical notes; convolutions over hashed words, "
        "for rules and lists beside it, whose claims it reads",
        "licence": f"Apache-2.0{known}",
        **learnt_from(sources),
    }


def options() -> argparse.ArgumentParser:
    """Return the command line; its defaults made the bundled model."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--teachers", nargs="+", default=["gte-en"], help="models of transformers")
    parser.add_argument("--encoder", type=Path, help="folder of a pre-trained encoder, for its pieces")
    parser.add_argument("--texts", type=Path, nargs="*", default=[], help="texts to fill, as JSON lines")
    parser.add_argument("--corpus", type=Path, default=ROOT / "corpus", help="notes with inline marks")
    parser.add_argument("--out", type=Path, help="folder of the model, or of scores.json")
    parser.add_argument("--fold", type=int, choices=range(FOLDS), help="measure on this fifth")
    parser.add_argument("--keep", type=Path, help="folder for the network of a fold")
    parser.add_argument("--scores", type=Path, help="scores.json of a fold, for the manifest")
    parser.add_argument("--bias", type=float, default=-0.5, help="of the model: below 0 it finds more")
    parser.add_argument("--notes", type=int, default=20_000, help="to make of corpus and texts")
    parser.add_argument("--width", type=int, default=96, help="of layers; above 128: wide-en")
    parser.add_argument("--steps", type=int, default=8_000, help="steps of fitting")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="to make notes with")
    parser.add_argument("--seed", type=int, default=0)
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Measure on a fold, or write the model."""
    asked = options().parse_args(given)
    from plainsight.train.convolutional.fit import Schedule

    schedule = Schedule(steps=asked.steps, seed=asked.seed)
    name = "conv-en" if asked.width <= 128 else "wide-en"
    documents = read_notes(asked.corpus, format="inline", patient_from_name=PATIENT)
    texts = [text for file in asked.texts for text in read_notes(file, format="jsonl")]
    encoder = asked.encoder and asked.encoder.resolve().name
    made = {
        "teachers": [Path(teacher).name for teacher in asked.teachers],
        "encoder": encoder,
        "notes": len(documents),
        "identifiers": sum(len(note.spans) for note in documents),
        "resampled": asked.notes,
        "texts": len(texts),
        **asdict(schedule),
    }
    if asked.fold is not None:
        sweep = measure(documents, texts, schedule, asked)
        out = asked.out or ROOT / "out" / name
        out.mkdir(parents=True, exist_ok=True)
        record = {**made, "folds": [asked.fold], "of": FOLDS, "sweep": sweep}
        (out / "scores.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
        print(table(sweep), out / "scores.json", sep="\n")
    else:
        out = asked.out or MODELS / name
        manifest = {**card(encoder, asked.texts), "training": made}
        manifest |= known_scores(asked.scores, asked.bias, out)
        train(documents, texts, out, schedule, asked, teachers=teachers_of(asked.teachers), manifest=manifest)
        print(f"{len(documents)} notes; {out}")


if __name__ == "__main__":
    main()
