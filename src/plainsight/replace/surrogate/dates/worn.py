"""Dates worn by scanners and keyboards: ``O9/l5/2O19`` is read as ``09/15/2019`` and written back alike."""

from __future__ import annotations

import re

__all__ = ["mended", "wear"]

_DIGITS = str.maketrans("OolI|", "00111")
_NUMBER = re.compile(r"[\dOolI|]*\d[\dOolI|]*|(?<![^\W_])[OolI|]{1,2}(?![^\W_])")
_OCTOBER = re.compile(r"(?<![^\W_])0(?=ct)", re.IGNORECASE)
_COLON = re.compile(r"(?<=[/.-]):(?=\d)")


def mended(text: str) -> str:
    """Return a date with digits for the letters that were read in their place.

    >>> mended("O9/l5/2O19"), mended("0ct l2"), mended("4/:1/02")
    ('09/15/2019', 'Oct 12', '4/01/02')
    """
    text = _COLON.sub("0", _OCTOBER.sub("O", text))
    return _NUMBER.sub(lambda number: number[0].translate(_DIGITS), text) if re.search(r"\d", text) else text


def wear(worn: str, text: str) -> str:
    """Return a text with the letters for digits that a worn one has, where it has no such digit itself.

    >>> wear("l9/O9/l99l", "10/01/1990")
    'lO/Ol/l99O'
    """
    for digit, letters in (("0", "Oo"), ("1", "lI|")):
        if digit not in worn and (letter := next((letter for letter in worn if letter in letters), "")):
            text = text.replace(digit, letter)
    return text
