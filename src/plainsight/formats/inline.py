"""Inline marks: ``{{LABEL|text}}``, the markup of our corpus. One file is one note; a folder is many."""

from __future__ import annotations

import re

from plainsight.document import Span
from plainsight.errors import FormatError

__all__ = ["parse"]

_MARK = re.compile(r"\{\{([A-Z][A-Z0-9_]*)\|(.*?)\}\}", re.DOTALL)


def parse(marked: str) -> tuple[str, tuple[Span, ...]]:
    """Split marked text into plain text and spans.

    >>> parse("Seen by {{DOCTOR|Ng}}.")
    ('Seen by Ng.', (Span(start=8, end=10, label='DOCTOR', score=1.0, source=''),))
    """
    pieces: list[str] = []
    spans: list[Span] = []
    length = last = 0
    for mark in _MARK.finditer(marked):
        before, (label, inside) = marked[last : mark.start()], mark.groups()
        length += len(before)
        if not inside or "{{" in inside:
            raise FormatError(f"empty or nested mark at character {mark.start()}")
        spans.append(Span(length, length + len(inside), label))
        pieces += before, inside
        length += len(inside)
        last = mark.end()
    pieces.append(marked[last:])
    return "".join(pieces), tuple(spans)
