"""Forms: patterns for RE2 and `re` alike, each with a function that decides on its matches, as one rule.

The scan of a set of forms is all their patterns in one, or in a few if one would be large, a pass for each.
The check finds out which form matched by trying those that may begin with the first byte, in their order (the
first match is RE2's too).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple, TypeAlias

from plainsight.detect.patterns.rule import Claim, Rule

_Decide: TypeAlias = Callable[[bytes, re.Match[bytes]], list[Claim]]
_Match: TypeAlias = Callable[[bytes, int], re.Match[bytes] | None]


class Form(NamedTuple):
    """A pattern, the characters that its matches begin with, and the function that decides on them."""

    starts: str
    pattern: str
    decide: _Decide


def form_rule(name: str, *groups: Iterable[Form]) -> Rule:
    """Make one rule of forms; their patterns are compiled when the first candidate comes.

    Each group has a pass of its own; forms of an earlier one go before those of a later one.
    """
    parted = [tuple(group) for group in groups]
    forms = [form for group in parted for form in group]

    @cache
    def by_first_byte() -> list[list[tuple[_Match, _Decide]]]:
        compiled = [
            (re.compile(f"[{form.starts}]"), re.compile(form.pattern.encode()).match, form.decide)
            for form in forms
        ]
        return [
            [(match, decide) for starts, match, decide in compiled if starts.match(chr(byte))]
            for byte in range(256)
        ]

    def check(text: bytes, start: int, end: int) -> list[Claim]:
        for match, decide in by_first_byte()[text[start]]:
            found = match(text, start)
            if found:
                return decide(text, found)
        return []

    parts = tuple("|".join(re.sub(r"\?P<\w+>", "?:", form.pattern) for form in group) for group in parted)
    return Rule(name, "|".join(parts), check, parts=parts if len(parts) > 1 else ())
