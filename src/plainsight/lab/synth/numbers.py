"""Draw doses, scores, ratios and hours anew: numbers that are no identifiers.

The same authored text comes again and again with other identifiers. If its numbers stayed, a network would
memorise them instead of their context: that 6/10 is a pain score, and 6/11 a date.
"""

from __future__ import annotations

import re
from random import Random

from plainsight.lab.synth.pieces import Piece, Pieces

# Neither in a word (q4h, B12), nor behind one (Ki-67), nor with a sign that makes it part of a code.
_NUMBER = re.compile(
    r"(?<![\w^*\\:])(?<!\w[-.,/])"
    r"(?:(\d{1,3})([/-])(\d{1,3})|(\d{1,3})\.(\d{1,2})|(\d{1,4}))"
    r"(?![\w^:]|[-.,/]\w)"
)
_SHARES = (0.3, 0.7, 1.0)
_TOTALS = (3, 4, 5, 6, 7, 10, 12, 14, 15, 20, 21, 24, 27, 28, 30)  # of scores
_OTHER_TOTAL = 0.3


def other_numbers(pieces: Pieces, random: Random) -> Pieces:
    """Replace some numbers outside identifiers by others of the same size and format.

    >>> [piece.text for piece in other_numbers([Piece("pain 6/10, T 98.6 at 0415, Ki-67")], Random(5))]
    ['pain 10/10, T 13.7 at 0741, Ki-67']
    """
    share = random.choice(_SHARES)

    def change(match: re.Match[str]) -> str:
        return _other(match, random) if random.random() < share else match[0]

    return [piece if piece.label else Piece(_NUMBER.sub(change, piece.text)) for piece in pieces]


def _other(match: re.Match[str], random: Random) -> str:
    first, sign, second, whole, part, alone = match.groups()
    if alone:
        return _hour(random) if _is_hour(alone) else _alike(alone, random)
    if whole:
        return f"{_alike(whole, random)}.{''.join(random.choice('0123456789') for _ in part)}"
    if sign == "/" and int(first) <= int(second):  # a score
        total = random.choice(_TOTALS) if random.random() < _OTHER_TOTAL else int(second)
        return f"{random.randint(0, total)}/{total}"
    return f"{_alike(first, random)}{sign}{_alike(second, random)}"


def _alike(number: str, random: Random) -> str:
    """Return another number with as many digits, the first of which is 0 only if it was."""
    if number[0] == "0":
        return "0" + "".join(random.choice("0123456789") for _ in number[1:])
    return str(random.randint(10 ** (len(number) - 1), 10 ** len(number) - 1))


def _is_hour(number: str) -> bool:
    """Tell whether a number is a clock time rather than an amount, which is mostly round."""
    clock = len(number) == 4 and int(number[:2]) < 24 and int(number[2:]) < 60
    return clock and (number[0] == "0" or number[2:] != "00")


def _hour(random: Random) -> str:
    return f"{random.randrange(24):02}{random.randrange(60):02}"
