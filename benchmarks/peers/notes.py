"""The notes of the race: about 500 words each, with as many identifiers as real notes have."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, pairwise
from pathlib import Path

from plainsight.document import Document, Span
from plainsight.evaluate.read_notes import read_notes

WORDS = 500
WORDS_PER_IDENTIFIER = 34.0
"""One identifier in 34 words, as in the i2b2-2014 corpus."""

Line = tuple[str, list[Span]]


def synthesised(folder: Path, work: Path, *, sources: int, seed: int) -> list[Document]:
    """Return the notes of a folder with other identifiers, made by ``plainsight synth`` without noise."""
    out = work / f"synth-{folder.name}-{sources}-{seed}.jsonl"
    if not out.exists():
        command = ["synth", str(folder), "-o", str(out), "--notes", str(sources), "--seed", str(seed)]
        options = ["--noise", "0", "--format", "inline"]
        subprocess.run(
            [sys.executable, "-m", "plainsight", *command, *options], check=True, capture_output=True
        )
    return read_notes(out)


def of_one_length(documents: Sequence[Document], count: int, *, words: int = WORDS) -> list[Document]:
    """Return notes of about this many words, each made of successive lines of others.

    As soon as a note has the identifiers of a real one, lines without identifiers fill it.
    """
    enough = words / WORDS_PER_IDENTIFIER
    every = [line for document in documents for line in _lines(document)]
    lines, clean = cycle(every), cycle([line for line in every if line[0].strip() and not line[1]])
    made = []
    for number in range(count):
        note: list[Line] = []
        size = identifiers = 0
        while size < words:
            note.append(next(lines if identifiers < enough else clean))
            size += len(note[-1][0].split())
            identifiers += len(note[-1][1])
        made.append(_joined(f"{number:05}", note))
    return made


def _lines(document: Document) -> list[Line]:
    """Return the lines of a note with their spans; lines that a span joins stay together."""
    cuts = [at + 1 for at, char in enumerate(document.text) if char == "\n"]
    whole = [cut for cut in cuts if not any(span.start < cut < span.end for span in document.spans)]
    edges = [0, *whole, len(document.text)]
    return [
        (
            document.text[start:end].removesuffix("\n"),
            [
                replace(s, start=s.start - start, end=s.end - start)
                for s in document.spans
                if start <= s.start < end
            ],
        )
        for start, end in pairwise(edges)
        if start < end
    ]


def _joined(name: str, lines: Sequence[Line]) -> Document:
    spans: list[Span] = []
    at = 0
    for text, marks in lines:
        spans += [replace(span, start=span.start + at, end=span.end + at) for span in marks]
        at += len(text) + 1
    return Document(name, "\n".join(text for text, _ in lines), tuple(spans))


def write_texts(path: Path, documents: Sequence[Document]) -> None:
    """Write ids and texts, without the gold spans, as JSON lines."""
    lines = (json.dumps({"id": document.id, "text": document.text}) + "\n" for document in documents)
    path.write_text("".join(lines), encoding="utf-8")
