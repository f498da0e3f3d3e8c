"""Scorers: each counts one pair in its own units, label by label.

| name | unit | a hit is |
|---|---|---|
| ``strict`` | span | the same start, end and label |
| ``relaxed`` | span | the same start and label, an end at most two characters off |
| ``overlap`` | span | the same label and any character in common |
| ``muc`` | slot | two slots a span, label and extent, each right or wrong by itself |
| ``token`` | token | the same token with the same label; a wrong label misses and is spurious |
| ``binary-token`` | token | the same token, whatever the label |
| ``binary-strict`` | span | the same start and end, whatever the label |
| ``character`` | character | a marked character, whatever the label |

Spans may overlap; two equal ones count once. Tokens are the maximal runs of ASCII letters and digits within a
span, as in the official i2b2-2014 script; a span without any counts as one. A scorer that ignores labels
counts everything under ``*``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from statistics import fmean, pstdev
from types import MappingProxyType
from typing import Any

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.tally import EMPTY, Tally, plain, total
from plainsight.labels import CATEGORY_OF
from plainsight.text.tokens import scorer_tokens

ANY = "*"
"""The label under which scorers count that ignore labels."""

FUZZY_END = 2
"""How many characters apart two ends may be for relaxed scorers."""

Tallies = dict[str, Tally]
Scorer = Callable[[Pair], Tallies]
Unit = tuple[str, int, int]
"""A label, a start and an end."""


def units(kind: str, text: str, spans: Iterable[Span]) -> set[Unit]:
    """Return spans, or the tokens or characters in them, each with its label.

    A span's edge is a token's edge. A span without any letter or digit is one empty token at its end, which
    only a span of the same kind can hit (the official script's rule).
    """
    if kind == "span":
        return {(span.label, span.start, span.end) for span in spans}
    if kind == "character":
        return {(span.label, index, index + 1) for span in spans for index in range(span.start, span.end)}
    found: set[Unit] = set()
    for span in spans:
        inside = scorer_tokens(text[span.start : span.end]) or [(span.end - span.start,) * 2]
        found.update((span.label, span.start + start, span.start + end) for start, end in inside)
    return found


def _equal(kind: str, *, labelled: bool) -> Scorer:
    """Return a scorer that counts equal units."""

    def count(pair: Pair) -> Tallies:
        gold, found = units(kind, pair.text, pair.gold), units(kind, pair.text, pair.found)
        if not labelled:
            gold, found = ({(ANY, start, end) for _, start, end in side} for side in (gold, found))
        wanted, claimed, hits = (Counter(label for label, *_ in s) for s in (gold, found, gold & found))
        return _tallies(wanted, hits, claimed, hits)

    return count


def _agreeing(agree: Callable[[Span, Span], bool]) -> Scorer:
    """Return a scorer that counts spans which touch one of the same label and agree with it."""

    def count(pair: Pair) -> Tallies:
        gold, found = _distinct(pair.gold), _distinct(pair.found)
        hits = [
            (one, two)
            for one, two in _touching(gold, found)
            if gold[one].label == found[two].label and agree(gold[one], found[two])
        ]
        return _tallies(
            Counter(span.label for span in gold),
            Counter(gold[index].label for index in {one for one, _ in hits}),
            Counter(span.label for span in found),
            Counter(found[index].label for index in {two for _, two in hits}),
        )

    return count


def _muc(pair: Pair) -> Tallies:
    """Count slots: of two aligned spans, the label slot and the extent slot are each right or wrong.

    Slots count under the label of their own side.
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
    """Align overlapping spans one to one, in the order of the text; a span without a partner gets None.

    The best fit is aligned first: the same extent and label, then one of both, then the widest overlap.
    """
    ones, twos = _distinct(gold), _distinct(found)
    fits = [(_fit(ones[one], twos[two]), one, two) for one, two in _touching(ones, twos)]
    partner: dict[int, int] = {}
    taken = set[int]()
    for _, one, two in sorted(fits):
        if one not in partner and two not in taken:
            partner[one] = two
            taken.add(two)
    entries: list[tuple[Span | None, Span | None]] = [
        (span, twos[partner[index]] if index in partner else None) for index, span in enumerate(ones)
    ]
    entries += [(None, span) for index, span in enumerate(twos) if index not in taken]
    return sorted(entries, key=lambda entry: min((span.start, span.end) for span in entry if span))


def _fit(one: Span, two: Span) -> tuple[int, int]:
    """Rank an alignment; lower is better."""
    return -_slots(one, two), max(one.start, two.start) - min(one.end, two.end)


def _slots(one: Span, two: Span) -> int:
    """Count the slots that are right: label and extent."""
    return (one.label == two.label) + (one.start == two.start and one.end == two.end)


def _distinct(spans: Iterable[Span]) -> list[Span]:
    """Return the spans in the order of the text, each label and extent once."""
    by_extent = {(span.start, span.end, span.label): span for span in spans}
    return [by_extent[key] for key in sorted(by_extent)]


def _touching(gold: Sequence[Span], found: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """Yield the indexes of every two spans that share a character; both sides are sorted."""
    starts = [span.start for span in found]
    reach = list(accumulate((span.end for span in found), max))  # a long span may reach over later ones
    for index, span in enumerate(gold):
        for other in range(bisect_right(reach, span.start), bisect_left(starts, span.end)):
            if found[other].end > span.start:
                yield index, other


def _tallies(*counts: Counter[str]) -> Tallies:
    """Return a tally a label from the counts of gold, gold hits, found, found hits."""
    gold, _, found, _ = counts
    return {label: Tally(*(c[label] for c in counts)) for label in sorted(gold.keys() | found.keys())}


SCORERS: Mapping[str, Scorer] = MappingProxyType(
    {
        "strict": _equal("span", labelled=True),
        "relaxed": _agreeing(lambda one, two: one.start == two.start and abs(one.end - two.end) <= FUZZY_END),
        "overlap": _agreeing(lambda one, two: True),
        "muc": _muc,
        "token": _equal("token", labelled=True),
        "binary-token": _equal("token", labelled=False),
        "binary-strict": _equal("span", labelled=False),
        "character": _equal("character", labelled=False),
    }
)
"""Every scorer by name."""

UNLABELLED = {"binary-token": "token", "binary-strict": "span", "character": "character"}
"""The scorers that ignore labels, and the unit of each."""


def by_any_label(pairs: Iterable[Pair], scorer: str = "binary-token") -> Tallies:
    """Count for each label its gold units and those found under any label; its claims and the right ones.

    A label's recall is then the share of its units that do not leak, and its precision the share of its
    claims that identify somebody at all. ``scorer`` is one of `UNLABELLED`.
    """
    gold, gold_hits, found, found_hits = (Counter[str]() for _ in range(4))
    for pair in pairs:
        wanted, claimed = (
            units(UNLABELLED[scorer], pair.text, spans) for spans in (pair.gold, pair.found)
        )  # fmt: skip
        for these, others, counts, hits in (
            (wanted, claimed, gold, gold_hits),
            (claimed, wanted, found, found_hits),
        ):
            extents = {(start, end) for _, start, end in others}
            counts.update(label for label, _, _ in these)
            hits.update(label for label, start, end in these if (start, end) in extents)
    return _tallies(gold, gold_hits, found, found_hits)


@dataclass(frozen=True)
class Score:
    """One scorer's counts: for each note, its tally by label."""

    notes: tuple[Mapping[str, Tally], ...]

    @cached_property
    def by_note(self) -> tuple[Tally, ...]:
        """Each note's tally over all labels."""
        return tuple(total(note.values()) for note in self.notes)

    @cached_property
    def micro(self) -> Tally:
        """The counts of all notes together."""
        return total(self.by_note)

    @cached_property
    def by_label(self) -> Tallies:
        """Each label's counts."""
        labels = sorted({label for note in self.notes for label in note if label != ANY})
        return {label: total(note.get(label, EMPTY) for note in self.notes) for label in labels}

    @cached_property
    def by_category(self) -> Tallies:
        """Each category's counts; labels that are not ours count under ``other``."""
        sums: Tallies = {}
        for label, tally in self.by_label.items():
            category = CATEGORY_OF.get(label.replace("-", "_"), "other")
            sums[category] = sums.get(category, EMPTY) + tally
        return dict(sorted(sums.items()))

    @cached_property
    def macro(self) -> dict[str, dict[str, float | None]]:
        """The mean and standard deviation over the notes for which a figure is defined."""
        figures = {}
        for name in ("precision", "recall", "f"):
            values = [value for tally in self.by_note if (value := getattr(tally, name)) is not None]
            mean, deviation = (fmean(values), pstdev(values)) if values else (None, None)
            figures[name] = {"mean": mean, "sd": deviation}
        return figures

    def to_json(self) -> dict[str, Any]:
        """Return all averages."""
        names = ("micro", "macro", "by_label", "by_category")
        return {name: plain(getattr(self, name)) for name in names}


def score(pairs: Iterable[Pair], scorer: str) -> Score:
    """Count pairs with a scorer."""
    return Score(tuple(SCORERS[scorer](pair) for pair in pairs))
