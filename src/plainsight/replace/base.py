"""What every operation is: documents in, one replacement per span out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol, runtime_checkable

from plainsight.document import Document

__all__ = ["Operation"]


@runtime_checkable
class Operation(Protocol):
    """Replace identifiers.

    The documents of one call include all notes of a patient that are at hand, so an operation can keep
    them consistent; each document's ``spans`` are just those this operation is to replace. Options are
    keyword-only and typed. The result depends on nothing but the documents and the options.
    """

    name: ClassVar[str]

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return for each document one string per span, in order."""
        ...
