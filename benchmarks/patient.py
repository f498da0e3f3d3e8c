"""Measure the patient detector and propagation on the longitudinal patients: recall, precision, speed.

    python benchmarks/patient.py [corpus/longitudinal] [--show LABEL] [--wrong]

Three rows of figures by label: the share of marked tokens that the record alone finds, the share of tokens
it claims that are marked at all, and the share that carry the mark's label; then what each record claims
wrongly in the notes of the other patients. Then what propagation adds: each
patient's marks are kept in the first note alone and spread to the others. Speeds are in CPU time, of the
notes repeated under patients of their own, so that every five notes a new record is compiled: dense as they
are, with an identifier every 27 characters, and usual, each followed by unmarked text to 10,000 characters.
Splitting those into words alone is the measure to compare with on another machine.
The notes are invented, so their text may be printed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from plainsight.combine.propagate import propagate
from plainsight.detect.patient import PatientRecord
from plainsight.detect.patient.view import look
from plainsight.document import Document, Patient, Span
from plainsight.formats.inline import parse

TOKEN = re.compile(r"[^\W_]+")


def read(folder: Path) -> list[Document]:
    documents = []
    for path in sorted(folder.glob("*.json")):
        patient = Patient.from_json(json.loads(path.read_text(encoding="utf-8")))
        for note in sorted(folder.glob(f"{path.stem}-*.txt")):
            text, spans = parse(note.read_text(encoding="utf-8"))
            documents.append(Document(note.stem, text, spans, patient.id, patient))
    return documents


def by_character(length: int, spans: Sequence[Span]) -> list[Span | None]:
    owners: list[Span | None] = [None] * length
    for span in sorted(spans, key=lambda span: span.score):
        owners[span.start : span.end] = [span] * (span.end - span.start)
    return owners


class Score:
    """Counts of tokens by label."""

    def __init__(self) -> None:
        self.gold, self.found = Counter[str](), Counter[str]()
        self.claimed, self.right, self.typed = Counter[str](), Counter[str](), Counter[str]()
        self.missed: list[tuple[str, str]] = []
        self.wrong: list[str] = []

    def add(self, document: Document, claims: Sequence[Span]) -> None:
        """Count the tokens of one document."""
        text = document.text
        gold, system = by_character(len(text), document.spans), by_character(len(text), claims)
        for token in TOKEN.finditer(text):
            start, end = token.span()
            mark, claim = (
                next(filter(None, gold[start:end]), None),
                next(filter(None, system[start:end]), None),
            )
            line = f"{document.id}: {text[max(0, start - 50) : start]}>>{token[0]}<<{text[end : end + 40]}"
            line = line.replace("\n", "\\n")
            if mark:
                self.gold[mark.label] += 1
                found = all(s for g, s in zip(gold[start:end], system[start:end], strict=True) if g)
                self.found[mark.label] += found
                if not found:
                    self.missed.append((mark.label, line))
            if claim:
                self.claimed[claim.label] += 1
                self.right[claim.label] += mark is not None
                self.typed[claim.label] += mark is not None and mark.label == claim.label
                if mark is None:
                    self.wrong.append(f"{claim.label} {claim.source} {claim.score:.2f} {line}")

    def print(self) -> None:
        """Print a row for each label."""
        print(f"{'label':16}{'gold':>7}{'recall':>8}{'claimed':>9}{'precision':>11}{'right label':>13}")
        for label in [*sorted(self.gold | self.claimed, key=lambda label: -self.gold[label]), "all"]:
            chosen = list(self.gold | self.claimed) if label == "all" else [label]
            gold, found, claimed, right, typed = (
                sum(counter[name] for name in chosen)
                for counter in (self.gold, self.found, self.claimed, self.right, self.typed)
            )
            shares = [ratio(found, gold), ratio(right, claimed), ratio(typed, claimed)]
            print(f"{label:16}{gold:7}{shares[0]:>8}{claimed:9}{shares[1]:>11}{shares[2]:>13}")


def ratio(part: int, whole: int) -> str:
    return f"{part / whole:.4f}" if whole else "n/a"


def speed(work: Callable[[], object], characters: int) -> float:
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return characters / best / 1e6


def repeated(documents: Sequence[Document], times: int) -> list[Document]:
    copies = []
    for number in range(times):
        for document in documents:
            assert document.patient is not None
            patient_id = f"{document.patient_id}/{number}"
            patient = replace(document.patient, id=patient_id)
            copies.append(replace(document, patient_id=patient_id, patient=patient))
    return copies


def padded(documents: Sequence[Document], others: Path) -> list[Document]:
    """Return the documents, each followed by unmarked notes, so that identifiers are as rare as usual."""
    plain = "\n\n".join(parse(path.read_text(encoding="utf-8"))[0] for path in sorted(others.glob("*/*.txt")))
    size = min(8000, len(plain))
    starts = range(0, len(documents) * 1000, 1000)
    return [
        replace(document, text=document.text + plain[start % (len(plain) - size + 1) :][:size])
        for document, start in zip(documents, starts, strict=True)
    ]


def large(identifiers: int, characters: int) -> Document:
    """Return one note with many distinct identifiers, each marked once, in a lot of other text."""
    letters = "bcdfghjklmnpqrstvwxz"
    pieces, spans, at = [], [], 0
    for number in range(identifiers):
        syllables = letters[number % 20].upper(), letters[number // 20 % 20], letters[number // 400 % 20]
        name = f"{syllables[0]}a{syllables[1]}o{syllables[2]}ek{'abcdefgh'[number // 8000]}"
        pieces.append(f"Seen by Dr. {name}, code {1000003 + number * 37}.\n")
        spans += [
            Span(at + 12, at + 12 + len(name), "DOCTOR"),
            Span(at + 19 + len(name), at + 26 + len(name), "IDNUM"),
        ]
        at += len(pieces[-1])
    filler = "The patient was seen and examined; 120 mg given twice daily without complaint.\n" * 20
    while at < characters:
        pieces.append(filler + pieces[len(pieces) % identifiers])
        at += len(pieces[-1])
    return Document("large", "".join(pieces), tuple(spans))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", type=Path, nargs="?", default=Path("corpus/longitudinal"))
    parser.add_argument("--show", metavar="LABEL", help="list missed tokens of this label")
    parser.add_argument("--wrong", action="store_true", help="list wrongly claimed tokens")
    parser.add_argument(
        "--large", action="store_true", help="also spread 10,000 identifiers in a note of 50 MB"
    )
    parser.add_argument("--json", type=Path, help="write the figures here too")
    arguments = parser.parse_args()
    documents = read(arguments.notes)
    if not documents:
        sys.exit("no patients there")

    detector = PatientRecord()
    record, spread = Score(), Score()
    for document, claims in zip(documents, detector.detect(documents), strict=True):
        record.add(document, claims)
    print(f"patient: {len(documents)} notes")
    record.print()

    strangers, size = Score(), 0
    for patient in dict.fromkeys(document.patient for document in documents):
        others = [replace(d, patient=patient) for d in documents if d.patient != patient]
        size += sum(len(document.text) for document in others)
        for document, claims in zip(others, detector.detect(others), strict=True):
            strangers.add(document, claims)
    print(f"\nwrong tokens for each MB of other patients' notes: {len(strangers.wrong) / size * 1e6:.1f}")

    first = {document.patient_id: document.id for document in reversed(documents)}
    seeded = [
        replace(
            d, spans=tuple(replace(s, source="gold") for s in d.spans) if first[d.patient_id] == d.id else ()
        )
        for d in documents
    ]
    for document, after in zip(documents, propagate(seeded), strict=True):
        if first[document.patient_id] != document.id:
            spread.add(document, after.spans)
    print("\npropagate: marks of each patient's first note, found in the others")
    spread.print()
    for name, score in (("patient", record), ("strangers", strangers), ("propagate", spread)):
        if arguments.show:
            print(
                *(f"{name} missed {line}" for label, line in score.missed if label == arguments.show),
                sep="\n",
            )
        if arguments.wrong:
            print(*(f"{name} wrong {line}" for line in score.wrong), sep="\n")

    dense = repeated(documents, 20)
    usual = padded(dense[: len(dense) // 2], arguments.notes.parent)
    sizes = [sum(len(document.text) for document in notes) for notes in (dense, usual)]
    figures = {
        "words alone, MB/s": speed(lambda: [set(look(d.text).flat.split()) for d in usual], sizes[1]),
        "patient, dense, MB/s": speed(lambda: detector.detect(dense), sizes[0]),
        "patient, usual, MB/s": speed(lambda: detector.detect(usual), sizes[1]),
        "propagate, dense, MB/s": speed(lambda: propagate(dense), sizes[0]),
        "propagate, usual, MB/s": speed(lambda: propagate(usual), sizes[1]),
        "precision": record.right.total() / record.claimed.total(),
        "recall": record.found.total() / record.gold.total(),
    }
    if arguments.large:
        note = large(10_000, 50_000_000)
        start = time.process_time()
        propagate([note])
        figures["propagate, large, MB/s"] = len(note.text) / (time.process_time() - start) / 1e6
    print()
    for name, figure in figures.items():
        print(f"{name:24}{figure:8.3f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
