"""Hash: replace identifiers by a code that only the key's holder can compute."""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter
from typing import ClassVar

from plainsight.errors import PluginError
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import folded
from plainsight.replace.with_key import SpanWithKey

_LENGTHS = range(8, 65)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hash(SpanWithKey):
    """Replace every identifier by a keyed code, the same for the same original within a patient.

    Case and punctuation do not count: ``0371-88-214`` and ``0371 88 214`` get one code. The code is
    a keyed BLAKE2b digest of the original under a key of the patient, cut to ``length`` hexadecimal digits
    and set into ``form``, in which ``{hash}`` stands for it and ``{label}`` for the label.

    Warning: somebody with the key can try all names or numbers and learn the originals, so guard it as you
    guard the notes, or forget it. There is no hash without a key, because anybody could do the same with it.
    A reader also sees which identifiers were replaced, and so which were missed.
    """

    name: ClassVar[str] = "hash"

    length: int = 12
    form: str = "{label}-{hash}"

    def __post_init__(self) -> None:
        if type(self.length) is not int or self.length not in _LENGTHS:
            raise PluginError(f"hash: length is a whole number from {_LENGTHS[0]} to {_LENGTHS[-1]}")
        try:
            parts = list(Formatter().parse(self.form))
        except (TypeError, ValueError):
            raise PluginError("hash: form cannot be read") from None
        names = [name for _, name, *_ in parts if name is not None]
        plain = all(not (form or conversion) for _, _, form, conversion in parts)
        if "hash" not in names or not {"hash", "label"}.issuperset(names) or not plain:
            raise PluginError("hash: form holds {hash} and may hold {label}, no other placeholder")

    def replaced(self, keyed: Keyed, label: str, text: str) -> str:
        """Return the code of one span."""
        normal = "".join(sign for sign in folded(text) if sign.isalnum()) or text
        return self.form.format(label=label, hash=keyed.digest(normal).hex()[: self.length])
