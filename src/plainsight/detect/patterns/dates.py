"""Rules for dates: shapes that are sure. Dates that only their context shows are left to the networks.

`plainsight.locale.date_shapes` finds candidates. Its shapes hold only numbers that can be a day or a month,
so a date with a year needs little more than a look at its edges. A pair (``12/4``), a year and a name that
stands alone also need the right words beside them, from the locale's ``date_cues.toml``. Windows are bounded:
a check costs the same in a line of a megabyte.
"""

from __future__ import annotations

import re
from functools import cache

from plainsight.detect.patterns.rule import Claim, Rule
from plainsight.locale import load_locale
from plainsight.locale.calendar import load_calendar
from plainsight.locale.date_shapes import date_shapes

_GLUED = re.compile(rb"(?:_|[A-Za-z]{2})(?=[0-9])")
_JOINED = re.compile(rb"[0-9A-Za-z][-/.~+]$|[0-9]:$|[#$]$|[A-Za-z]'$")
_GOES_ON = re.compile(rb"[0-9%]|[-/.:~+][0-9]|-[A-Za-z]|[A-Za-z](?<!T)|T(?![0-9])")
_YEAR = re.compile(rb"[0-9]{4}|'[0-9]{2}")
_STAMP = re.compile(rb"[0-9]{8}[Tt][0-9]")
_ZERO = re.compile(rb"\b0")
_NAME = re.compile(rb"[A-Za-z]{3,}")
_CLOCK = re.compile(rb" ?(?:@ ?|at )?(?:[01]?[0-9]|2[0-3]):[0-5][0-9]")
_HOURS = re.compile(rb" ?(?:h\b|hrs?\b|hours\b|-|to [012][0-9]{3}\b)")
_TRIM = b".,:;()[]{}\"'*-~=<>|_@&+?!#"


def _word_before(text: bytes, start: int) -> bytes:
    words = text[max(0, start - 20) : start].rpartition(b"\n")[2].lower().split()
    return words[-1].strip(_TRIM) if words else b""


def _word_after(text: bytes, end: int) -> bytes:
    words = text[end : end + 24].partition(b"\n")[0].lower().split(None, 1)
    return words[0].rstrip(_TRIM) if words else b""


class _Check:
    """Tells by its edges and the words beside it whether a candidate is a date."""

    def __init__(self, locale: str) -> None:
        self._calendar = load_calendar(locale)
        self._cues = load_locale(locale).word_sets("date_cues")
        self._event_endings = tuple(self._cues["event_endings"])

    def __call__(self, text: bytes, start: int, end: int) -> tuple[Claim, ...]:
        glued = _GLUED.match(text, start, end)  # Results04/16/2009
        start = glued.end() if glued else start
        if not glued and _JOINED.search(text, max(0, start - 2), start):
            return ()
        if _STAMP.match(text, start, end):  # 20240305T1422
            end -= 2
        elif text[end : end + 1] == b":" and text[end - 3 : end - 2] == b" ":  # 6 Feb 09:20
            end -= 3
        piece = text[start:end]
        without_digits = piece.translate(None, b"0123456789")
        if not without_digits:
            is_date = (
                self._is_year(text, start, end) if len(piece) == 4 else self._is_compact(text, start, end)
            )
        elif without_digits == piece:
            is_date = self._is_name(text, start, end, piece)
        elif _GOES_ON.match(text, end) and not (glued and piece[-4:].isdigit()):
            is_date = False
        elif without_digits == b"/" and len(piece) < 6:
            is_date = self._is_pair(text, start, end, piece)
        else:
            is_date = bool(_YEAR.search(piece)) or self._is_date_without_year(text, start, end, piece)
        if not is_date:
            return ()
        has_year_or_name = _YEAR.search(piece) or (without_digits != piece and _NAME.search(piece))
        return (Claim(start, end, "DATE", 0.95 if has_year_or_name else 0.9),)

    def _is_cue(self, word: bytes) -> bool:
        """Tell whether a date often follows a word: a cue, or an event such as ``seen`` or ``stopped``."""
        cues = self._cues
        return word in cues["before"] or word in cues["events"] or word.endswith(self._event_endings)

    def _is_measure(self, text: bytes, end: int) -> bool:
        """Tell whether a unit or a counted thing follows a number."""
        return text[end : end + 1] in (b"'", b'"') or _word_after(text, end) in self._cues["measure_after"]

    def _is_compact(self, text: bytes, start: int, end: int) -> bool:
        """Tell whether digits run together are a date: ``DOB 051729``, ``20240305T1422``."""
        return (
            text[end : end + 1] in (b"T", b"t") or _word_before(text, start) in self._cues["compact_before"]
        )

    def _is_year(self, text: bytes, start: int, end: int) -> bool:
        """Tell whether four digits are a year: ``since 1998``, not ``at 1930``."""
        if _GOES_ON.match(text, end) or self._is_measure(text, end):
            return False
        last, year = _word_before(text, start), int(text[start:end])
        if last in self._cues["year_before"]:
            is_clock = year % 100 < 60 and _HOURS.match(text, end)  # 1930 and 2015 are also times of day
            return year < 2100 and not is_clock
        return 1960 <= year < 2000 and last in self._cues["year_often_before"]

    def _is_pair(self, text: bytes, start: int, end: int, piece: bytes) -> bool:
        """Tell whether two numbers are a month and a day: ``on 4/5``, not ``strength 4/5``."""
        last = _word_before(text, start)
        if self._is_measure(text, end) or text[end : end + 1] == b"/":
            return False
        if last in self._cues["before"] or last in self._cues["ratio_before"]:
            return last in self._cues["before"]
        if _ZERO.search(piece) or _CLOCK.match(text, end):
            return True
        first, second = map(int, piece.split(b"/"))
        may_be_ratio = first <= second <= 10 or first > 12
        return not may_be_ratio and self._is_cue(last)

    def _is_name(self, text: bytes, start: int, end: int, piece: bytes) -> bool:
        """Tell whether a name without a number is a weekday, a month or a holiday."""
        word, following = piece.lower(), _word_after(text, end)
        if text[end : end + 1] in (b"'", b"-") and text[end + 1 : end + 2] not in (b"s", b" ", b"\n", b""):
            return False
        if self._calendar.weekday_of(piece.decode()) is not None:
            if word in self._cues["unsure_weekdays"]:
                return following in self._cues["part_of_day"]
            return len(word) > 5 or not (following.isdigit() and piece.isupper())
        if self._calendar.month_of(piece.decode()) is not None:
            unsure = word in self._cues["unsure_months"]
            if not unsure and not (len(word) < 5 and piece.isupper()):
                return True
            after_stop = text[start - 2 : start - 1] == b"."
            awaited = not after_stop and _word_before(text, start) in self._cues["month_before"]
            return awaited and (piece.istitle() or not unsure)
        unsure = word.split()[0] in self._cues["unsure_holidays"] and piece in (word, piece.upper())
        return not unsure and following not in self._cues["not_holiday_after"]

    def _is_date_without_year(self, text: bytes, start: int, end: int, piece: bytes) -> bool:
        """Tell whether a shape whose year has two digits or is missing is a date."""
        if self._is_measure(text, end):
            return False
        if name := _NAME.search(piece):
            unsure = name[0].lower() in self._cues["unsure_months"]
            is_numbering = b". " in piece and piece[:1].isdigit()  # 3. May need a stent
            return not (unsure and (name[0].islower() or is_numbering))
        if b"/" in piece:
            return True
        last = _word_before(text, start)
        if piece.endswith(b"."):
            return piece.count(b".") > 2 or last in self._cues["dotted_before"]  # 4.-6.3., am 6.3.
        # An identifier or a series may look alike: 5-10-10.
        is_sure = (
            piece.count(b".") > 2
            or _ZERO.search(piece) is not None
            or piece[-2:] > b"31"
            or self._is_cue(last)
        )
        return is_sure and last not in self._cues["id_before"]


@cache
def date_rules(locale: str) -> tuple[Rule, ...]:
    """Return the rules for dates of a locale, by its name or folder."""
    return (Rule("date", date_shapes(locale), _Check(locale)),)
