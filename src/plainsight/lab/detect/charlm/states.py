"""The states of the chunker: where in an identifier a token stands, or near which identifier outside.

An identifier of one token is ``whole``, a longer one ``begin``, ``inner``…, ``end``. Outside, the first token
after an identifier (or after the note's edge) knows its label, so does the last token before the next one,
and a token alone between two knows the next; all other tokens outside are ``interior``. So a chunking has
exactly one path of states, and words that announce or follow an identifier have models of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plainsight.arrays import Ints

Chunk = tuple[int, int, int]
"""The first token of an identifier, the token after its last, and the number of its label."""


class States:
    """The numbers of all states, for a number of labels; the note's edge counts as a further label."""

    def __init__(self, labels: int) -> None:
        self.labels = self.edge = labels
        # in this order, states that go together in a step of the lattice are neighbours
        lengths = [labels, labels, labels, labels, labels + 1, labels + 1, 1, labels + 1]
        stops = np.cumsum(lengths).tolist()
        blocks = [slice(stop - length, stop) for stop, length in zip(stops, lengths, strict=True)]
        self.inner, self.end, self.begin, self.whole, self.between, self.after, interior, self.before = blocks
        self.interior: int = interior.start
        self.size: int = stops[-1]
        self.outside = slice(self.between.start, self.size)
        self.fresh = slice(self.begin.start, self.between.stop)  # may follow an identifier of any label
        self.running = slice(self.after.start, interior.stop)  # may be followed by more text outside
        self.run = slice(interior.start, self.before.stop)  # may follow it
        self.label_of = np.full(self.size, -1, dtype=np.int64)
        for block in (self.begin, self.inner, self.end, self.whole):
            self.label_of[block] = np.arange(labels)

    def path(self, chunks: Sequence[Chunk], length: int) -> list[int]:
        """Return the states of all tokens of a note whose identifiers are these."""
        made = [self.interior] * length
        last, label = 0, self.edge
        for first, stop, next_label in (*chunks, (length, length, self.edge)):
            if first - last == 1:
                made[last] = self.between.start + next_label
            elif first > last:
                made[last] = self.after.start + label
                made[first - 1] = self.before.start + next_label
            if stop - first == 1:
                made[first] = self.whole.start + next_label
            elif stop > first:
                made[first:stop] = [self.inner.start + next_label] * (stop - first)
                made[first] = self.begin.start + next_label
                made[stop - 1] = self.end.start + next_label
            last, label = stop, next_label
        return made

    def chunks(self, paths: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """Return the identifiers of paths (in rows): row, first token, token after the last, label."""
        whole = (paths >= self.whole.start) & (paths < self.whole.stop)
        starts = (paths >= self.begin.start) & (paths < self.begin.stop) | whole
        stops = (paths >= self.end.start) & (paths < self.end.stop) | whole
        rows, firsts = np.nonzero(starts)
        return rows, firsts, np.nonzero(stops)[1] + 1, self.label_of[paths[rows, firsts]]
