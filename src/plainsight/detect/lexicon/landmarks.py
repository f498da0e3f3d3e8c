"""Counties, waters, parks, bridges and roads: a telling word before or after a name makes it a place."""

from __future__ import annotations

from plainsight.detect.lexicon.flags import Is
from plainsight.detect.lexicon.scan import Scan

_LEADING = frozenset(b"lake mount mt cape fort ft camp isle port".split())
_ROADS = frozenset(b"highway hwy route rte interstate fm us i road".split())
# I-131 is iodine, I-693 a form: no interstate
_ISOTOPES_AND_FORMS = frozenset(b"131 125 123 124 693 485 864 765 130 94".split())


def claim_landmark(scan: Scan, index: int) -> bool:
    """Claim what a word such as County, Bridge, Lake or Highway names."""
    low = scan.lows[index]
    if low in _ROADS:
        return _road(scan, index)
    return _leading(scan, index) if low in _LEADING else _nature(scan, index)


def _leading(scan: Scan, index: int) -> bool:
    """Claim ``Lake Placid``, ``Fort Sill``: a telling word before the name."""
    if index + 1 >= scan.count or scan.gaps[index + 1] not in (b" ", b". "):
        return _nature(scan, index)
    following, flag = index + 1, scan.flags[index + 1]
    if (
        scan.taken[following]
        or flag & (Is.STOP | Is.MEDICAL | Is.CUE | Is.TITLE)
        or (flag & Is.WORD and not flag & Is.NAME)
    ):
        return False
    if scan.words[index].isupper() != scan.words[following].isupper() or len(scan.words[following]) < 3:
        return False
    scan.claim(index, following, "LOCATION_OTHER", 0.85, "nature")
    return True


def _nature(scan: Scan, index: int) -> bool:
    """Claim ``Harlow County``, ``Teller Bridge``, ``Harlow Co.`` back from their telling word."""
    low = scan.lows[index]
    upper = scan.words[index].isupper()
    if low == b"co" and scan.gaps[index + 1][:1] != b".":
        return False
    first = index
    while (
        first
        and scan.gaps[first] == b" "
        and index - first < 3
        and not scan.taken[first - 1]
        and not scan.flags[first - 1] & (Is.STOP | Is.CALENDAR | Is.CUE)
        and scan.words[first - 1].isupper() == upper
    ):
        first -= 1
    while (
        first < index
        and scan.starts_sentence(first)
        and scan.flags[first] & (Is.MEDICAL | Is.GENERIC)
        and first + 1 < index
    ):
        first += 1
    if first == index or scan.after(index) in (b"of", b"test", b"cut"):
        return False
    if not any(_telling(scan.flags[i], upper) for i in range(first, index)):
        return False
    scan.claim(first, index, "LOCATION_OTHER", 0.85, "nature")
    return True


def _telling(flag: int, upper: bool) -> bool:
    if not flag & Is.KNOWN:
        return not upper
    if flag & (Is.GENERIC | Is.MEDICAL | Is.HEADS):
        return bool(flag & Is.PURE)
    return bool(flag & (Is.NAME | Is.CITY | Is.STATE | Is.WORD)) and not (
        upper and not flag & (Is.PURE | Is.CITY | Is.STATE)
    )


def _road(scan: Scan, index: int) -> bool:
    """Claim ``Highway 61``, ``I-95``, ``US 26``."""
    gap, low = scan.gaps[index + 1], scan.lows[index]
    if gap[:1] not in (b" ", b"-"):
        return False
    digits = gap[1:5]
    length = len(digits) - len(digits.lstrip(b"0123456789"))
    if (
        not 0 < length < 5
        or gap[1 + length : 2 + length].isalnum()
        or gap[1 + length : 2 + length] in (b"/", b"%")
    ):
        return False
    if low == b"i" and (digits[:length] in _ISOTOPES_AND_FORMS or digits[:length] in (b"1", b"2", b"3")):
        return False
    if (
        low in (b"i", b"us")
        and gap[:1] == b" "
        and (low == b"i" or scan.before(index) not in (b"on", b"off", b"depart", b"along"))
    ):
        return False
    if (low in (b"road", b"fm") and gap[:1] == b"-") or (
        not scan.words[index].isupper() and low in (b"i", b"us", b"fm")
    ):
        return False
    first = (
        index - 1
        if low == b"road"
        and index
        and scan.lows[index - 1] in (b"state", b"county")
        and scan.gaps[index] == b" "
        else index
    )
    if low == b"road" and first == index:
        return False
    scan.claim(first, index, "LOCATION_OTHER", 0.9, "road", more=1 + length)
    return True
