"""The charlm detector: a chunker over character language models, with n-best rescoring and a recall bias."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar

from plainsight.detect.learned import ModelLabels
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.lab.detect.charlm.network import Network
from plainsight.lab.detect.charlm.symbols import Piece, pieces
from plainsight.lab.detect.trained import require_model
from plainsight.model import Model, load_model
from plainsight.text.variants import in_variant


class Charlm:
    """Find identifiers by the characters they and their surroundings are made of.

    ``model`` is the folder of a trained model. ``bias`` is added to the log-probability of every token
    outside: below 0 more is found, above 0 less; None takes the model's own. With ``rescore`` the ``paths``
    best chunkings of each stretch of a note are scored anew by models of whole identifiers and of the text
    between them; without, the first best is taken, which is several times as fast. ``whole`` takes the best
    chunkings of the whole note instead, as LingPipe does (S42): these differ in a few places only.
    """

    name: ClassVar[str] = "charlm"
    labels = ModelLabels()

    def __init__(
        self,
        *,
        model: str = "",
        bias: float | None = None,
        rescore: bool = True,
        whole: bool = False,
        paths: int = 512,
    ) -> None:
        if paths < 1:
            raise UsageError(f"charlm: paths is at least 1, not {paths}")
        self.model = model
        self.bias = bias
        self.rescore = rescore
        self.whole = whole
        self.paths = paths

    @property
    def manifest(self) -> Mapping[str, Any]:
        """The model's manifest."""
        return self._loaded.manifest

    @cached_property
    def _loaded(self) -> Model:
        return load_model(require_model(self.name, self.model), kind=self.name)

    @cached_property
    def _network(self) -> Network:
        return Network(self._loaded.manifest, self._loaded.arrays)

    @property
    def _own_bias(self) -> float:
        own: float = self.manifest.get("bias", 0.0) if self.bias is None else self.bias
        return own

    def _cut(self, documents: Sequence[Document]) -> list[list[Piece]]:
        return [pieces(document.text) for document in in_variant(documents, self.manifest.get("text"))]

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document, with the probability of being identifiers."""
        network = self._network
        cut = self._cut(documents)
        flat = [piece for row in cut for piece in row]
        if self.rescore:
            chunkings = network.n_best(flat, self._own_bias, rescore=True, whole=self.whole, paths=self.paths)
        else:
            chunkings = network.first_best(flat, self._own_bias)
        made = []
        for row in cut:
            spans = []
            for piece, chunking in zip(row, islice(chunkings, len(row)), strict=True):
                for first, last, label in chunking.chunks:
                    start, end = int(piece.starts[first]), int(piece.ends[last - 1])
                    score = min(max(float(chunking.inside[first:last].min()), 0.0), 1.0)
                    spans.append(
                        Span(
                            piece.offset + start, piece.offset + end, network.labels[label], score, self.name
                        )
                    )
            made.append(spans)
        return made

    def confidence(self, documents: Sequence[Document]) -> list[float]:
        """Return for each note the log-probability of its chunking among the n best."""
        cut = self._cut(documents)
        flat = [piece for row in cut for piece in row]
        chunkings = self._network.n_best(
            flat, self._own_bias, rescore=self.rescore, whole=self.whole, paths=self.paths
        )
        return [sum(chunking.log_probability for chunking in islice(chunkings, len(row))) for row in cut]
