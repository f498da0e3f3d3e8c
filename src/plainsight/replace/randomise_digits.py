"""Randomise digits: change some or all digits of an identifier and leave the rest as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from plainsight.errors import PluginError
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import folded
from plainsight.replace.surrogate.shape import alphabets, permute
from plainsight.replace.with_key import SpanWithKey


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomiseDigits(SpanWithKey):
    """Change the ``first`` digits of every identifier, the ``last`` ones, both, or all if neither is given.

    With ``letters``, letters count and change, too: ``last = 3`` turns the post code ``WF14 9AB`` into
    ``WF14 2QX``. The same digits change alike in all notes of a patient, and at least one becomes another. A
    text without digits becomes its label. The rest stays readable: use this only where readers may know it.
    """

    name: ClassVar[str] = "randomise-digits"

    first: int | None = None
    last: int | None = None
    letters: bool = False

    def __post_init__(self) -> None:
        for option in ("first", "last"):
            given = getattr(self, option)
            if given is not None and (type(given) is not int or given < 1):
                raise PluginError(f"randomise-digits: {option} is a whole number from 1")

    def replaced(self, keyed: Keyed, label: str, text: str) -> str:
        """Return one span with other digits."""
        changing = [n for n, sign in enumerate(text) if sign.isdecimal() or (self.letters and sign.isalpha())]
        some = {*changing[: self.first or 0], *(changing[-self.last :] if self.last else ())}
        places = sorted(some) if self.first or self.last else changing
        part = "".join(text[place] for place in places)
        signs = list(text)
        # One sign at a time: in the middle of a number a zero is a digit like any other.
        made = permute(keyed, part, [alphabets(sign)[0] for sign in part])
        for place, sign in zip(places, made, strict=True):
            signs[place] = sign
        changed = "".join(signs)
        return changed if folded(changed) != folded(text) else f"[{label}]"
