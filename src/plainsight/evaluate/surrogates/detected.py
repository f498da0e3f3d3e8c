"""Pair the identifiers of a gold note with what became of them when detected spans were replaced."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache

from plainsight import lists
from plainsight.document import Document, Span
from plainsight.evaluate.surrogates.pairs import Note, Pair, pairs_of
from plainsight.labels import CATEGORY_OF

_TOKEN = re.compile(r"\w+")
_LISTS = ("clinical", "drugs", "diseases", "eponyms")


def detected(gold: Document, spans: Sequence[Span], surrogates: Sequence[str]) -> Note:
    """Pair a gold note with the surrogates of spans that were found in it.

    The pairs are those of the gold spans that were found whole; all others are ``missed``. Replacements that
    touch no gold span and changed the text are ``in_vain``.
    """
    text = gold.text
    found = Document(gold.id, text, tuple(spans))
    made = pairs_of(found, surrogates)
    covered = bytearray(len(text))
    for span in spans:
        covered[span.start : span.end] = b"\1" * (span.end - span.start)
    marked = bytearray(len(text))
    for span in gold.spans:
        marked[span.start : span.end] = b"\1" * (span.end - span.start)
    whole = [
        span
        for span in gold.spans
        if all(covered[hit.start() + span.start] for hit in re.finditer(r"\w", text[span.start : span.end]))
        and any(covered[span.start : span.end])
    ]
    released, regions = _released(text, made)
    texts = [released[regions.start(span) : regions.end(span)] for span in whole]
    pairs = pairs_of(Document(gold.id, text, tuple(whole)), texts)
    in_vain = tuple(
        pair
        for pair in made
        if not any(marked[pair.span.start : pair.span.end]) and pair.original != pair.surrogate
    )
    return Note(
        gold,
        released,
        pairs,
        in_vain=in_vain,
        missed=len(gold.spans) - len(whole),
        replacements=len(made),
    )


@cache
def _clinical() -> frozenset[str]:
    return frozenset(word.casefold() for name in _LISTS for word in lists.load(name)["word"])


def is_clinical(pair: Pair) -> bool:
    """Whether a replacement in vain changed medicine: a number of no place, or a word of medical lists."""
    if pair.label == "PROFESSION":
        return False
    number = CATEGORY_OF.get(pair.label) != "LOCATION" and any(map(str.isdigit, pair.original))
    return number or pair.original.casefold() in _clinical()


class _Regions:
    """Where each offset of the gold note lies in the released one."""

    def __init__(self, made: Sequence[Pair]) -> None:
        self._made = made
        self._starts = [pair.span.start for pair in made]
        self._moved = [0]
        for pair in made:
            self._moved.append(self._moved[-1] + len(pair.surrogate) - len(pair.original))

    def start(self, span: Span) -> int:
        """Return where the replacement of a span begins."""
        return self._place(span.start, end=False)

    def end(self, span: Span) -> int:
        """Return where the replacement of a span ends."""
        return self._place(span.end, end=True)

    def _place(self, offset: int, *, end: bool) -> int:
        index = bisect_right(self._starts, offset - end) - 1
        if index < 0 or self._made[index].span.end <= offset - end:
            return offset + self._moved[index + 1]
        pair = self._made[index]
        begin = pair.span.start + self._moved[index]
        return begin + _inside(pair, offset - pair.span.start, end=end)


def _inside(pair: Pair, offset: int, *, end: bool) -> int:
    """Return where an offset of an original lies in its surrogate: word by word if both have as many."""
    if offset == len(pair.original) * end:  # an edge of both: 90 becomes 90+
        return len(pair.surrogate) * end
    old = [hit.end() if end else hit.start() for hit in _TOKEN.finditer(pair.original)]
    new = [hit.end() if end else hit.start() for hit in _TOKEN.finditer(pair.surrogate)]
    if offset in old and len(old) == len(new):
        return new[old.index(offset)]
    return len(pair.surrogate) if end else 0


def _released(text: str, made: Sequence[Pair]) -> tuple[str, _Regions]:
    pieces: list[str] = []
    last = 0
    for pair in made:
        pieces += text[last : pair.span.start], pair.surrogate
        last = pair.span.end
    return "".join((*pieces, text[last:])), _Regions(made)
