"""The times detector: times of day, for policies that hide them (S132)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from plainsight.document import Document, Span
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.times import time_patterns
from plainsight.text.shadow import shadow

_SCORE = 0.95


class Times:
    """Find times of day by their shape: ``14:05``, ``2:05 pm``, ``2 pm``, ``1405 hrs``.

    ``locale`` is the name of a shipped locale, or the path of a folder, see `plainsight.locale`. Times are no
    identifiers of Safe Harbor: a policy that wants them has the labels ``all+time``.
    """

    name: ClassVar[str] = "times"
    labels: ClassVar[frozenset[str]] = frozenset({"TIME"})

    def __init__(self, *, locale: str = DEFAULT_LOCALE) -> None:
        self.locale = locale

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the times of day in each document."""
        return [self._found(shadow(document.text).decode("ascii")) for document in documents]

    def _found(self, text: str) -> list[Span]:
        longest: dict[int, int] = {}  # end by start
        for pattern in time_patterns(self.locale):
            for match in pattern.finditer(text):
                longest[match.start()] = max(match.end(), longest.get(match.start(), 0))
        return [
            Span(start, end, "TIME", _SCORE, f"{self.name}.clock") for start, end in sorted(longest.items())
        ]
