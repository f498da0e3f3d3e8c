"""A CRF's weights as the arrays of a model folder: small ones left out, the others as 16-bit numbers.

A feature's name (``word-1 w=dr``) holds a word of the notes, so a model has a digest in its place. It is the
same at all offsets, and stored once (`detect.crf.tables.Weights`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.lab.detect.crf.channels import Channel
from plainsight.lab.detect.crf.digests import narrowed, widened

__all__ = ["Packed", "pack", "places_of", "unpack"]

Ints = NDArray[np.int64]
Doubles = NDArray[np.float64]


class Packed(NamedTuple):
    """Weights one by one: the digest and the place of the feature's offset, the label, the value.

    ``rows`` numbers the ``digests``.
    """

    digests: list[int]
    rows: Ints
    places: Ints
    tags: Ints
    values: Doubles


def places_of(names: Sequence[str], channels: Sequence[Channel]) -> tuple[list[int], list[int]]:
    """Return the digest of each feature and the place of its offset."""
    slots = {
        f"{channel.name}{offset:+d}": (channel, place)
        for channel in channels
        for place, offset in enumerate(channel.offsets)
    }
    features: dict[str, list[str]] = {slot: [] for slot in slots}
    where: dict[str, list[int]] = {slot: [] for slot in slots}
    for number, name in enumerate(names):
        slot, _, feature = name.partition(" ")
        features[slot].append(feature)
        where[slot].append(number)
    digests, places = np.zeros(len(names), dtype=np.uint64), np.zeros(len(names), dtype=np.int64)
    for slot, (channel, place) in slots.items():
        digests[where[slot]] = channel.digests(features[slot])
        places[where[slot]] = place
    return digests.tolist(), places.tolist()


def pack(
    weights: Packed, *, labels: int, smallest: float = 1e-3, exact: bool = False
) -> tuple[dict[str, NDArray[Any]], float]:
    """Return the arrays of a model and the scale of its values.

    Weights under ``smallest`` are left out. Values are whole numbers of ``scale``, an error under a
    ten-thousandth of the greatest weight; ``exact`` keeps them as they are.
    """
    kept = np.abs(weights.values) >= smallest
    rows, values = weights.rows[kept], weights.values[kept]
    used, row = np.unique(np.array(weights.digests, dtype=np.uint64)[rows], return_inverse=True)
    cell = (weights.places * labels + weights.tags)[kept]
    order = np.lexsort((cell, row))
    scale = 1.0 if exact or not len(values) else float(np.abs(values).max() / 32_767)
    values = values[order]
    return {
        "digests": narrowed(used),
        "starts": np.cumsum(np.bincount(row + 1, minlength=len(used) + 1)).astype(np.int32),
        "cells": cell[order].astype(np.uint16),
        "values": values.astype(np.float32) if exact else np.round(values / scale).astype(np.int16),
    }, scale


def unpack(arrays: Mapping[str, Any], scale: float, *, labels: int) -> Packed:
    """Return the weights of a model one by one."""
    digests: list[int] = widened(arrays["digests"]).tolist()
    rows = np.repeat(np.arange(len(digests)), np.diff(arrays["starts"]))
    places, tags = np.divmod(arrays["cells"].astype(np.int64), labels)
    return Packed(digests, rows, places, tags, arrays["values"] * float(scale))
