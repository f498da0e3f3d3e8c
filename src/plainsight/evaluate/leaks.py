"""Leaks: how many notes and words, how much information, and how much was hidden needlessly.

A token of the gold standard leaks when any of its letters or digits lies outside what the system marked:
half a name still leaks. Here a token is a run of letters and digits of any script; the official scorers know
ASCII only, so a name in Greek would never leak there. A token's weight is its surprise, in bits, under the
frequencies of English words: a missed ``hospital`` weighs little, a rare surname much.

Likely misses are rare unmarked words, for a reviewer to look at. The list needs no gold standard; where there
is one, `list_quality` measures the list against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.tally import Figures, ratio
from plainsight.text.rare_words import LEAST_BITS, marked, rare_words, surprise, words

_UNNAMED = "unnamed"


@dataclass(frozen=True, slots=True)
class Leaks(Figures):
    """What got through, over all notes."""

    notes: int
    clean_notes: int = 0
    tokens: int = 0
    leaked: int = 0
    unique: int = 0
    bits: float = 0.0
    leaked_bits: float = 0.0
    characters: int = 0
    leaked_characters: int = 0
    harmless_characters: int = 0
    hidden_in_vain: int = 0

    @property
    def clean_share(self) -> float | None:
        """The share of notes with no leak at all."""
        return ratio(self.clean_notes, self.notes)

    @property
    def weighted_leak(self) -> float | None:
        """The share of the identifiers' information that leaked."""
        return ratio(self.leaked_bits, self.bits)

    @property
    def character_recall(self) -> float | None:
        """The share of identifying characters that were marked."""
        return ratio(self.characters - self.leaked_characters, self.characters)

    @property
    def over_redaction(self) -> float | None:
        """The share of all other characters that were marked as well."""
        return ratio(self.hidden_in_vain, self.harmless_characters)


def leaks(pairs: Sequence[Pair]) -> Leaks:
    """Count what leaked over all notes."""
    counts = Counter[str]()
    unique: set[str] = set()
    bits = leaked_bits = 0.0
    for pair in pairs:
        tokens = [pair.text[start:end] for start, end in gold_tokens(pair)]
        leaked = [pair.text[start:end] for start, end in leaked_tokens(pair)]
        bits += sum(map(surprise, tokens))
        leaked_bits += sum(map(surprise, leaked))
        unique.update(word.casefold() for word in leaked)
        gold, found = (int.from_bytes(marked(pair.text, side)) for side in (pair.gold, pair.found))
        counts.update(
            clean_notes=int(not leaked),
            tokens=len(tokens),
            leaked=len(leaked),
            characters=gold.bit_count(),
            leaked_characters=(gold & ~found).bit_count(),
            harmless_characters=len(pair.text) - gold.bit_count(),
            hidden_in_vain=(found & ~gold).bit_count(),
        )
    return Leaks(notes=len(pairs), unique=len(unique), bits=bits, leaked_bits=leaked_bits, **counts)


def covered_by_detector(pairs: Sequence[Pair]) -> dict[str, dict[str, int]]:
    """Count for each detector the gold tokens it covered, and those that no other detector did.

    A detector's claims are in the spans' ``claims``; a span without any counts for its own source. Spans
    without a source are ``unnamed``; if there are no others, the result is empty.
    """
    found, alone = Counter[str](), Counter[str]()
    for pair in pairs:
        claims: dict[str, list[Span]] = {}
        for claim in (claim for span in pair.found for claim in span.claims or (span,)):
            claims.setdefault(claim.detector or _UNNAMED, []).append(claim)
        marks = {name: marked(pair.text, theirs) for name, theirs in claims.items()}
        found.update(dict.fromkeys(marks, 0))  # list detectors that covered nothing, too
        for start, end in gold_tokens(pair):
            who = [name for name in marks if all(marks[name][start:end])]
            found.update(who)
            if len(who) == 1:
                alone[who[0]] += 1
    if found.keys() <= {_UNNAMED}:
        return {}
    return {name: {"found": found[name], "alone": alone[name]} for name in sorted(found)}


def leaked_tokens(pair: Pair) -> list[tuple[int, int]]:
    """Return the tokens of the gold standard that the system did not cover whole."""
    found = marked(pair.text, pair.found)
    return [(start, end) for start, end in gold_tokens(pair) if not all(found[start:end])]


def gold_tokens(pair: Pair) -> list[tuple[int, int]]:
    """Return the tokens inside the gold standard's marks, each once, in order; a mark's edge ends a token."""
    return sorted({token for span in pair.gold for token in words(pair.text, span.start, span.end)})


class LikelyMiss(NamedTuple):
    """A rare unmarked word: its offsets, its information in bits, and whether it is a leak."""

    note: str
    start: int
    end: int
    bits: float
    leaks: bool


def likely_misses(pairs: Iterable[Pair], *, least_bits: float = LEAST_BITS) -> list[LikelyMiss]:
    """List rare capitalised words that the system did not mark, the rarest first.

    Medical words, rare in English and common in notes, are left out.
    """
    listed = []
    for pair in pairs:
        leaked = set(leaked_tokens(pair))
        for start, end, bits in rare_words(pair.text, pair.found, least_bits=least_bits):
            listed.append(LikelyMiss(pair.id, start, end, bits, (start, end) in leaked))
    return sorted(listed, key=lambda entry: (-entry.bits, entry.note, entry.start))


def list_quality(pairs: Sequence[Pair]) -> dict[str, float | None]:
    """Return how many of the likely misses are leaks, and how many of the leaked tokens they show."""
    entries = likely_misses(pairs)
    listed, leaks = len(entries), sum(entry.leaks for entry in entries)
    leaked = sum(len(leaked_tokens(pair)) for pair in pairs)
    counts = {"listed": listed, "leaks": leaks, "leaked": leaked}
    return {**counts, "precision": ratio(leaks, listed), "recall": ratio(leaks, leaked)}
