"""Pair each identifier of a gold note with its surrogate in the released note, and count errors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import accumulate

from plainsight.document import Document, Span
from plainsight.errors import DataError

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Count:
    """``count`` of ``of``: undefined, not zero, when there is nothing to count.

    ``examples`` hold note text: they are shown only when the user asks for it.

    >>> str(Count(3, 12)), str(Count(0, 0)), (Count(1, 4) + Count(0, 4)).share
    ('3 of 12', 'n/a', 0.125)
    """

    count: int = 0
    of: int = 0
    examples: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __add__(self, other: Count) -> Count:
        return Count(self.count + other.count, self.of + other.of, self.examples + other.examples)

    def __str__(self) -> str:
        return f"{self.count} of {self.of}" if self.of else "n/a"

    @property
    def share(self) -> float | None:
        """The share, if it is defined."""
        return self.count / self.of if self.of else None

    def to_json(self) -> dict[str, int | float | None]:
        """Return count, denominator and share."""
        share = self.share
        return {"count": self.count, "of": self.of, "share": None if share is None else round(share, 6)}


@dataclass(frozen=True, slots=True, repr=False)
class Pair:
    """One identifier of a gold note and its surrogate."""

    span: Span
    original: str
    surrogate: str
    before: str
    after: str

    def __repr__(self) -> str:
        return f"Pair({self.span.label} at {self.span.start})"  # never the text

    @property
    def label(self) -> str:
        """The gold label."""
        return self.span.label


@dataclass(frozen=True, slots=True, repr=False)
class Note:
    """One gold note beside its released form; ``exact`` says whether all else is byte-identical.

    If detected spans were replaced, ``in_vain`` holds replacements of text that is no identifier, ``missed``
    counts the gold spans that were not found whole, which have no pair, and ``replacements`` all that was
    replaced. Otherwise the last is None.
    """

    gold: Document
    released: str
    pairs: tuple[Pair, ...]
    exact: bool = True
    in_vain: tuple[Pair, ...] = ()
    missed: int = 0
    replacements: int | None = None

    def __repr__(self) -> str:
        return f"Note({self.gold.id!r}, {len(self.pairs)} pairs)"

    @property
    def scope(self) -> str:
        """The patient's id; a note without one is its own scope."""
        return self.gold.patient_id if self.gold.patient_id is not None else f"note {self.gold.id}"

    def gap(self, first: int) -> str:
        """Return the text between a pair and the next one."""
        return self.gold.text[self.pairs[first].span.end : self.pairs[first + 1].span.start]


def by_patient(notes: Iterable[Note]) -> dict[str, list[Note]]:
    """Group notes by patient."""
    found: dict[str, list[Note]] = {}
    for note in notes:
        found.setdefault(note.scope, []).append(note)
    return found


def all_pairs(notes: Iterable[Note]) -> list[Pair]:
    """Return the pairs of all notes."""
    return [pair for note in notes for pair in note.pairs]


def released_texts(before: Document, after: Document) -> list[str]:
    """Return what each span of a note became in the released note; an empty text has no span there."""
    ends = {span.start: span.end for span in after.spans}
    texts: list[str] = []
    moved = 0
    for span in before.spans:
        start = span.start + moved
        texts.append(after.text[start : ends.get(start, start)])
        moved += len(texts[-1]) - (span.end - span.start)
    return texts


def exact(gold: Document, surrogates: Sequence[str]) -> Note:
    """Pair a gold note with the surrogates of its spans."""
    pieces: list[str] = []
    last = 0
    for span, surrogate in zip(gold.spans, surrogates, strict=True):
        pieces += gold.text[last : span.start], surrogate
        last = span.end
    return Note(gold, "".join(pieces) + gold.text[last:], pairs_of(gold, surrogates))


def pair_up(gold: Iterable[Document], released: Iterable[Document]) -> list[Note]:
    """Pair gold notes with released ones by id; a note without its counterpart is an error."""
    by_id: Mapping[str, Document] = {document.id: document for document in released}
    notes = []
    for document in gold:
        if document.id not in by_id:
            raise DataError(f"gold note {document.id!r} is not among the released ones")
        text = by_id[document.id].text
        surrogates = _align_exactly(document, text)
        is_exact = surrogates is not None
        pairs = pairs_of(document, _align_words(document, text) if surrogates is None else surrogates)
        notes.append(Note(document, text, pairs, exact=is_exact))
    return notes


def pairs_of(gold: Document, surrogates: Sequence[str]) -> tuple[Pair, ...]:
    """Return the spans of a note with their surrogates."""
    text = gold.text
    return tuple(
        Pair(
            span,
            text[span.start : span.end],
            surrogate,
            text[max(0, span.start - 40) : span.start],
            text[span.end : span.end + 60],
        )
        for span, surrogate in zip(gold.spans, surrogates, strict=True)
    )


def _align_exactly(gold: Document, released: str) -> list[str] | None:
    """Find the surrogates between the texts outside the gold spans, if all of those texts are unchanged.

    A short text such as a comma may also be part of a surrogate; of all alignments, take the one whose
    surrogates look most like their originals.
    """
    spans, text = gold.spans, gold.text
    if not spans:
        return [] if text == released else None
    ends = [span.start for span in spans[1:]] + [len(text)]
    outside = [text[span.end : end] for span, end in zip(spans, ends, strict=True)]
    if not released.startswith(text[: spans[0].start]):
        return None
    # For each offset where a surrogate may begin: the lowest cost so far, and the surrogates before it.
    begins: dict[int, tuple[float, list[str]]] = {spans[0].start: (0.0, [])}
    for number, (span, gap) in enumerate(zip(spans, outside, strict=True)):
        original, last = text[span.start : span.end], number == len(spans) - 1
        reached: dict[int, tuple[float, list[str]]] = {}
        for begin, (cost, way) in begins.items():
            for end in _ends(released, begin, gap, longest=4 * len(original) + 40, last=last):
                made = released[begin:end]
                total = cost + _unlike(original, made)
                if end + len(gap) not in reached or total < reached[end + len(gap)][0]:
                    reached[end + len(gap)] = total, [*way, made]
        begins = reached
    return begins[len(released)][1] if len(released) in begins else None


def _ends(released: str, begin: int, gap: str, *, longest: int, last: bool) -> list[int]:
    """Return where a surrogate that begins here may end."""
    if last:
        end = len(released) - len(gap)
        return [end] if end >= begin and released.endswith(gap) else []
    if not gap:
        return list(range(begin, min(begin + longest, len(released)) + 1))
    found, at = [], released.find(gap, begin, begin + longest + len(gap))
    while at >= 0:
        found.append(at)
        at = released.find(gap, at + 1, begin + longest + len(gap))
    return found


def _unlike(original: str, made: str) -> float:
    """Return how unlike two identifiers look: by words, other signs, digits and length."""
    words = abs(len(_WORD.findall(original)) - len(_WORD.findall(made)))
    signs = _WORD.sub("", original) != _WORD.sub("", made)
    digits = any(map(str.isdigit, original)) != any(map(str.isdigit, made))
    return 2.0 * words + signs + digits + 5.0 * (not made) + 0.02 * abs(len(original) - len(made))


def _align_words(gold: Document, released: str) -> list[str]:
    """Find the surrogates when more or less than the gold spans was replaced: compare word by word."""
    before, after = _TOKEN.findall(gold.text), _TOKEN.findall(released)
    old, new = [0, *accumulate(map(len, before))], [0, *accumulate(map(len, after))]
    starts, ends = dict[int, int](), dict[int, int]()  # offset in the gold note -> offset in the released one
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        for offset in range(old[i1], old[i2]):
            same = new[j1] + offset - old[i1]
            starts[offset] = same if kind == "equal" else new[j1]
            ends[offset + 1] = same + 1 if kind == "equal" else new[j2]
    return [released[starts[span.start] : max(starts[span.start], ends[span.end])] for span in gold.spans]
