"""A CRF's weights as the arrays of a model folder: small ones left out, the others as 16-bit numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.crf.channels import Channel

__all__ = ["pack", "unpack"]

Ints = NDArray[np.int64]


def pack(
    names: Sequence[str],
    features: NDArray[Any],
    tags: NDArray[Any],
    values: NDArray[Any],
    *,
    channels: Sequence[Channel],
    labels: int,
    smallest: float = 1e-3,
    exact: bool = False,
) -> tuple[dict[str, NDArray[Any]], float]:
    """Return the arrays of a model and the scale of its values.

    Weight ``values[i]`` is that of the feature ``names[features[i]]``, such as ``word-1 w=dr``, for the label
    ``tags[i]``. Weights under ``smallest`` are left out. A channel's feature is stored once for all offsets
    (`detect.crf.tables.Weights`), in the order of names, so that they compress well. Values are whole numbers
    of ``scale``, an error under a ten-thousandth of the greatest weight; ``exact`` keeps them as they are.
    """
    kept = np.abs(values) >= smallest
    features, tags, values = features[kept], tags[kept], values[kept]
    place = {
        f"{channel.name}{offset:+d}": (channel.name, place)
        for channel in channels
        for place, offset in enumerate(channel.offsets)
    }
    rows: dict[str, int] = {}
    row_of, place_of = np.zeros(len(names), dtype=np.int64), np.zeros(len(names), dtype=np.int64)
    for number in np.unique(features).tolist():
        slot, _, feature = names[number].partition(" ")
        channel, place_of[number] = place[slot]
        row_of[number] = rows.setdefault(f"{channel} {feature}", len(rows))
    order = sorted(rows)
    rank = np.zeros(len(rows), dtype=np.int64)
    rank[[rows[name] for name in order]] = np.arange(len(rows))
    row, cell = rank[row_of[features]], place_of[features] * labels + tags
    sorted_ = np.lexsort((cell, row))
    values = values[sorted_]
    scale = 1.0 if exact or not len(values) else float(np.abs(values).max() / 32_767)
    return {
        "names": np.frombuffer("\n".join(order).encode("utf-8", "surrogatepass"), dtype=np.uint8),
        "starts": np.cumsum(np.bincount(row + 1, minlength=len(rows) + 1)).astype(np.int32),
        "cells": cell[sorted_].astype(np.uint16),
        "values": values.astype(np.float32) if exact else np.round(values / scale).astype(np.int16),
    }, scale


def unpack(
    arrays: Any, scale: float, *, channels: Sequence[Channel], labels: int
) -> tuple[list[str], Ints, Ints, NDArray[np.float64]]:
    """Return what `pack` was given, as far as it is stored: names, features, tags and values."""
    slots = {
        channel.name: [f"{channel.name}{offset:+d}" for offset in channel.offsets] for channel in channels
    }
    stored = arrays["names"].tobytes().decode("utf-8", "surrogatepass").split("\n")
    row = np.repeat(np.arange(len(arrays["starts"]) - 1), np.diff(arrays["starts"]))
    place, tags = np.divmod(arrays["cells"].astype(np.int64), labels)
    names: dict[str, int] = {}
    features = []
    for number, at in zip(row.tolist(), place.tolist(), strict=True):
        channel, _, feature = stored[number].partition(" ")
        features.append(names.setdefault(f"{slots[channel][at]} {feature}", len(names)))
    return list(names), np.array(features, dtype=np.int64), tags, arrays["values"] * float(scale)
