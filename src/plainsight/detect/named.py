"""A detector under a name of its own: for some of its labels, over the text as written or a variant of it.

A policy may hold several detectors of one kind, each with a name, a model, labels and a text variant::

    [detector.names-lower]
    kind = "transformer"
    labels = ["PATIENT", "DOCTOR"]
    text = "lower"
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import cast

from plainsight.detect.base import Detector, Doubting, Stacked, is_local
from plainsight.document import Document, Span
from plainsight.text.variants import in_variant


class Named:
    """Another detector under a name, which claims only some labels and may read a variant of the text."""

    def __init__(
        self, *, detector: Detector, name: str, labels: Set[str] | None = None, text: str | None = None
    ) -> None:
        self.detector = detector
        self.name = name
        self.labels = detector.labels if labels is None else detector.labels & labels
        self._text = text
        self.local = is_local(detector)

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        return self._renamed(self.detector.detect(self._read(documents)))

    def _read(self, documents: Sequence[Document]) -> Sequence[Document]:
        return in_variant(documents, self._text)

    def _renamed(self, found: Sequence[Sequence[Span]]) -> list[list[Span]]:
        return [[self._own(span) for span in spans if span.label in self.labels] for spans in found]

    def _own(self, span: Span) -> Span:
        # not dataclasses.replace, which takes three times as long
        source = f"{self.name}{span.source.removeprefix(span.detector)}"
        return Span(span.start, span.end, span.label, span.score, source, span.claims, span.entity)


class NamedStacked(Named):
    """The same for a detector that reads the claims of others."""

    detector: Stacked

    @property
    def needs(self) -> tuple[str, ...]:
        """The detectors whose claims it reads."""
        return self.detector.needs

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document, given the claims of the detectors it needs."""
        return self._renamed(self.detector.detect_with(self._read(documents), claims))


class NamedDoubting(NamedStacked):
    """The same for a detector that also says what it finds somewhat probable."""

    detector: Doubting

    def detect_and_doubt(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]] | None = None
    ) -> tuple[list[list[Span]], list[list[Span]]]:
        """Return the spans found in each document, and the other tokens that may be identifiers."""
        found, possible = self.detector.detect_and_doubt(self._read(documents), claims)
        return self._renamed(found), self._renamed(possible)


def named(
    detector: Detector, name: str, *, labels: Set[str] | None = None, text: str | None = None
) -> Detector:
    """Return the detector under a name; the detector itself if nothing differs."""
    if name == detector.name and labels is None and text is None:
        return detector
    kind: type[Named] = Named
    if isinstance(detector, Stacked):
        kind = NamedDoubting if isinstance(detector, Doubting) else NamedStacked
    return cast(
        Detector, kind(detector=detector, name=name, labels=labels, text=text)
    )  # its name is not its class's
