"""Check digits: the kinds of number whose characters say whether they were copied rightly.

A surrogate keeps that property: a valid number gets a valid one, a mistyped one stays invalid.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.shape import permute

__all__ = ["SCHEMES", "SHORTEST", "Scheme", "luhn"]

_DIGITS = "0123456789"
_VIN_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
_VIN_VALUES = dict(
    zip(_VIN_LETTERS + _DIGITS, [*map(int, "12345678123457923456789"), *range(10)], strict=True)
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_MBI_LETTERS = "ACDEFGHJKMNPQRTUVWXY"


@dataclass(frozen=True, slots=True, eq=False)
class Scheme:
    """A kind of number: how it looks, what may stand where, and what its check character must be.

    ``labels`` or the words of ``cue`` before it tell it from other numbers of that look; with neither, the
    look is enough. ``start`` is what surrogates begin with: a range never given out. ``check`` computes
    the character at ``place`` from all others, or nothing where no character is right.
    """

    name: str
    look: re.Pattern[str]
    labels: frozenset[str] = frozenset()
    cue: re.Pattern[str] | None = None
    letters: str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    start: str = ""
    place: int = -1
    check: Callable[[str], str | None] | None = None
    checks: str = _DIGITS

    def fits(self, number: str, label: str, before: str) -> bool:
        """Say whether a number, written in capitals without punctuation, is of this kind."""
        if not self.look.fullmatch(number):
            return False
        anywhere = not self.labels and self.cue is None
        return anywhere or label in self.labels or bool(self.cue and self.cue.search(before))

    def surrogate(self, keyed: Keyed, number: str, turn: int) -> str:
        """Return another number of this kind, valid or invalid as this one is."""
        alphabets = [_DIGITS if character in _DIGITS else self.letters for character in number]
        alphabets[: len(self.start)] = self.start
        if not self.start and number[0] in _DIGITS:
            alphabets[0] = "" if number[0] == "0" else "123456789"
        if self.check is None:
            return permute(keyed, number, alphabets, turn)
        place = self.place % len(number)
        alphabets[place] = ""
        for further in range(turn << 8, (turn + 1) << 8):
            made = permute(keyed, number, alphabets, further)
            right, wanted = self.check(number), self.check(made)
            if number[place] != right:
                # The wrong ones are counted on from the right one, so that two wrong ones stay two.
                wrong = [check for check in self.checks if check != wanted]
                known = [check for check in self.checks if check != right]
                step = keyed.number(made[:place] + made[place + 1 :], len(wrong))
                wanted = wrong[(known.index(number[place]) + step) % len(wrong)]
            if wanted is not None:
                return made[:place] + wanted + made[place + 1 :]
        raise AssertionError("no number of this kind has a check character")


def luhn(digits: str) -> bool:
    """Say whether digits pass Luhn's check.

    >>> luhn("79927398713")
    True
    """
    return _luhn_sum(digits) % 10 == 0


def _luhn_sum(digits: str) -> int:
    return sum(sum(divmod(int(digit) * (1 + odd % 2), 10)) for odd, digit in enumerate(reversed(digits)))


def _luhn(number: str) -> str:
    return str(-_luhn_sum(number[:-1] + "0") % 10)


def _npi(number: str) -> str:
    return _luhn("80840" + number)  # an NPI is the end of a card number of the US health industry


def _dea(number: str) -> str:
    odd, even = sum(map(int, number[2:8:2])), sum(map(int, number[3:8:2]))
    return str((odd + 2 * even) % 10)


def _nhs(number: str) -> str | None:
    check = -sum(int(digit) * weight for digit, weight in zip(number, range(10, 1, -1), strict=False)) % 11
    return None if check == 10 else str(check)


def _aba(number: str) -> str:
    return str(
        -sum(int(digit) * weight for digit, weight in zip(number, (3, 7, 1, 3, 7, 1, 3, 7), strict=False))
        % 10
    )


def _vin(number: str) -> str:
    total = sum(_VIN_VALUES[sign] * weight for sign, weight in zip(number, _VIN_WEIGHTS, strict=True))
    return (_DIGITS + "X")[total % 11]


def _cue(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


SCHEMES: tuple[Scheme, ...] = (
    Scheme("mbi", re.compile(r"[1-9][A-Z][A-Z\d]\d[A-Z][A-Z\d]\d[A-Z]{2}\d\d"), letters=_MBI_LETTERS),
    Scheme(
        "vin",
        re.compile(r"(?=.*[A-Z])[A-HJ-NPR-Z\d]{8}[\dX][A-HJ-NPR-Z\d]{8}"),
        letters=_VIN_LETTERS,
        place=8,
        check=_vin,
        checks=_DIGITS + "X",
    ),
    Scheme(
        "dea",
        re.compile(r"[A-HJ-MPR-UX][A-Z]\d{7}"),
        labels=frozenset({"LICENSE"}),
        cue=_cue("DEA"),
        letters="ABCDEFGHJKLMPRSTU",
        check=_dea,
    ),
    # All NPIs given out so far begin with 1; numbers that begin with 9 are kept from the NHS series in use.
    Scheme(
        "npi",
        re.compile(r"[12]\d{9}"),
        labels=frozenset({"LICENSE"}),
        cue=_cue("NPI"),
        start="2",
        check=_npi,
    ),
    Scheme("nhs", re.compile(r"\d{10}"), cue=_cue("NHS"), start="9", check=_nhs),
    Scheme("aba", re.compile(r"\d{9}"), cue=_cue("ABA|routing|RTN"), check=_aba),
    Scheme("luhn", re.compile(r"\d{13,19}"), check=_luhn),
)
"""The kinds, the more particular ones first."""

SHORTEST = 9
"""No number of these kinds is shorter."""
