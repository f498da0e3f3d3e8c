"""Digits for digits: a keyed permutation of the numbers of each length that leaves none in its place.

The last digits depend on nothing before them, so the end of a number, such as ``ending 7706``, becomes the
end of its surrogate wherever it stands.
"""

from __future__ import annotations

import re

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.shape import scramble

_TAIL = 3  # digits that are permuted together: no number of three digits keeps its place
_SHORT = 4  # digits that may be the end of a longer number
_SOCIAL = 9  # digits of a social security number
_LONGEST = 40
_LEADS = "1111122222333344445556667789"  # first digits, as often as they are first
_FIRST_YEAR, _YEARS = 15, 12
_YEAR = re.compile(r"(?:20)?(?:1[5-9]|2[0-6])")


def deranged(keyed: Keyed, digits: str, turn: int = 0, *, free: int = -1) -> str:
    """Return as many digits, never the same ones; each ``turn`` changes those before the last four.

    Of six digits or more, what may be a year (``24-00317``, ``2024-0317``) becomes one. Zeros in front of the
    last four stay, there and after a year, and no more come. The digit after them is a small one more often
    than a large one, as in numbers that are counted up. So none stands out beside numbers that were missed.
    Of nine digits only a zero in front stays: in an SSN the next one says the state. The digit at ``free``
    does not count: it stays, and no other depends on it.

    >>> keyed = Keyed(bytes(32))
    >>> deranged(keyed, "037188214"), deranged(keyed, "8214"), deranged(keyed, "214")
    ('083399795', '9795', '795')
    """
    if len(digits) > _LONGEST or not digits.isascii():
        return scramble(keyed, digits, turn)
    year = _YEAR.match(digits) if len(digits) > _SHORT + 1 and free != 1 else None
    start = year.end() if year else 0
    counted = digits[start:-_SHORT]
    zeros = len(counted) - len(counted.lstrip("0"))
    lead = start + zeros if len(digits) != _SOCIAL else 0
    tail = digits[-_TAIL:]
    made = f"{keyed.follower(int(tail), 10 ** len(tail)):0{len(tail)}}"
    behind = tail
    for place in range(len(digits) - _TAIL - 1, start - 1, -1):
        digit = digits[place]
        if place < lead or place == free:
            made = digit + made
            continue
        if place == lead < len(digits) - _SHORT:
            made = _lead(keyed, digit, behind, turn) + made
            continue
        name = f"digit {behind}" if len(digits) - place <= _SHORT else f"digit {behind} {turn}"
        made = str((int(digit) + keyed.number(name, 10)) % 10) + made
        behind = digit + behind
    return _year(keyed, year[0]) + made if year else made


def _lead(keyed: Keyed, digit: str, behind: str, turn: int) -> str:
    """Return a first digit: each number has a place of its own among those that end alike, most of them."""
    if digit == "0":
        return digit
    return _LEADS[(_LEADS.index(digit) + keyed.number(f"lead {behind} {turn}", len(_LEADS))) % len(_LEADS)]


def _year(keyed: Keyed, year: str) -> str:
    """Return another year, in two digits or four: the same one in all numbers."""
    century, last = year[:-2], int(year[-2:])
    return f"{century}{_FIRST_YEAR + (last - _FIRST_YEAR + keyed.number('year', _YEARS)) % _YEARS:02}"
