"""Several capitalised words that no list and no grammar explains, where only the name of a place can stand.

``PT at Hill View``, ``sent to Amber Glen``, ``lives past Copper Hollow``: the word before says that a place,
a facility or an employer follows. People have been claimed by then.
"""

from __future__ import annotations

from plainsight.detect.lexicon.flags import Is
from plainsight.detect.lexicon.scan import Scan

_LABELS = {
    b"at": "HOSPITAL", b"to": "HOSPITAL", b"from": "HOSPITAL", b"via": "HOSPITAL", b"called": "HOSPITAL",
    b"tried": "HOSPITAL", b"sent": "HOSPITAL", b"with": "ORGANIZATION", b"of": "ORGANIZATION",
    b"on": "ORGANIZATION", b"off": "LOCATION_OTHER", b"past": "LOCATION_OTHER", b"under": "LOCATION_OTHER",
    b"near": "LOCATION_OTHER", b"behind": "LOCATION_OTHER", b"lives": "LOCATION_OTHER",
    b"outside": "LOCATION_OTHER", b"inside": "LOCATION_OTHER", b"through": "LOCATION_OTHER",
}  # fmt: skip
# how a gap that holds one of these words ends
_TAILS = frozenset(word[-3:] + b" " for word in _LABELS) | {b" at ", b" to ", b" of ", b" on "}
_WORK = (b"work", b"employ", b"job", b"hired", b"shift", b"cashier", b"clerk")
_FACILITIES = ("HOSPITAL", "LOCATION_OTHER")
_BREAKS = Is.STOP | Is.CUE | Is.TITLE | Is.CALENDAR | Is.MEDICAL


def find_runs(scan: Scan) -> None:
    """Claim runs of two to four capitalised words after a word that announces a place."""
    taken, flags = scan.taken, scan.flags
    for index in [place for place, gap in enumerate(scan.gaps[:-1]) if gap[-4:] in _TAILS]:
        if flags[index] & _BREAKS or taken[index] or len(scan.words[index]) < 3:
            continue
        before = scan.before(index)
        label = _LABELS.get(before)
        last = _run(scan, index) if label else index
        if before == b"at" and last == index and _alone(scan, index):
            scan.claim(index, index, "HOSPITAL", 0.75, "at_word")
            continue
        if label and last > index and _tells(scan, index, last, label):
            if label == "HOSPITAL" and any(word in scan.left(index) for word in _WORK):
                label = "ORGANIZATION"
            scan.claim(index, last, label, 0.8, "run")


def _alone(scan: Scan, index: int) -> bool:
    """Return whether one capitalised word after ``at`` is a name: ``seen at Covenant``, not ``at Triage``."""
    flag, word = scan.flags[index], scan.words[index]
    if (
        not word.istitle()
        or len(word) < 4
        or flag & (_BREAKS | Is.GENERIC | Is.HEADS | Is.EPONYM | Is.LANGUAGE)
    ):
        return False
    return scan.gaps[index + 1] != b" " and not scan.gaps[index + 1][:2].strip(b" -").isdigit()


def _tells(scan: Scan, first: int, last: int, label: str) -> bool:
    """Return whether a run holds a word that a heading, a test or a department would not hold."""
    for flag in scan.flags[first : last + 1]:
        if flag & Is.EPONYM:
            return False
        if not flag & Is.KNOWN or flag & (Is.PURE | Is.MIXED | Is.CITY):
            return True
    dull = Is.GENERIC | Is.HEADS
    return label in _FACILITIES and any(not flag & dull for flag in scan.flags[first : last + 1])


def _run(scan: Scan, index: int) -> int:
    """Return the last of the capitalised words from a word on that may be one name of a place."""
    words, flags = scan.words, scan.flags
    flag = flags[index]
    if not words[index].istitle() or flag & _BREAKS or (flag & Is.FIRST and flag & (Is.PURE | Is.MIXED)):
        return index
    last = index
    while last + 1 < scan.count and last - index < 3 and scan.gaps[last + 1] == b" ":
        following = last + 1
        if (
            scan.taken[following]
            or not words[following].istitle()
            or flags[following] & (Is.STOP | Is.CUE | Is.CALENDAR)
        ):
            break
        if flags[following] & _BREAKS:
            return index
        last = following
    return last
