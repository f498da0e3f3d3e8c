"""Rescore whole chunkings by models of identifiers and of the text around them.

The lattice knows only neighbouring tokens. Here the model of its label scores an identifier as one string,
and another model scores the text outside, in which each identifier is one symbol, its label. So that model
knows which words stand before and after an identifier of each label.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plainsight.arrays import Doubles, Ints
from plainsight.lab.detect.charlm.language import Language
from plainsight.lab.detect.charlm.lattice import States
from plainsight.lab.detect.charlm.symbols import EDGE, Alphabet, Piece, Symbols


class Rescorer:
    """The models of identifiers by label, and of the text outside."""

    def __init__(self, states: States, alphabet: Alphabet, inside: Language, outside: Language) -> None:
        self.states, self.alphabet, self.inside, self.outside = states, alphabet, inside, outside

    def scores(self, piece: Piece, path: Ints, stretches: Sequence[tuple[int, Ints]]) -> list[Doubles]:
        """Return the log-probabilities of other paths over stretches of a piece.

        A stretch is its first token and the paths, one in each row; around it, ``path`` stays as it is. What
        all paths of a stretch have in common may be left out.
        """
        settled = self._chunks(piece, 0, path[None])[1]
        owners, chunks, gap_owners, gaps = [], [], [], []
        total = 0
        for first, paths in stretches:
            rows, own = self._chunks(piece, first, paths)
            between = self._between(piece, settled, first, paths, rows, own)
            owners.append(rows + total)
            chunks.append(own)
            gap_owners.append(
                np.repeat(np.arange(len(paths)), np.bincount(rows, minlength=len(paths)) + 1) + total
            )
            gaps.append(between)
            total += len(paths)
        made = np.bincount(
            np.concatenate(gap_owners), self._around(piece.text, np.concatenate(gaps)), total
        ) + np.bincount(np.concatenate(owners), self._within(piece.text, np.concatenate(chunks)), total)
        return np.split(made, np.cumsum([len(paths) for _, paths in stretches])[:-1])

    def _chunks(self, piece: Piece, first: int, paths: Ints) -> tuple[Ints, Ints]:
        """Return the path of each identifier, and the identifiers: start and end in the text, and label."""
        rows, begins, ends, labels = self.states.chunks(paths)
        return rows, np.stack((piece.starts[begins + first], piece.ends[ends + first - 1], labels), axis=1)

    def _between(
        self, piece: Piece, settled: Ints, first: int, paths: Ints, rows: Ints, chunks: Ints
    ) -> Ints:
        """Return the text outside of each path, in order: symbol before, start, end, symbol after.

        It reaches from the last identifier before the stretch to the first one after it.
        """
        last, label = first + paths.shape[1], self.alphabet.size
        left = int(np.searchsorted(settled[:, 0], piece.starts[first])) - 1
        right = int(np.searchsorted(settled[:, 0], piece.ends[last - 1]))
        # a path has one gap more than identifiers, so the gaps of path r begin r places later than those
        made = np.empty((len(rows) + len(paths), 4), dtype=np.int64)
        places = rows + np.arange(len(rows))
        made[places, 2], made[places, 3] = chunks[:, 0], label + chunks[:, 2]
        made[places + 1, 0], made[places + 1, 1] = label + chunks[:, 2], chunks[:, 1]
        number, firsts = np.arange(len(paths)), np.searchsorted(rows, np.arange(len(paths) + 1))
        made[number + firsts[:-1], :2] = (
            (label + settled[left, 2], settled[left, 1]) if left >= 0 else (EDGE, 0)
        )
        made[number + firsts[1:], 2:] = (
            (settled[right, 0], label + settled[right, 2])
            if right < len(settled)
            else (len(piece.text), EDGE)
        )
        return made

    def _within(self, text: str, chunks: Ints) -> Doubles:
        """Return the log-probability of each identifier's text by its label's model."""
        if not len(chunks):
            return np.zeros(0)
        bounds, inverse = _unique(chunks[:, :2])
        strings = [self.alphabet.chunk(text[start:end]) for start, end in bounds.tolist()]
        lengths = np.fromiter(map(len, strings), dtype=np.int64, count=len(strings))
        logs = self.inside.log_probabilities(np.concatenate(strings), lengths, np.ones_like(lengths))
        return logs[inverse, chunks[:, 2]].astype(np.float64)

    def _around(self, text: str, gaps: Ints) -> Doubles:
        """Return the log-probability of text outside, and of the symbol that comes after it."""
        symbols, reach = self.alphabet.text(text), self.outside.order - 1
        sums = np.concatenate(([0.0], np.cumsum(self.outside.log_steps(symbols)[:, 0], dtype=np.float64)))
        gaps, inverse = _unique(gaps)
        made = np.empty(len(gaps))
        long = gaps[:, 2] - gaps[:, 1] >= reach
        made[~long] = self._strings(symbols, *gaps[~long].T, given=1)
        # A long one: what can see the symbol before, what cannot, and the symbol after.
        before, starts, ends, after = gaps[long].T
        nothing = np.full_like(before, -1)
        made[long] = (
            self._strings(symbols, before, starts, starts + reach, nothing, given=1)
            + (sums[ends] - sums[starts + reach])
            + self._strings(symbols, nothing, ends - reach, ends, after, given=reach)
        )
        return made[inverse]

    def _strings(
        self, symbols: Symbols, before: Ints, starts: Ints, ends: Ints, after: Ints, *, given: int
    ) -> Doubles:
        """Score stretches of a text outside, each between two further symbols; -1 is none."""
        begun, ended = before >= 0, after >= 0
        lengths = ends - starts + begun + ended
        lasts = np.cumsum(lengths)
        firsts = lasts - lengths
        places = np.arange(lengths.sum()) - np.repeat(firsts + begun - starts, lengths)
        flat = np.concatenate(([EDGE], symbols, [EDGE]))[places + 1]  # one to spare on both sides
        flat[firsts[begun]] = before[begun]
        flat[lasts[ended] - 1] = after[ended]
        logs = self.outside.log_probabilities(flat, lengths, np.full_like(lengths, given))
        return logs[:, 0].astype(np.float64)


def _unique(rows: Ints) -> tuple[Ints, Ints]:
    """Return the different rows of a table, and for each row its place among them."""
    widths = rows.max(axis=0, initial=0) + 1
    keys = np.zeros(len(rows), dtype=np.int64)
    for column, width in zip(rows.T, widths, strict=True):
        keys = keys * width + column  # far from 64 bits: labels are few, a piece's text is short
    _, places, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return rows[places], inverse
