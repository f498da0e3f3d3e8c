"""Write a list of words as a pattern that shares their beginnings: a backtracking engine then tries few."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable


def one_of(words: Iterable[str]) -> str:
    """Return a pattern that matches exactly these words, the longest first.

    >>> one_of(["rd", "road", "rds"])
    '(?:r(?:oad|ds?))'
    """
    return f"(?:{_branch(sorted(set(words)))})"


def _branch(words: list[str]) -> str:
    by_first: defaultdict[str, list[str]] = defaultdict(list)
    for word in words:
        if word:
            by_first[word[0]].append(word[1:])
    branches = []
    for first, rests in by_first.items():
        while len({rest[:1] for rest in rests}) == 1 and rests[0]:
            first, rests = first + rests[0][0], [rest[1:] for rest in rests]
        tail = _branch(rests) if any(rests) else ""
        optional = "" in rests
        if tail and (optional or "|" in tail):
            tail = f"(?:{tail})" if len(tail) > 1 else tail
        branches.append(re.escape(first).replace("\\ ", " ") + tail + ("?" if tail and optional else ""))
    return "|".join(reversed(branches))
