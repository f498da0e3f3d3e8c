"""Combine what several detectors claim in one note into spans that do not overlap.

1. **Routes and thresholds**: a label may be reserved for some detectors; other claims of it are dropped. A
   detector may have a threshold: its claims below it only support those of other detectors.
2. **Vote**: a claim stands when at least ``vote`` detectors claim text that overlaps it. ``vote=1`` is union.
3. **Same extent, different labels**: the detector that comes first in the precedence wins; within one
   detector the claim with the higher score.
4. **Overlapping extents**: the claim with the most evidence (length x score) wins, unless a sure claim
   (score at least 0.99) of a detector that precedes it overlaps it: then that one wins. A loser of the same
   category is merged into the winner, so ``John`` + ``John Smith`` is one name; a loser of another category
   keeps the part that the winner does not cover.

Nothing that a standing claim covers is ever uncovered, except separators at the cut. Every claim behind a
span is kept in ``span.claims``; a span that stands just as it was claimed has none.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from operator import attrgetter

from plainsight.document import Span
from plainsight.labels import CATEGORY_OF

PRECEDENCE: tuple[str, ...] = (
    "patient", "site_lists", "templates", "patterns", "times",
    "transformer", "bilstm", "crf", "charlm", "average", "corrected", "cascade", "convolution", "stacker",
    "second-pass",
)  # fmt: skip
"""Whose label counts when claims cover the same text: the patient's record, then the site's
lists and templates, then shapes, then models.
Detectors not named here, such as plugins, come last, by name."""

_SURE = 0.99
_WORD = re.compile(r"[^\W_]")
_EXTENT = attrgetter("start", "end")


def combine(
    claims: Iterable[Span],
    text: str,
    *,
    vote: int = 1,
    routes: Mapping[str, Set[str]] | None = None,
    thresholds: Mapping[str, float] | None = None,
    precedence: Sequence[str] = PRECEDENCE,
) -> tuple[Span, ...]:
    """Return the spans that the claims on this text come to, in order, none overlapping."""
    standing, unsure = list[Span](), list[Span]()
    for claim in _without_repeats(sorted(claims, key=_EXTENT)):
        if routes and claim.label in routes and claim.detector not in routes[claim.label]:
            continue
        is_sure = not thresholds or claim.score >= thresholds.get(claim.detector, 0.0)
        (standing if is_sure else unsure).append(claim)
    rank = {name: place for place, name in enumerate(precedence)}
    spans: list[Span] = []
    for cluster in _clusters(standing):
        for part in _clusters(_with_votes(cluster, vote)) if vote > 1 else (cluster,):
            spans += _resolve(part, text, rank)
    return tuple(_supported(spans, unsure))


def _without_repeats(claims: Iterable[Span]) -> list[Span]:
    """Leave out claims that are made twice; the claims are in order."""
    kept: list[Span] = []
    start = end = -1
    same = 0  # where those with this extent begin
    for claim in claims:
        if claim.start != start or claim.end != end:
            start, end, same = claim.start, claim.end, len(kept)
        elif claim in kept[same:]:
            continue
        kept.append(claim)
    return kept


def _supported(spans: Iterable[Span], unsure: Sequence[Span]) -> Iterator[Span]:
    """Add the unsure claims to the claims of the spans that they overlap; both are in order."""
    starts = [claim.start for claim in unsure]
    first, count = 0, len(unsure)
    for span in spans:
        while first < count and unsure[first].end <= span.start:
            first += 1
        if first < count and starts[first] < span.end:
            also = _overlapping(span, unsure[first : bisect_left(starts, span.end, first)])
            yield _with_claims(span, (*(span.claims or (span,)), *also)) if also else span
        else:
            yield span


def _clusters(claims: Sequence[Span]) -> list[list[Span]]:
    """Split sorted claims into runs that are linked by overlaps."""
    clusters: list[list[Span]] = []
    reach = -1
    for claim in claims:
        if claim.start < reach:
            clusters[-1].append(claim)
            reach = max(reach, claim.end)
        else:
            clusters.append([claim])
            reach = claim.end
    return clusters


def _with_votes(cluster: Sequence[Span], vote: int) -> list[Span]:
    """Keep the claims that enough detectors support."""
    return [claim for claim in cluster if len({one.detector for one in _overlapping(claim, cluster)}) >= vote]


def _overlap(left: Span, right: Span) -> bool:
    return left.start < right.end and right.start < left.end


def _resolve(cluster: Sequence[Span], text: str, rank: Mapping[str, int]) -> Sequence[Span]:
    """Resolve one cluster of overlapping claims."""
    if len(cluster) == 1:
        return cluster
    by_extent: dict[tuple[int, int], list[Span]] = {}
    for claim in cluster:
        by_extent.setdefault((claim.start, claim.end), []).append(claim)
    if len(by_extent) == 1:  # the usual case
        return [_merged(cluster, rank, tuple(cluster))]

    def strength(claim: Span) -> tuple[float, int, str, float, str]:
        evidence, detector = (claim.end - claim.start) * claim.score, claim.detector
        return -evidence, rank.get(detector, len(rank)), detector, claim.start, claim.label

    def overrules(claim: Span, other: Span) -> bool:
        ranks = [rank.get(one.detector, len(rank)) for one in (claim, other)]
        return claim.score >= _SURE and ranks[0] < ranks[1] and _overlap(claim, other)

    kept: list[Span] = []
    for candidate in sorted((_merged(same, rank) for same in by_extent.values()), key=strength):
        overruled = [span for span in kept if overrules(candidate, span)]
        kept = [span for span in kept if span not in overruled]
        for claim in (candidate, *overruled):
            kept = _add(claim, kept, text)
    resolved = []
    for span in sorted(kept, key=_EXTENT):
        behind = _overlapping(span, cluster)
        resolved.append(_with_claims(span, behind) if behind != (span,) else span)
    return resolved


def _merged(claims: Sequence[Span], rank: Mapping[str, int], behind: tuple[Span, ...] = ()) -> Span:
    """Merge claims of the same extent: the label by precedence, the highest score."""
    if len(claims) == 1:
        return claims[0]

    def order(claim: Span) -> tuple[int, str, float, str]:
        detector = claim.detector
        return rank.get(detector, len(rank)), detector, -claim.score, claim.label

    first, score = min(claims, key=order), max([claim.score for claim in claims])
    return Span(first.start, first.end, first.label, score, first.source, behind or first.claims)


def _add(candidate: Span, kept: list[Span], text: str) -> list[Span]:
    """Add a weaker claim to the stronger ones: merge into its own kind, or keep what they leave over."""
    rivals = sorted((span for span in kept if _overlap(span, candidate)), key=lambda span: span.start)
    if not rivals:
        return [*kept, candidate]
    others = [span for span in kept if span not in rivals]
    kin = [span for span in rivals if _category(span) == _category(candidate)]
    if len(rivals) == 1 and kin:
        winner = rivals[0]
        start, end = min(winner.start, candidate.start), max(winner.end, candidate.end)
        grown = replace(winner, start=start, end=end)
        if not any(_overlap(grown, other) for other in others):
            return [*others, grown]
    pieces: list[Span] = []
    at = candidate.start
    for rival in [*rivals, None]:
        until = rival.start if rival else candidate.end
        if at < until and (left := _word_edges(text, at, until)):
            pieces.append(replace(candidate, start=left[0], end=left[1]))
        if rival:
            at = rival.end
    return [*kept, *pieces]


def _category(span: Span) -> str:
    return CATEGORY_OF.get(span.label, span.label)


def _word_edges(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the stretch from the first to the last letter or digit, if there is one."""
    first = _WORD.search(text, start, end)
    if not first:
        return None
    while not _WORD.match(text, end - 1, end):
        end -= 1
    return first.start(), end


def _with_claims(span: Span, claims: tuple[Span, ...]) -> Span:
    # Called for most spans, so not dataclasses.replace, which takes three times as long.
    return Span(span.start, span.end, span.label, span.score, span.source, claims)


def _overlapping(span: Span, claims: Iterable[Span]) -> tuple[Span, ...]:
    """Return the claims that overlap a span."""
    start, end = span.start, span.end
    return tuple([claim for claim in claims if claim.start < end and start < claim.end])
