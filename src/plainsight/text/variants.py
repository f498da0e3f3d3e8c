"""Variants of a text that a detector may read instead. Characters change one by one: offsets stay true."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from plainsight.document import Document
from plainsight.text.shadow import shadow


def _lower(text: str) -> str:
    """Return the text in lower case; a character with a longer lower case stays.

    >>> _lower("Dr. İNAN")
    'dr. İnan'
    """
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(lower if len(lower := char.lower()) == 1 else char for char in text)


def _plain(text: str) -> str:
    """Return the text in plain ASCII, one character for each.

    >>> _plain("Zoë – “ok”")
    'Zoe - "ok"'
    """
    return shadow(text).decode("ascii")


def _restored(text: str) -> str:
    """Return the text with the case of its words restored, if it is in capitals or small letters only."""
    from plainsight.text.case import restore_case  # it needs the vocabulary, which few policies load so early

    return restore_case(text)


TEXT_VARIANTS: Mapping[str, Callable[[str], str]] = {
    "lower": _lower,
    "plain": _plain,
    "restored": _restored,
}


def in_variant(documents: Sequence[Document], variant: str | None) -> Sequence[Document]:
    """Return the notes with a variant of their texts; the notes themselves if there is none."""
    if variant is None:
        return documents
    change = TEXT_VARIANTS[variant]
    return [replace(document, text=change(document.text)) for document in documents]
