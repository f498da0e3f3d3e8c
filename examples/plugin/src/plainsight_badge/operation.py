"""Replace letters and digits by stars."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from plainsight import Document

__all__ = ["Stars"]

_WORD_CHARACTER = re.compile(r"[^\W_]")


class Stars:
    """Put a star for every letter and digit but the first few, which are generic here."""

    name: ClassVar[str] = "stars"

    def __init__(self, *, keep: int = 0) -> None:
        self.keep = keep

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return the starred form of each span."""
        return [
            [self._starred(document.text[span.start : span.end]) for span in document.spans]
            for document in documents
        ]

    def _starred(self, text: str) -> str:
        return text[: self.keep] + _WORD_CHARACTER.sub("*", text[self.keep :])
