"""Run a trained model: from pieces of notes to chunkings with probabilities.

Emissions are the probabilities that each state produces each token, cached by token. A state's own model is
mixed with that of its label and that of all identifiers, or with that of all text outside: many states have
seen few tokens, and an ordinary word must not look like a name only because it never stood next to one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from plainsight.arrays import Doubles, Floats, Ints
from plainsight.lab.detect.charlm.language import Arrays, Language, merged
from plainsight.lab.detect.charlm.lattice import Lattice, Search, States, n_best
from plainsight.lab.detect.charlm.rescore import Rescorer
from plainsight.lab.detect.charlm.symbols import Alphabet, Piece, groups

_PATHS = 512  # chunkings of a stretch that are scored anew
_REACH = 10.0  # states and paths that lose more than this are not looked at
_WIDEST = 24  # states of a token that are looked at
_SHORTEST, _LONGEST = 8, 32  # tokens of a stretch


class Stretch(NamedTuple):
    """The best paths over some tokens, one in each row, and their log-probabilities up to a constant."""

    first: int
    paths: Ints
    scores: Doubles


class Chunking(NamedTuple):
    """What was found in a piece.

    ``chunks`` are first token, token after the last, label; ``inside`` is each token's probability of being
    part of an identifier, and ``log_probability`` that of the whole chunking.
    """

    chunks: list[tuple[int, int, int]]
    inside: Doubles
    log_probability: float


class Network:
    """A trained model: its settings and arrays."""

    def __init__(self, settings: Mapping[str, Any], arrays: Arrays) -> None:
        self.labels: list[str] = settings["labels"]
        self.temperatures: dict[str, float] = settings["temperatures"]
        order, ratio = settings["order"], settings["ratio"]
        self.states = States(len(self.labels))
        self.lattice = Lattice(self.states, arrays["transitions"], arrays["start"], arrays["stop"])
        alphabet = Alphabet(settings["characters"])
        self.emissions = Emissions(self.states, alphabet, _part(arrays, "words"), order=order, ratio=ratio)
        count = len(self.labels)
        self.rescorer = Rescorer(
            self.states,
            alphabet,
            Language(_part(arrays, "chunks"), states=count, symbols=alphabet.size, order=order, ratio=ratio),
            Language(
                _part(arrays, "outside"), states=1, symbols=alphabet.size + count, order=order, ratio=ratio
            ),
        )

    def first_best(self, pieces: Sequence[Piece], bias: float) -> Iterator[Chunking]:
        """Yield the best chunking of each piece by the lattice alone, without its probability."""
        temperature = self.temperatures["lattice"]
        for group in groups(pieces):
            for search in self.lattice.search(self.emissions(group, bias)):
                yield Chunking(self._chunks(search.path), self._sure(search, temperature), np.nan)

    def _sure(self, search: Search, temperature: float) -> Doubles:
        """Return each token's probability of being inside, from the best path through each of its states."""
        weights = np.exp(search.gap.astype(np.float64) / -temperature)
        sums: Doubles = weights[:, : self.states.outside.start].sum(axis=1) / weights.sum(axis=1)
        return sums

    def n_best(
        self, pieces: Sequence[Piece], bias: float, *, rescore: bool, whole: bool = False, paths: int = _PATHS
    ) -> Iterator[Chunking]:
        """Yield the best chunking of each piece out of the n best of each stretch of it, or of the whole."""
        temperature = self.temperatures["rescored" if rescore else "lattice"]
        for path, stretches in self.stretches(pieces, bias, rescore=rescore, whole=whole, paths=paths):
            yield self.choose(path, stretches, temperature)

    def choose(self, path: Ints, stretches: Sequence[Stretch], temperature: float) -> Chunking:
        """Return the likeliest chunking, given the n best of each stretch; the rest of the path stays."""
        path, inside, total = path.copy(), np.zeros(len(path)), 0.0
        for stretch in stretches:
            weights = np.exp((stretch.scores - stretch.scores.max()) / temperature)
            weights /= weights.sum()
            best = int(weights.argmax())
            tokens = slice(stretch.first, stretch.first + stretch.paths.shape[1])
            path[tokens] = stretch.paths[best]
            inside[tokens] = weights @ (stretch.paths < self.states.outside.start)
            total += float(np.log(weights[best]))
        return Chunking(self._chunks(path), inside, total)

    def stretches(
        self, pieces: Sequence[Piece], bias: float, *, rescore: bool, whole: bool = False, paths: int = _PATHS
    ) -> Iterator[tuple[Ints, list[Stretch]]]:
        """Yield for each piece the best path by the lattice, and its stretches."""
        for group in groups(pieces):
            emissions = self.emissions(group, bias)
            for piece, scores, search in zip(group, emissions, self.lattice.search(emissions), strict=True):
                cuts = [(0, len(search.path))] if whole else self._cuts(search)
                made = self._stretches(search, scores, cuts, paths)
                yield search.path, self._rescored(piece, search.path, made, bias) if rescore else made

    def _stretches(
        self, search: Search, emissions: Floats, cuts: Sequence[tuple[int, int]], most: int
    ) -> list[Stretch]:
        width = min(_WIDEST, self.states.size)
        nearest = np.sort(np.argpartition(search.gap, width - 1, axis=1)[:, :width], axis=1)
        near = np.take_along_axis(search.gap, nearest, axis=1) <= _REACH
        nodes = [states[those] for states, those in zip(nearest, near, strict=True)]
        step, path = self.lattice.transitions.astype(np.float64), search.path
        made = []
        for first, last in cuts:
            own = nodes[first:last]
            paths, scores = n_best(
                [emissions[first + place, states].astype(np.float64) for place, states in enumerate(own)],
                [step[one[:, None], two] for one, two in pairwise(own)],
                (step[path[first - 1]] if first else self.lattice.start)[own[0]],
                (step[:, path[last]] if last < len(path) else self.lattice.stop)[own[-1]],
                n=most,
                reach=_REACH,
            )
            states = np.stack([states[paths[:, place]] for place, states in enumerate(own)], axis=1)
            made.append(Stretch(first, states, scores))
        return made

    def _cuts(self, search: Search) -> list[tuple[int, int]]:
        """Cut a piece at tokens that are surely outside; these keep their states."""
        sure = np.partition(search.gap, 1, axis=1)[:, 1]
        outside = search.path >= self.states.outside.start
        sure[~outside] = -1.0
        made, first, length = [], 0, len(sure)
        while length - first > _LONGEST:
            cut = first + _SHORTEST + int(sure[first + _SHORTEST : first + _LONGEST].argmax())
            if not outside[cut]:  # one long identifier: go on to its end
                cut += int(np.argmax(np.append(outside[cut:], True)))
            made.append((first, cut))
            first = cut + 1
        return [*made, (first, length)] if first < length else made

    def _rescored(self, piece: Piece, path: Ints, stretches: list[Stretch], bias: float) -> list[Stretch]:
        """Return the stretches with the mean of both scores."""
        anew = self.rescorer.scores(piece, path, [(stretch.first, stretch.paths) for stretch in stretches])
        made = []
        for stretch, scores in zip(stretches, anew, strict=True):
            dial = bias * (stretch.paths >= self.states.outside.start).sum(axis=1)
            made.append(stretch._replace(scores=(stretch.scores + scores + dial) / 2))
        return made

    def _chunks(self, path: Ints) -> list[tuple[int, int, int]]:
        _, firsts, lasts, labels = self.states.chunks(path[None])
        return list(zip(firsts.tolist(), lasts.tolist(), labels.tolist(), strict=True))


def _part(arrays: Arrays, name: str) -> Arrays:
    return {
        key.removeprefix(f"{name}."): value for key, value in arrays.items() if key.startswith(f"{name}.")
    }


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
