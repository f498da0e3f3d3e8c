"""Find near-duplicate notes: they teach nothing new, and they leak between splits."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from plainsight.document import Document

_WORD = re.compile(r"\w+")
_LENGTH = 7
_FEWEST = 12  # shingles in common: below, two short notes share a phrase or two by chance


class Alike(NamedTuple):
    """A note, another one that holds a share of its shingles, and that share."""

    note: str
    other: str
    share: float


def shingles(document: Document, length: int = _LENGTH) -> set[int]:
    """Return the runs of words in a note, as numbers; identifiers count by their label alone.

    So a note with other names in it is still the same note.
    """
    pieces: list[str] = []
    last = 0
    for span in document.spans:
        pieces += document.text[last : span.start], f" {span.label} "
        last = span.end
    words = _WORD.findall("".join((*pieces, document.text[last:])).lower())
    return {hash(tuple(words[n : n + length])) for n in range(len(words) - length + 1)}


def near_duplicates(documents: Sequence[Document], *, share: float = 0.15) -> Iterator[Alike]:
    """Yield pairs of notes that share at least this much of the shorter one."""
    sets = [shingles(document) for document in documents]
    held = Counter(chain.from_iterable(sets))
    common = {shingle for shingle, times in held.items() if times > 1}  # few: most stand in one note only
    holders: dict[int, list[int]] = defaultdict(list)
    for place, found in enumerate(sets):
        for shingle in found & common:
            holders[shingle].append(place)
    shared = Counter[tuple[int, int]]()
    for places in holders.values():
        for number, one in enumerate(places):
            for other in places[number + 1 :]:
                shared[one, other] += 1
    for (one, other), count in sorted(shared.items()):
        small, large = sorted((one, other), key=lambda place: len(sets[place]))
        if count >= _FEWEST and count / len(sets[small]) >= share:
            yield Alike(documents[small].id, documents[large].id, count / len(sets[small]))
