"""What operations with a secret key share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import owner


@dataclass(frozen=True, slots=True, kw_only=True)
class WithKey:
    """An operation with a key, which the pipeline sets."""

    name: ClassVar[str]

    key: bytes | None = field(default=None, repr=False)

    def with_key(self, key: bytes) -> Self:
        """Return the same operation with this key."""
        return replace(self, key=key)

    def keyed(self) -> Keyed:
        """Return the choices under the key; without a key nothing can be replaced."""
        if self.key is None:
            raise UsageError(f"the operation {self.name} needs a key")
        return Keyed.from_secret(self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanWithKey(WithKey):
    """An operation that replaces each span by itself, with a key of its patient."""

    consistency: ClassVar[str] = "patient"

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return the replacement of each span."""
        if not documents:
            return []
        keyed, made = self.keyed(), []
        for document in documents:
            own = keyed.child(owner(document)).child(self.name)
            texts = [(span.label, document.text[span.start : span.end]) for span in document.spans]
            made.append([self.replaced(own, label, text) for label, text in texts])
        return made

    def replaced(self, keyed: Keyed, label: str, text: str) -> str:
        """Return what stands for one span."""
        raise NotImplementedError
