"""Columns: the input features of each token, each one of a known set of strings.

A column gives a word the forms under which it may be known, the first known one counts; or it looks at the
note around the token. Strings become numbers through a table of digests: a model holds no word of the notes
that it has learnt from.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Ints
from plainsight.document import Span
from plainsight.text.tokens import Offsets
from plainsight.text.vocabulary import listed

Forms = Callable[[str], Sequence[str]]

DIGEST = 6
"""The bytes of a digest: beside a million known strings, one in 300 million others passes for known."""

_MOST = 1 << 17  # words remembered
_DIGIT = re.compile(r"[0-9]")
_LETTERS = re.compile(r"(.)\1\1+")


# --- of a word --------------------------------------------------------------------------------------------


def vector_forms(word: str) -> list[str]:
    """Return the forms of a word in public word vectors: itself, lower case, digits as 0."""
    small = word.lower()
    return [word, small, _DIGIT.sub("0", word), _DIGIT.sub("0", small)]


def plain_forms(word: str) -> list[str]:
    """Return a word in lower case, with each digit as 0."""
    return [_DIGIT.sub("0", word.lower())]


def prefix(word: str) -> list[str]:
    """Return the first three characters."""
    return [plain_forms(word[:3])[0]]


def suffix(word: str) -> list[str]:
    """Return the last three characters."""
    return [plain_forms(word[-3:])[0]]


def shape(word: str) -> list[str]:
    """Return how a word is written: ``McKay`` is ``XxXxx``, ``2019`` is ``dddd``."""
    drawn = "".join(
        "X" if c.isupper() else "x" if c.islower() else "d" if c.isdigit() else "." for c in word[:12]
    )
    return [_LETTERS.sub(lambda run: run[0][:6] if run[1] == "d" else run[1] * 2, drawn)]


def lists(word: str) -> list[str]:
    """Return all the bundled lists that a word is in, then each by itself, for rare combinations."""
    flags = [flag for flag in listed(word) if not flag.startswith("level=")]
    return ["|".join(flags), *flags] if flags else ["none"]


WORD_COLUMNS: Mapping[str, Forms] = MappingProxyType(
    {
        "vector": vector_forms,
        "word": plain_forms,
        "prefix": prefix,
        "suffix": suffix,
        "shape": shape,
        "lists": lists,
    }
)
"""Columns that look at the word alone."""

NOTE_COLUMNS = ("gap", "claim")
"""Columns that look at the note: what stands before a token, and what the rules claim of it."""


# --- of the note ------------------------------------------------------------------------------------------


def gaps(text: str, tokens: Offsets) -> list[str]:
    """Return the gap before each token: nothing, a space, more, a line end or a blank line."""
    made, last = [], 0
    for start, end in tokens:
        if start == last and last:
            made.append("")
        else:
            gap = text[last:start]
            breaks = gap.count("\n") if last else 2
            made.append(
                "paragraph" if breaks > 1 else "line" if breaks else "space" if gap == " " else "wide"
            )
        last = end
    return made


def claims_on(tokens: Offsets, spans: Sequence[Span]) -> list[str]:
    """Return for each token the best claim of other detectors, such as ``B-DATE``; or nothing."""
    said = [""] * len(tokens)
    ends = [end for _, end in tokens]
    for span in sorted(spans, key=lambda span: (-span.score, span.start, -span.end, span.label)):
        prefix = "B"
        for place in range(bisect_right(ends, span.start), len(tokens)):
            if tokens[place][0] >= span.end:
                break
            said[place] = said[place] or f"{prefix}-{span.label}"
            prefix = "I"
    return said


# --- numbers ----------------------------------------------------------------------------------------------


def digest(column: str, form: str) -> bytes:
    """Return the name by which a model knows a string of a column."""
    name = f"{column} {form}".encode("utf-8", "surrogatepass")
    return blake2b(name, digest_size=DIGEST, usedforsecurity=False).digest()


def digests_of(column: str, forms: Sequence[str]) -> NDArray[np.uint8]:
    """Return the digests of a column's strings as a model's array; the first string has the number 1."""
    joined = b"".join(digest(column, form) for form in forms)
    return np.frombuffer(joined, np.uint8).reshape(-1, DIGEST)


class Numbers:
    """Numbers tokens by column, 0 if unknown; looks each word up once."""

    def __init__(self, tables: Mapping[str, NDArray[np.uint8]]) -> None:
        self._tables = {column: _numbered(table) for column, table in tables.items()}
        self._of_words = [column for column in tables if column in WORD_COLUMNS]
        self._forget()

    def _forget(self) -> None:
        self._places: dict[str, int] = {}
        self._rows = np.zeros((256, len(self._of_words)), np.int64)
        self._of_notes: dict[tuple[str, str], int] = {}

    def words(self, words: Sequence[str]) -> dict[str, Ints]:
        """Return the numbers of words in the columns of words."""
        if len(self._places) > _MOST:
            self._forget()
        for word in set(words).difference(self._places):
            place = self._places[word] = len(self._places)
            if place == len(self._rows):
                self._rows = np.concatenate((self._rows, np.zeros_like(self._rows)))
            self._rows[place] = [self.first(column, WORD_COLUMNS[column](word)) for column in self._of_words]
        places = np.fromiter(map(self._places.__getitem__, words), np.int64, len(words))
        rows = self._rows[places]
        return {column: rows[:, at] for at, column in enumerate(self._of_words)}

    def note(self, column: str, values: Sequence[str]) -> Ints:
        """Return the numbers of a column of the note."""
        known = self._of_notes
        for value in set(values):
            if (column, value) not in known:
                known[column, value] = self.first(column, [value])
        return np.fromiter((known[column, value] for value in values), np.int64, len(values))

    def first(self, column: str, forms: Sequence[str]) -> int:
        """Return the number of the first known form, or 0."""
        table = self._tables[column]
        return next((number for form in forms if (number := table.get(digest(column, form)))), 0)


def _numbered(table: NDArray[np.uint8]) -> dict[bytes, int]:
    content = table.tobytes()
    return {content[at : at + DIGEST]: at // DIGEST + 1 for at in range(0, len(content), DIGEST)}
