"""Numbers in words, as a date that was dictated has them: read one by one, written whole."""

# ruff: noqa: SIM905 - a list of words is read more easily as words

from __future__ import annotations

from functools import cache

__all__ = ["in_words", "number_words"]

_CARDINALS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


@cache
def number_words() -> dict[str, tuple[int, bool]]:
    """Return the value of each simple number word, and whether it is an ordinal."""
    table = {word: (value, False) for value, word in enumerate(_CARDINALS)}
    table |= {word: (value, True) for value, word in enumerate(_ORDINALS)}
    table |= {word: (10 * value, False) for value, word in enumerate(_TENS, start=2)}
    table |= {f"{word[:-1]}ieth": (10 * value, True) for value, word in enumerate(_TENS, start=2)}
    table.update({"oh": (0, False), "o": (0, False), "hundred": (100, False), "thousand": (1000, False)})
    return table


def in_words(number: int, *, ordinal: bool = False, hyphen: str = "-") -> str:
    """Return a number under 100, or a year, in words.

    >>> in_words(22, ordinal=True, hyphen=" "), in_words(1950), in_words(2009)
    ('twenty second', 'nineteen fifty', 'two thousand nine')
    """
    if number < 20:
        return (_ORDINALS if ordinal else _CARDINALS)[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        if ones:
            return f"{_TENS[tens - 2]}{hyphen}{in_words(ones, ordinal=ordinal)}"
        return f"{_TENS[tens - 2][:-1]}ieth" if ordinal else _TENS[tens - 2]
    century, rest = divmod(number, 100)
    if century % 10 == 0:
        thousand = f"{in_words(century // 10)} thousand"
        return f"{thousand} {in_words(rest, hyphen=hyphen)}" if rest else thousand
    if rest == 0:
        return f"{in_words(century)} hundred"
    return f"{in_words(century)} {'oh ' if rest < 10 else ''}{in_words(rest, hyphen=hyphen)}"
