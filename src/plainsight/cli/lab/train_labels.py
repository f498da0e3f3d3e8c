"""The labels that a detector is trained on, and the scheme that maps the notes' labels to ours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from plainsight.document import Document
from plainsight.errors import DataError, UsageError, suggest
from plainsight.evaluate.read_notes import read_notes, relabelled, with_only
from plainsight.labels import CATEGORIES, GROUPS, LABELS, SCHEMES
from plainsight.model import read_manifest

_NAMES = {
    **{name: frozenset(labels) for name, labels in CATEGORIES.items()},
    **{name: frozenset((name,)) for name in LABELS},
    **GROUPS,
}


@dataclass(frozen=True, slots=True)
class LabelChoice:
    """What ``--labels`` asks for: the labels to learn, None for all, and the scheme of the notes' labels."""

    labels: frozenset[str] | None
    scheme: str | None

    def read(self, path: Path, format: str | None) -> list[Document]:  # noqa: A002 - the domain's word
        """Return the notes of a path with the chosen marks; a note without any stays: it teaches, too."""
        documents = read_notes(path, format=format, keep_overlaps=True)
        if self.scheme:
            documents = [relabelled(document, self.scheme) for document in documents]
        if self.labels is None:
            return documents
        chosen = [with_only(document, self.labels) for document in documents]
        marked = {span.label for document in documents for span in document.spans}
        if marked and not any(document.spans for document in chosen):
            raise DataError(f"{path}: no mark of the chosen labels; it has {', '.join(sorted(marked))}")
        return chosen

    def check_init(self, model: Path) -> None:
        """Refuse a model with other labels: without their marks, the training would unlearn them."""
        lost = set(read_manifest(str(model))["labels"]) - self.labels if self.labels else set()
        if lost:
            raise UsageError(f"{model} also finds {', '.join(sorted(lost))}: name them in --labels, too")


def choose_labels(given: Iterable[str]) -> LabelChoice:
    """Read the names of labels, categories and groups of ours, and at most one scheme."""
    names = [name.strip() for each in given for name in each.split(",") if name.strip()]
    for name in names:
        if name not in SCHEMES and name not in _NAMES:
            raise UsageError(f"--labels: unknown name {name!r}{suggest(name, (*SCHEMES, *_NAMES))}")
    schemes = [name for name in names if name in SCHEMES]
    if len(schemes) > 1:
        raise UsageError(f"--labels: notes have one scheme, not {' and '.join(schemes)}")
    chosen = [_NAMES[name] for name in names if name not in SCHEMES]
    return LabelChoice(frozenset().union(*chosen) if chosen else None, schemes[0] if schemes else None)
