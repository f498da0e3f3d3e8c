"""Training notes as one long row of numbers, with a tag for each token, cut into sequences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Ints
from plainsight.document import Document, Span
from plainsight.lab.detect.bilstm.inputs import (
    TOKENIZERS,
    WORD_COLUMNS,
    NoteInputs,
    NoteReader,
    Piece,
    claims_on,
    gaps,
)
from plainsight.lab.train.recurrent.architecture import Architecture
from plainsight.text.tags import encode

NO_TAG = -1
"""The tag of padding, and of a tag that the model does not have."""

_RAREST = {"word": 2, "prefix": 3, "suffix": 3, "shape": 3, "lists": 3}
_RAREST_CHARACTER = 5


@dataclass(frozen=True, slots=True)
class Corpus:
    """Many notes in one row: ``edges`` are the places where notes begin and end."""

    reading: NoteInputs
    edges: Sequence[int]
    tags: Ints

    def pieces(self, window: int | None, random: np.random.Generator) -> list[Piece]:
        """Return the sequences to learn from: sentences, or windows that begin elsewhere in each epoch."""
        if window is None:
            return list(self.reading.pieces)
        made = []
        for start, end in pairwise(self.edges):
            first = start + int(random.integers(window // 2, window + 1))
            cuts = [start, *range(first, end, window), end]
            made += [Piece(one, two, one, two) for one, two in pairwise(cuts) if two > one]
        return made


# --- vocabularies -----------------------------------------------------------------------------------------


def known_forms(
    column: str, documents: Sequence[Document], claims: Sequence[Sequence[Span]], architecture: Architecture
) -> dict[str, int]:
    """Count the strings of a column, the most frequent first; leave out the rare ones."""
    seen: Counter[str] = Counter()
    tokenize = TOKENIZERS[architecture.tokens]
    for document, said in zip(documents, claims, strict=True):
        tokens = tokenize(document.text)
        if column == "gap":
            seen.update(gaps(document.text, tokens))
        elif column == "claim":
            seen.update(claims_on(tokens, said))
        else:
            seen.update(document.text[start:end] for start, end in tokens)
    if forms_of := WORD_COLUMNS.get(column):
        words, seen = seen, Counter()
        for word, count in words.items():
            for form in forms_of(word) if column == "lists" else forms_of(word)[:1]:
                seen[form] += count
    rarest = _RAREST.get(column, 1)
    ordered = sorted(seen.items(), key=lambda item: (-item[1], item[0]))
    return {form: count for form, count in ordered if count >= rarest}


def alphabet_of(texts: Iterable[str]) -> NDArray[np.int32]:
    """Return the code points of the characters that are frequent enough to learn."""
    seen = Counter(chain.from_iterable(texts))
    known = [sign for sign, count in seen.items() if count >= _RAREST_CHARACTER and not sign.isspace()]
    return np.array([ord(sign) for sign in sorted(known)], np.int32)


# --- notes to numbers -------------------------------------------------------------------------------------


def corpus_of(
    documents: Sequence[Document],
    claims: Sequence[Sequence[Span]],
    read: NoteReader,
    tags: Sequence[str],
    architecture: Architecture,
) -> Corpus:
    """Read annotated notes."""
    number = {tag: place for place, tag in enumerate(tags)}
    readings = [read(*pair) for pair in zip(documents, claims, strict=True)]
    gold = [
        number.get(tag, NO_TAG)
        for document, reading in zip(documents, readings, strict=True)
        for tag in encode(document.spans, reading.tokens, scheme=architecture.scheme)
    ]
    edges = np.cumsum([0, *(len(reading.tokens) for reading in readings)]).tolist()
    return Corpus(joined(readings), edges, np.array(gold, np.int64))


def joined(readings: Sequence[NoteInputs]) -> NoteInputs:
    """Concatenate notes; number the distinct words over all of them."""
    columns = {
        column: np.concatenate([reading.columns[column] for reading in readings])
        for column in readings[0].columns
    }
    cut: list[Piece] = []
    which: list[Ints] = []
    words: dict[tuple[int, ...], int] = {}
    start = 0
    for reading in readings:
        cut += [Piece(*(place + start for place in piece)) for piece in reading.pieces]
        start += len(reading.tokens)
        if reading.spelt:
            numbers = [words.setdefault(tuple(word), len(words)) for word in reading.spelt]
            which.append(np.array(numbers)[reading.which])
    row = np.concatenate(which) if which else np.zeros(0, np.int64)
    return NoteInputs([], cut, columns, row, list(words))


def batches(cut: Sequence[Piece], size: int, random: np.random.Generator) -> Iterator[list[Piece]]:
    """Yield batches of pieces of similar length, in random order."""
    order = random.permutation(len(cut)).tolist()
    near = max(size, 1) * 64
    made: list[list[Piece]] = []
    for first in range(0, len(order), near):
        some = [cut[place] for place in order[first : first + near]]
        if size > 1:
            some.sort(key=lambda piece: piece.stop - piece.start)
        made += [some[at : at + size] for at in range(0, len(some), size)]
    for place in random.permutation(len(made)).tolist():
        yield made[place]
