"""The form of a date: its text in parts, some of which are fields that change when the date does.

A date with two ends, or a list of them, has one point for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from plainsight.replace.surrogate.dates.calendar_words import LONG_AND_SHORT, fold

__all__ = ["Field", "Form", "Role"]

Role = Literal["year", "month", "day", "weekday", "nth", "season", "quarter", "third", "decade", "odd"]


@dataclass(frozen=True, slots=True, repr=False)
class Field:
    """A part of a date that changes when the date does."""

    role: Role
    text: str
    value: int
    point: int = 0


@dataclass(frozen=True, repr=False)
class Form:
    """One reading of a date: its name, literal parts and fields in order, and the first joint."""

    name: str
    parts: tuple[str | Field, ...]
    joint: str = ""
    points: int = 1

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The parts that change."""
        return tuple(part for part in self.parts if isinstance(part, Field))

    @cached_property
    def roles(self) -> dict[Role, Field]:
        """The fields of the first point by their role."""
        return {field.role: field for field in self.fields if field.point == 0}

    @cached_property
    def grain(self) -> Role:
        """The finest thing that the first point names."""
        return next((role for role in _GRAINS if role in self.roles), "odd")

    @cached_property
    def month_name(self) -> str:
        """The first month that is no number, as it is written."""
        months = (field.text for field in self.fields if field.role == "month")
        return next((text for text in months if not text.isdigit()), "")

    @cached_property
    def short(self) -> bool | None:
        """Whether months are cut short; None where the form does not show it."""
        names = [fold(field.text) for field in self.fields if field.role == "month"]
        clear = [len(name) <= 4 for name in names if name not in LONG_AND_SHORT and name.isalpha()]
        if clear:
            return clear[0]
        return True if self.grain == "day" and self.points == 1 and self.joint in ("", "-") else None

    @cached_property
    def shape(self) -> str:
        """What dates that look alike have in common: named or not, joint, digits of the year."""
        years = [min(len(field.text), 4) for field in self.fields if field.role == "year"]
        return f"{'M' if self.month_name else 'N'}{self.joint or '+'}{years[0] if years else 0}"

    @cached_property
    def zeros(self) -> list[bool]:
        """For each number under ten whether it has a zero before it."""
        numbers = [field.text for field in self.fields if field.role in ("day", "month")]
        return [text[0] == "0" for text in numbers if text.isdigit() and (len(text) == 1 or text[0] == "0")]


_GRAINS: tuple[Role, ...] = ("day", "nth", "month", "season", "quarter", "decade", "year", "weekday")
