"""The form of a date: its text in parts, some of which are fields that change when the date does.

A date with two ends, or a list of them, has one point for each.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal, NamedTuple

from plainsight.replace.surrogate.dates.calendar_words import LONG_AND_SHORT, fold
from plainsight.replace.surrogate.lazy import lazy

__all__ = ["Field", "Form", "Role"]

Role = Literal["year", "month", "day", "weekday", "nth", "season", "quarter", "third", "decade", "odd"]


class Field(NamedTuple):
    """A part of a date that changes when the date does."""

    role: Role
    text: str
    value: int
    point: int = 0

    def __repr__(self) -> str:
        return f"Field({self.role})"  # never the text


class Form:
    """One reading of a date: its name, literal parts and fields in order, and the first joint.

    ``roles`` has the fields of the first point by their role, ``grain`` is the finest thing that it names;
    ``month_name`` is the first month that is no number, as it is written; ``shape`` what dates that look
    alike have in common: named or not, joint, digits of the year; ``zeros`` says for each number under ten
    whether it has a zero before it.
    """

    def __init__(self, name: str, parts: tuple[str | Field, ...], joint: str = "", points: int = 1) -> None:
        self.name = name
        self.parts = parts
        self.joint = joint
        self.points = points
        self.fields = tuple([part for part in parts if isinstance(part, Field)])
        self.roles: dict[Role, Field] = {}
        self.month_name = ""
        self.zeros: list[bool] = []
        year = 0
        for field in self.fields:
            role, text = field.role, field.text
            if field.point == 0:
                self.roles[role] = field
            if role == "year":
                year = year or min(len(text), 4)
            elif role in ("day", "month"):
                if not text.isdigit():
                    self.month_name = self.month_name or (text if role == "month" else "")
                elif len(text) == 1 or text[0] == "0":
                    self.zeros.append(text[0] == "0")
        self.grain: Role = "odd"
        for role in _GRAINS:
            if role in self.roles:
                self.grain = role
                break
        self.shape = f"{'M' if self.month_name else 'N'}{joint or '+'}{year}"

    def __repr__(self) -> str:
        return f"Form({self.name})"  # never the text

    @lazy
    def day(self) -> date | None:
        """Return the day that it begins with, where month and a year of four digits leave no doubt."""
        roles = self.roles
        if "day" not in roles or "month" not in roles or "year" not in roles or "nth" in roles:
            return None
        if roles["year"].value < 100:
            return None
        try:
            first = date(roles["year"].value, roles["month"].value, 1)
            return first + timedelta(days=roles["day"].value - 1)  # February 30 is March 1 or 2
        except (ValueError, OverflowError):
            return None

    @lazy
    def is_day(self) -> bool:
        """Whether it is a day and nothing else: neither a weekday nor a second date beside it."""
        return self.day is not None and self.points == 1 and len(self.roles) == 3

    @lazy
    def short(self) -> bool | None:
        """Whether months are cut short; None where the form does not show it."""
        names = [fold(field.text) for field in self.fields if field.role == "month"]
        clear = [len(name) <= 4 for name in names if name not in LONG_AND_SHORT and name.isalpha()]
        if clear:
            return clear[0]
        return True if self.grain == "day" and self.points == 1 and self.joint in ("", "-") else None


_GRAINS: tuple[Role, ...] = ("day", "nth", "month", "season", "quarter", "decade", "year", "weekday")
