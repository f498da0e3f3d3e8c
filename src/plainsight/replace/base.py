"""What every operation is: documents in, one replacement per span out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol, Self, runtime_checkable

from plainsight.document import Document


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


@runtime_checkable
class MarkingOperation(Operation, Protocol):
    """Replace identifiers, and also text that no detector marks.

    The pipeline asks the operation of DATE to mark a document before its spans are replaced.
    """

    def marked(self, document: Document) -> Document:
        """Return the document with more DATE spans, or the document itself."""
        ...


@runtime_checkable
class KeyedOperation(Operation, Protocol):
    """Replace identifiers with the help of a secret key.

    The pipeline builds the operation from the policy, which never holds a key, and then calls `with_key`.
    """

    @property
    def consistency(self) -> str:
        """Where the same original gets the same replacement: in a ``patient``, a ``note`` or ``none``."""
        ...

    def with_key(self, key: bytes) -> Self:
        """Return the same operation with this key."""
        ...
