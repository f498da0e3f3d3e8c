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


def pairs_of(documents: Sequence[Document], found: Sequence[Sequence[Span]]) -> list[Pair]:
    """Return gold notes with what was found in them."""
    return [
        Pair(document.id, document.text, document.spans, tuple(spans))
        for document, spans in zip(documents, found, strict=True)
    ]


def scores(documents: Sequence[Document], found: Sequence[Sequence[Span]]) -> dict[str, Any]:
    """Return precision, recall and F: of tokens whatever their label, of whole spans, and of each label's."""
    pairs = pairs_of(documents, found)
    strict, tokens = (score(pairs, name) for name in ("strict", "binary-token"))
    return {
        "notes": len(documents),
        "binary-token": _counted(tokens.micro),
        "strict": _counted(strict.micro),
        "strict by label": {label: _counted(tally) for label, tally in strict.by_label.items()},
    }


def figures(tally: Tally) -> dict[str, Any]:
    """Return precision, recall and F, rounded."""
    values = {"precision": tally.precision, "recall": tally.recall, "f": tally.f}
    return {name: value if value is None else round(value, 4) for name, value in values.items()}


def _counted(tally: Tally) -> dict[str, Any]:
    return {**figures(tally), "gold": int(tally.gold), "found": int(tally.found)}
