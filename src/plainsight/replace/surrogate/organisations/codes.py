"""Turn the numbers, letters and directions of wards and rooms: each becomes another of its shape."""

from __future__ import annotations

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.shape import another

_EARLY, _LATE = "abcdefgh", "ijklmnopqrstuvwxyz"
_MAIN = ("north", "east", "south", "west")
_BETWEEN = ("northeast", "southeast", "southwest", "northwest")
_SPANISH = ("norte", "este", "sur", "oeste")


def digits(keyed: Keyed, number: str, turn: int = 0) -> str:
    """Return digits for digits, never the same, so that what begins alike still does: ``6``, ``612``."""
    made = zeros = number[: len(number) - len(number.lstrip("0"))]
    for digit in number[len(zeros) :]:
        value = int(digit)
        if made == zeros:  # the first digit is often the floor: it stands for itself wherever it leads
            made += str(1 + another(keyed, value - 1, 9, turn))
        else:
            made += str((value + keyed.number(f"digit {turn} {made}", 10)) % 10)
    return made


def letter(keyed: Keyed, small: str, turn: int = 0) -> str:
    """Return a small letter for a small letter; the first eight, which name pods and beds, stay so."""
    for letters in (_EARLY, _LATE):
        if small in letters:
            return letters[another(keyed, letters.index(small), len(letters), turn)]
    return small


def direction(keyed: Keyed, word: str, turn: int = 0) -> str:
    """Return another direction, by its letter (``w``) or its name (``western``), in agreement."""
    base = word.removesuffix("ern")
    for names in (_MAIN, tuple(name[0] for name in _MAIN), _SPANISH, _BETWEEN):
        if base in names:
            return names[another(keyed, names.index(base), 4, turn)] + word[len(base) :]
    return word
