"""A corpus as tensors on the device of the network, so that a batch is only a matter of indices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from plainsight.lab.detect.bilstm.inputs import Piece
from plainsight.lab.train.recurrent.corpus import NO_TAG, Corpus


class Batch(NamedTuple):
    """Sequences side by side: the inputs of the network, and the gold tags.

    Lengths stay on the CPU, where PyTorch's packing wants them.
    """

    given: dict[str, Tensor]
    tags: Tensor


class CorpusTensors:
    """The columns, characters and tags of a corpus on a device."""

    def __init__(self, corpus: Corpus, where: torch.device) -> None:
        reading = corpus.reading
        self.where = where
        self._columns = {name: torch.from_numpy(row).to(where) for name, row in reading.columns.items()}
        self._tags = torch.from_numpy(corpus.tags).to(where)
        self._which, self._spelt = reading.which, bool(reading.spelt)
        if self._spelt:
            self._sizes = np.array([len(word) for word in reading.spelt])
            signs = np.zeros((len(reading.spelt), self._sizes.max()), np.int64)
            signs[np.arange(signs.shape[1]) < self._sizes[:, None]] = np.concatenate(reading.spelt)
            self._signs = torch.from_numpy(signs).to(where)

    def __call__(self, pieces: Sequence[Piece]) -> Batch:
        """Return pieces of the corpus as a batch; shorter ones repeat their last token."""
        starts, stops = np.array([(piece.start, piece.stop) for piece in pieces]).T
        rows = np.arange((stops - starts).max())[:, None]
        inside = rows < stops - starts
        places = np.where(inside, starts + rows, stops - 1)
        at, within = torch.from_numpy(places).to(self.where), torch.from_numpy(inside).to(self.where)
        given = {name: row[at] for name, row in self._columns.items()}
        given["lengths"] = torch.from_numpy(stops - starts)
        if self._spelt:
            words, which = np.unique(self._which[places], return_inverse=True)
            sizes = self._sizes[words]
            given["which"] = torch.from_numpy(which.reshape(places.shape)).to(self.where)
            some = torch.from_numpy(words).to(self.where)
            given["characters"] = self._signs[some, : int(sizes.max())].T
            given["character_lengths"] = torch.from_numpy(sizes)
        return Batch(given, self._tags[at].masked_fill(~within, NO_TAG))
