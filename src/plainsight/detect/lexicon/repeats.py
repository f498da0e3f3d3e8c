"""Names found once, found again where only the word itself tells: ``Quillerby`` after ``Dr. Quillerby``."""

from __future__ import annotations

from bisect import bisect_right

from plainsight.detect.lexicon.cues import EPONYM_NOUNS
from plainsight.detect.lexicon.flags import Is
from plainsight.detect.lexicon.scan import Scan

_PEOPLE = ("PATIENT", "DOCTOR")
_NEVER = Is.STOP | Is.CALENDAR | Is.TITLE | Is.CUE | Is.MEDICAL
_PERSON = (Is.PURE | Is.MIXED, _NEVER)
_PLACE = (Is.PURE, _NEVER | Is.EPONYM | Is.GENERIC | Is.HEADS)
_UNCUED = frozenset({"single", "acting", "full_name", "initials_name", "unknown_name"})

_ARTICLES = frozenset(b"the a an his her this no neg negative positive".split())

Sightings = dict[bytes, dict[int, tuple[str, float]]]
"""Word to note to the label and score it was claimed with."""


def find_repeats(scan: Scan, bounds: list[int]) -> None:
    """Claim other mentions of the words that sure names consist of, note by note.

    ``bounds`` holds the offset where each note starts, and the end of the last.
    """
    seen: Sightings = {}
    lows, flags, starts = scan.lows, scan.flags, scan.starts
    for (first, last), (start, _, label, score, _) in zip(scan.held, scan.claims, strict=True):
        if score < 0.75 or last < first:
            continue
        telling, dull = _PERSON if label in _PEOPLE else _PLACE
        note = -1
        for index in range(first, last + 1):
            flag, low = flags[index], lows[index]
            # a word is the name again wherever it stands with a capital, if it is little else
            if len(low) < 3 or (flag & Is.KNOWN and (flag & dull or not flag & telling)):
                continue
            note = bisect_right(bounds, start) if note < 0 else note
            known = seen.setdefault(low, {}).setdefault(note, (label, score))
            if score > known[1]:
                seen[low][note] = (label, score)
    _relabel(scan, seen, bounds)
    taken = scan.taken
    for index in [i for i in scan.having(Is.MARKED) if lows[i] in seen and not taken[i]] if seen else ():
        found = seen[lows[index]].get(bisect_right(bounds, starts[index]))
        if found is None:
            continue
        word, flag = scan.words[index], scan.flags[index]
        if not (word.istitle() or word.isupper() or not flag & Is.KNOWN) or scan.gaps[index][-1:].isalnum():
            continue
        if scan.after(index) in EPONYM_NOUNS or (
            scan.gaps[index + 1][:2].strip().isdigit() and flag & Is.EPONYM
        ):
            continue
        if flag & Is.WORD and not flag & (Is.PURE | Is.MIXED) and scan.starts_sentence(index):
            continue
        if flag & Is.EPONYM and (scan.gaps[index + 1].startswith(b"'s") or scan.before(index) in _ARTICLES):
            continue  # Dr. Hickman placed the Hickman
        label, score = found
        scan.claim(index, index, label, round(min(0.9, score - 0.02), 4), "repeat")


def _relabel(scan: Scan, seen: Sightings, bounds: list[int]) -> None:
    """Call a name without a cue a provider's where the same note has called it so with one."""
    for number, (start, end, label, score, rule) in enumerate(scan.claims):
        if label != "PATIENT" or rule not in _UNCUED:
            continue
        first, last = scan.held[number]
        note = bisect_right(bounds, start)
        for index in range(first, last + 1):
            if seen.get(scan.lows[index], {}).get(note, ("", 0.0))[0] == "DOCTOR":
                scan.claims[number] = (start, end, "DOCTOR", score, rule)
                break
