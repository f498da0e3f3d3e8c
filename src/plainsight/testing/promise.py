"""What every check needs: an error for a broken promise, and no note text in it."""

from __future__ import annotations

from collections.abc import Iterable

from plainsight.document import Document


def expect(kept: object, promise: str) -> None:
    """Raise an `AssertionError` if a promise is broken."""
    # Not an assert statement: the suite must also work under ``python -O``.
    if not kept:
        raise AssertionError(f"broken promise: {promise}")


def name_of(document: Document) -> str:
    """Return a note's name for messages."""
    return f"doc {document.id}"


def repeats(said: str, texts: Iterable[str]) -> bool:
    """Whether a message holds a long word of a text."""
    return any(word in said for text in texts for word in text.split() if len(word) >= 8)
