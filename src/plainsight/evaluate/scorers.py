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

Spans may overlap; two that are equal count once. Tokens are the maximal runs of ASCII letters and digits
within a span, as in the official i2b2-2014 script; a span without any counts as one. A scorer that looks at
no label reports all under ``*``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.tally import Tally
from plainsight.text.tokens import scorer_tokens

__all__ = ["ANY", "FUZZY_END", "SCORERS", "Scorer", "Unit", "aligned", "distinct", "tokens_of"]

ANY = "*"
"""The label under which scorers that look at no label count."""

FUZZY_END = 2
"""How far apart two ends may be that relaxed scorers take for the same."""

Tallies = dict[str, Tally]
Scorer = Callable[[Pair], Tallies]
Unit = tuple[str, int, int]
"""A label, a start and an end."""


def strict(pair: Pair) -> Tallies:
    """Count spans that agree in start, end and label."""
    gold, found = ({(span.label, span.start, span.end) for span in spans} for spans in _sides(pair))
    return _equal(gold, found)


def binary_strict(pair: Pair) -> Tallies:
    """Count spans that agree in start and end."""
    gold, found = ({(ANY, span.start, span.end) for span in spans} for spans in _sides(pair))
    return _equal(gold, found)


def relaxed(pair: Pair) -> Tallies:
    """Count spans that agree in start and label, and in the end within two characters."""
    return _agreeing(pair, lambda one, two: one.start == two.start and abs(one.end - two.end) <= FUZZY_END)


def overlap(pair: Pair) -> Tallies:
    """Count spans that share a character with one of the same label."""
    return _agreeing(pair, lambda one, two: True)


def token(pair: Pair) -> Tallies:
    """Count tokens that agree in label."""
    return _equal(tokens_of(pair.text, pair.gold), tokens_of(pair.text, pair.found))


def binary_token(pair: Pair) -> Tallies:
    """Count tokens, whatever their label."""
    gold, found = (
        {(ANY, start, end) for _, start, end in tokens_of(pair.text, spans)} for spans in _sides(pair)
    )
    return _equal(gold, found)


def character(pair: Pair) -> Tallies:
    """Count characters, whatever their label."""
    gold, found = (
        {place for span in spans for place in range(span.start, span.end)} for spans in _sides(pair)
    )
    both = len(gold & found)
    return {ANY: Tally(len(gold), both, len(found), both)} if gold or found else {}


def muc(pair: Pair) -> Tallies:
    """Count slots: of two spans that touch, the label slot and the extent slot are right or wrong apart.

    Each span is aligned with at most one of the other side, the best fit first; slots are counted under the
    label of their own side.
    """
    gold, gold_hits, found, found_hits = (Counter[str]() for _ in range(4))
    for one, two in aligned(pair.gold, pair.found):
        if one:
            gold[one.label] += 2
        if two:
            found[two.label] += 2
        if one and two:
            gold_hits[one.label] += _slots(one, two)
            found_hits[two.label] += _slots(one, two)
    return _tallies(gold, gold_hits, found, found_hits)


def aligned(gold: Iterable[Span], found: Iterable[Span]) -> list[tuple[Span | None, Span | None]]:
    """Align overlapping spans one to one; every span of either side comes once, in the order of the text.

    The best fit is aligned first: the same extent and label, then one of both, then the widest overlap. What
    is left over has None beside it.
    """
    ones, twos = distinct(gold), distinct(found)
    fits = [(_fit(ones[one], twos[two]), one, two) for one, two in _touching(ones, twos)]
    partner: dict[int, int] = {}
    taken = set[int]()
    for _, one, two in sorted(fits):
        if one not in partner and two not in taken:
            partner[one] = two
            taken.add(two)
    made: list[tuple[Span | None, Span | None]] = [
        (span, twos[partner[place]] if place in partner else None) for place, span in enumerate(ones)
    ]
    made += [(None, span) for place, span in enumerate(twos) if place not in taken]
    return sorted(made, key=_place)


def _place(entry: tuple[Span | None, Span | None]) -> tuple[int, int]:
    return min((span.start, span.end) for span in entry if span)


def _fit(one: Span, two: Span) -> tuple[int, int]:
    """Rank an alignment; lower is better."""
    return -_slots(one, two), max(one.start, two.start) - min(one.end, two.end)


def _slots(one: Span, two: Span) -> int:
    """Count the slots that are right: label and extent."""
    return (one.label == two.label) + (one.start == two.start and one.end == two.end)


def distinct(spans: Iterable[Span]) -> list[Span]:
    """Return the spans in the order of the text, those with the same edges and label once."""
    kept = {(span.start, span.end, span.label): span for span in spans}
    return [kept[key] for key in sorted(kept)]


def _touching(gold: Sequence[Span], found: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """Yield the places of each two spans that share a character; both sides are sorted."""
    starts = [span.start for span in found]
    reach = list(accumulate((span.end for span in found), max))  # a long span may reach over later ones
    for place, span in enumerate(gold):
        for other in range(bisect_right(reach, span.start), bisect_left(starts, span.end)):
            if found[other].end > span.start:
                yield place, other


def tokens_of(text: str, spans: Iterable[Span]) -> set[Unit]:
    """Return the tokens of spans as label, start and end.

    The official script cuts the text of each span, so a span's edge is a token's edge; a span without any
    letter or digit is one empty token at its end, which only the same kind of span can hit.
    """
    made: set[Unit] = set()
    for span in spans:
        inside = scorer_tokens(text[span.start : span.end]) or [(span.end - span.start,) * 2]
        made.update((span.label, span.start + start, span.start + end) for start, end in inside)
    return made


def _sides(pair: Pair) -> tuple[Sequence[Span], Sequence[Span]]:
    return pair.gold, pair.found


def _equal(gold: set[Unit], found: set[Unit]) -> Tallies:
    """Count units that are equal."""
    wanted, claimed, hits = (Counter(label for label, _, _ in units) for units in (gold, found, gold & found))
    return _tallies(wanted, hits, claimed, hits)


def _agreeing(pair: Pair, agree: Callable[[Span, Span], bool]) -> Tallies:
    """Count spans that touch one of the same label which agrees."""
    gold, found = distinct(pair.gold), distinct(pair.found)
    hits = [
        (one, two)
        for one, two in _touching(gold, found)
        if gold[one].label == found[two].label and agree(gold[one], found[two])
    ]
    return _tallies(
        Counter(span.label for span in gold),
        Counter(gold[place].label for place in {one for one, _ in hits}),
        Counter(span.label for span in found),
        Counter(found[place].label for place in {two for _, two in hits}),
    )


def _tallies(
    gold: Counter[str], gold_hits: Counter[str], found: Counter[str], found_hits: Counter[str]
) -> Tallies:
    return {
        label: Tally(gold[label], gold_hits[label], found[label], found_hits[label])
        for label in sorted(gold.keys() | found.keys())
    }


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
