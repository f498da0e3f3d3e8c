"""Digits for digits: a keyed permutation of the numbers of each length that leaves none in its place.

The last digits depend on nothing before them, so the end of a number, such as ``ending 7706``, becomes the
end of its surrogate wherever it stands.
"""

from __future__ import annotations

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.shape import scramble

_TAIL = 3  # digits that are permuted together: no number of three digits keeps its place
_SHORT = 4  # digits that may be the end of a longer number
_LONGEST = 40


def deranged(keyed: Keyed, digits: str, turn: int = 0, *, free: int = -1) -> str:
    """Return as many digits, never the same ones; each ``turn`` changes those before the last four.

    Of five digits or more, the first is 0 if and only if it was. The digit at ``free`` does not count: it
    stays, and no other depends on it.

    >>> keyed = Keyed(bytes(32))
    >>> deranged(keyed, "037188214"), deranged(keyed, "8214"), deranged(keyed, "214")
    ('096929533', '9533', '533')
    """
    if len(digits) > _LONGEST or not digits.isascii():
        return scramble(keyed, digits, turn)
    tail = digits[-_TAIL:]
    made = f"{keyed.follower(int(tail), 10 ** len(tail)):0{len(tail)}}"
    behind = tail
    for place in range(len(digits) - _TAIL - 1, -1, -1):
        digit = digits[place]
        if place == free:
            made = digit + made
            continue
        lead = place == 0 and len(digits) > _SHORT
        if lead and digit == "0":
            return digit + made
        name = f"digit {behind}" if len(digits) - place <= _SHORT else f"digit {behind} {turn}"
        low, count = (1, 9) if lead else (0, 10)
        made = str(low + (int(digit) - low + keyed.number(name, count)) % count) + made
        behind = digit + behind
    return made
