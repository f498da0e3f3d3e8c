"""The model that a network's training continues from, and what it fixes: labels, claims and text variant."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from plainsight.errors import UsageError
from plainsight.model import Model, load_model
from plainsight.text.tags import OUTSIDE


class Init:
    """A model to continue from, or none."""

    def __init__(self, source: str | Path | None, *, kind: str) -> None:
        self.model: Model | None = None if source is None else load_model(source, kind=kind)

    def labels(self, found: Collection[str]) -> list[str]:
        """Return the labels of the notes and of the model."""
        return sorted({*found, *(self.model.manifest["labels"] if self.model else ())})

    def same(self, name: str, given: Any, own: Any) -> Any:
        """Return what the model has; refuse another wish."""
        if given is not None and given != own:
            raise UsageError(f"the model to continue from has the {name} {own}: it cannot be changed")
        return own

    def claims(self, wanted: bool, every: Collection[str]) -> list[str]:
        """Return the labels of the claims that the network sees."""
        if self.model is None:
            return sorted(every) if wanted else []
        if self.model.manifest["claims"] and not wanted:
            raise UsageError("the model to continue from uses the claims of the rules: leave out --no-claims")
        return list(self.model.manifest["claims"])

    def text(self, wanted: str | None) -> str | None:
        """Return the variant of the text that the network reads."""
        if self.model is None:
            return wanted
        own: str | None = self.model.manifest.get("text")
        if wanted is not None and wanted != own:
            raise UsageError(f"the model to continue from reads the text {own or 'as written'}, not {wanted}")
        return own

    def to_record(self) -> dict[str, Any] | None:
        """Return what a manifest says of it."""
        if self.model is None:
            return None
        return {"name": self.model.folder.name, "files": self.model.manifest["files"]}


def tags_of(labels: Collection[str]) -> list[str]:
    """Return the BIO tags of labels."""
    return [OUTSIDE, *(f"{prefix}-{label}" for label in sorted(labels) for prefix in "BI")]
