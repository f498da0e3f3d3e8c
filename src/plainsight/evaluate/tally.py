"""What a scorer counts, and what follows from it: precision, recall, F. Undefined is None, never 1."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any


class Figures:
    """A base for dataclasses of figures."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """Return the fields and the properties by name."""
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        names += [name for name, kind in vars(type(self)).items() if isinstance(kind, property)]
        return {name: plain(getattr(self, name)) for name in names}


def plain(value: Any) -> Any:
    """Return figures as plain data, those in dictionaries and lists too."""
    if isinstance(value, Figures):
        return value.to_json()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class Tally(Figures):
    """Units of the gold standard and how many of them were hit; units found and how many of them hit.

    A unit is a span, a token, a character or a slot. For most scorers both hits are the same number; where
    one span of a system covers two of the gold standard they differ.

    >>> Tally(gold=4, gold_hits=2, found=5, found_hits=3).to_json()["f"]
    0.5454545454545454
    """

    gold: float = 0
    gold_hits: float = 0
    found: float = 0
    found_hits: float = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.gold + other.gold,
            self.gold_hits + other.gold_hits,
            self.found + other.found,
            self.found_hits + other.found_hits,
        )

    @property
    def precision(self) -> float | None:
        """The share of what was found that is right."""
        return ratio(self.found_hits, self.found)

    @property
    def recall(self) -> float | None:
        """The share of the gold standard that was found."""
        return ratio(self.gold_hits, self.gold)

    @property
    def f(self) -> float | None:
        """The harmonic mean of precision and recall."""
        return f_score(self.precision, self.recall)


EMPTY = Tally()


def total(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of tallies: the micro average's counts."""
    return sum(tallies, EMPTY)


def ratio(part: float, whole: float) -> float | None:
    """Return a share; None of nothing."""
    return part / whole if whole else None


def f_score(precision: float | None, recall: float | None) -> float | None:
    """Return the harmonic mean; None where both are undefined.

    Where one is undefined, nothing was found or nothing was wanted, and F is 0: a note in which a system
    found nothing must not drop out of a mean.

    >>> f_score(0.75, 0.6), f_score(None, 0.0), f_score(None, None)
    (0.6666666666666665, 0.0, None)
    """
    if precision is None and recall is None:
        return None
    both = (precision or 0.0) + (recall or 0.0)
    return 2 * (precision or 0.0) * (recall or 0.0) / both if both else 0.0
