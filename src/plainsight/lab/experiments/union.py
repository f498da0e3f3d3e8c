"""The union of a recurrent network and a CRF as one learner: what either finds is found.

It is no detector of its own, for a policy with both of them is the same; but experiments, such as the
learning curve, train and test it as one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, Literal

from plainsight.combine import combine
from plainsight.document import Document, Span
from plainsight.lab.detect.bilstm import Bilstm
from plainsight.lab.detect.crf import Crf
from plainsight.lab.train.bilstm import train_bilstm
from plainsight.lab.train.crf import train_crf
from plainsight.labels import LABELS

_PARTS = (Bilstm.name, Crf.name)


def train_union(
    documents: Sequence[Document],
    folder: Path,
    *,
    feature_set: str = "plainsight",
    iterations: int = 100,
    architecture: str = "2016",
    vectors: str | Path | Sequence[Path] = (),
    optimiser: Literal["sgd", "rmsprop", "adam"] | None = None,
    rate: float | None = None,
    cooling: bool | None = None,
    batch: int | None = None,
    epochs: int | None = None,
    patience: int | None = None,
    quantise: bool | None = None,
    seed: int = 0,
) -> None:
    """Train both: the first two settings are the CRF's, the others the network's."""
    train_bilstm(
        documents,
        folder / Bilstm.name,
        architecture=architecture,
        vectors=vectors,
        optimiser=optimiser,
        rate=rate,
        cooling=cooling,
        batch=batch,
        epochs=epochs,
        patience=patience,
        quantise=quantise,
        seed=seed,
    )
    train_crf(documents, folder / Crf.name, feature_set=feature_set, iterations=iterations)
    sums = {part: sha256((folder / part / "manifest.json").read_bytes()).hexdigest() for part in _PARTS}
    (folder / "manifest.json").write_text(json.dumps({"kind": Union.name, "parts": sums}), encoding="utf-8")


class Union:
    """Both at once, under the same ``bias``; where both find something, it is settled as policies do it."""

    name: ClassVar[str] = "union"
    labels: ClassVar[frozenset[str]] = frozenset(LABELS)

    def __init__(self, *, model: str, bias: float | None = None) -> None:
        self.model = model
        self.bias = bias

    @cached_property
    def _parts(self) -> tuple[Bilstm, Crf]:
        return (
            Bilstm(model=str(Path(self.model, Bilstm.name)), bias=self.bias),
            Crf(model=str(Path(self.model, Crf.name)), bias=self.bias),
        )

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        both = zip(documents, *(part.detect(documents) for part in self._parts), strict=True)
        return [list(combine([*one, *two], document.text)) for document, one, two in both]
