"""Dates worn by scanners and keyboards: ``O9/l5/2O19`` is read as ``09/15/2019`` and written back alike."""

from __future__ import annotations

import re
from unicodedata import decimal

__all__ = ["mended", "wear"]

_DIGITS = str.maketrans("OolI|", "00111")
_NUMBER = re.compile(r"[0-9OolI|]*[0-9][0-9OolI|]*|(?<![^\W_])[OolI|]{1,2}(?![^\W_])")
_OCTOBER = re.compile(r"(?<![^\W_])0(?=ct)", re.IGNORECASE)
_COLON = re.compile(r"(?<=[/.-]):(?=[0-9])")
_FOREIGN = re.compile(r"[^\W0-9](?<=\d)")


def mended(text: str) -> str:
    """Return a date with digits for the letters that were read in their place, and ours for other scripts'.

    >>> mended("O9/l5/2O19"), mended("0ct l2"), mended("4/:1/02"), mended("٣/٤")
    ('09/15/2019', 'Oct 12', '4/01/02', '3/4')
    """
    text = _FOREIGN.sub(lambda digit: str(decimal(digit[0])), text)
    text = _COLON.sub("0", _OCTOBER.sub("O", text))
    return (
        _NUMBER.sub(lambda number: number[0].translate(_DIGITS), text) if re.search("[0-9]", text) else text
    )


def wear(worn: str, text: str) -> str:
    """Return a text with the digits of a worn one's script, and its letters where it has no such digit.

    >>> wear("l9/O9/l99l", "10/01/1990"), wear("٣/٤", "4/18")
    ('lO/Ol/l99O', '٤/١٨')
    """
    if foreign := _FOREIGN.search(worn):
        zero = ord(foreign[0]) - decimal(foreign[0])
        return re.sub("[0-9]", lambda digit: chr(zero + int(digit[0])), text)
    for digit, letters in (("0", "Oo"), ("1", "lI|")):
        if digit not in worn and (letter := next((letter for letter in worn if letter in letters), "")):
            text = text.replace(digit, letter)
    return text
