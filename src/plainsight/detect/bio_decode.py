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

_CERTAIN = 7.0  # margin of O over all others, which then have a probability below 0.001
_ROUNDING = 1e-5  # above the rounding error of a log-probability


def margin_bounds(outside: Floats) -> Floats:
    """Return upper bounds of the margin of any tag over ``O``, from the log-probability of ``O``.

    No other tag is more probable than what ``O`` leaves over.
    """
    bounded: Floats = np.minimum(outside, np.float32(0.0)) - np.float32(_ROUNDING)
    margins: Floats = np.log(-np.expm1(bounded)) - bounded
    return margins


def candidates(margins: Floats, bias: float) -> Ints:
    """Return the tokens that may get a tag other than ``O``, once ``bias`` is added to the score of ``O``.

    ``margins`` are those of the best other tag over ``O``, or upper bounds. A stretch of tokens without a
    certain ``O`` is returned as a whole, unless ``O`` is the best tag of all of them.
    """
    uncertain = (margins > bias - _CERTAIN).nonzero()[0]
    if not len(uncertain):
        return uncertain
    stretch = np.zeros(len(uncertain), np.int64)
    (uncertain[1:] > uncertain[:-1] + 1).cumsum(out=stretch[1:])
    may_have_span = np.zeros(len(uncertain), bool)  # by stretch
    may_have_span[stretch[margins[uncertain] > bias]] = True
    return uncertain[may_have_span[stretch]]


def best_path(scores: Floats, tags: Sequence[str], positions: Ints | None = None) -> Ints:
    """Return the index of each token's tag on the best valid path.

    ``positions`` are those of the tokens in their notes, if tokens with a certain ``O`` are left out.

    >>> scores = np.log(np.array([[0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.9, 0.05, 0.05]], np.float32))
    >>> best_path(scores, ["O", "B-AGE", "I-AGE"]).tolist()
    [1, 2, 0]
    """
    outside = tags.index(OUTSIDE)
    begins = np.array([index for index, tag in enumerate(tags) if tag[0] == "B"])
    insides = np.array([tags.index(f"I{tags[index][1:]}") for index in begins])
    label = np.zeros(len(tags), np.int64)
    label[begins] = label[insides] = np.arange(len(begins))
    is_inside = np.zeros(len(tags), bool)
    is_inside[insides] = True

    sides = (scores[:, :outside], scores[:, outside + 1 :])
    best_others = np.maximum(*(side.max(axis=1, initial=-np.inf) for side in sides))
    path = np.full(len(scores), outside)
    uncertain = np.flatnonzero(best_others > scores[:, outside] - _CERTAIN)
    if not len(uncertain):
        return path
    positions = uncertain if positions is None else positions[uncertain]
    firsts = np.flatnonzero(np.diff(positions, prepend=-2) > 1)
    starts, lengths = uncertain[firsts], np.diff(firsts, append=len(uncertain))
    order = np.argsort(-lengths, kind="stable")  # the longest stretch first
    starts, lengths = starts[order], lengths[order]

    best = scores[starts]
    best[:, insides] = -np.inf
    steps: list[tuple[Ints, NDArray[np.bool_]]] = []  # the best tag before; for an I, whether it is the B
    for step in range(1, int(lengths[0])):
        count = int(np.searchsorted(-lengths, -step))  # stretches longer than this step
        previous, current = best[:count], scores[starts[:count] + step]
        best_previous = previous.argmax(axis=1)
        from_begin, from_inside = previous[:, begins], previous[:, insides]
        steps.append((best_previous, from_begin >= from_inside))
        current[:, insides] += np.maximum(from_begin, from_inside)
        highest = previous[np.arange(count), best_previous][:, None]
        current[:, begins] += highest
        current[:, outside] += highest[:, 0]
        best[:count] = current
    tag = best.argmax(axis=1)
    for step in range(len(steps), -1, -1):
        count = int(np.searchsorted(-lengths, -step)) if step else len(starts)
        path[starts[:count] + step] = tag[:count]
        if step:
            best_previous, is_begin = steps[step - 1]
            own = label[tag[:count]]
            same_label = np.where(is_begin[np.arange(count), own], begins[own], insides[own])
            tag[:count] = np.where(is_inside[tag[:count]], same_label, best_previous)
    return path
