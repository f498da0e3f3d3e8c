"""Find staff badge numbers such as BDG-20417."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from plainsight import Document, Span

__all__ = ["Badge"]


class Badge:
    """Find badge numbers: a prefix, a dash and five digits."""

    name: ClassVar[str] = "badge"
    labels: ClassVar[frozenset[str]] = frozenset({"IDNUM"})

    def __init__(self, *, prefix: str = "BDG") -> None:
        if not prefix.isalnum():
            raise ValueError("a prefix has letters and digits only")
        self.prefix = prefix

    @cached_property
    def _badge(self) -> re.Pattern[str]:
        return re.compile(rf"\b{self.prefix}-\d{{5}}\b")

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the badge numbers in each document."""
        return [
            [Span(*match.span(), "IDNUM", 0.99, "badge") for match in self._badge.finditer(document.text)]
            for document in documents
        ]
