"""Doubt: what may have been missed in a note, which spans are uncertain, and how sure one can be of the note.

Networks give every token a probability of being an identifier. Tokens that no span covers but that have some
probability are **possible misses**: neighbours make one place, with the probability of its likeliest token.
The sum over the places is how many misses to expect. A note's **confidence** is the probability that nothing
was missed: ``exp(-4 * sum)``, as for rare events that do not depend on each other. Where no detector has
probabilities, rare capitalised words take the places' part.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from math import exp, fsum
from operator import attrgetter
from typing import Any

from plainsight.document import Document, Span
from plainsight.text.rare_words import UNSEEN_BITS, rare_words

MISSES_PER_PROBABILITY = 4.0
"""How many misses there are for each expected one: networks are too sure of what they do not mark.

The likeliest value for ``balanced`` on notes that no network has seen, as ``benchmarks/triage.py`` fits it
(3.7 to 4.4 on three sets); ``fast`` needs 2.4 to 2.7, ``best`` 5.6 to 6.0.
"""
LEAST_MISS = 0.05
"""Places less probable than this are not listed; they count for the confidence."""
SURE_SPAN = 0.5
"""Spans less probable than this are listed as doubtful: most are false alarms."""

_RARE_WORD = 0.3
"""How often a rare unmarked word is an identifier where only rules and records look."""
_WIDEST_GAP = 3
_EXTENT = attrgetter("start", "end")


class Kind(StrEnum):
    """What is in doubt."""

    MISS = "likely miss"
    """Not marked, but the networks give it some probability."""
    RARE = "rare word"
    """Not marked and improbable for the networks, but capitalised and in no list of words."""
    SPAN = "doubtful span"
    """Marked, but with a low score: perhaps a false alarm."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place in doubt: the probability that it is an identifier, and its label if it is one.

    A rare word has neither label nor, beside a network, a probability.
    """

    start: int
    end: int
    kind: Kind
    label: str | None = None
    probability: float | None = None
    source: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the interchange form, without what is not known."""
        return {key: value for key, value in asdict(self).items() if value not in (None, "")}


@dataclass(frozen=True, slots=True)
class NoteDoubts:
    """What is in doubt in a note: its confidence, and the places in the order of the text."""

    confidence: float
    places: tuple[Doubt, ...]


def note_confidence(misses: Iterable[Doubt]) -> float:
    """Return the probability that nothing was missed in a note, given all its possible misses.

    >>> note_confidence([])
    1.0
    >>> note_confidence([Doubt(0, 3, Kind.MISS, "PATIENT", 0.2), Doubt(9, 12, Kind.RARE)])
    0.4493
    """
    expected = fsum(miss.probability for miss in misses if miss.probability is not None)
    return round(exp(-MISSES_PER_PROBABILITY * expected), 4)


def possible_misses(
    document: Document,
    possible: Iterable[Span] | None,
    *,
    counts: Callable[[str, str], bool] | None = None,
) -> list[Doubt]:
    """Return the places of a note that may have been missed, in order.

    ``possible`` are the tokens that may be identifiers, of one detector or several; None if no detector says
    so: then rare words are taken. ``counts`` says of a label and a text whether they are to be found at all.
    """
    text, spans = document.text, document.spans
    if possible is None:
        return [Doubt(word.start, word.end, Kind.RARE, None, _RARE_WORD) for word in rare_words(text, spans)]
    misses: list[Doubt] = []
    starts = [span.start for span in spans]
    for token in sorted(possible, key=_EXTENT):
        before = bisect_right(starts, token.start) - 1
        if before >= 0 and token.end <= spans[before].end:
            continue
        word = text[token.start : token.end]
        if not (word.isalnum() or any(map(str.isalnum, word))):
            continue
        if misses and _joined(text, misses[-1].end, token.start):
            misses[-1] = _longer(misses[-1], token)
        else:
            misses.append(Doubt(token.start, token.end, Kind.MISS, token.label, token.score, token.source))
    if counts is not None:
        return [miss for miss in misses if counts(miss.label or "", text[miss.start : miss.end])]
    return misses


def _joined(text: str, end: int, start: int) -> bool:
    """Whether only a few separators on the same line lie between two tokens."""
    between = text[end:start]
    return len(between) <= _WIDEST_GAP and not any(char.isalnum() or char == "\n" for char in between)


def _longer(miss: Doubt, token: Span) -> Doubt:
    """Return a place with one more token; label and probability are those of its likeliest token."""
    end = max(miss.end, token.end)
    if miss.probability is not None and miss.probability >= token.score:
        return Doubt(miss.start, end, miss.kind, miss.label, miss.probability, miss.source)
    return Doubt(miss.start, end, miss.kind, token.label, token.score, token.source)


def note_doubts(document: Document, misses: Sequence[Doubt]) -> NoteDoubts:
    """Return what is in doubt in a note: the likely ones of its possible misses, rare words, unsure spans."""
    places = [miss for miss in misses if miss.probability is None or miss.probability >= LEAST_MISS]
    places += [
        Doubt(span.start, span.end, Kind.SPAN, span.label, round(span.score, 4), span.source)
        for span in document.spans
        if span.score < SURE_SPAN
    ]
    taken = [(place.start, place.end) for place in places]
    for word in rare_words(document.text, document.spans, least_bits=UNSEEN_BITS):
        if not any(start < word.end and word.start < end for start, end in taken):
            places.append(Doubt(word.start, word.end, Kind.RARE))
    ordered = sorted(places, key=lambda place: (place.start, place.end))
    return NoteDoubts(note_confidence(misses), tuple(ordered))
