"""Write a surrogate word the way the original is written: capitals, apostrophes, accents."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from plainsight.locale import default_locale
from plainsight.replace.surrogate.names.parse import Piece

_WORDS = default_locale().table("names")
_INNER_CAPITALS = {
    **{name: f"Mac{name[3:].capitalize()}" for name in _WORDS["capital_after_mac"].split()},
    **{
        name: f"{name[0].upper()}'{name[1:].capitalize()}"
        for name in _WORDS["apostrophe_after_first"].split()
    },
}
_ACCENTED = {
    unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii"): name
    for name in _WORDS["accented"].split()
}


def display(name: str) -> str:
    """Return a name in small letters as it is usually written.

    >>> display("mcdonald"), display("obrien"), display("macleod"), display("smith")
    ('McDonald', "O'Brien", 'MacLeod', 'Smith')
    """
    if name in _INNER_CAPITALS:
        return _INNER_CAPITALS[name]
    return f"Mc{name[2:].capitalize()}" if name.startswith("mc") and len(name) > 4 else name.capitalize()


def apostrophe_parts(name: str) -> Sequence[str]:
    """Return what stands before and after the apostrophe of a name in small letters, if it is written so.

    >>> apostrophe_parts("obrien"), apostrophe_parts("smith")
    (['o', 'brien'], ())
    """
    shown = _INNER_CAPITALS.get(name, "")
    return shown.casefold().split("'") if "'" in shown else ()


def cased(word: str, like: str) -> str:
    """Return a word in the case of another one.

    >>> cased("mcdonald", "SMITH"), cased("mcdonald", "Smith"), cased("mcdonald", "smith")
    ('MCDONALD', 'McDonald', 'mcdonald')
    """
    shown = display(word)
    if like.islower():
        return shown.lower()
    if len(like) > 1 and 4 * sum(map(str.islower, like)) <= len(like):  # OCR reads I as l: STURDlVANT
        return shown.upper()
    return shown


def write(word: str, piece: Piece, *, dotted: bool = False) -> str:
    """Return a surrogate word in the writing of a piece: case, accents, spelled out or abbreviated."""
    if piece.short and dotted:  # Wm. becomes R., not Robert.
        return cased(word, piece.text)[:1]
    if piece.joint:
        return piece.joint.join(word.upper() if piece.text.isupper() else word)
    if not piece.text.isascii():
        word = _ACCENTED.get(word, word)
    return cased(word, piece.text)
