"""Small annotated notes for the tests of experiments, and a trainer that learns in no time."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plainsight.document import Document, Span
from plainsight.formats.inline import parse

NAMES = (
    "Maria Lopez", "John Carter", "Amy Wong", "Peter Novak", "Grace Hill", "Omar Haddad",
    "Lucy Brown", "Ivan Petrov", "Nina Rossi", "Tom Baker", "Sara Klein", "Paul Green",
)  # fmt: skip


def notes(count: int, prefix: str = "n", *, patients: int | None = None) -> list[Document]:
    """Return notes that differ in names and dates; ``patients`` share them in turn."""
    made = []
    for number in range(count):
        name = NAMES[number % len(NAMES)]
        surname = name.split()[1]
        doctor, month, line = NAMES[(number + 5) % len(NAMES)], number % 12 + 1, number % 90 + 10
        text, spans = parse(
            f"Note {prefix}{number}. Patient {{{{PATIENT|{name}}}}} was seen on {{{{DATE|{month}/14/2019}}}} "
            f"by Dr. {{{{DOCTOR|{doctor}}}}}. No acute distress. Mr. {{{{PATIENT|{surname}}}}} will call "
            f"{{{{PHONE|617-555-01{line}}}}}."
        )
        owner = f"p{number % patients}" if patients else None
        made.append(Document(f"{prefix}{number}", text, tuple(spans), patient_id=owner))
    return made


def write_inline(folder: Path, documents: Sequence[Document]) -> Path:
    """Write notes in inline markup, one file each."""
    folder.mkdir(parents=True)
    for document in documents:
        text, last = "", 0
        for span in document.spans:
            text += document.text[last : span.start]
            text += f"{{{{{span.label}|{document.text[span.start : span.end]}}}}}"
            last = span.end
        (folder / f"{document.id}.txt").write_text(text + document.text[last:], encoding="utf-8")
    return folder


TRAINED: list[tuple[int, dict[str, Any]]] = []
"""What the word list was trained with, run by run: the number of notes and the settings."""


def train_words(
    documents: Sequence[Document], folder: Path, *, labels: str = "all", seed: int = 0, shout: bool = False
) -> None:
    """Learn the identifiers of the notes by heart."""
    TRAINED.append((len(documents), {"labels": labels, "seed": seed}))
    print("training: this must not reach stdout")
    folder.mkdir(parents=True, exist_ok=True)
    words = {
        document.text[span.start : span.end]: span.label
        for document in documents
        for span in document.spans
        if labels in ("all", span.label)
    }
    (folder / "manifest.json").write_text(json.dumps(words), encoding="utf-8")


class Words:
    """Find what was learnt by heart."""

    name = "words"
    labels = frozenset(("PATIENT", "DOCTOR", "DATE", "PHONE"))

    def __init__(self, *, model: str, bias: float = 0.0) -> None:
        self.model = model
        self.bias = bias

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        words = json.loads((Path(self.model) / "manifest.json").read_text(encoding="utf-8"))
        if self.bias > 0:  # above 0 less is found
            words = {word: label for word, label in words.items() if label == "DATE"}
        longest_first = sorted(words, key=len, reverse=True)
        known = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)")
        return [
            [Span(*hit.span(), words[hit[0]]) for hit in known.finditer(document.text)]
            for document in documents
        ]
