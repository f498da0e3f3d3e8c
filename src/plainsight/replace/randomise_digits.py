"""Randomise digits: change some or all digits of an identifier and leave the rest as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from plainsight.document import Document
from plainsight.errors import PluginError, UsageError
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import folded, owner
from plainsight.replace.surrogate.shape import alphabets, permute, scramble


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomiseDigits:
    """Change the ``first`` or ``last`` so many digits of every identifier, both, or all if neither is given.

    With ``letters``, letters count and change, too: ``last = 3`` turns the post code ``WF14 9AB`` into
    ``WF14 2QX``. The same digits change alike in all notes of a patient, and at least one becomes another. A
    text without digits is scrambled. The rest stays readable: use this only where readers may know it.
    """

    name: ClassVar[str] = "randomise-digits"
    consistency: ClassVar[str] = "patient"

    key: bytes | None = field(default=None, repr=False)
    first: int | None = None
    last: int | None = None
    letters: bool = False

    def __post_init__(self) -> None:
        for option in ("first", "last"):
            given = getattr(self, option)
            if given is not None and (type(given) is not int or given < 1):
                raise PluginError(f"randomise-digits: {option} is a whole number from 1")

    def with_key(self, key: bytes) -> Self:
        """Return the same operation with this key."""
        return replace(self, key=key)

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return each span with other digits."""
        if not documents:
            return []
        if self.key is None:
            raise UsageError("randomise-digits needs a key")
        keyed = Keyed.from_secret(self.key)
        made = []
        for document in documents:
            own = keyed.child(owner(document)).child(self.name)
            texts = [(span.label, document.text[span.start : span.end]) for span in document.spans]
            made.append([self._changed(own, label, text) for label, text in texts])
        return made

    def _changed(self, keyed: Keyed, label: str, text: str) -> str:
        counted = [
            place for place, sign in enumerate(text) if sign.isdecimal() or (self.letters and sign.isalpha())
        ]
        chosen = set(counted[: self.first or 0]) | set(counted[-self.last :] if self.last else ())
        places = sorted(chosen) if self.first or self.last else counted
        part = "".join(text[place] for place in places)
        signs = list(text)
        # One sign at a time: in the middle of a number a zero is a digit like any other.
        made = permute(keyed, part, [alphabets(sign)[0] for sign in part])
        for place, sign in zip(places, made, strict=True):
            signs[place] = sign
        changed = "".join(signs)
        if folded(changed) != folded(text):
            return changed
        scrambled = scramble(keyed, text)
        return scrambled if folded(scrambled) != folded(text) else f"[{label}]"
