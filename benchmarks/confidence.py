"""Cross-validate a CRF on marked notes and ask whether its confidence in a note goes with the note's F (S49).

    python benchmarks/confidence.py [NOTES] [--folds 5] [--iterations 40] [--most 200] [--bias 0]

Prints Spearman's rank correlation with each held-out note's F over phrases: of the labelling's
log-probability, of its expected F, and of the note's length alone. Fragments are left out: they are no notes.
A patient's notes (``p1-01``, ``p1-02``) stay together; which notes are taken follows from their names.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from pathlib import Path

from plainsight.document import Document
from plainsight.evaluate.confidence import perfect_prefix
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import score
from plainsight.evaluate.statistics import spearman
from plainsight.formats.inline import parse
from plainsight.lab.detect.crf import Crf
from plainsight.lab.train.bias import fold_of
from plainsight.lab.train.crf import train_crf


def read(folder: Path, most: int) -> list[Document]:
    """Return so many notes."""
    notes = []
    for path in folder.rglob("*.txt"):
        name = path.relative_to(folder).as_posix()
        if "fragments" not in path.parts:
            text, spans = parse(path.read_text(encoding="utf-8"))
            notes.append(Document(name, text, spans, patient_id=name.split("-")[0]))
    return sorted(notes, key=lambda note: hashlib.sha256(note.id.encode()).hexdigest())[:most]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", type=Path, nargs="?", default=Path("corpus"))
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--most", type=int, default=200)
    parser.add_argument("--bias", type=float, default=0.0)
    arguments = parser.parse_args()
    notes = read(arguments.notes, arguments.most)
    fold = fold_of(notes, arguments.folds)
    pairs: list[Pair] = []
    said: dict[str, list[float]] = {"log-probability": [], "expected F": [], "shortness": []}
    for number in range(arguments.folds):
        taught = [note for note, its in zip(notes, fold, strict=True) if its != number]
        held = [note for note, its in zip(notes, fold, strict=True) if its == number]
        with tempfile.TemporaryDirectory() as folder:
            train_crf(taught, Path(folder, "m"), iterations=arguments.iterations, bias=arguments.bias)
            detector = Crf(model=str(Path(folder, "m")))
            found = detector.detect(held)
            said["log-probability"] += detector.confidence(held)
            said["expected F"] += detector.expected_f(held)
        said["shortness"] += [-float(len(note.text)) for note in held]
        pairs += [
            Pair(note.id, note.text, note.spans, tuple(spans))
            for note, spans in zip(held, found, strict=True)
        ]
    scores = score(pairs, "strict")
    known = [(place, f) for place, tally in enumerate(scores.by_note) if (f := tally.f) is not None]
    fs = [f for _, f in known]
    made: dict[str, object] = {"notes": len(known), "F": scores.micro.f}
    for name, values in said.items():
        chosen = [values[place] for place, _ in known]
        made[name] = {"spearman": spearman(chosen, fs), "perfect prefix": perfect_prefix(chosen, fs)}
    print(json.dumps(made, indent=2))


if __name__ == "__main__":
    main()
