"""Score a trained detector on notes that it has not learnt from, for the card of its model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from plainsight.document import Document, Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import score
from plainsight.evaluate.tally import Tally


def save_scored(
    save: Callable[..., dict[str, Any]],
    manifest: Mapping[str, Any],
    dev: Sequence[Document],
    detector: Callable[[], Any],
    stage: Callable[[str], None],
) -> dict[str, Any]:
    """Save a model; if there are dev notes, save it again with its scores on them."""
    saved = save(manifest=manifest)
    if dev:
        stage("measuring")
        saved = save(manifest={**manifest, "scores": scores(dev, detector().detect(dev))})
    return saved


def scores(documents: Sequence[Document], found: Sequence[Sequence[Span]]) -> dict[str, Any]:
    """Return precision, recall and F: of tokens whatever their label, of whole spans, and of each label's."""
    pairs = [
        Pair(document.id, document.text, document.spans, tuple(spans))
        for document, spans in zip(documents, found, strict=True)
    ]
    strict = score(pairs, "strict")
    return {
        "notes": len(documents),
        "binary-token": _figures(score(pairs, "binary-token").micro),
        "strict": _figures(strict.micro),
        "strict by label": {label: _figures(tally) for label, tally in strict.by_label.items()},
    }


def _figures(tally: Tally) -> dict[str, float | int | None]:
    return {
        "precision": _rounded(tally.precision),
        "recall": _rounded(tally.recall),
        "f": _rounded(tally.f),
        "gold": int(tally.gold),
        "found": int(tally.found),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
