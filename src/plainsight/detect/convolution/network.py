"""A trained network made ready: notes in, a score of every tag at every token out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats
from plainsight.detect.bio_decode import widest_margins
from plainsight.detect.convolution.inputs import ByteInputs, Inputs
from plainsight.detect.convolution.note_tokens import claim_numbers, read_as_one
from plainsight.detect.convolution.words import WordRows
from plainsight.detect.learned import Margins
from plainsight.detect.session import session_of
from plainsight.detect.transformer.network import parted
from plainsight.detect.transformer.pieces import piece_maker
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.model import Model
from plainsight.text.tags import OUTSIDE

_ROOM = 4096  # tokens that go through at once
_CHARACTERS = 1 << 16  # that are read together: more take up room, and are no quicker


class Network:
    """Reads notes and scores their tokens.

    Words are looked up for many notes at once, but each note goes through the network by itself: its scores
    never depend on the notes beside it, not even in the last digit.
    """

    def __init__(self, model: Model, threads: int) -> None:
        arrays, manifest = model.arrays, model.manifest
        self.tags: list[str] = manifest["tags"]
        if self.tags[0] != OUTSIDE:
            raise UsageError(f"{model.folder}: the first tag of its network is not {OUTSIDE}")
        self._sight = int(manifest["sight"])
        self._numbers = claim_numbers(manifest["claims"])
        added: Floats = arrays["gaps"][:, None] + arrays["claims"]
        words = _rows(model), arrays["table"], arrays["steps"], added
        step = manifest.get("step")  # of a network that is given bytes
        self._inputs = Inputs(*words) if step is None else ByteInputs(*words, step)
        self._session = session_of(model, threads)

    def margins(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> Iterator[Margins]:
        """Yield each note's tokens, with the score of each tag and the margin over ``O`` at each."""
        for some in _batches(documents):
            texts = [document.text for document in documents[some]]
            reading, offsets = read_as_one(texts, claims[some], self._numbers)
            given = self._inputs.of(reading)
            firsts = np.searchsorted(reading.edges[:, 0], offsets).tolist()
            made = [self._run(given[first:last]) for first, last in pairwise([*firsts, len(given)])]
            for offset, first, (scores, margins) in zip(offsets, firsts, made, strict=True):
                yield Margins(reading.edges[first : first + len(scores)] - offset, scores, margins)

    def _run(self, given: NDArray[Any]) -> tuple[Floats, Floats]:
        """Return the score of each tag and the margin over ``O`` at every token of a note."""
        if not len(given):
            return np.zeros((0, len(self.tags)), np.float32), np.zeros(0, np.float32)
        parts = []
        for start, stop, keep, until in _stretches(len(given), self._sight):
            found = _with_margins(*self._session.run(None, {"words": given[start:stop]}))
            parts.append([part[keep - start : until - start] for part in found])
        scores, margins = parts[0] if len(parts) == 1 else map(np.concatenate, zip(*parts, strict=True))
        return scores, margins


def _with_margins(scores: Floats, others: Floats | None = None) -> tuple[Floats, Floats]:
    """Return scores and margins over ``O``, the first tag.

    Graphs return the best other score. Older ones return log-probabilities alone, which bound the margins.
    """
    outside = scores[:, 0]
    return scores, widest_margins(outside) if others is None else others - outside


def _batches(documents: Sequence[Document]) -> Iterator[slice]:
    """Yield which notes are read together."""
    first = size = 0
    for place, document in enumerate(documents, start=1):
        size += len(document.text)
        if size >= _CHARACTERS or place == len(documents):
            yield slice(first, place)
            first, size = place, 0


def _rows(model: Model) -> WordRows:
    make = None
    if kind := model.manifest["pieces"]:
        names = ("vocabulary", "merges")
        words = {name: parted(model.arrays[name]) for name in names if name in model.arrays}
        make = piece_maker(kind, words)
    return WordRows(model.manifest["network"]["rows"], make)


def _stretches(tokens: int, sight: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield what is looked at and what of it is labelled: each token with all that it can see."""
    for keep in range(0, tokens, _ROOM):
        until = min(keep + _ROOM, tokens)
        yield max(0, keep - sight), min(tokens, until + sight), keep, until
