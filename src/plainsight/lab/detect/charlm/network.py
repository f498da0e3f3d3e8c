"""Run a trained model: from pieces of notes to chunkings with probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from plainsight.arrays import Doubles, Floats, Ints
from plainsight.lab.detect.charlm.emissions import Emissions
from plainsight.lab.detect.charlm.language import Arrays, Language
from plainsight.lab.detect.charlm.lattice import Lattice, Search
from plainsight.lab.detect.charlm.nbest import n_best
from plainsight.lab.detect.charlm.pieces import Piece, groups
from plainsight.lab.detect.charlm.rescore import Rescorer
from plainsight.lab.detect.charlm.states import States
from plainsight.lab.detect.charlm.symbols import Alphabet

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
    """A model's tables: ``settings`` and ``arrays`` are those that training makes."""

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
        """Return each token's probability of being inside, by the best path through each of its states."""
        weights = np.exp(search.gap.astype(np.float64) / -temperature)
        sums: Doubles = weights[:, : self.states.outside.start].sum(axis=1) / weights.sum(axis=1)
        return sums

    def n_best(self, pieces: Sequence[Piece], bias: float, *, rescore: bool) -> Iterator[Chunking]:
        """Yield the best chunking of each piece out of the n best of each stretch of it."""
        temperature = self.temperatures["rescored" if rescore else "lattice"]
        for path, stretches in self.stretches(pieces, bias, rescore=rescore):
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
        self, pieces: Sequence[Piece], bias: float, *, rescore: bool
    ) -> Iterator[tuple[Ints, list[Stretch]]]:
        """Yield for each piece the best path by the lattice, and its stretches."""
        for group in groups(pieces):
            emissions = self.emissions(group, bias)
            for piece, scores, search in zip(group, emissions, self.lattice.search(emissions), strict=True):
                made = self._stretches(search, scores)
                yield search.path, self._rescored(piece, search.path, made, bias) if rescore else made

    def _stretches(self, search: Search, emissions: Floats) -> list[Stretch]:
        width = min(_WIDEST, self.states.size)
        nearest = np.sort(np.argpartition(search.gap, width - 1, axis=1)[:, :width], axis=1)
        near = np.take_along_axis(search.gap, nearest, axis=1) <= _REACH
        nodes = [states[those] for states, those in zip(nearest, near, strict=True)]
        step, path = self.lattice.transitions.astype(np.float64), search.path
        made = []
        for first, last in self._cuts(search):
            own = nodes[first:last]
            paths, scores = n_best(
                [emissions[first + place, states].astype(np.float64) for place, states in enumerate(own)],
                [step[one[:, None], two] for one, two in pairwise(own)],
                (step[path[first - 1]] if first else self.lattice.start)[own[0]],
                (step[:, path[last]] if last < len(path) else self.lattice.stop)[own[-1]],
                n=_PATHS,
                reach=_REACH,
            )
            states = np.stack([states[paths[:, place]] for place, states in enumerate(own)], axis=1)
            made.append(Stretch(first, states, scores))
        return made

    def _cuts(self, search: Search) -> list[tuple[int, int]]:
        """Cut a piece where it is surest to be outside; the tokens at the cuts keep their states."""
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
