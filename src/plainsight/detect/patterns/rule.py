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


class Claim(NamedTuple):
    """What a check asserts: these bytes are that kind of identifier, this surely."""

    start: int
    end: int
    label: str
    score: float = 0.95


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
        return [found.span() for found in self.scanner.finditer(text)]

    def claims(self, text: bytes) -> list[Claim]:
        """Return the claims of this rule on a shadow."""
        return [claim for span in self.candidates(text) for claim in self.check(text, *span)]
