"""Run a trained convolutional network: notes in, scores of all tags at all tokens out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats
from plainsight.detect.convolution.features import WordRows
from plainsight.detect.convolution.note_tokens import claim_numbers, read_joined
from plainsight.detect.convolution.vectors import InputVectors
from plainsight.detect.learned import Margins
from plainsight.detect.session import session_of
from plainsight.detect.transformer.network import stored_splitter
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.model import Model
from plainsight.text.tags import OUTSIDE
from plainsight.text.variants import in_variant

_RUN_TOKENS = 4096  # labelled in one run of the network
_BATCH_CHARACTERS = 1 << 16  # of notes whose words are looked up together


class Network:
    """A trained network.

    Words are looked up for many notes together, but each note runs through the network alone: its scores do
    not depend on other notes, not even in the last digit.
    """

    def __init__(self, model: Model, threads: int) -> None:
        arrays, manifest = model.arrays, model.manifest
        self.tags: list[str] = manifest["tags"]
        if self.tags[0] != OUTSIDE:
            raise UsageError(f"{model.folder}: the first tag of its network is not {OUTSIDE}")
        self._text: str | None = manifest.get("text")
        self._sight = int(manifest["sight"])
        self._claim_numbers = claim_numbers(manifest["claims"])
        rows = WordRows(manifest["network"]["rows"], stored_splitter(model) if manifest["pieces"] else None)
        added = arrays["gaps"][:, None] + arrays["claims"]
        self._vectors = InputVectors(rows, arrays["table"], arrays["steps"], added, manifest.get("step"))
        self._session = session_of(model, threads)

    def margins(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> Iterator[Margins]:
        """Yield each note's tokens with the scores of all tags and the margin over ``O``."""
        for batch in _batches(documents):
            texts = [document.text for document in in_variant(documents[batch], self._text)]
            tokens, offsets = read_joined(texts, claims[batch], self._claim_numbers)
            inputs = self._vectors(tokens.words, tokens.gaps, tokens.claims)
            firsts = np.searchsorted(tokens.edges[:, 0], offsets).tolist()
            for offset, (first, last) in zip(offsets, pairwise([*firsts, len(inputs)]), strict=True):
                yield Margins(tokens.edges[first:last] - offset, *self._run(inputs[first:last]))

    def _run(self, inputs: NDArray[Any]) -> tuple[Floats, Floats]:
        """Return the scores of all tags and the margin of the best other tag over ``O`` at each token."""
        scores = np.zeros((len(inputs), len(self.tags)), np.float32)
        best_others = np.zeros(len(inputs), np.float32)
        for first in range(0, len(inputs), _RUN_TOKENS):
            start, last = max(0, first - self._sight), first + _RUN_TOKENS
            outputs = self._session.run(["scores", "others"], {"words": inputs[start : last + self._sight]})
            for whole, part in zip((scores, best_others), outputs, strict=True):
                whole[first:last] = part[first - start : last - start]
        return scores, best_others - scores[:, 0]


def _batches(documents: Sequence[Document]) -> Iterator[slice]:
    """Yield slices of notes to look up together."""
    first = size = 0
    for last, document in enumerate(documents, start=1):
        size += len(document.text)
        if size >= _BATCH_CHARACTERS or last == len(documents):
            yield slice(first, last)
            first, size = last, 0
