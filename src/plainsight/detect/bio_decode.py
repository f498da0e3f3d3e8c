"""Decode scores of BIO tags to the best valid path: ``I-X`` only follows ``B-X`` or ``I-X``.

Where ``O`` is almost certain, the tags before do not change the tags after. So notes are cut there into short
stretches, and Viterbi runs over all stretches at once, one step at a time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats, Ints
from plainsight.text.tags import OUTSIDE

_SURE = 7.0  # a margin of O over all others: these have less than one in a thousand
_ROUNDED = 1e-5  # more than the rounding error of a log-probability


def widest_margins(outside: Floats) -> Floats:
    """Return upper bounds of the margin of any tag over ``O``, given the log-probability of ``O``.

    No other tag is more probable than what ``O`` leaves over.
    """
    bounded: Floats = np.minimum(outside, np.float32(0.0)) - np.float32(_ROUNDED)
    margins: Floats = np.log(-np.expm1(bounded)) - bounded
    return margins


def contested(margins: Floats, bias: float) -> Ints:
    """Return the tokens that may get a tag other than ``O``, once ``bias`` is added to the score of ``O``.

    ``margins`` are those of the best other tag over ``O``, or upper bounds. A stretch of tokens without a
    certain ``O`` counts as a whole, unless ``O`` is the best tag of all of them.
    """
    doubtful = (margins > bias - _SURE).nonzero()[0]
    if not len(doubtful):
        return doubtful
    stretch = np.zeros(len(doubtful), np.int64)
    (doubtful[1:] > doubtful[:-1] + 1).cumsum(out=stretch[1:])
    found = np.zeros(len(doubtful), bool)  # by the number of a stretch
    found[stretch[margins[doubtful] > bias]] = True
    return doubtful[found[stretch]]


def best_path(scores: Floats, tags: Sequence[str], places: Ints | None = None) -> Ints:
    """Return the number of each token's tag on the best valid path.

    ``places`` numbers the tokens if some that are certainly ``O`` have been left out between them.

    >>> rows = np.log(np.array([[0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.9, 0.05, 0.05]], np.float32))
    >>> best_path(rows, ["O", "B-AGE", "I-AGE"]).tolist()
    [1, 2, 0]
    """
    outside = tags.index(OUTSIDE)
    begins = np.array([place for place, tag in enumerate(tags) if tag[0] == "B"])
    insides = np.array([tags.index(f"I{tags[place][1:]}") for place in begins])
    label = np.zeros(len(tags), np.int64)
    label[begins] = label[insides] = np.arange(len(begins))
    is_inside = np.zeros(len(tags), bool)
    is_inside[insides] = True

    sides = (scores[:, :outside], scores[:, outside + 1 :])
    others = np.maximum(*(side.max(axis=1, initial=-np.inf) for side in sides))
    path = np.full(len(scores), outside)
    likely = np.flatnonzero(others > scores[:, outside] - _SURE)
    if not len(likely):
        return path
    firsts = np.flatnonzero(np.diff(likely if places is None else places[likely], prepend=-2) > 1)
    starts, lengths = likely[firsts], np.diff(firsts, append=len(likely))
    order = np.argsort(-lengths, kind="stable")
    starts, lengths = starts[order], lengths[order]

    best = scores[starts]
    best[:, insides] = -np.inf
    came: list[tuple[Ints, NDArray[np.bool_]]] = []  # the best tag before; for an I, whether that is a B
    for step in range(1, int(lengths[0])):
        going = int(np.searchsorted(-lengths, -step))  # stretches stand in order of length
        so_far, now = best[:going], scores[starts[:going] + step]
        before = so_far.argmax(axis=1)
        begun, gone_on = so_far[:, begins], so_far[:, insides]
        came.append((before, begun >= gone_on))
        now[:, insides] += np.maximum(begun, gone_on)
        most = so_far[np.arange(going), before][:, None]
        now[:, begins] += most
        now[:, outside] += most[:, 0]
        best[:going] = now
    tag = best.argmax(axis=1)
    for step in range(len(came), -1, -1):
        going = int(np.searchsorted(-lengths, -step)) if step else len(starts)
        path[starts[:going] + step] = tag[:going]
        if step:
            before, begun_there = came[step - 1]
            here = label[tag[:going]]
            within = np.where(begun_there[np.arange(going), here], begins[here], insides[here])
            tag[:going] = np.where(is_inside[tag[:going]], within, before)
    return path
