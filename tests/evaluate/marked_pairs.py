"""Pairs for the tests of evaluation: gold and system marks of the same text, written as inline markup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.formats.inline import parse

Also = Sequence[tuple[int, int, str]]


def pair(
    gold: str, found: str, *, also_gold: Also = (), also_found: Also = (), name: str = "1", **meta: Any
) -> Pair:
    """Return a pair of two marked copies of a text and of further marks, which may overlap."""
    text, wanted = parse(gold)
    same, claimed = parse(found)
    assert text == same, "both sides mark the same text"
    return Pair(
        name,
        text,
        (*wanted, *(Span(*mark) for mark in also_gold)),
        (*claimed, *(Span(*mark) for mark in also_found)),
        meta,
    )
