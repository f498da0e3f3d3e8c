"""The best legal labelling: an identifier begins before it goes on, and nothing else is weighed.

Where ``O`` is all but sure, what comes before says nothing of what comes after. So notes are parted there
into short stretches, and all of them are worked on side by side, one step of each at a time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plainsight.text.tags import OUTSIDE

__all__ = ["in_question", "leads", "legal_path"]

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

_SURE = 7.0  # the logarithm of how much more probable: any other has less than one in a thousand
_ROUNDED = 1e-5  # more than what rounding takes from the logarithm of a probability


def leads(outside: Floats) -> Floats:
    """Return by how much another tag is more probable than ``O`` at most, given that of ``O``; in logarithms.

    No other tag is more probable than what ``O`` leaves over.
    """
    surely: Floats = np.minimum(outside, np.float32(0.0)) - np.float32(_ROUNDED)
    made: Floats = np.log(-np.expm1(surely)) - surely
    return made


def in_question(lead: Floats, bias: float) -> Ints:
    """Return where a tag may be other than ``O``, once ``bias`` is added to the score of ``O``.

    ``lead`` tells how far the best of the others is above ``O``, or at most. A stretch where ``O`` is nowhere
    all but sure counts as a whole, unless it is the best tag of all its tokens.
    """
    doubtful = (lead > bias - _SURE).nonzero()[0]
    if not len(doubtful):
        return doubtful
    stretch = np.zeros(len(doubtful), np.int64)
    (doubtful[1:] > doubtful[:-1] + 1).cumsum(out=stretch[1:])
    contested = np.zeros(len(doubtful), bool)  # by the number of a stretch
    contested[stretch[lead[doubtful] > bias]] = True
    return doubtful[contested[stretch]]


def legal_path(scores: Floats, tags: Sequence[str], places: Ints | None = None) -> Ints:
    """Return the number of the tag of each token on the best path of BIO tags, by the scores of all tags.

    ``places`` are those of the tokens, if some that are surely ``O`` have been left out between them.

    >>> rows = np.log(np.array([[0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.9, 0.05, 0.05]], np.float32))
    >>> legal_path(rows, ["O", "B-AGE", "I-AGE"]).tolist()
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
    came: list[tuple[Ints, NDArray[np.bool_]]] = []  # from which tag, and of what goes on: from its beginning
    for step in range(1, int(lengths[0])):
        going = int(np.searchsorted(-lengths, -step))  # the longer ones stand first
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
