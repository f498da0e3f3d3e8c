"""Times of day: the patterns that find them, and times in a text read and written."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from plainsight.locale import load_locale

DAY = 24 * 60
"""The minutes of a day."""


@cache
def time_patterns(locale: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of times of a locale; none where it has no ``times.toml``."""
    return tuple(re.compile(pattern) for pattern in load_locale(locale).patterns("times").values())


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A time as it is written: hour and minute, if there is one, and the text between and after them.

    ``half`` is am or pm, if that is written; ``padded`` says whether the hour has two digits.
    """

    hour: int
    minute: int | None
    between: str
    after: str
    half: str
    padded: bool

    @property
    def minutes(self) -> int:
        """The minutes since midnight."""
        hour = self.hour % 12 + 12 * (self.half[:1].lower() == "p") if self.half else self.hour
        return 60 * hour + (self.minute or 0)

    def moved(self, minutes: int) -> TimeOfDay:
        """Return the time so many minutes later, written alike; without minutes, by whole hours."""
        step = round(minutes / 60) or (1 if minutes > 0 else -1)
        total = (self.minutes + (60 * step if self.minute is None else minutes)) % DAY
        hour, minute = divmod(total, 60)
        half = self.half
        if half:
            sign = "p" if hour >= 12 else "a"
            half = (sign.upper() if half[0].isupper() else sign) + half[1:]
        if half or (self.hour <= 12 and not self.padded):
            hour = hour % 12 or 12
        return replace(self, hour=hour, minute=None if self.minute is None else minute, half=half)

    def __str__(self) -> str:
        hour = f"{self.hour:02d}" if self.padded else str(self.hour)
        minute = "" if self.minute is None else f"{self.minute:02d}"
        return f"{hour}{self.between}{minute}{self.after}{self.half}"


def read_time(text: str) -> TimeOfDay | None:
    """Return the time that a text is, or None.

    >>> str(read_time("11:45 pm").moved(30)), str(read_time("0910").moved(-15))
    ('12:15 am', '0855')
    """
    found = re.fullmatch(_WRITTEN, text)
    if found is None:
        return None
    hour, minute = int(found["hour"]), found["minute"]
    if hour > 23 or (found["half"] and not 1 <= hour <= 12):
        return None
    return TimeOfDay(
        hour,
        None if minute is None else int(minute),
        found["between"] or "",
        found["after"] or "",
        found["half"] or "",
        padded=len(found["hour"]) == 2 and (hour < 10 or not found["half"]),
    )


_WRITTEN = re.compile(
    r"(?P<hour>[0-9]{1,2})(?:(?P<between>:?)(?P<minute>[0-5][0-9]))?(?P<after>(?::[0-5][0-9])?\s?)"
    r"(?P<half>[AaPp]\.?[Mm]\.?)?"
)
