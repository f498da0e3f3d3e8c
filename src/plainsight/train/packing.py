"""A CRF's weights as the arrays of a model folder: small ones left out, the others as 16-bit numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["pack"]


def pack(
    names: Sequence[str],
    features: NDArray[Any],
    labels: NDArray[Any],
    values: NDArray[Any],
    *,
    smallest: float = 1e-3,
    exact: bool = False,
) -> tuple[dict[str, NDArray[Any]], float]:
    """Return the arrays of a model and the scale of its values.

    Weight ``values[i]`` is that of feature ``names[features[i]]`` for label ``labels[i]``. Weights under
    ``smallest`` are left out. Values are whole numbers of ``scale``, an error under a ten-thousandth of the
    greatest weight; ``exact`` keeps them as they are. Names are sorted, so that they compress well.
    """
    kept = np.abs(values) >= smallest
    features, labels, values = features[kept], labels[kept], values[kept]
    used = np.unique(features)
    order = sorted(used.tolist(), key=names.__getitem__)
    rank = np.zeros(len(names), dtype=np.int64)
    rank[order] = np.arange(len(order))
    rows = rank[features]
    by_row = np.lexsort((labels, rows))
    starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(order)))))
    scale = 1.0 if exact or not len(values) else float(np.abs(values).max() / 32_767)
    values = values[by_row]
    text = "\n".join(names[number] for number in order)
    return {
        "names": np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8),
        "starts": starts.astype(np.int32),
        "labels": labels[by_row].astype(np.uint8 if not len(labels) or labels.max() < 256 else np.uint16),
        "values": values.astype(np.float32) if exact else np.round(values / scale).astype(np.int16),
    }, scale
