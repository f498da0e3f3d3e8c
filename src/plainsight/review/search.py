"""Leak search: where a text, or something like it, stands in the notes.

A hit is ``exact``, a ``variant`` (case, accents, separators, order and initials of a name, forms of a date),
``misspelt``, or ``sounds alike``. Every note is scanned once: the forms by one pattern, the words by a
dictionary of words that were judged before. 100,000 notes of 200 words take 5 to 20 seconds of one core
(`benchmarks/leak_search.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

import re2

from plainsight.document import Document
from plainsight.review.search_forms import (
    Forms,
    all_variants,
    forms_of,
    misspells,
    number_slips,
    sounds_alike,
)
from plainsight.text.rare_words import surprise
from plainsight.text.shadow import shadow

How = Literal["exact", "variant", "misspelt", "sounds alike"]
HOW: tuple[How, ...] = ("exact", "variant", "misspelt", "sounds alike")
"""The kinds of hits, the surest first."""

MOST_HITS = 1_000
_CONTEXT = 40
_WORD = re.compile(rb"[a-z]{4,}")
_DIGITS = re.compile(rb"[0-9](?:[ ./-]?[0-9]){4,}")
_COMMON = 16.0  # bits: a commoner word of English is no misspelling


class Hit(NamedTuple):
    """A place in a note: which note, its offsets in code points, how it fits, and its words."""

    note: str
    start: int
    end: int
    how: How
    before: str
    text: str
    after: str

    def __repr__(self) -> str:
        return f"Hit({self.how} at {self.start})"  # never the words


class Searcher:
    """A query, ready to scan notes.

    >>> [hit.how for hit in Searcher("Ann Quillerby").hits(Document("1", "QUILLERBY, A. came; Dr. Quilerby"))]
    ['variant', 'misspelt']
    """

    def __init__(self, query: str, *, fuzzy: bool = True) -> None:
        self.forms: Forms = forms_of(query, fuzzy=fuzzy)
        pattern = all_variants(self.forms)
        self._any: Any = re2.compile(pattern.encode()) if pattern else None
        self._each = [(re2.compile(form.encode()), False) for form in self.forms.variants]
        self._each += [(re2.compile(form.encode()), True) for form in self.forms.initials]
        self._plain = re.compile(re.escape(self.forms.query), re.IGNORECASE)
        self._known: set[bytes] = set()
        self._like: dict[bytes, How] = {}

    def hits(self, document: Document) -> list[Hit]:
        """Return the hits in a note, in order; of overlapping ones the surest and longest."""
        text = document.text
        found = [(start, end, "exact") for start, end in self._exact(text)]
        if self.forms.shadowed:
            found += self._shadowed(text)
        else:
            found += [(*match.span(), "variant") for match in self._plain.finditer(text)]
        found.sort(key=lambda hit: (HOW.index(hit[2]), hit[0] - hit[1], hit[0]))
        kept: list[tuple[int, int, Any]] = []
        for start, end, how in found:
            if all(end <= other[0] or other[1] <= start for other in kept):
                kept.append((start, end, how))
        return [
            Hit(
                document.id, start, end, how,
                text[max(0, start - _CONTEXT) : start], text[start:end], text[end : end + _CONTEXT],
            )
            for start, end, how in sorted(kept)
        ]  # fmt: skip

    def _exact(self, text: str) -> Iterator[tuple[int, int]]:
        at = text.find(self.forms.query)
        while at >= 0:
            yield at, at + len(self.forms.query)
            at = text.find(self.forms.query, at + 1)

    def _shadowed(self, text: str) -> Iterator[tuple[int, int, str]]:
        small = shadow(text).lower()
        if self._any is not None and self._any.search(small):
            for pattern, capitals in self._each:
                for match in pattern.finditer(small):
                    start, end = match.span()
                    written = text[start:end]
                    if _whole(small, start, end) and (not capitals or written.upper() == written):
                        yield start, end, "variant"
        if self.forms.words:
            words = set(_WORD.findall(small))
            for word in words - self._known:
                self._judge(word)
            for word in words & self._like.keys():
                for match in re.finditer(rb"(?<![a-z])" + word + rb"(?![a-z])", small):
                    yield match.start(), match.end(), self._like[word]
        if self.forms.numbers:
            for match in _DIGITS.finditer(small):
                if number_slips(self.forms, re.sub(rb"\D", b"", match[0]).decode()):
                    yield match.start(), match.end(), "misspelt"

    def _judge(self, token: bytes) -> None:
        """Remember a word, and how it fits if it does."""
        self._known.add(token)
        word = token.decode()
        if word in self.forms.words or surprise(word) < _COMMON:
            return
        if any(misspells(own, word) for own in self.forms.words):
            self._like[token] = "misspelt"
        elif sounds_alike(self.forms, word):
            self._like[token] = "sounds alike"


def search(
    query: str, documents: Iterable[Document], *, fuzzy: bool = True, limit: int = MOST_HITS
) -> Iterator[Hit]:
    """Yield the hits in notes, at most ``limit`` of them."""
    searcher = Searcher(query, fuzzy=fuzzy)
    for document in documents:
        for hit in searcher.hits(document):
            yield hit
            limit -= 1
            if limit <= 0:
                return


def _whole(small: bytes, start: int, end: int) -> bool:
    """Whether a match does not begin or end inside a word or a number."""
    return not (_joined(small, start) or _joined(small, end))


def _joined(small: bytes, at: int) -> bool:
    if not 0 < at < len(small):
        return False
    before, after = small[at - 1 : at], small[at : at + 1]
    return (before.isalpha() and after.isalpha()) or (before.isdigit() and after.isdigit())
