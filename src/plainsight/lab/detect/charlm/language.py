"""Character n-gram models of many states side by side, in one trie.

Each node of the trie is a string of symbols; its entries say how often each state produced it. A state's
probability of a symbol after a context interpolates all context lengths (Witten-Bell smoothing): a context
seen ``n`` times, with ``d`` different symbols after it, gets the weight ``n / (n + ratio·d)``; the rest goes
to the context that is one symbol shorter. Without any context all symbols are equally likely.

A node's parent is its string without the last symbol, which is the context of that symbol. Nodes are numbered
level by level, so one sorted array of (parent, symbol) finds any child, and many strings are scored at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats, Ints
from plainsight.lab.detect.charlm.symbols import Symbols

Arrays = Mapping[str, NDArray[Any]]

_BATCH = 1 << 22  # probabilities held at one time
_SHORT = 3  # n-grams up to this length are kept however rare


class Language:
    """The models of all states.

    ``arrays`` are those of `count_strings`; ``states`` and ``symbols`` say how many there are.
    """

    def __init__(self, arrays: Arrays, *, states: int, symbols: int, order: int, ratio: float) -> None:
        self.states, self.symbols, self.order = states, symbols, order
        children = arrays["children"].astype(np.int64)
        parents = np.repeat(np.arange(len(children)), children)
        self._keys = parents * symbols + arrays["symbols"]  # of node i + 1: the root is node 0
        self._starts = np.concatenate(([0], np.cumsum(arrays["entries"], dtype=np.int64)))
        self._owners = arrays["states"].astype(np.int64)
        counts = arrays["counts"].astype(np.float64)
        below, above = self._starts[1], self._contexts(parents)  # the root's entries come first
        seen = np.bincount(above, counts[below:], len(counts))
        kinds = np.bincount(above, minlength=len(counts)) * ratio
        whole = np.where(kinds > 0, seen + kinds, 1.0)
        # the share of a symbol's own count, and the share that a context leaves to the next shorter one
        self._mass = np.concatenate((np.zeros(below), counts[below:] / whole[above])).astype(np.float32)
        self._rest = np.where(kinds > 0, kinds / whole, 1.0).astype(np.float32)
        self._single = self._without_context()

    def _contexts(self, parents: Ints) -> Ints:
        """Return for each entry below the root that of the same state at its node's parent."""
        nodes = np.repeat(np.arange(len(self._starts) - 1), np.diff(self._starts))
        keys, below = nodes * self.states + self._owners, self._starts[1]
        return np.searchsorted(keys, parents[nodes[below:] - 1] * self.states + self._owners[below:])

    def _without_context(self) -> Floats:
        """Return each state's probability of each symbol, whatever comes before."""
        table = np.full((self.symbols, self.states), 1 / self.symbols, dtype=np.float32)
        root = slice(0, self._starts[1])
        table[:, self._owners[root]] *= self._rest[root]
        singles = np.searchsorted(self._keys, self.symbols)
        nodes = np.full(self.symbols, -1)
        nodes[self._keys[:singles]] = np.arange(1, singles + 1)
        cells, entries = self._entries(nodes)
        table.reshape(-1)[cells] += self._mass[entries]
        return table

    def _entries(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Return the entries of nodes (-1 is none), and where they belong in a table of nodes by states."""
        rows = np.flatnonzero(nodes >= 0)
        firsts = self._starts[nodes[rows]]
        lengths = self._starts[nodes[rows] + 1] - firsts
        shift = np.repeat(firsts - (np.cumsum(lengths) - lengths), lengths)
        entries = shift + np.arange(len(shift))
        return np.repeat(rows * self.states, lengths) + self._owners[entries], entries

    def _children(self, nodes: Ints, symbols: Symbols) -> Ints:
        """Return the child of each node by each symbol, or -1."""
        keys = nodes * self.symbols + symbols
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[places] == keys, places + 1, -1)

    def log_probabilities(self, symbols: Symbols, lengths: Ints, given: Ints) -> Floats:
        """Return the log-probability of strings in each state; their first ``given`` symbols are known.

        The strings lie behind one another in ``symbols``.
        """
        made = np.zeros((len(lengths), self.states), dtype=np.float32)
        ends = np.cumsum(lengths)
        first = start = 0
        while first < len(lengths):
            last = max(first + 1, int(np.searchsorted(ends, start + _BATCH // self.states, side="right")))
            stop = int(ends[last - 1])
            these = slice(first, last)
            made[these] = self._sums(symbols[start:stop], lengths[these], given[these])
            first, start = last, stop
        return made

    def log_steps(self, symbols: Symbols) -> Floats:
        """Return the log-probability of each symbol of one string after those before it, in each state."""
        places = np.arange(len(symbols))
        return np.log(self._chances(symbols, places, places))

    def _sums(self, symbols: Symbols, lengths: Ints, given: Ints) -> Floats:
        places = np.arange(len(symbols)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        wanted = np.flatnonzero(places >= np.repeat(given, lengths))
        made = np.zeros((len(lengths), self.states), dtype=np.float32)
        counted = np.maximum(lengths - given, 0)
        scored = np.flatnonzero(counted)
        if len(scored):
            firsts = np.cumsum(counted) - counted
            logs = np.log(self._chances(symbols, places, wanted))
            made[scored] = np.add.reduceat(logs, firsts[scored], axis=0)
        return made

    def _chances(self, symbols: Symbols, places: Ints, wanted: Ints) -> Floats:
        """Return the probability of each wanted symbol in each state; ``places`` count within strings."""
        chances = self._single[symbols[wanted]]
        flat = chances.reshape(-1)
        nodes = self._children(np.zeros_like(symbols), symbols)
        for length in range(2, self.order + 1):
            contexts = np.concatenate(([-1], nodes[:-1]))
            contexts[places < length - 1] = -1
            known = np.flatnonzero(contexts >= 0)
            nodes = np.full_like(contexts, -1)
            nodes[known] = self._children(contexts[known], symbols[known])
            cells, entries = self._entries(contexts[wanted])
            flat[cells] *= self._rest[entries]
            cells, entries = self._entries(nodes[wanted])
            flat[cells] += self._mass[entries]
        return chances


def merged(arrays: Arrays, groups: Ints) -> Arrays:
    """Return the counts of groups of states; ``groups`` holds each state's group."""
    number = int(groups.max()) + 1
    nodes = np.repeat(np.arange(len(arrays["entries"])), arrays["entries"])
    pairs, inverse = np.unique(nodes * number + groups[arrays["states"]], return_inverse=True)
    return {
        **arrays,
        "entries": np.bincount(pairs // number, minlength=len(arrays["entries"])),
        "states": pairs % number,
        "counts": np.bincount(inverse, arrays["counts"]),
    }


def count_strings(
    strings: Sequence[Symbols], states: Ints, *, symbols: int, order: int, most: int
) -> dict[str, NDArray[Any]]:
    """Count the n-grams of each string in its state, up to a length of ``order``.

    At most ``most`` different n-grams are kept: as long as there are more, longer ones that are rare go.

    The arrays hold for each node, level by level: how many ``children`` it has, its last symbol
    (``symbols``; the root has none), and its number of ``entries``; and for each entry its state and count.
    """
    lengths = np.fromiter(map(len, strings), dtype=np.int64, count=len(strings))
    flat = np.concatenate(strings)
    places = np.arange(len(flat)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    owners = np.repeat(states, lengths)
    rarest = 1
    made = _count(flat, places, owners, symbols, order, rarest)
    while len(made["symbols"]) > most and rarest < len(flat):
        rarest *= 2
        made = _count(flat, places, owners, symbols, order, rarest)
    return made


def _count(
    flat: Symbols, places: Ints, owners: Ints, symbols: int, order: int, rarest: int
) -> dict[str, NDArray[Any]]:
    width = int(owners.max()) + 1
    nodes = np.zeros_like(flat)  # of the string before each place that is one symbol shorter; -1 is none
    roots, sizes = np.unique(owners, return_counts=True)
    keys, entry_nodes = [np.zeros(0, dtype=np.int64)], [np.zeros(len(roots), dtype=np.int64)]
    entry_states, entry_counts = [roots], [sizes]
    known = 1
    for length in range(1, order + 1):
        alive = np.flatnonzero((nodes >= 0) & (places >= length - 1))
        found, inverse, counts = np.unique(
            nodes[alive] * symbols + flat[alive], return_inverse=True, return_counts=True
        )
        kept = counts >= (rarest if length > _SHORT else 1)
        numbers = np.where(kept, known + np.cumsum(kept) - 1, -1)
        level = np.full_like(flat, -1)
        level[alive] = numbers[inverse]
        own = np.flatnonzero(level >= 0)
        pairs, counts = np.unique(level[own] * width + owners[own], return_counts=True)
        keys.append(found[kept])
        entry_nodes.append(pairs // width)
        entry_states.append(pairs % width)
        entry_counts.append(counts)
        known += int(kept.sum())
        nodes = np.concatenate(([-1], level[:-1]))
    all_keys = np.concatenate(keys)
    return {
        "children": _compact(np.bincount(all_keys // symbols, minlength=known)),
        "symbols": _compact(all_keys % symbols),
        "entries": _compact(np.bincount(np.concatenate(entry_nodes), minlength=known)),
        "states": _compact(np.concatenate(entry_states)),
        "counts": _compact(np.concatenate(entry_counts)),
    }


def _compact(numbers: Ints) -> NDArray[Any]:
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))
