"""The probability that each state produces each token, cached by token.

A state's own model is mixed with that of its label and that of all identifiers, or with that of all text
outside: many states have seen few tokens, and an ordinary word must not look like a name only because it
never stood next to one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plainsight.arrays import Floats, Ints
from plainsight.lab.detect.charlm.language import Arrays, Language, merged
from plainsight.lab.detect.charlm.pieces import Piece
from plainsight.lab.detect.charlm.states import States
from plainsight.lab.detect.charlm.symbols import Alphabet

_WEIGHTS = (0.9, 0.07, 0.03)  # of the state's own model, of its label's, of all identifiers'
_MOST = 1 << 15  # tokens remembered: some tens of megabytes


class Emissions:
    """The models of all states' tokens."""

    def __init__(
        self, states: States, alphabet: Alphabet, counts: Arrays, *, order: int, ratio: float
    ) -> None:
        self.states, self.alphabet = states, alphabet
        outside = states.label_of < 0
        label = np.where(outside, states.labels, states.label_of)
        self._models: list[tuple[np.float32, Ints, Language]] = [
            (
                np.float32(np.log(weight)),
                owners,
                Language(
                    merged(counts, owners),
                    states=int(owners.max()) + 1,
                    symbols=alphabet.size,
                    order=order,
                    ratio=ratio,
                ),
            )
            for weight, owners in zip(
                _WEIGHTS, (np.arange(states.size), label, outside.astype(np.int64)), strict=True
            )
        ]
        self._rows: dict[tuple[int, str], int] = {}
        self._logs: Floats = np.zeros((0, states.size), dtype=np.float32)

    def __call__(self, pieces: Sequence[Piece], bias: float) -> list[Floats]:
        """Return for each piece an array of tokens by states; ``bias`` is added to all states outside."""
        if len(self._rows) > _MOST:
            self._rows, self._logs = {}, self._logs[:0]
        words = [piece.words() for piece in pieces]
        fresh = list(dict.fromkeys(word for row in words for word in row if word not in self._rows))
        if fresh:
            self._rows |= {word: row for row, word in enumerate(fresh, start=len(self._rows))}
            self._logs = np.concatenate((self._logs, self._score(fresh)))
        made = []
        for row in words:
            numbers = np.fromiter(map(self._rows.__getitem__, row), dtype=np.int64, count=len(row))
            logs = self._logs[numbers]
            logs[:, self.states.outside] += np.float32(bias)
            made.append(logs)
        return made

    def _score(self, words: Sequence[tuple[int, str]]) -> Floats:
        strings = [self.alphabet.word(gap, word) for gap, word in words]
        lengths = np.fromiter(map(len, strings), dtype=np.int64, count=len(strings))
        flat = np.concatenate(strings)
        given = np.zeros_like(lengths)
        parts = [
            (model.log_probabilities(flat, lengths, given) + weight)[:, owners]
            for weight, owners, model in self._models
        ]
        top = np.maximum.reduce(parts)
        mixed: Floats = top + np.log(sum(np.exp(part - top) for part in parts))
        return mixed
