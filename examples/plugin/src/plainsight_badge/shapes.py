"""Learn the shapes of marked codes, such as ``AAA-99999`` for BDG-20417, and find codes of these shapes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import inf, log
from pathlib import Path
from typing import Any, ClassVar

from plainsight import DataError, Document, Span, UsageError
from plainsight.lab.train.scores import save_scored
from plainsight.model import read_manifest, save_model

__all__ = ["Shapes", "train_shapes"]

_CODE = re.compile(r"(?<!\S)(?=\S*\d)[^\s,;()]*\w")
_LABELS = frozenset({"IDNUM", "MEDICALRECORD", "DATE", "PHONE"})


def _shape(code: str) -> str:
    """Return a code with 9 for each digit and A for each letter."""
    return "".join("9" if char.isdigit() else "A" if char.isalpha() else char for char in code)


def _log_odds(share: float) -> float:
    return inf if share >= 1 else log(share / (1 - share))


class _Labels:
    """All labels on the class, those of the model on an instance."""

    def __get__(self, detector: Shapes | None, owner: type[Shapes]) -> frozenset[str]:
        return _LABELS if detector is None else frozenset(detector.manifest["labels"])


class Shapes:
    """Find codes that have the shape of codes that were marked in training notes.

    The score is the share of the shape that was marked. A ``bias`` below 0 finds more: a shape counts if the
    log-odds of its share are above the bias.
    """

    name: ClassVar[str] = "shapes"
    labels = _Labels()

    def __init__(self, *, model: str = "", bias: float | None = None) -> None:
        self.model = model
        self.bias = bias

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """The manifest of the model, which holds the shapes."""
        if not self.model:
            raise UsageError("shapes needs a model: train one with 'plainsight train shapes'")
        return read_manifest(self.model)

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the codes of known shapes in each document."""
        bias = self.manifest["bias"] if self.bias is None else self.bias
        shapes = {s: own for s, own in self.manifest["shapes"].items() if _log_odds(own[1]) > bias}
        return [
            [
                Span(*code.span(), *shapes[shape], "shapes")
                for code in _CODE.finditer(document.text)
                if (shape := _shape(code.group())) in shapes
            ]
            for document in documents
        ]


def train_shapes(
    documents: Sequence[Document],
    folder: Path,
    *,
    rarest: int = 2,
    dev: Sequence[Document] = (),
    progress: Callable[[int, float], None] = lambda step, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Learn the shapes of marked codes; those seen fewer than ``rarest`` times are left out."""
    stage("counting")
    seen: Counter[str] = Counter()
    marked: Counter[tuple[str, str]] = Counter()
    for document in documents:
        label_of = {(span.start, span.end): span.label for span in document.spans if span.label in _LABELS}
        for code in _CODE.finditer(document.text):
            shape = _shape(code.group())
            seen[shape] += 1
            if label := label_of.get(code.span()):
                marked[shape, label] += 1
    shapes = {
        shape: (label, round(count / seen[shape], 4))
        for (shape, label), count in sorted(marked.items(), key=lambda entry: entry[1])
        if seen[shape] >= rarest
    }
    if not shapes:
        raise DataError("no code with a shape of its own is marked in these notes")
    labels = sorted({label for label, _ in shapes.values()})
    manifest = {"labels": labels, "bias": 0.0, "shapes": shapes}

    def save(*, manifest: Mapping[str, Any]) -> dict[str, Any]:
        save_model(folder, kind=Shapes.name, manifest=manifest, arrays={})
        return read_manifest(folder)

    return save_scored(save, manifest, dev, lambda: Shapes(model=str(folder)), stage)
