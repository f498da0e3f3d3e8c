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
    """One named rule of the patterns detector.

    Where a scan has long alternatives, all that may be under way at once make an automaton of many megabytes,
    slow to build and to run. There are two ways to have smaller ones. ``heads`` may match wherever the scan
    begins to match, and elsewhere; the scan then only starts where a head stands. ``parts`` are the scan's
    alternatives in groups, in their order, each with an automaton of its own.
    """

    name: str
    scan: str
    check: Callable[[bytes, int, int], Iterable[Claim]]
    heads: str = ""
    parts: tuple[str, ...] = ()

    @cached_property
    def scanner(self) -> Any:
        """The compiled scan."""
        return _compile(self.scan)

    @cached_property
    def _heads(self) -> Any:
        return _compile(self.heads)

    @cached_property
    def _parts(self) -> list[Any]:
        return [_compile(part) for part in self.parts]

    def candidates(self, text: bytes) -> list[tuple[int, int]]:
        """Return where the scan finds something in a shadow."""
        if self.heads:
            return self._from_heads(text)
        if self.parts:
            return self._in_parts(text)
        return [found.span() for found in self.scanner.finditer(text)]

    def _from_heads(self, text: bytes) -> list[tuple[int, int]]:
        """Return what the scan finds where a head stands."""
        spans, at = list[tuple[int, int]](), 0
        while head := self._heads.search(text, at):
            found = self.scanner.match(text, head.start())
            if found:
                spans.append(found.span())
            at = found.end() if found else head.start() + 1
        return spans

    def _in_parts(self, text: bytes) -> list[tuple[int, int]]:
        """Return what the parts find: what begins first counts, of two the earlier part's."""
        spans: list[tuple[int, int]] = []
        ahead = [part.search(text) for part in self._parts]
        while begun := [(found.start(), part) for part, found in enumerate(ahead) if found]:
            spans.append(ahead[min(begun)[1]].span())
            at = spans[-1][1]
            for start, part in begun:
                if start < at:
                    ahead[part] = self._parts[part].search(text, at)
        return spans

    def claims(self, text: bytes) -> list[Claim]:
        """Return the claims of this rule on a shadow."""
        return [claim for span in self.candidates(text) for claim in self.check(text, *span)]


def _compile(pattern: str) -> Any:
    options = re2.Options()
    options.max_mem = 64 << 20  # a large automaton must not fall back to the slow engine
    options.encoding = re2.Options.Encoding.LATIN1
    return re2.compile(pattern.encode("ascii"), options)
