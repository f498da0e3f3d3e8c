"""Count what annotated notes hold: words, identifiers by label, their shapes, the vocabulary."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from plainsight.document import Document

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_UPPER, _LOWER, _DIGIT = re.compile(r"[A-Z]+"), re.compile(r"[a-z]+"), re.compile(r"\d")
_MOST = 12  # shapes listed for each label


def shape(text: str) -> str:
    """Return the shape of a text: 9 for each digit, A and a for runs of capital and small letters.

    >>> shape("Dr. O'Neil, 3/14/2019"), shape("AB-0371x")
    ("Aa. A'Aa, 9/99/9999", 'A-9999a')
    """
    plain = "".join(c if c.isascii() else "A" if c.isupper() else "a" if c.isalpha() else c for c in text)
    return _LOWER.sub("a", _UPPER.sub("A", _DIGIT.sub("9", plain)))


@dataclass(slots=True)
class Counts:
    """How much there is of something."""

    notes: int = 0
    words: int = 0
    characters: int = 0
    identifiers: int = 0

    def add(self, document: Document, words: int) -> None:
        """Count one more note."""
        self.notes += 1
        self.words += words
        self.characters += len(document.text)
        self.identifiers += len(document.spans)

    def to_json(self) -> dict[str, int]:
        """Return the counts by name."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class Statistics:
    """Everything that is counted over notes; `add` one after the other."""

    total: Counts = field(default_factory=Counts)
    folders: dict[str, Counts] = field(default_factory=dict)
    per_note: list[int] = field(default_factory=list)
    labels: Counter[str] = field(default_factory=Counter)
    texts: dict[str, set[str]] = field(default_factory=dict)
    shapes: dict[str, Counter[str]] = field(default_factory=dict)
    vocabulary: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Statistics:
        """Count over notes."""
        statistics = cls()
        for document in documents:
            statistics.add(document)
        return statistics

    def add(self, document: Document) -> None:
        """Count one more note, under the first folder of its id as well."""
        found = _WORD.findall(document.text)
        words = len(document.text.split())
        self.vocabulary.update(map(str.casefold, found))
        self.per_note.append(len(document.spans))
        self.total.add(document, words)
        folder = document.id.partition("/")[0] if "/" in document.id else ""
        self.folders.setdefault(folder, Counts()).add(document, words)
        for span in document.spans:
            text = document.text[span.start : span.end]
            self.labels[span.label] += 1
            self.texts.setdefault(span.label, set()).add(text.casefold())
            self.shapes.setdefault(span.label, Counter())[shape(text)] += 1

    def to_json(self) -> dict[str, Any]:
        """Return every figure; of shapes the most frequent, and how many there are."""
        return {
            **self.total.to_json(),
            "notes_without_identifiers": self.per_note.count(0),
            "identifiers_per_note": {
                "mean": self.total.identifiers / self.total.notes if self.total.notes else None,
                "median": median(self.per_note) if self.per_note else None,
                "most": max(self.per_note, default=None),
            },
            "vocabulary": len(self.vocabulary),
            "folders": {name: counts.to_json() for name, counts in sorted(self.folders.items())},
            "labels": {
                label: {
                    "identifiers": count,
                    "texts": len(self.texts[label]),
                    "shapes": len(self.shapes[label]),
                    "frequent_shapes": dict(_ordered(self.shapes[label])[:_MOST]),
                }
                for label, count in _ordered(self.labels)
            },
        }


def _ordered(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
