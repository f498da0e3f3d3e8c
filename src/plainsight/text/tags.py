"""Spans to tag sequences over tokens, and back: BIO, BIOES and plain IO.

A span takes every token it touches, so an edge inside a token moves outwards, never inwards: half a name
still leaks. When all edges are token edges, `decode` returns exactly the spans that `encode` was given (only
IO cannot separate two neighbours with the same label). Two things are lost: a span that touches no token,
such as white space, and a second span within one token.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from plainsight.document import Span
from plainsight.errors import DataError

Scheme = Literal["BIO", "BIOES", "IO"]

OUTSIDE = "O"
"""The tag of a token outside every span."""

# By prefix, for all schemes: BILOU's last and unit are BIOES' end and single.
_STARTS = frozenset("BSU")
_ENDS = frozenset("ESLU")
_PREFIXES = frozenset("BIESLU")


def encode(spans: Iterable[Span], tokens: Sequence[tuple[int, int]], *, scheme: Scheme = "BIO") -> list[str]:
    """Return one tag per token for spans that are in order and do not overlap.

    >>> encode([Span(3, 9, "DOCTOR")], [(0, 2), (3, 5), (6, 9)])
    ['O', 'B-DOCTOR', 'I-DOCTOR']
    """
    tags = [OUTSIDE] * len(tokens)
    first = 0  # tokens before this one are done
    for span in spans:
        while first < len(tokens) and tokens[first][1] <= span.start:
            first += 1
        last = first
        while last < len(tokens) and tokens[last][0] < span.end:
            last += 1
        for index in range(first, last):
            tags[index] = f"{_prefix(index == first, index == last - 1, scheme)}-{span.label}"
        first = last
    return tags


def _prefix(is_first: bool, is_last: bool, scheme: Scheme) -> str:
    if scheme == "BIOES" and is_last:
        return "S" if is_first else "E"
    return "B" if is_first and scheme != "IO" else "I"


def decode(tags: Sequence[str], tokens: Sequence[tuple[int, int]], *, source: str = "") -> list[Span]:
    """Return the spans of a tag sequence, valid or not, in any of the schemes or in BILOU.

    No tagged token is dropped. An inside tag without a beginning of the same label opens a span; a span
    without an end closes at the next span or ``O``; a tag without a prefix counts as an inside tag.

    >>> decode(["O", "I-AGE", "E-DATE"], [(0, 2), (3, 5), (6, 9)])[1]
    Span(start=6, end=9, label='DATE', score=1.0, source='')
    """
    if len(tags) != len(tokens):
        raise DataError(f"{len(tags)} tags for {len(tokens)} tokens")
    spans: list[Span] = []
    is_open = False
    for tag, (start, end) in zip(tags, tokens, strict=True):
        prefix, label = _split(tag)
        if not label:
            is_open = False
            continue
        if is_open and prefix not in _STARTS and spans[-1].label == label:
            spans[-1] = Span(spans[-1].start, end, label, source=source)
        else:
            spans.append(Span(start, end, label, source=source))
        is_open = prefix not in _ENDS
    return spans


def _split(tag: str) -> tuple[str, str]:
    """Return a tag's prefix and label; the label of an outside tag is empty."""
    prefix, dash, label = tag.partition("-")
    if dash and label and prefix in _PREFIXES:
        return prefix, label
    return ("I", tag) if tag not in (OUTSIDE, "") else (OUTSIDE, "")
