"""Borrow identifiers that other notes have in similar places.

Surrogates come from lists and grammars. No list holds what people call a ward, a shop or a job in passing,
and a job that follows a verb cannot be any other job ("teaches third grade"). What other notes have after the
same word fits here as well.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from random import Random

from plainsight.document import Document, Span

_BEFORE = re.compile(r"(\w+|[^\w\s]|\n)[^\S\n]*\Z")
_FAR = 40  # characters in which the word before an identifier is looked for
_DIGIT = re.compile(r"\d")
_LEAST = 5  # different ones must be known of a place, or nothing is lent
_SHORT_FORM = 5  # letters; a longer one in capitals is a name that is shouted

_LENT = frozenset(
    {
        "HOSPITAL",
        "ORGANIZATION",
        "PROFESSION",
        "LOCATION_OTHER",
        "CITY",
        "COUNTRY",
        "DEVICE",
        "VEHICLE",
        "IDNUM",
        "LICENSE",
        "HEALTHPLAN",
        "ACCOUNT",
        "MEDICALRECORD",
        "USERNAME",
    }
)

Place = tuple[str, str, bool]
"""A label, the word or sign before, and whether there is a digit in it."""


class Lender:
    """Finds identifiers of other notes by their context."""

    def __init__(self, documents: Sequence[Document]) -> None:
        known: dict[Place, dict[str, None]] = defaultdict(dict)  # each once, in their order
        for document in documents:
            for span in document.spans:
                if span.label in _LENT:
                    known[_place(document.text, span)][document.text[span.start : span.end]] = None
        self._known = {place: list(texts) for place, texts in known.items() if len(texts) >= _LEAST}

    def lend(self, text: str, span: Span, random: Random) -> str | None:
        """Return an identifier that fits in the place of another, or None if too few are known.

        >>> notes = [Document(name, f"works at {name}", (Span(9, 9 + len(name), "ORGANIZATION"),))
        ...          for name in ("Lorne Mills", "Tesk", "the co-op", "Hale & Sons", "CTA")]
        >>> Lender(notes).lend("he was at dunmore's", Span(10, 19, "ORGANIZATION"), Random(2))
        'lorne mills'
        """
        texts = self._known.get(_place(text, span))
        return _written_like(random.choice(texts), text[span.start : span.end]) if texts else None


def _place(text: str, span: Span) -> Place:
    before = _BEFORE.search(text[max(0, span.start - _FAR) : span.start])
    digit = _DIGIT.search(text, span.start, span.end) is not None
    return span.label, before[1].lower() if before else "", digit


def _written_like(lent: str, own: str) -> str:
    """Return an identifier in the case of the one that it replaces."""
    if own.islower():
        return lent.lower()
    if own.isupper() and len(own) > _SHORT_FORM:
        return lent.upper()
    if own[:1].isupper() and (lent.islower() or (lent.isupper() and len(lent) > _SHORT_FORM)):
        return lent.capitalize() if own[1:].islower() else lent.title()
    return lent
