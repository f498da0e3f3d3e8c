"""Scorers: each counts one pair in its own units, label by label.

| name | unit | a hit is |
|---|---|---|
| ``strict`` | span | the same start, end and label (S46) |
| ``relaxed`` | span | the same start and label, an end at most two characters off (S9) |
| ``overlap`` | span | the same label and any character in common |
| ``muc`` | slot | two slots a span, label and extent, each right or wrong by itself (S47) |
| ``token`` | token | the same token with the same label; a wrong label misses and is spurious (S44) |
| ``binary-token`` | token | the same token, whatever the label (S8) |
| ``binary-strict`` | span | the same start and end, whatever the label |
| ``character`` | character | a marked character, whatever the label |

Tokens are the maximal runs of ASCII letters and digits within a span, as in the official i2b2-2014 script; a
span without any counts as one. A scorer that looks at no label reports all under ``*``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from types import MappingProxyType

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.tally import Tally
from plainsight.text.tokens import scorer_tokens

__all__ = ["ANY", "SCORERS", "Scorer", "tokens_of"]

ANY = "*"
"""The label under which scorers that look at no label count."""

Tallies = dict[str, Tally]
Scorer = Callable[[Pair], Tallies]

_FUZZY_END = 2


def strict(pair: Pair) -> Tallies:
    """Count spans that agree in start, end and label."""
    return _by_set({_exactly(span) for span in pair.gold}, {_exactly(span) for span in pair.found})


def binary_strict(pair: Pair) -> Tallies:
    """Count spans that agree in start and end."""
    gold, found = ({(ANY, span.start, span.end) for span in spans} for spans in (pair.gold, pair.found))
    return _by_set(gold, found)


def relaxed(pair: Pair) -> Tallies:
    """Count spans that agree in start and label, and in the end within two characters."""
    return _by_match(pair, lambda one, two: one.start == two.start and abs(one.end - two.end) <= _FUZZY_END)


def overlap(pair: Pair) -> Tallies:
    """Count spans that share a character with one of the same label."""
    return _by_match(pair, lambda one, two: one.start < two.end and two.start < one.end)


def token(pair: Pair) -> Tallies:
    """Count tokens that agree in label."""
    return _by_set(tokens_of(pair.text, pair.gold), tokens_of(pair.text, pair.found))


def binary_token(pair: Pair) -> Tallies:
    """Count tokens, whatever their label."""
    gold, found = (
        {(ANY, start, end) for _, start, end in tokens_of(pair.text, spans)}
        for spans in (pair.gold, pair.found)
    )
    return _by_set(gold, found)


def character(pair: Pair) -> Tallies:
    """Count characters, whatever their label."""
    gold, found = (
        {(ANY, place, place + 1) for span in spans for place in range(span.start, span.end)}
        for spans in (pair.gold, pair.found)
    )
    return _by_set(gold, found)


def muc(pair: Pair) -> Tallies:
    """Count slots: of two spans that touch, the label slot and the extent slot are right or wrong apart.

    Each span is aligned with at most one of the other side, the best fit first; slots are counted under the
    label of their own side.
    """
    gold, found = Counter[str](), Counter[str]()
    for span in pair.gold:
        gold[span.label] += 2
    for span in pair.found:
        found[span.label] += 2
    gold_hits, found_hits = Counter[str](), Counter[str]()
    for one, two in aligned(pair.gold, pair.found):
        slots = (one.label == two.label) + (one.start == two.start and one.end == two.end)
        gold_hits[one.label] += slots
        found_hits[two.label] += slots
    return {
        label: Tally(gold[label], gold_hits[label], found[label], found_hits[label])
        for label in sorted(gold.keys() | found.keys())
    }


def aligned(gold: Iterable[Span], found: Iterable[Span]) -> list[tuple[Span, Span]]:
    """Align overlapping spans one to one: the same extent and label first, then the widest overlap."""
    touching = [
        (_fit(one, two), place, other, one, two)
        for place, one in enumerate(gold)
        for other, two in enumerate(found)
        if one.start < two.end and two.start < one.end
    ]
    used_gold, used_found = set[int](), set[int]()
    chosen = []
    for _, place, other, one, two in sorted(touching, key=lambda entry: (entry[0], entry[1], entry[2])):
        if place not in used_gold and other not in used_found:
            used_gold.add(place)
            used_found.add(other)
            chosen.append((one, two))
    return sorted(chosen)


def _fit(one: Span, two: Span) -> tuple[int, int]:
    """Rank an alignment; lower is better."""
    slots = (one.label == two.label) + (one.start == two.start and one.end == two.end)
    return -slots, max(one.start, two.start) - min(one.end, two.end)


def tokens_of(text: str, spans: Iterable[Span]) -> set[tuple[str, int, int]]:
    """Return the tokens of spans as label, start and end.

    The official script cuts the text of each span, so a span's edge is a token's edge; a span without any
    letter or digit is one empty token at its end, which only the same kind of span can hit.
    """
    made: set[tuple[str, int, int]] = set()
    for span in spans:
        inside = scorer_tokens(text[span.start : span.end]) or [(span.end - span.start,) * 2]
        made.update((span.label, span.start + start, span.start + end) for start, end in inside)
    return made


def _exactly(span: Span) -> tuple[str, int, int]:
    return span.label, span.start, span.end


Unit = tuple[str, Hashable, Hashable]


def _by_set(gold: set[tuple[str, int, int]], found: set[tuple[str, int, int]]) -> Tallies:
    """Count units that are equal; the first part of each is its label."""
    wanted, claimed, hits = (Counter(unit[0] for unit in units) for units in (gold, found, gold & found))
    return {
        label: Tally(wanted[label], hits[label], claimed[label], hits[label])
        for label in sorted(wanted.keys() | claimed.keys())
    }


def _by_match(pair: Pair, agree: Callable[[Span, Span], bool]) -> Tallies:
    """Count spans for which the other side has one of the same label that agrees."""
    gold, found = sorted(set(pair.gold)), sorted(set(pair.found))
    gold_hits = [one for one in gold if any(one.label == two.label and agree(one, two) for two in found)]
    found_hits = [two for two in found if any(one.label == two.label and agree(one, two) for one in gold)]
    counts = [Counter(span.label for span in spans) for spans in (gold, gold_hits, found, found_hits)]
    labels = sorted(counts[0].keys() | counts[2].keys())
    return {label: Tally(*(count[label] for count in counts)) for label in labels}


SCORERS: Mapping[str, Scorer] = MappingProxyType(
    {
        "strict": strict,
        "relaxed": relaxed,
        "overlap": overlap,
        "muc": muc,
        "token": token,
        "binary-token": binary_token,
        "binary-strict": binary_strict,
        "character": character,
    }
)
"""Every scorer by name."""
