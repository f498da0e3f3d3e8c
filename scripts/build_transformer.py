"""Train the bundled transformer, gte-en, on the corpus. Meant for a GPU; without one it takes very long.

    python scripts/build_transformer.py --encoder gte-small --texts *.gz --cross-validate --keep out/gte
    python scripts/build_transformer.py --encoder gte-small --texts *.gz --out out/gte
    python scripts/build_transformer.py --encoder gte-small --texts *.gz --teachers out/gte/fold-{} --fold 0
    python scripts/build_transformer.py --encoder gte-small --texts *.gz --teachers out/gte

``--encoder`` is the folder of a pre-trained BERT or RoBERTa: config.json, tokenizer.json and weights.
``--texts`` are clinical texts without labels, as JSON lines. ``--teachers`` are models of transformers: the
mean of their probabilities is learnt beside the marks, and alone from the texts as they are; ``{}`` in their
names is the number of the fold.

Notes of the corpus are resampled, texts filled with identifiers, and both disturbed. The encoder goes on
reading: it guesses hidden pieces of the texts and of some notes. Then it learns to label all notes, told what
rules and lists claim. With ``--fold``, a fifth of the corpus is kept from all of this and labelled by the
network as it would ship, in bytes, at several biases; the figures are printed and go into scores.json;
``--cross-validate`` does so for each fifth, and ``--keep`` keeps the networks. Figures are honest only if the
teachers have not seen that fifth either. Without either, the model is written. ``--scores`` puts the figures
of a fold into its manifest; else those that it had stay.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from plainsight.detect import learned
from plainsight.detect.convolution import Convolution
from plainsight.detect.transformer import Transformer
from plainsight.detect.transformer.pieces import piece_maker
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.evaluate.gold import read_notes
from plainsight.evaluate.leaks import leaks
from plainsight.evaluate.pairs import Pair
from plainsight.model import read_manifest
from plainsight.train.bias import fold_of
from plainsight.train.scores import scores
from plainsight.train.transformer import WINDOW, save_transformer
from transformer_notes import NAMES, TAGS, Pupil, prepare

if TYPE_CHECKING:  # PyTorch is loaded where it is used: the processes that make notes need none
    from plainsight.train.checkpoints import Pretrained
    from plainsight.train.encoder import Encoder

ROOT = Path(__file__).resolve().parents[1]
MODEL = ROOT / "src" / "plainsight" / "data" / "models" / "gte-en"
MEASURED = ROOT / "out" / "gte-en"
PATIENT = r"^longitudinal/([^-/]+)-"
FOLDS = 5
BIASES = (0.0, -0.5, -1.0, -1.5, -2.0, -2.5, -3.0)
ADAPT_RATE, ADAPT_NOTES = 2e-4, 3_000
SIZES = (WINDOW, WINDOW, 96)  # of the windows that it learns by: some are short, as a cascade shows them

LICENCES = {"gte-small": "the MIT licence", "granite-embedding-30m-english": "the Apache licence 2.0"}
TEXTS = {
    "mtsamples": "MTSamples transcriptions",
    "aci-bench": "ACI-BENCH (CC BY 4.0)",
    "mts-dialog": "MTS-Dialog (CC BY 4.0)",
}


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How to train; the bundled model had the defaults' steps in stages, see its card."""

    resampled: int = 25_500
    adapted: int = 800
    steps: int = 8_700
    batch: int = 64
    rate: float = 1e-4
    masked: float = 0.1
    seed: int = 0


def train(
    notes: Sequence[Document],
    texts: Sequence[Document],
    pretrained: Pretrained,
    recipe: Recipe,
    *,
    teachers: Sequence[str],
    processes: int,
) -> Encoder:
    """Return the encoder, adapted to clinical text and fitted to the notes and to what teachers say."""
    import torch

    from plainsight.train.adapt import adapt
    from plainsight.train.fitting import Lesson, Schedule, fit, lot_of

    began, seed, mask = time.monotonic(), recipe.seed, pretrained.mask

    def say(what: str, step: int, loss: float) -> None:
        if step % 100 == 0:
            print(f"{what} {step}: {loss:.4f}, {time.monotonic() - began:.0f} s", flush=True)

    pupil = Pupil(pretrained.cut, dict(pretrained.words), teachers)
    lessons, bare = prepare(notes, texts, pupil, count=recipe.resampled, seed=seed, processes=processes)
    print(f"{len(lessons)} notes and {len(bare)} texts, {time.monotonic() - began:.0f} s", flush=True)
    make = piece_maker(pretrained.cut, pretrained.words)
    torch.manual_seed(seed)
    network = pretrained.encoder(tags=len(TAGS), claims=len(NAMES))
    adapt(
        network,
        [lesson.reading for lesson in (*bare, *lessons[:ADAPT_NOTES])],
        make,
        mask_piece=mask,
        steps=recipe.adapted,
        batch=recipe.batch,
        size=WINDOW,
        rate=ADAPT_RATE,
        seed=seed,
        progress=partial(say, "reading on"),
    )
    told = [text._replace(tags=text.said.argmax(1)) for text in bare if text.said is not None]
    taught = [Lesson(*lesson) for lesson in (*lessons, *told)]
    Random(seed).shuffle(taught)
    lots = [
        lot_of(taught[place :: len(SIZES)], make, size=size, random=Random(seed))
        for place, size in enumerate(SIZES)
    ]
    batch = min(recipe.batch, *map(len, lots))
    schedule = Schedule(steps=recipe.steps, batch=batch, rate=recipe.rate, masked=recipe.masked, seed=seed)
    weights = fit(network, cycle(lots), schedule, mask_piece=mask, progress=partial(say, "fitting"))
    network.load_state_dict(weights)
    return network


def labelled(notes: Sequence[Document], detector: Transformer | Convolution) -> dict[float, list[list[Span]]]:
    """Return what a network finds in notes at each bias; it runs once."""
    claims = learned.claims_of(detector.needs, notes)
    told = [detector.scores(note, said) for note, said in zip(notes, claims, strict=True)]
    return {bias: learned.labelled(told, TAGS, bias=bias, source=detector.name) for bias in BIASES}


def measure(
    documents: Sequence[Document],
    texts: Sequence[Document],
    pretrained: Pretrained,
    recipe: Recipe,
    *,
    folds: Sequence[int],
    teachers: Sequence[str],
    processes: int,
    keep: Path | None = None,
) -> list[dict[str, Any]]:
    """Return figures at each bias over the notes of the folds, labelled by networks that never saw them."""
    held: list[Document] = []
    found: dict[float, list[list[Span]]] = defaultdict(list)
    theirs = {number: teachers_of(teachers, number) for number in folds}  # all are there before hours go by
    for number, its in theirs.items():
        learnt, apart = parted(documents, number)
        network = train(learnt, texts, pretrained, recipe, teachers=its, processes=processes)
        with tempfile.TemporaryDirectory() as scratch:
            folder = keep / f"fold-{number}" if keep else Path(scratch)
            save_transformer(network, pretrained, folder, manifest=shape(bias=0.0))
            for bias, spans in labelled(apart, Transformer(model=str(folder))).items():
                found[bias] += spans
        held += apart
    return [{"bias": bias, **figures(held, spans)} for bias, spans in found.items()]


def parted(documents: Sequence[Document], number: int) -> tuple[list[Document], list[Document]]:
    """Return notes to learn from and the fold to measure on; a patient's notes stay together."""
    parts: tuple[list[Document], list[Document]] = ([], [])
    for note, its in zip(documents, fold_of(documents, FOLDS), strict=True):
        parts[its == number].append(note)
    learnt, apart = map(len, parts)
    print(f"fold {number}: {learnt} notes to learn from, {apart} to measure on", flush=True)
    return parts


def teachers_of(names: Sequence[str], fold: int | None = None) -> list[str]:
    """Return the models that teach, those of a fold if it is given; they know the tags that we teach."""
    teachers = [name if fold is None else name.replace("{}", str(fold)) for name in names]
    for teacher in teachers:
        if read_manifest(teacher).get("tags") != TAGS:
            raise UsageError(f"{teacher}: a teacher has all our labels, in BIO")
    return teachers


def figures(notes: Sequence[Document], found: Sequence[Sequence[Span]]) -> dict[str, Any]:
    """Return precision, recall and F, and the share of notes in which nothing was missed."""
    both = zip(notes, found, strict=True)
    clean = leaks([Pair(note.id, note.text, note.spans, tuple(spans)) for note, spans in both]).clean_share
    return {**scores(notes, found), "clean_share": None if clean is None else round(clean, 4)}


def table(sweep: Sequence[Mapping[str, Any]]) -> str:
    """Return the figures of each bias as a table."""
    lines = ["| bias | token recall | precision | F | strict F | notes without a leak |", "|---" * 6 + "|"]
    for its in sweep:
        token = its["binary-token"]
        row = (token["recall"], token["precision"], token["f"], its["strict"]["f"], its["clean_share"])
        cells = ["n/a" if cell is None else f"{cell:.4f}" for cell in row]
        lines.append(f"| {its['bias']:g} | {' | '.join(cells)} |")
    return "\n".join(lines)


def shape(*, bias: float) -> dict[str, Any]:
    """Return what the manifest must say for the network to run."""
    return {"labels": NAMES, "tags": TAGS, "claims": NAMES, "bias": bias}


def card(*, encoder: str, layers: int, sources: Sequence[Path]) -> dict[str, str]:
    """Return what the manifest says of the model in words."""
    return {
        "description": f"English clinical notes; an encoder of {layers} layers, "
        "for rules and lists beside it, whose claims it reads",
        "licence": f"Apache-2.0; fine-tuned from {encoder}, whose weights are under {licence(encoder)}",
        **learnt_from(sources),
    }


def licence(encoder: str) -> str:
    """Return what an encoder's weights are under."""
    return LICENCES.get(encoder, "a licence of their own")


def learnt_from(sources: Sequence[Path]) -> dict[str, str]:
    """Return what a manifest says of the notes, and of what they therefore did not teach."""
    named = [TEXTS.get(source.name.partition(".")[0], source.name) for source in sources]
    filled = f"; and, with identifiers filled in, {', '.join(named)}" if named else ""
    return {
        "data": f"the notes of corpus/, written by hand for this project, resampled{filled}",
        "limits": "notes unlike the corpus's, other languages; it has seen few BIOID, URL and IPADDR",
    }


def known_scores(file: Path | None, bias: float, out: Path) -> dict[str, Any]:
    """Return the scores for a manifest: those of a fold at this bias, or those that the model had."""
    if file is None:
        had = read_manifest(out) if (out / "manifest.json").is_file() else {}
        return {"scores": had["scores"]} if "scores" in had else {}
    sweep = json.loads(file.read_text(encoding="utf-8"))["sweep"]
    for its in sweep:
        if its["bias"] == bias:
            return {"scores": {name: value for name, value in its.items() if name != "bias"}}
    raise UsageError(f"{file}: no scores at a bias of {bias}")


def options() -> argparse.ArgumentParser:
    """Return the command line."""
    usual = Recipe()
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--encoder", type=Path, required=True, help="folder of a pre-trained encoder")
    parser.add_argument("--texts", type=Path, nargs="*", default=[], help="texts to fill, as JSON lines")
    parser.add_argument("--teachers", nargs="+", default=[], help="models of transformers to learn from")
    parser.add_argument("--corpus", type=Path, default=ROOT / "corpus", help="notes with inline marks")
    parser.add_argument("--out", type=Path, help="folder of the model, or of scores.json")
    folds = parser.add_mutually_exclusive_group()
    folds.add_argument("--fold", type=int, choices=range(FOLDS), help="measure on this fifth")
    folds.add_argument("--cross-validate", action="store_true", help="measure on every fifth")
    parser.add_argument("--keep", type=Path, help="folder to keep the folds' networks in, to teach others")
    parser.add_argument("--scores", type=Path, help="scores.json of a fold, for the manifest")
    parser.add_argument("--bias", type=float, default=-0.5, help="of the model: below 0 it finds more")
    parser.add_argument("--notes", type=int, default=usual.resampled, help="to make of corpus and texts")
    parser.add_argument("--adapted", type=int, default=usual.adapted, help="steps of reading on")
    parser.add_argument("--steps", type=int, default=usual.steps, help="steps of fitting")
    parser.add_argument("--rate", type=float, default=usual.rate, help="of fitting")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="to make notes with")
    parser.add_argument("--seed", type=int, default=usual.seed)
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Measure on folds, or write the model."""
    asked = options().parse_args(given)
    from plainsight.train.checkpoints import read_pretrained

    recipe = Recipe(
        resampled=asked.notes, adapted=asked.adapted, steps=asked.steps, rate=asked.rate, seed=asked.seed
    )
    documents = read_notes(asked.corpus, format="inline", patient_from_name=PATIENT)
    texts = [text for file in asked.texts for text in read_notes(file, format="jsonl")]
    pretrained, encoder = read_pretrained(asked.encoder), asked.encoder.resolve().name
    counts = {"notes": len(documents), "identifiers": sum(len(note.spans) for note in documents)}
    names = [Path(teacher).name for teacher in asked.teachers]
    made = {"teachers": names, "encoder": encoder, **counts, "texts": len(texts), **asdict(recipe)}

    if asked.cross_validate or asked.fold is not None:
        folds = range(FOLDS) if asked.cross_validate else [asked.fold]
        how = {"folds": folds, "teachers": asked.teachers, "processes": asked.processes, "keep": asked.keep}
        sweep = measure(documents, texts, pretrained, recipe, **how)
        out = asked.out or MEASURED
        out.mkdir(parents=True, exist_ok=True)
        record = {**made, "folds": list(folds), "of": FOLDS, "sweep": sweep}
        (out / "scores.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
        print(table(sweep), out / "scores.json", sep="\n")
    else:
        out = asked.out or MODEL
        words = card(encoder=encoder, layers=pretrained.measures["layers"], sources=asked.texts)
        manifest = {**words, **shape(bias=asked.bias), "training": made}
        manifest |= known_scores(asked.scores, asked.bias, out)
        teachers = teachers_of(asked.teachers)
        network = train(documents, texts, pretrained, recipe, teachers=teachers, processes=asked.processes)
        save_transformer(network, pretrained, out, manifest=manifest)
        print(f"{len(documents)} notes; {out}")


if __name__ == "__main__":
    main()
