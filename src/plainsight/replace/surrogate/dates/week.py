"""Several weekdays in one date: ``MWF``, ``T/Th/Sa``, ``Tues & Thurs``, ``Mon-Sat``."""

from __future__ import annotations

import re

from plainsight.replace.surrogate.dates.calendar_words import weekday_word
from plainsight.replace.surrogate.dates.forms import Field, Form

_TO = re.compile(r"\b(?:to|thru|through|until|til)\b", re.IGNORECASE)

__all__ = ["moved_week"]


def moved_week(form: Form, offset: int) -> str:
    """Return the weekdays moved by the offset, in the order of the week if they were in it.

    The working week from Monday to Friday stays: it is nobody's own, and any other five days in a row would
    give the offset away.
    """
    fields = [part for part in form.parts if isinstance(part, Field)]
    days = [field.value for field in fields]
    span = len(fields) == 2 and (
        form.joint in ("-", "=") or any(_TO.search(part) for part in form.parts if isinstance(part, str))
    )
    if offset % 7 == 0 or (span and days == [0, 4]):
        return "".join(part if isinstance(part, str) else part.text for part in form.parts)
    new = [(day + offset) % 7 for day in days]
    if not span and days == sorted(days):
        new.sort()
    words = iter(_words([field.text for field in fields], new, joined=bool(form.joint)))
    return "".join(part if isinstance(part, str) else next(words) for part in form.parts)


def _words(models: list[str], days: list[int], *, joined: bool) -> list[str]:
    """Return the days' names in the manner of the models: letters as a set has them, names one by one."""
    if any(len(model.rstrip(".")) > 2 for model in models):
        return [weekday_word(model, day) for model, day in zip(models, days, strict=True)]
    small = [model.lower() for model in models]
    two = joined or any(model in ("tu", "sa", "su") for model in small) or {5, 6} <= set(days)
    names = (
        "M",
        "Tu" if "tu" in small or (two and not joined and "t" not in small) else "T",
        "W",
        "R" if "r" in small else "Th",
        "F",
        "Sa" if two and "s" not in small else "S",
        "Su",
    )
    words = [names[day] for day in days]
    if small == models:
        return [word.lower() for word in words]
    return [word.upper() for word in words] if any(len(m) > 1 and m.isupper() for m in models) else words
