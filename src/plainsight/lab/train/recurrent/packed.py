"""A corpus as tensors, put once where the network is: a batch is then only a matter of places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from plainsight.lab.detect.bilstm.cutting import Piece
from plainsight.lab.train.recurrent.lessons import NO_TAG, Corpus

__all__ = ["Batch", "Packed"]

_TAUGHT = 0.5  # a teacher's probabilities come to 1, or to nothing where it has not looked


@dataclass(frozen=True, slots=True)
class Batch:
    """Sequences side by side: what the network is given, and what it should say.

    Lengths stay on the CPU, where packing wants them. ``known`` and ``taught`` count the tokens with a gold
    tag and those with a teacher's probabilities, ``whole`` are the sequences that the gold labels from end to
    end: counted beforehand, lest the GPU waits for an answer at each step.
    """

    given: dict[str, Tensor]
    tags: Tensor
    soft: Tensor | None
    known: int
    taught: int
    whole: NDArray[np.int64]


class Packed:
    """The columns, characters, tags and a teacher's probabilities of a corpus on a device."""

    def __init__(self, corpus: Corpus, where: Any) -> None:
        reading = corpus.reading
        self.where = where
        self._columns = {name: torch.from_numpy(row).to(where) for name, row in reading.columns.items()}
        self._tags = torch.from_numpy(corpus.tags).to(where)
        self._soft = None if corpus.soft is None else torch.from_numpy(corpus.soft).to(where)
        self._known = _summed(corpus.tags != NO_TAG)
        self._taught = None if corpus.soft is None else _summed(corpus.soft.sum(1) > _TAUGHT)
        self._which, self._spelt = reading.which, bool(reading.spelt)
        if self._spelt:
            self._sizes = np.array([len(word) for word in reading.spelt])
            signs = np.zeros((len(reading.spelt), self._sizes.max()), np.int64)
            signs[np.arange(signs.shape[1]) < self._sizes[:, None]] = np.concatenate(reading.spelt)
            self._signs = torch.from_numpy(signs).to(where)

    def __call__(self, pieces: Sequence[Piece]) -> Batch:
        """Return pieces of the corpus as a batch; what pads a sequence repeats its last token."""
        starts, stops = np.array([(piece.start, piece.stop) for piece in pieces]).T
        lengths = stops - starts
        rows = np.arange(lengths.max())[:, None]
        inside = rows < lengths
        places = np.where(inside, starts + rows, stops - 1)
        at, within = torch.from_numpy(places).to(self.where), torch.from_numpy(inside).to(self.where)
        given = {name: row[at] for name, row in self._columns.items()}
        given["lengths"] = torch.from_numpy(lengths)
        if self._spelt:
            words, which = np.unique(self._which[places], return_inverse=True)
            sizes = self._sizes[words]
            given["which"] = torch.from_numpy(which.reshape(places.shape)).to(self.where)
            some = torch.from_numpy(words).to(self.where)
            given["characters"] = self._signs[some, : int(sizes.max())].T
            given["character_lengths"] = torch.from_numpy(sizes)
        known = self._known[stops] - self._known[starts]
        taught = 0 if self._taught is None else int((self._taught[stops] - self._taught[starts]).sum())
        return Batch(
            given,
            self._tags[at].masked_fill(~within, NO_TAG),
            self._soft[at].float() * within[..., None] if taught and self._soft is not None else None,
            int(known.sum()),
            taught,
            np.flatnonzero(known == lengths),
        )


def _summed(marks: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(marks)))
