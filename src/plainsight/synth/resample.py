"""Resample: the same note about somebody else, somewhere else, at another time, with its labels exact.

The surrogate engine makes a few variants of every identifier of a note, each variant a whole world in which
the note's people, places and dates agree. A resampled note takes its names from one variant, its places from
another, and so on: as many different notes as variants to the power of kinds, at the cost of joining text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from random import Random

from plainsight.document import Document, Span
from plainsight.labels import CATEGORY_OF
from plainsight.replace.surrogate.operation import Surrogate

__all__ = ["Resampler"]


class Resampler:
    """Make new notes of annotated ones; the same seed gives the same notes."""

    def __init__(self, documents: Sequence[Document], *, variants: int = 12, seed: int = 0) -> None:
        self.documents = documents
        self.variants = variants
        self.seed = seed
        self._worlds: dict[tuple[int, int], list[str]] = {}

    def notes(self) -> Iterator[Document]:
        """Yield resampled notes without end, every authored note once before any comes again."""
        random = Random(self.seed)
        round_ = 0
        while self.documents:
            for place in random.sample(range(len(self.documents)), len(self.documents)):
                yield self.note(place, random, name=f"{self.documents[place].id}~{round_}")
            round_ += 1

    def note(self, place: int, random: Random, *, name: str) -> Document:
        """Return one note made anew."""
        document = self.documents[place]
        chosen = {category: random.randrange(self.variants) for category in _KINDS}
        made = [
            self._world(place, chosen[CATEGORY_OF.get(span.label, "ID")])[number]
            for number, span in enumerate(document.spans)
        ]
        return rewritten(document, made, name=name)

    def _world(self, place: int, variant: int) -> list[str]:
        """Return the surrogates of a note's spans in one variant, computed when first asked for."""
        known = self._worlds.get((place, variant))
        if known is None:
            key = sha256(f"resample {self.seed} {variant}".encode()).digest()
            (known,) = Surrogate(key=key, max_shift=9_000).replace([self.documents[place]])
            self._worlds[place, variant] = known
        return known


_KINDS = tuple(dict.fromkeys(CATEGORY_OF.values()))


def rewritten(document: Document, replacements: Sequence[str], *, name: str) -> Document:
    """Return a note with other texts for its spans, and its spans where they now stand."""
    pieces: list[str] = []
    spans: list[Span] = []
    last = length = 0
    for span, after in zip(document.spans, replacements, strict=True):
        before = document.text[last : span.start]
        pieces += before, after
        length += len(before)
        if after:
            spans.append(Span(length, length + len(after), span.label))
        length += len(after)
        last = span.end
    pieces.append(document.text[last:])
    return replace(document, id=name, text="".join(pieces), spans=tuple(spans), patient=None)
