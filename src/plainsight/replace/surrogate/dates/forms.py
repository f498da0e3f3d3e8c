"""The form of a date: its text in parts, some of which are fields that change when the date does.

A date with two ends, or a list of them, has one point for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Literal, NamedTuple

from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.dates.calendar_words import LONG_AND_SHORT, fold

__all__ = ["Field", "Form", "Role", "field_of"]

Role = Literal["year", "month", "day", "weekday", "nth", "season", "quarter", "third", "decade", "odd"]


class Field(NamedTuple):
    """A part of a date that changes when the date does."""

    role: Role
    text: str
    value: int
    point: int = 0

    def __repr__(self) -> str:
        return f"Field({self.role})"  # never the text


@note_cache(16_384)
def field_of(role: Role, text: str, value: int, point: int) -> Field:
    """Return the field of these values, one object for all dates that have it, as most years and days are."""
    return Field(role, text, value, point)


class Form:
    """One reading of a date: its name, literal parts and fields in order, and the first joint.

    ``said`` has the roles of its first point, ``grain`` is the finest thing that it names, ``month_name`` the
    first month that is no number, as it is written; ``shape`` what dates that look alike have in common:
    named or not, joint, digits of the year;
    ``zeros`` says for each number under ten whether it has a zero before it, ``short`` whether months are cut
    short, None where it does not show. ``day`` is the day that it begins with, where month and a year of four
    digits leave no doubt; it ``is_day`` if that is all: neither a weekday nor a second date beside it.
    """

    # Thousands are remembered, and the garbage collector goes by them: so they hold little that it follows.
    __slots__ = (
        *("day", "grain", "is_day", "joint", "month_name", "name", "parts", "points", "said", "shape"),
        *("short", "zeros"),
    )

    def __init__(self, name: str, parts: tuple[str | Field, ...], joint: str = "", points: int = 1) -> None:
        self.name = name
        self.parts = parts
        self.joint = joint
        self.points = points
        self.month_name = ""
        roles: dict[Role, Field] = {}
        zeros: list[bool] = []
        year = 0
        for part in parts:
            if isinstance(part, str):
                continue
            role, text, _, point = part
            if point == 0:
                roles[role] = part
            if role == "year":
                year = year or min(len(text), 4)
            elif role in ("day", "month"):
                if not text.isdigit():
                    self.month_name = self.month_name or (text if role == "month" else "")
                elif len(text) == 1 or text[0] == "0":
                    zeros.append(text[0] == "0")
        self.zeros = tuple(zeros)
        self.said = tuple(roles)
        self.grain: Role = "odd"
        for role in _GRAINS:
            if role in roles:
                self.grain = role
                break
        self.shape = f"{'M' if self.month_name else 'N'}{joint or '+'}{year}"
        self.short = self._is_short()
        self.day = _first_day(roles) if self.grain == "day" else None
        self.is_day = self.day is not None and points == 1 and len(roles) == 3

    def __repr__(self) -> str:
        return f"Form({self.name})"  # never the text

    @property
    def fields(self) -> list[Field]:
        """The parts that change."""
        return [part for part in self.parts if not isinstance(part, str)]

    @property
    def roles(self) -> dict[Role, Field]:
        """The fields of the first point by their role."""
        return {part.role: part for part in self.parts if not isinstance(part, str) and part.point == 0}

    def _is_short(self) -> bool | None:
        if self.month_name:
            for part in self.parts:
                if isinstance(part, str) or part.role != "month":
                    continue
                name = fold(part.text)
                if name not in LONG_AND_SHORT and name.isalpha():
                    return len(name) <= 4
        return True if self.grain == "day" and self.points == 1 and self.joint in ("", "-") else None


def _first_day(roles: Mapping[Role, Field]) -> date | None:
    if "month" not in roles or "year" not in roles or "nth" in roles or roles["year"].value < 100:
        return None
    try:
        first = date(roles["year"].value, roles["month"].value, 1)
        return first + timedelta(days=roles["day"].value - 1)  # February 30 is March 1 or 2
    except (ValueError, OverflowError):
        return None


_GRAINS: tuple[Role, ...] = ("day", "nth", "month", "season", "quarter", "decade", "year", "weekday")
