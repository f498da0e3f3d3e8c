"""Resample: the same note with other people, places and dates, and exact labels.

The surrogate engine makes a few variants of every note, each consistent in itself. A resampled note takes its
names from one variant, its places from another, and so on, which gives very many notes at the cost of joining
text. Half of the identifiers for which other notes have one in a similar place are borrowed from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random

from plainsight.document import Document, Span
from plainsight.lab.synth.borrow import Lender
from plainsight.lab.synth.pieces import Piece, Pieces, cut, joined
from plainsight.lab.synth.realistic import realistic
from plainsight.labels import CATEGORIES, CATEGORY_OF
from plainsight.replace.surrogate.operation import Surrogate

_KEPT = 500_000  # texts, all worlds together: some 50 MB
_LONGEST_SHIFT = 9_000  # days: 24 years to either side
_BORROWED = 0.5  # of the identifiers for which other notes have something
_PLACE_OF = {category: place for place, category in enumerate(CATEGORIES)}
_OTHER = _PLACE_OF["ID"]


class Resampler:
    """Make new notes of annotated ones; the same seed gives the same notes.

    Each visit to a note adds one world to it, until it has ``variants`` of them, or all notes together have
    as many as can be kept. Notes may be added at the end of ``documents`` at any time. A ``lender`` knows
    what other notes have in the place of an identifier.
    """

    def __init__(
        self, documents: Sequence[Document], *, lender: Lender | None = None, variants: int = 8, seed: int = 0
    ) -> None:
        self.documents = documents
        self.lender = lender
        self.variants = variants
        self.seed = seed
        self._cut: dict[int, tuple[Pieces, list[int]]] = {}
        self._worlds: dict[int, list[list[str]]] = {}
        self._held = 0

    def notes(self) -> Iterator[Document]:
        """Yield resampled notes without end, every authored note once before any comes again."""
        random = Random(self.seed)
        for place, turn in self.turns(random):
            yield self.note(place, random, name=f"{self.documents[place].id}~{turn}")

    def note(self, place: int, random: Random, *, name: str) -> Document:
        """Return one note made anew, under a name."""
        return joined(self.pieces(place, random), name)

    def turns(self, random: Random) -> Iterator[tuple[int, int]]:
        """Yield places of notes without end, all of them in a new order at each turn, and the turn."""
        turn = 0
        while self.documents:
            for place in random.sample(range(len(self.documents)), len(self.documents)):
                yield place, turn
            turn += 1

    def draw(self, random: Random) -> Pieces:
        """Return any note made anew."""
        return self.pieces(random.randrange(len(self.documents)), random)

    def pieces(self, place: int, random: Random) -> Pieces:
        """Return one note made anew."""
        pieces, kinds = self._cuts(place)
        worlds = self._known(place)
        chosen = [random.choice(worlds) for _ in _PLACE_OF]
        made: Pieces = []
        number = 0
        for piece in pieces:
            if not piece.label:
                made.append(piece)
                continue
            made.append(Piece(chosen[kinds[number]][number], piece.label))
            number += 1
        return made

    def _cuts(self, place: int) -> tuple[Pieces, list[int]]:
        """Return a note's pieces, and for each identifier the place of its category."""
        known = self._cut.get(place)
        if known is None:
            document = self.documents[place]
            kinds = [_PLACE_OF.get(CATEGORY_OF.get(span.label, ""), _OTHER) for span in document.spans]
            known = self._cut[place] = cut(document), kinds
        return known

    def _known(self, place: int) -> list[list[str]]:
        """Return the worlds of a note, one more than at the last visit."""
        worlds = self._worlds.setdefault(place, [])
        if not worlds or (len(worlds) < self.variants and self._held < _KEPT):
            worlds.append(self._world(place, len(worlds)))
            self._held += len(worlds[-1])
        return worlds

    def _world(self, place: int, variant: int) -> list[str]:
        """Return other texts for a note's identifiers, the same for the same."""
        document = self.documents[place]
        key = sha256(f"resample {self.seed} {variant}".encode()).digest()
        (surrogates,) = Surrogate(key=key, max_shift=_LONGEST_SHIFT).replace([document])
        random = Random(f"lifelike {self.seed} {variant} {document.id}")
        known: dict[tuple[str, str], str] = {}
        made = []
        for span, surrogate in zip(document.spans, surrogates, strict=True):
            if (span.label, surrogate) not in known:
                known[span.label, surrogate] = self._other(document.text, span, surrogate, random)
            made.append(known[span.label, surrogate])
        return made

    def _other(self, text: str, span: Span, surrogate: str, random: Random) -> str:
        """Return what stands in the place of an identifier: its surrogate, or what other notes have there."""
        lent = self.lender.lend(text, span, random) if self.lender else None
        if lent and random.random() < _BORROWED:
            return lent
        if self.lender and not lent and span.label == "PROFESSION":
            return text[span.start : span.end]  # what is done with or to something: no job of a list fits
        return realistic(span.label, surrogate, random)
