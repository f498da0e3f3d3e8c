"""What every detector is: documents in, a list of spans per document out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol, runtime_checkable

from plainsight.document import Document, Span

__all__ = ["Detector", "Stacked"]


@runtime_checkable
class Detector(Protocol):
    """Find identifiers.

    A constructor takes keyword-only, typed options and only stores them; what is costly is built at
    the first call. Spans of one document must lie inside its text; they may overlap each other.
    ``source`` is the detector's name, or ``name.rule`` to say which rule spoke. Scores are
    probabilities that the span is an identifier. Nothing is remembered between calls.
    """

    name: ClassVar[str]
    labels: ClassVar[frozenset[str]]

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document, in the order of the documents."""
        ...


@runtime_checkable
class Stacked(Detector, Protocol):
    """A detector that looks at what others claim.

    ``needs`` names them. Alone it runs them itself; a pipeline that has run them passes on their claims.
    """

    needs: ClassVar[tuple[str, ...]]

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document, given the claims of the detectors it needs."""
        ...
