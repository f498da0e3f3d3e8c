"""Keep: leave identifiers as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from plainsight.document import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """Return every identifier unchanged."""

    name: ClassVar[str] = "keep"

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return the original text of each span."""
        return [[document.text[span.start : span.end] for span in document.spans] for document in documents]
