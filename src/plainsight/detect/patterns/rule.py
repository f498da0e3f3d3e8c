"""Rules: a fast scan that finds candidates, and a check that decides on each.

The scan is an RE2 pattern over the shadow (one ASCII byte per code point, see `plainsight.text.shadow`)
and runs at hundreds of megabytes a second, so the cost of a rule is the number of its candidates:
a couple of microseconds each. RE2 has no look-around; the check sees the whole shadow and may look at
any context, usually with an anchored `re` pattern (``pattern.match(text, start)``).

Most rules are tables of shapes: patterns for RE2 and `re` alike. The groups of a pattern that are named after
labels, in capitals, are what it claims; groups in small letters serve its check. RE2 scans for all patterns
of a table in one pass. `re` then matches the candidates again, for their groups and for what surrounds them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple, TypeAlias

import re2

_Pattern: TypeAlias = re.Pattern[bytes]

_REACH = 40  # how far before a match `Shape.not_after` looks, in characters
_LONGEST = 1000  # bytes of a match: else "1.1.1…" would be read to its end from each of its parts
_WINDOW = 8 * _LONGEST


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
        """Return where the scan finds something in a shadow.

        It looks through windows that overlap. Without them, a search in "1.1.1…" would read to the end of
        the text from each match on, because something longer may follow.
        """
        found: list[tuple[int, int]] = []
        begin, size = 0, len(text)
        while begin < size:
            end = min(begin + _WINDOW, size)
            sure = end - _LONGEST if end < size else size
            following = sure
            for match in self.scanner.finditer(text, begin, end):
                span = match.span()
                if span[1] > sure and span[0] > begin:
                    following = span[0]  # look again from there: it may go on behind the window
                    break
                found.append(span)
                following = max(sure, span[1])
            begin = following
        return found

    def claims(self, text: bytes) -> list[Claim]:
        """Return the claims of this rule on a shadow."""
        return [claim for span in self.candidates(text) for claim in self.check(text, *span)]


class Shape(NamedTuple):
    """A pattern and what speaks against its matches.

    ``not_after`` must not match up to the beginning of a match, ``not_before`` not from its end on, whatever
    the case of letters. ``check`` sees the match and, as its ``string``, the whole text. ``then`` may match
    from the end of a match on; its groups are claimed as well.
    """

    pattern: str
    not_after: str = ""
    not_before: str = ""
    check: Callable[[re.Match[bytes]], bool] | None = None
    then: str = ""


def shape_rule(name: str, shapes: Iterable[Shape]) -> Rule:
    """Make one rule of a table of shapes; the first that takes a candidate has it."""
    table = tuple(shapes)
    scans = dict.fromkeys(re.sub(r"\?P<\w+>", "?:", shape.pattern) for shape in table)

    @cache
    def compiled() -> list[tuple[Shape, _Pattern, _Pattern | None, _Pattern | None, _Pattern | None]]:
        return [
            (
                shape,
                re.compile(shape.pattern.encode()),
                re.compile(rf"(?:{shape.not_after})\Z".encode(), re.I) if shape.not_after else None,
                re.compile(shape.not_before.encode(), re.I) if shape.not_before else None,
                re.compile(shape.then.encode()) if shape.then else None,
            )
            for shape in table
        ]

    def check(text: bytes, start: int, end: int) -> list[Claim]:
        for shape, pattern, not_after, not_before, then in compiled():
            match = pattern.match(text, start, start + _LONGEST)
            if match is None:
                continue
            if (
                (not_after and not_after.search(text, max(0, start - _REACH), start))
                or (not_before and not_before.match(text, match.end()))
                or (shape.check and not shape.check(match))
            ):
                continue
            more = then.match(text, match.end(), match.end() + 120) if then else None
            return _claims(match) + (_claims(more) if more else [])
        return []

    return Rule(name, "|".join(scans), check)


def _claims(match: re.Match[bytes]) -> list[Claim]:
    return [
        Claim(*match.span(group), group)
        for group, value in match.groupdict().items()
        if value and group.isupper()
    ]
