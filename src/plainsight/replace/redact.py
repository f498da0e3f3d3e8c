"""Redact: replace identifiers by a fixed string or by their label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import Formatter
from typing import ClassVar

from plainsight.document import Document
from plainsight.errors import PluginError


@dataclass(frozen=True, slots=True, kw_only=True)
class Redact:
    """Replace every identifier by ``text``, in which ``{label}`` stands for its label.

    No other placeholder is allowed; a brace itself is written twice, as in `str.format`.

    >>> from plainsight.document import Span
    >>> note = Document("1", "Seen by Dr. Okafor.", (Span(12, 18, "DOCTOR"),))
    >>> Redact().replace([note]), Redact(text="***").replace([note])
    ([['[DOCTOR]']], [['***']])
    """

    name: ClassVar[str] = "redact"

    text: str = "[{label}]"

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise PluginError(f"redact: text is a string, not {type(self.text).__name__}")
        try:
            parts = list(Formatter().parse(self.text))
        except ValueError as error:
            raise PluginError(f"redact: text {self.text!r} cannot be read: {error}") from None
        for _, field, form, conversion in parts:
            if field is not None and (field != "label" or form or conversion):
                raise PluginError(f"redact: text {self.text!r} may hold no placeholder but {{label}}")

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return the redaction of each span."""
        return [[self.text.format(label=span.label) for span in document.spans] for document in documents]
