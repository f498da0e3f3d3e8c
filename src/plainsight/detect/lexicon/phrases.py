"""Listed entries found in the text: cities and regions of several words, hospitals, employers, exclusions.

An entry is looked up by its first word or its first two, so a note's words cost one look-up each.
"""

from __future__ import annotations

from typing import NamedTuple

from plainsight.detect.lexicon.compiled import Phrase
from plainsight.detect.lexicon.flags import Is
from plainsight.detect.lexicon.scan import Scan

_JOINS = frozenset({b" ", b".", b"'"})
_LINKS = frozenset(
    {b" ", b". ", b".", b"'s ", b"' ", b" & ", b" of ", b" and ", b" de ", b" del ", b" la ", b" for ",
     b" on ", b" of the ", b" y ", b" du ", b" au ", b" by the ", b" in "}
)  # fmt: skip


class Match(NamedTuple):
    """A listed entry where it stands: its words, the characters it has beyond the last, the entry."""

    first: int
    last: int
    more: int
    phrase: Phrase


def find_phrases(scan: Scan) -> list[Match]:
    """Return every listed entry in the text, longest first at each word; exclusions are covered at once."""
    found: list[Match] = []
    low, starts, ends, gaps, count = scan.low, scan.starts, scan.ends, scan.gaps, scan.count
    flags, phrases = scan.flags, scan.vocabulary.phrases
    for index in scan.having(Is.PHRASE | Is.SINGLE | Is.LOOSE):
        gap, flag = gaps[index + 1], flags[index]
        if not flag & (Is.SINGLE | Is.LOOSE) and gap not in _LINKS:
            continue
        start = starts[index]
        candidates: tuple[Phrase, ...] = ()
        if gap in _LINKS if not flag & Is.LOOSE else gap[:1] in _JOINS:
            pieces = low[start : start + 48].split(None, 2)
            if len(pieces) > 1:
                key = pieces[0] + b" " + pieces[1].rstrip(b".,;:)?!")
                candidates = phrases.get(key) or phrases.get(key.removesuffix(b"'s"), ())
        if flag & Is.SINGLE and (gap[:1] == b"." or ends[index] - start > 1):
            candidates += phrases.get(scan.lows[index], ())
        for phrase in candidates:
            end = start + len(phrase.text)
            if not low.startswith(phrase.text, start) or low[end : end + 1].isalnum():
                continue
            if phrase.kind == "EXCLUDED":
                scan.cover(index, end)
                break
            last = index
            while last + 1 < count and starts[last + 1] < end:
                last += 1
            if last > index or b" " not in phrase.text:
                found.append(Match(index, last, max(0, end - ends[last]), phrase))
    return found
