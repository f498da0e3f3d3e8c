"""Names found once, found again where nothing but the word itself tells: ``Ghentwold`` after ``Dr. Ghentwold``."""

from __future__ import annotations

from bisect import bisect_right

from plainsight.detect.lexicon.cues import EPONYM_NOUNS
from plainsight.detect.lexicon.scan import Scan
from plainsight.detect.lexicon.vocabulary import (
    CALENDAR,
    CUE,
    EPONYM,
    GENERIC,
    HEAD,
    KNOWN,
    MEDICAL,
    MIXED,
    ORG_HEAD,
    PURE,
    STOP,
    TITLE,
    WORD,
)

__all__ = ["find_repeats"]

_PEOPLE = ("PATIENT", "DOCTOR")


def find_repeats(scan: Scan, bounds: list[int]) -> None:
    """Claim other mentions of the words that sure names consist of, note by note.

    ``bounds`` holds the offset where each note starts, and the end of the last.
    """
    seen: dict[bytes, dict[int, tuple[str, float]]] = {}
    lows, flags, starts = scan.lows, scan.flags, scan.starts
    for (first, last), (start, _, label, score, _) in zip(scan.held, scan.claims, strict=True):
        if score < 0.75 or last < first:
            continue
        note = -1
        for index in range(first, last + 1):
            low = lows[index]
            if len(low) > 2 and _distinct(flags[index], label in _PEOPLE):
                note = bisect_right(bounds, start) if note < 0 else note
                seen.setdefault(low, {}).setdefault(note, (label, score))
    taken = scan.taken
    for index in [i for i in scan.marked if lows[i] in seen and not taken[i]]:
        found = seen[lows[index]].get(bisect_right(bounds, starts[index]))
        if found is None:
            continue
        word, flag = scan.words[index], scan.flags[index]
        if not (word.istitle() or word.isupper() or not flag & KNOWN) or scan.gaps[index][-1:].isalnum():
            continue
        if scan.after(index) in EPONYM_NOUNS or (
            scan.gaps[index + 1][:2].strip().isdigit() and flag & EPONYM
        ):
            continue
        if flag & WORD and not flag & (PURE | MIXED) and scan.starts_sentence(index):
            continue
        if flag & EPONYM and scan.gaps[index + 1].startswith(b"'s"):
            continue
        label, score = found
        scan.claim(index, index, label, round(min(0.9, score - 0.02), 4), "repeat")


def _distinct(flag: int, person: bool) -> bool:
    """Return whether a word of a name is the name again wherever it stands with a capital."""
    if not flag & KNOWN:
        return True
    if flag & (STOP | CALENDAR | TITLE | CUE | MEDICAL) or (flag & EPONYM and not person):
        return False
    if person:
        return bool(flag & (PURE | MIXED))
    return bool(flag & PURE) and not flag & (GENERIC | HEAD | ORG_HEAD)
