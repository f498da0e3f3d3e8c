"""Surrogates of dates: every date of a patient moves by one offset and keeps the form it is written in.

The road of a date: `tokens` cuts it up, `parse` reads its `forms`, `habits` says which reading holds in its
note, `share` fills what its ends share, `shift` moves it, `render` writes it down again. `week`
and `holidays` have their own ways, `worn` mends what a scanner left, and `kind` conducts.
"""

from plainsight.replace.surrogate.dates.kind import Dates, HolidayStyle

__all__ = ["Dates", "HolidayStyle"]
