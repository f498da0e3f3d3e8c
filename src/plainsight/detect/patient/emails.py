"""Find a record's e-mail addresses in a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from plainsight.detect.patient.view import Claim
from plainsight.text.shadow import shadow

__all__ = ["Emails"]


@dataclass(slots=True, repr=False)
class Emails:
    """The e-mail addresses of one record, ready to be found."""

    values: Iterable[str]
    _known: list[bytes] = field(init=False)

    def __post_init__(self) -> None:
        folded = (shadow(value).strip().lower() for value in self.values)
        self._known = [value for value in dict.fromkeys(folded) if value.find(b"@") > 0 and len(value) > 5]

    def find(self, text: bytes) -> Iterator[Claim]:
        """Yield the record's addresses, in any case."""
        if not self._known or b"@" not in text:
            return
        small = text.lower()
        for email in self._known:
            at = small.find(email)
            while at >= 0:
                end = at + len(email)
                if not (small[at - 1 : at].isalnum() or small[end : end + 1].isalnum()):
                    yield Claim(at, end, "EMAIL", 0.99, "email")
                at = small.find(email, end)
