"""Settle what several detectors propose for one note into spans that do not overlap.

1. **Routing and thresholds**: a label may be reserved for some detectors; other claims of it are dropped. A
   detector may have to be sure: its other claims only stand beside those of others.
2. **Vote**: a claim stands when at least ``vote`` detectors claim text that overlaps it. ``vote=1`` is union.
3. **Same extent, different labels**: the detector that comes first in the precedence wins; within one
   detector the surer claim.
4. **Overlapping extents**: the claim with the most evidence (length x score) wins. A loser of the same
   category is merged into the winner, so ``John`` + ``John Smith`` is one name; a loser of another
   category keeps the part that the winner does not cover.

Nothing that a standing claim covers is ever uncovered, except separators at the cut. Every claim behind a
span is kept in ``span.claims``; a span that stands just as it was proposed has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from operator import attrgetter

from plainsight.document import Span
from plainsight.labels import CATEGORY_OF

__all__ = ["PRECEDENCE", "combine"]

PRECEDENCE: tuple[str, ...] = (
    "patient", "templates", "patterns", "transformer", "bilstm", "crf", "charlm", "lexicon",
)  # fmt: skip
"""Who decides the label when claims cover the same text: what is known of the patient, then what has a
shape, then what was learned, then what was looked up. Detectors not named here come last, by name."""

_WORD = re.compile(r"[^\W_]")
_EXTENT = attrgetter("start", "end")


def combine(
    proposals: Iterable[Span],
    text: str,
    *,
    vote: int = 1,
    routes: Mapping[str, Set[str]] | None = None,
    thresholds: Mapping[str, float] | None = None,
    precedence: Sequence[str] = PRECEDENCE,
) -> tuple[Span, ...]:
    """Return the spans that the proposals for this text come to, in order, none overlapping."""
    claims = [claim for claim in proposals if _allowed(claim, routes)] if routes else list(proposals)
    claims.sort(key=_EXTENT)
    unsure: list[Span] = []
    if thresholds:
        claims = list(dict.fromkeys(claims))
        unsure = [claim for claim in claims if claim.score < thresholds.get(claim.detector, 0.0)]
        claims = [claim for claim in claims if claim.score >= thresholds.get(claim.detector, 0.0)]
    rank = {name: place for place, name in enumerate(precedence)}
    spans: list[Span] = []
    for cluster in _clusters(claims):
        if vote > 1:
            for part in _clusters(_outvoted_removed(cluster, vote)):
                spans += _settle(part, text, rank)
        elif len(cluster) == 1:
            spans += cluster
        else:
            spans += _settle(cluster, text, rank)
    return tuple(_seconded(span, unsure) for span in spans) if unsure else tuple(spans)


def _seconded(span: Span, unsure: Sequence[Span]) -> Span:
    """Add to a span's claims those that would not have been enough by themselves."""
    also = tuple(claim for claim in unsure if _overlap(claim, span))
    return _changed(span, claims=(*(span.claims or (span,)), *also)) if also else span


def _allowed(claim: Span, routes: Mapping[str, Set[str]]) -> bool:
    return claim.label not in routes or claim.detector in routes[claim.label]


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


def _outvoted_removed(cluster: Sequence[Span], vote: int) -> list[Span]:
    """Keep the claims that enough detectors support."""
    return [
        claim
        for claim in cluster
        if len({other.detector for other in cluster if _overlap(claim, other)}) >= vote
    ]


def _overlap(left: Span, right: Span) -> bool:
    return left.start < right.end and right.start < left.end


def _settle(cluster: Sequence[Span], text: str, rank: Mapping[str, int]) -> list[Span]:
    """Resolve one cluster of overlapping claims."""
    claims = list(dict.fromkeys(cluster))
    if len(claims) == 1:
        return claims
    by_extent: dict[tuple[int, int], list[Span]] = {}
    for claim in claims:
        by_extent.setdefault((claim.start, claim.end), []).append(claim)
    merged = [_merged(same, rank) for same in by_extent.values()]
    if len(merged) == 1:  # all agree where it is, as they mostly do
        return [_changed(merged[0], claims=tuple(claims))]

    def strength(claim: Span) -> tuple[float, int, str, float, str]:
        evidence = (claim.end - claim.start) * claim.score
        return -evidence, rank.get(claim.detector, len(rank)), claim.detector, claim.start, claim.label

    kept: list[Span] = []
    for candidate in sorted(merged, key=strength):
        kept = _place(candidate, kept, text)
    return [_with_claims(span, claims) for span in sorted(kept, key=_EXTENT)]


def _merged(claims: Sequence[Span], rank: Mapping[str, int]) -> Span:
    """Merge claims of the same extent: label by precedence, score by the surest."""
    if len(claims) == 1:
        return claims[0]
    first = min(claims, key=lambda c: (rank.get(c.detector, len(rank)), c.detector, -c.score, c.label))
    return _changed(first, score=max(claim.score for claim in claims))


def _changed(
    span: Span,
    *,
    start: int | None = None,
    end: int | None = None,
    score: float | None = None,
    claims: tuple[Span, ...] | None = None,
) -> Span:
    """Return a span with some fields changed: what dataclasses.replace does, in a fraction of its time."""
    return Span(
        span.start if start is None else start,
        span.end if end is None else end,
        span.label,
        span.score if score is None else score,
        span.source,
        span.claims if claims is None else claims,
    )


def _place(candidate: Span, kept: list[Span], text: str) -> list[Span]:
    """Add a weaker claim to the stronger ones: merge into its own kind, or keep what they leave over."""
    rivals = sorted((span for span in kept if _overlap(span, candidate)), key=lambda span: span.start)
    if not rivals:
        return [*kept, candidate]
    others = [span for span in kept if span not in rivals]
    kin = [span for span in rivals if _category(span) == _category(candidate)]
    if len(rivals) == 1 and kin:
        winner = rivals[0]
        start, end = min(winner.start, candidate.start), max(winner.end, candidate.end)
        grown = _changed(winner, start=start, end=end)
        if not any(_overlap(grown, other) for other in others):
            return [*others, grown]
    pieces: list[Span] = []
    at = candidate.start
    for rival in [*rivals, None]:
        until = rival.start if rival else candidate.end
        if at < until and (left := _word_edges(text, at, until)):
            pieces.append(_changed(candidate, start=left[0], end=left[1]))
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


def _with_claims(span: Span, cluster: Sequence[Span]) -> Span:
    """Keep the provenance: every claim that speaks about this span."""
    start, end = span.start, span.end
    claims = tuple([claim for claim in cluster if claim.start < end and start < claim.end])
    return _changed(span, claims=claims) if claims != (span,) else span
