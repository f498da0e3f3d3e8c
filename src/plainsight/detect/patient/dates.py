"""Find the dates of a record in a text, in any format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import re2

from plainsight.detect.patient.view import Claim, View, occurrences
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.calendar import fold, load_calendar

Day = tuple[int, int, int]
"""Year, month, day."""
Found = tuple[int, int, float]
"""Start, end, score."""

_CALENDAR = load_calendar(DEFAULT_LOCALE)
_NAMES = [fold(name).encode() for name in _CALENDAR.month_names[_CALENDAR.language]]
_MONTHS = {name: number for number, name in enumerate(_NAMES, 1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {b"sept": 9}
_WEEKDAYS = [*_CALENDAR.weekday_names[_CALENDAR.language], *_CALENDAR.short_weekdays]
_WEEKDAYS += [name[:3] for name in _CALENDAR.short_weekdays]
_NUMERIC = re2.compile(
    rb"\b\d{4}-\d\d-\d\dT|\b\d{1,4}/\d{1,2}/\d{1,4}\b|\b\d{1,4}-\d{1,2}-\d{1,4}\b|"
    rb"\b\d{1,4}\.\d{1,2}\.\d{1,4}\b|\b\d{1,2}/\d{1,4}\b|\b\d{1,2}-\d{4}\b|"
    rb"\b\d{1,2} \d{1,2} \d{2,4}\b"
)
_IN_NUMBER = (b"-", b"/", b"#")
_T = ord("T")
_SPACED = bytes.maketrans(b"-/.", b"   ")
_DAY_AFTER = re.compile(rb"\.?[-/ \t]{1,2}(\d{1,2})(?:st|nd|rd|th)?(?![0-9A-Za-z:/%])", re.IGNORECASE)
_YEAR_AFTER = re.compile(rb"\.?[-/., \t]{1,3}'?(\d{4}|\d{2})(?![0-9A-Za-z:/%])")
_DAY_BEFORE = re.compile(
    rb"(?:\A|[^0-9A-Za-z/.,-])(\d{1,2})(?:st|nd|rd|th)?(?:[-/., \t]{0,2}| of | day of )\Z", re.IGNORECASE
)
_YEAR_BEFORE = re.compile(rb"(?:\A|[^0-9A-Za-z/.,-])(\d{4})[-/. \t]{1,2}\Z")
_WEEKDAY = re.compile(
    rf"(?:\A|[^A-Za-z])((?:{'|'.join(map(fold, _WEEKDAYS))})\.?,?[ \t]{{1,2}})\Z".encode(), re.IGNORECASE
)
_STRONG_CUE = re.compile(
    rb"(?:\b(?:on|since|until|till|thru|through|by|before|after|seen|visit|appt|appointment|dated?|dos|s/p|clinic|"
    rb"recheck|placed|started|stopped|due|born|dob|birthday|letter of|note of|admitted|discharged?|"
    rb"filled)|\()[ \t:,]*\Z",
    re.IGNORECASE,
)
_WEAK_CUE = re.compile(rb"\b(?:from|to|of|for|in|and|at|last|given|done|repeat|out)[ \t:,]*\Z", re.IGNORECASE)
_SCORE = re.compile(
    rb"\b(?:phq|gad|epworth|ess|moca|mmse|slums|score|scale|scored|audit|pain|strength|braden|morse|qty|limit|"
    rb"visual|vision|va|bp)\b[-0-9a-z]{0,4}(?: was| is| of|:|=)?[ \t]*\Z",
    re.IGNORECASE,
)
_BORN = re.compile(rb"\b(?:born|birth year|yob|b\.)(?: in)?[ \t:]*\Z", re.IGNORECASE)
_VAGUE = frozenset({b"may", b"march", b"mar", b"dec", b"jan", b"sep", b"oct"})
"""Months that are other words or abbreviations in small letters."""
_SCALES = frozenset({4, 5, 6, 10, 12, 15, 30})
"""Below the stroke of a score: pain 3/10, strength 4/5, murmur 2/6, MoCA 22/30."""


def read_date(value: str) -> Day | None:
    """Read the date at the beginning of an ISO string, compact or not; None if there is none."""
    match = re.match(r"(\d{4})-?(\d\d)-?(\d\d)(?!\d)", value.strip())
    if not match:
        return None
    year, month, day = (int(group) for group in match.groups())
    sensible = 1880 <= year <= 2200 and 1 <= month <= 12 and 1 <= day <= 31
    return (year, month, day) if sensible and (year, month, day) != (1900, 1, 1) else None  # a usual filler


@dataclass(slots=True, repr=False)
class Dates:
    """The dates of one record, ready to be found."""

    values: Iterable[str]
    _days: frozenset[Day] = field(init=False)
    _short: frozenset[Day] = field(init=False)
    _months: frozenset[tuple[int, int]] = field(init=False)
    _in_year: frozenset[tuple[int, int]] = field(init=False)
    _glued: dict[bytes, float] = field(init=False)

    def __post_init__(self) -> None:
        self._days = frozenset(day for value in self.values if (day := read_date(value)))
        self._short = frozenset((year % 100, month, day) for year, month, day in self._days)
        self._months = frozenset((year, month) for year, month, _ in self._days)
        self._in_year = frozenset((month, day) for _, month, day in self._days)
        self._glued = {form: score for day in self._days for form, score in _glued(*day)}

    def find(self, view: View, tokens: set[bytes]) -> Iterator[Claim]:
        """Yield the record's dates; a range without spaces between two of them is one."""
        if not self._days:
            return
        found = sorted(set(self._find(view, tokens)))
        reach = 0
        for place, (start, end, score) in enumerate(found):
            if start < reach:
                continue
            if place + 1 < len(found) and view.text[end : found[place + 1][0]] == b"-":
                end = found[place + 1][1]
            reach = end
            yield Claim(start, end, "DATE", score, "date")

    def _find(self, view: View, tokens: set[bytes]) -> Iterator[Found]:
        text = view.text
        for match in _NUMERIC.finditer(text):
            start, end = match.span()
            if text[end - 1] == _T:
                end -= 1
            score = self._score_numeric(text, start, end)
            if score:
                yield _with_weekday(text, start), end, score
        for token in tokens.intersection(_MONTHS):
            for start in occurrences(view, token):
                yield from self._named(text, start, token)
        for token in tokens.intersection(self._glued):
            for start in occurrences(view, token):
                end = start + len(token)
                if text[start - 1 : start] not in _IN_NUMBER and text[end : end + 1] not in _IN_NUMBER:
                    yield start, end, self._glued[token]
        yield from self._birth_year(text)

    def _score_numeric(self, text: bytes, start: int, end: int) -> float:
        pieces = text[start:end].translate(_SPACED).split()
        score = self._score_pair(text, start, end, pieces) if len(pieces) == 2 else self._score_triple(pieces)
        if not score:
            return 0.0  # first, since most numbers are no dates of the record
        before, after = text[start - 1 : start], text[end : end + 1]
        if before in (b".", b"$", b"/", b"#", b"+") or after in (b"%", b"/"):
            return 0.0
        if after in (b"-", b".") and text[end + 1 : end + 2].isdigit() and b"/" not in text[start:end]:
            return 0.0  # the beginning of a longer number
        return score

    def _score_triple(self, pieces: list[bytes]) -> float:
        a, b, c = (int(piece) for piece in pieces)
        if len(pieces[0]) == 4:
            return 0.99 if (a, b, c) in self._days else 0.9 if (a, c, b) in self._days else 0.0
        if len(pieces[0]) == 3 or len(pieces[2]) not in (2, 4):
            return 0.0
        known = self._days if len(pieces[2]) == 4 else self._short
        if (c, a, b) in known:
            return 0.99
        if (c, b, a) in known:
            return 0.95
        return 0.8 if len(pieces[2]) == 2 and (a, b, c) in known else 0.0

    def _score_pair(self, text: bytes, start: int, end: int, pieces: list[bytes]) -> float:
        one, other = int(pieces[0]), int(pieces[1])
        if len(pieces[1]) == 4:
            return 0.9 if (other, one) in self._months else 0.0
        if len(pieces[1]) == 3:
            return 0.0
        if (one, other) not in self._in_year and not (one > 12 and (other, one) in self._in_year):
            return 0.0
        window = max(0, start - 24)
        if _SCORE.search(text, window, start):
            return 0.0
        if _WEEKDAY.search(text, window, start) or _STRONG_CUE.search(text, window, start):
            return 0.9
        if text[start - 1 : start] == b"-" or text[end : end + 1] == b"-":
            return 0.85  # one end of a range
        if other in _SCALES and len(pieces[0]) == 1 and one < other:
            return 0.0
        if pieces[0].startswith(b"0") or _WEAK_CUE.search(text, window, start):
            return 0.85
        return 0.8 if other > 12 else 0.0

    def _named(self, text: bytes, start: int, token: bytes) -> Iterator[Found]:
        """Yield the date around the month named at this place, if it is one of the record."""
        stop, month = start + len(token), _MONTHS[token]
        vague = token in _VAGUE and text[start:stop].islower()
        before = _DAY_BEFORE.search(text, max(0, start - 14), start)
        year = _YEAR_AFTER.match(text, stop)
        if before and year and self._knows(year[1], month, before[1]):
            yield _with_weekday(text, before.start(1)), year.end(), 0.99
            return
        day = _DAY_AFTER.match(text, stop)
        later = _YEAR_AFTER.match(text, day.end()) if day else None
        first = _YEAR_BEFORE.search(text, max(0, start - 7), start)
        if day and later and self._knows(later[1], month, day[1]):
            yield _with_weekday(text, start), later.end(), 0.99
        elif day and first and self._knows(first[1], month, day[1]):
            yield first.start(1), day.end(), 0.97
        elif year and len(year[1]) == 4:
            if (int(year[1]), month) in self._months and not before:
                yield start, year.end(), 0.9
        elif day and not vague and not (later and len(later[1]) == 4):
            if (month, int(day[1])) in self._in_year:
                yield _with_weekday(text, start), day.end(), 0.9
        elif before and not day and not vague and (month, int(before[1])) in self._in_year:
            yield _with_weekday(text, before.start(1)), stop, 0.9

    def _knows(self, year: bytes, month: int, day: bytes) -> bool:
        known = self._days if len(year) == 4 else self._short
        return (int(year), month, int(day)) in known

    def _birth_year(self, text: bytes) -> Iterator[Found]:
        year = b"%d" % min(self._days)[0]
        at = text.find(year)
        while at >= 0:
            end = at + 4
            if not text[end : end + 1].isalnum() and _BORN.search(text, max(0, at - 16), at):
                yield at, end, 0.9
            at = text.find(year, end)


def _glued(year: int, month: int, day: int) -> Iterator[tuple[bytes, float]]:
    """Yield the ways to write a date without separators."""
    long, short, m, d = b"%04d" % year, b"%02d" % (year % 100), b"%02d" % month, b"%02d" % day
    name = _NAMES[month - 1][:3]
    yield from (
        (form, 0.9) for form in (long + m + d, m + d + long, d + m + long, d + name + long, d + name + short)
    )
    yield from ((form, 0.7) for form in (m + d + short, short + m + d))


def _with_weekday(text: bytes, start: int) -> int:
    match = (
        _WEEKDAY.search(text, max(0, start - 16), start) if text[start - 1 : start] in (b" ", b"\t") else None
    )
    return match.start(1) if match else start
