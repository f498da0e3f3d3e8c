"""A rule: a fast scan that finds candidates, and a check that decides on each.

The scan is an RE2 pattern over the shadow (one ASCII byte per code point, see `plainsight.text.shadow`)
and runs at hundreds of megabytes a second, so the cost of a rule is the number of its candidates:
a couple of microseconds each. RE2 has no look-around; the check sees the whole shadow and may look at
any context, usually with an anchored `re` pattern (``pattern.match(text, start)``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import re2

__all__ = ["Claim", "Rule"]

_ANYWHERE = re2._Anchor.UNANCHORED


class Claim(NamedTuple):
    """What a check asserts: these bytes are that kind of identifier, this surely."""

    start: int
    end: int
    label: str
    score: float


@dataclass(frozen=True)
class Rule:
    """One named rule of the patterns detector."""

    name: str
    scan: str
    check: Callable[[bytes, int, int], Iterable[Claim]]

    @cached_property
    def scanner(self) -> Any:
        """The compiled scan."""
        options = re2.Options()
        options.max_mem = 64 << 20  # a large automaton must not fall back to the slow engine
        options.encoding = re2.Options.Encoding.LATIN1
        return re2.compile(self.scan.encode("ascii"), options)

    def candidates(self, text: bytes) -> list[tuple[int, int]]:
        """Return where the scan finds something in a shadow."""
        # What finditer() does, without its match objects: they cost more than finding.
        find, spans, last, end = self.scanner._regexp.Match, list[tuple[int, int]](), 0, len(text)
        while True:
            span = find(_ANYWHERE, text, last, end)[0]
            last = span[1]
            if last < 0:
                return spans
            spans.append(span)

    def decide(self, text: bytes, candidates: Iterable[tuple[int, int]]) -> list[Claim]:
        """Return the claims that the check makes of the candidates."""
        check, claims = self.check, list[Claim]()
        for start, end in candidates:
            found = check(text, start, end)
            if found:
                claims += found
        return claims

    def claims(self, text: bytes) -> list[Claim]:
        """Return the claims of this rule on a shadow."""
        return self.decide(text, self.candidates(text))
