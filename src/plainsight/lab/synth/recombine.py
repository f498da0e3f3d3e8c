"""Recombine: put parts of other notes, with their labels, before, into and behind a note."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random

from plainsight.lab.synth.noise import Noise
from plainsight.lab.synth.pieces import Piece, Pieces, paragraphs

_LONGEST = 900  # characters of a header or footer
_HEADER = frozenset(
    {"PATIENT", "MEDICALRECORD", "ACCOUNT", "DATE", "HOSPITAL", "PHONE", "STREET", "IDNUM", "HEALTHPLAN"}
)
_FOOTER = frozenset({"DOCTOR", "DATE", "USERNAME", "IDNUM", "HOSPITAL", "PHONE", "FAX"})


class Recombiner:
    """Ways to mix notes; ``other`` gives the pieces of any other note."""

    def __init__(self, other: Callable[[Random], Pieces]) -> None:
        self.other = other

    @property
    def noises(self) -> Mapping[str, Noise]:
        """Every way by name."""
        return {
            "spliced": Noise(self.spliced),
            "shuffled": Noise(self.shuffled, 0.5),
            "header": Noise(self.headed),
            "footer": Noise(self.signed),
            "page-breaks": Noise(self.paged, 0.7),
        }

    def headed(self, pieces: Pieces, random: Random) -> Pieces:
        """Begin with another note's header."""
        return [*self._header(random), *pieces]

    def signed(self, pieces: Pieces, random: Random) -> Pieces:
        """End with another note's signature or footer."""
        return [*_ended(pieces), *self._part(random, _FOOTER, last=True)]

    def paged(self, pieces: Pieces, random: Random) -> Pieces:
        """Let a running header and the number of the page interrupt the note between paragraphs."""
        parts = paragraphs(pieces)
        pages = min(len(parts), random.randint(2, 4))
        line = _one_line(self._header(random))
        if pages < 2 or not any(piece.label for piece in line):
            return pieces
        edges = [0, *sorted(random.sample(range(1, len(parts)), pages - 1)), len(parts)]
        gap = random.choice(("   ", "\n", "\t"))
        made: Pieces = []
        for page, (begin, end) in enumerate(pairwise(edges), start=1):
            if page > 1:
                made = [*_ended(made), *line, Piece(f"{gap}Page {page} of {pages}\n\n")]
            made += _flat(parts[begin:end])
        return made

    def spliced(self, pieces: Pieces, random: Random) -> Pieces:
        """Put some paragraphs of another note among the note's own."""
        own, others = paragraphs(pieces), paragraphs(self.other(random))
        count = random.randint(1, min(4, len(others))) if others else 0
        begin = random.randint(0, len(others) - count)
        place = random.randint(1, len(own)) if own else 0
        new = _flat(others[begin : begin + count])
        return [*_ended(_flat(own[:place])), *_ended(new), *_flat(own[place:])]

    def shuffled(self, pieces: Pieces, random: Random) -> Pieces:
        """Put the paragraphs of a note into another order, all but the first and the last."""
        parts = paragraphs(pieces)
        if len(parts) < 4:
            return pieces
        inner = parts[1:-1]
        random.shuffle(inner)
        return _flat([parts[0], *inner[:-1], _ended(inner[-1]), parts[-1]])

    def _header(self, random: Random) -> Pieces:
        return self._part(random, _HEADER, last=False)

    def _part(self, random: Random, labels: frozenset[str], *, last: bool) -> Pieces:
        """Return the first or last paragraph of another note, if it looks like a header or footer."""
        for _ in range(4):
            parts = paragraphs(self.other(random))
            if not parts:
                continue
            part = parts[-1] if last else parts[0]
            marks = [piece.label for piece in part if piece.label in labels]
            if len(marks) >= 1 + (not last) and sum(len(piece.text) for piece in part) <= _LONGEST:
                return _ended(part)
        return []


def _flat(parts: Sequence[Pieces]) -> Pieces:
    return [piece for part in parts for piece in part]


def _ended(pieces: Pieces) -> Pieces:
    """Return pieces that end with a blank line."""
    if not pieces or pieces[-1].text.endswith("\n\n"):
        return list(pieces)
    return [*pieces, Piece("\n" if pieces[-1].text.endswith("\n") else "\n\n")]


def _one_line(pieces: Pieces) -> Pieces:
    """Return pieces up to the first end of a line that no label covers, without it."""
    made: Pieces = []
    for piece in pieces:
        line, end, _ = piece.text.partition("\n")
        if end and not piece.label:
            return [*made, Piece(line)] if line else made
        made.append(piece)
    return made
