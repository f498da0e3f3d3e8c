"""Training notes as one long row of numbers, with a tag for each token, and the tables that number them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats, Ints
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.lab.detect.bilstm.inputs import (
    WORD_COLUMNS,
    NoteInputs,
    NoteReader,
    Piece,
    claims_on,
    digests_of,
    gaps,
    vector_forms,
)
from plainsight.lab.train.recurrent.architecture import Architecture
from plainsight.lab.train.recurrent.published import Vectors, read_vectors
from plainsight.text.tags import encode
from plainsight.text.tokenizers import TOKENIZERS

NO_TAG = -1
"""The tag of padding, and of a tag that the model does not have."""

_RAREST = {"word": 2, "prefix": 3, "suffix": 3, "shape": 3, "lists": 3}
_RAREST_CHARACTER = 5


@dataclass(frozen=True, slots=True)
class Corpus:
    """Many notes in one row: ``edges`` are the places where notes begin and end."""

    inputs: NoteInputs
    edges: Sequence[int]
    tags: Ints

    def pieces(self, window: int | None, random: np.random.Generator) -> list[Piece]:
        """Return the sequences to learn from: sentences, or windows that begin elsewhere in each epoch."""
        if window is None:
            return list(self.inputs.pieces)
        made = []
        for start, end in pairwise(self.edges):
            first = start + int(random.integers(window // 2, window + 1))
            cuts = [start, *range(first, end, window), end]
            made += [Piece(one, two, one, two) for one, two in pairwise(cuts) if two > one]
        return made


# --- vocabularies -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tables:
    """The known strings of each column as a model stores them, their counts, and their initial vectors."""

    arrays: dict[str, NDArray[Any]]
    counts: dict[str, Floats]
    vectors: dict[str, Floats]


def tables_of(
    documents: Sequence[Document],
    claims: Sequence[Sequence[Span]],
    architecture: Architecture,
    vectors: Sequence[Path],
    most_words: int,
    characters: NDArray[Any] | None,
) -> Tables:
    """Collect the strings of each column; of the words of ``vectors`` keep the ``most_words`` first.

    ``characters`` are those of a language model; without one, those of the notes.
    """
    tables = Tables({}, {}, {})
    for column, size in architecture.columns.items():
        seen = known_forms(column, documents, claims, architecture)
        forms = list(seen)
        if column == "vector" and vectors:
            known = read_vectors(vectors)
            forms += [word for word in list(known)[:most_words] if word not in seen]
            tables.vectors[column] = _initial_vectors(forms, known, size)
        tables.arrays[f"column-{column}"] = digests_of(column, forms)
        tables.counts[column] = np.array([0.0, *(seen.get(form, 0) for form in forms)], np.float32)
    if characters is not None:
        tables.arrays["characters"] = characters
    elif architecture.spelt:
        tables.arrays["characters"] = alphabet_of(document.text for document in documents)
    return tables


def _initial_vectors(words: Sequence[str], known: Vectors, size: int) -> Floats:
    """Return the initial vectors of words, by any form that is known; nan where there is none."""
    if (found := len(next(iter(known.values())))) != size:
        raise UsageError(f"the word vectors have {found} numbers, the architecture has {size}")
    rows = np.full((len(words) + 1, size), np.nan, np.float32)
    for place, word in enumerate(words, start=1):
        form = next((form for form in vector_forms(word) if form in known), None)
        if form is not None:
            rows[place] = known[form]
    return rows


def known_forms(
    column: str, documents: Sequence[Document], claims: Sequence[Sequence[Span]], architecture: Architecture
) -> dict[str, int]:
    """Count the strings of a column, the most frequent first; leave out the rare ones."""
    seen: Counter[str] = Counter()
    tokenize = TOKENIZERS[architecture.tokens]
    for document, spans in zip(documents, claims, strict=True):
        tokens = tokenize(document.text)
        if column == "gap":
            seen.update(gaps(document.text, tokens))
        elif column == "claim":
            seen.update(claims_on(tokens, spans))
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
    notes = [read(*pair) for pair in zip(documents, claims, strict=True)]
    gold = [
        number.get(tag, NO_TAG)
        for document, note in zip(documents, notes, strict=True)
        for tag in encode(document.spans, note.tokens, scheme=architecture.scheme)
    ]
    return join_notes(notes, gold)


def join_notes(notes: Sequence[NoteInputs], tags: Sequence[int]) -> Corpus:
    """Concatenate notes; number the distinct words over all of them."""
    columns = {
        column: np.concatenate([note.columns[column] for note in notes]) for column in notes[0].columns
    }
    cut: list[Piece] = []
    which: list[Ints] = []
    words: dict[tuple[int, ...], int] = {}
    edges = np.cumsum([0, *(len(note.tokens) for note in notes)]).tolist()
    for start, note in zip(edges, notes, strict=False):
        cut += [Piece(*(place + start for place in piece)) for piece in note.pieces]
        if note.spelt:
            numbers = [words.setdefault(tuple(word), len(words)) for word in note.spelt]
            which.append(np.array(numbers)[note.which])
    row = np.concatenate(which) if which else np.zeros(0, np.int64)
    return Corpus(NoteInputs([], cut, columns, row, list(words)), edges, np.array(tags, np.int64))


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
