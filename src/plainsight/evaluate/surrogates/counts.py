"""A count with what it is a count of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """``count`` of ``of``: undefined, not zero, when there is nothing to count.

    >>> str(Count(3, 12)), str(Count(0, 0)), (Count(1, 4) + Count(0, 4)).share
    ('3 of 12', 'n/a', 0.125)
    """

    count: int = 0
    of: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.count + other.count, self.of + other.of)

    def __str__(self) -> str:
        return f"{self.count} of {self.of}" if self.of else "n/a"

    @property
    def share(self) -> float | None:
        """The share, if it is defined."""
        return self.count / self.of if self.of else None

    def to_json(self) -> dict[str, int | float | None]:
        """Return count, denominator and share."""
        share = self.share
        return {"count": self.count, "of": self.of, "share": None if share is None else round(share, 6)}
