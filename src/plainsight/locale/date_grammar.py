"""Read a written date: return every reading that its text allows, the likeliest first.

A reading is a `WrittenDate`: the text in parts, some of which are fields with a role (day, month and so on)
and a value. A range or a list of dates has several *points*, each with its own fields. Many texts have two
readings (3/4/19); the rest of the note decides between them.

The forms below are regular expressions over the signature of a date, one letter for each token: ``N/N/Y`` for
3/4/2019. `date_tokens` has the table of letters. A text that looks like a date but is none (13/45/20) has no
reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Literal, NamedTuple

from plainsight.locale.calendar import Calendar
from plainsight.locale.date_tokens import JOINTS, Token, tokenise
from plainsight.note_cache import note_cache

Role = Literal["year", "month", "day", "weekday", "nth", "week", "season", "quarter", "third", "decade"]
Values = dict[Role, int]
"""The values of one point of a date, by role."""

MONTH_FIRST, DAY_FIRST = frozenset(("mdy", "md")), frozenset(("dmy", "dm"))
NUMERIC = MONTH_FIRST | DAY_FIRST
_GRAINS: tuple[Role, ...] = ("day", "nth", "week", "month", "season", "quarter", "decade", "year", "weekday")
_LONGEST = 80


def full_year(digits: int, latest: int) -> int:
    """Return the last year up to ``latest`` that ends in these two digits.

    >>> full_year(99, 2024), full_year(26, 2034), full_year(2019, 0)
    (1999, 2026, 2019)
    """
    return digits if digits > 99 else latest - (latest - digits) % 100


class Field(NamedTuple):
    """A part of a date that changes when the date does."""

    role: Role
    text: str
    value: int
    point: int = 0

    def __repr__(self) -> str:
        return f"Field({self.role})"  # never the text


@dataclass(frozen=True, repr=False)
class WrittenDate:
    """One reading of a date: the name of its form, its literal parts and fields in order, its first joint."""

    form: str
    parts: tuple[str | Field, ...]
    joint: str = ""
    points: int = 1

    def __repr__(self) -> str:
        return f"WrittenDate({self.form})"  # never the text

    @cached_property
    def fields(self) -> list[Field]:
        """The parts that change."""
        return [part for part in self.parts if not isinstance(part, str)]

    @cached_property
    def roles(self) -> dict[Role, Field]:
        """The fields of the first point by their role."""
        return {field.role: field for field in self.fields if field.point == 0}

    @cached_property
    def grain(self) -> Role:
        """The finest role that the first point has."""
        return next(role for role in _GRAINS if role in self.roles)

    @cached_property
    def month_name(self) -> str:
        """The first month that is written as a name."""
        return next((f.text for f in self.fields if f.role == "month" and not f.text.isdigit()), "")

    @cached_property
    def zeros(self) -> tuple[bool, ...]:
        """For each number under ten, whether a zero stands before it."""
        numbers = [f.text for f in self.fields if f.role in ("day", "month") and f.text.isdigit()]
        return tuple(number[0] == "0" for number in numbers if len(number) == 1 or number[0] == "0")

    @cached_property
    def shape(self) -> str:
        """How the date looks: month named or not, joint, digits of the year."""
        year = next((min(len(field.text), 4) for field in self.fields if field.role == "year"), 0)
        return f"{'M' if self.month_name else 'N'}{self.joint or '+'}{year}"

    @cached_property
    def day(self) -> date | None:
        """The first day, if day, month and a year of four digits are given."""
        roles = self.roles
        if self.grain != "day" or "month" not in roles or "year" not in roles or roles["year"].value < 100:
            return None
        try:
            first = date(roles["year"].value, roles["month"].value, 1)
            return first + timedelta(days=roles["day"].value - 1)  # February 30 is March 1 or 2
        except (ValueError, OverflowError):
            return None

    def values(self, latest_year: int) -> list[Values]:
        """Return the values of each point; two digits are the last such year up to ``latest_year``."""
        points: list[Values] = [{} for _ in range(self.points)]
        for role, _, value, point in self.fields:
            short_year = value < 100 and role in ("year", "decade")
            points[point][role] = full_year(value, latest_year) if short_year else value
        return points


# --- the forms of one date --------------------------------------------------------------------------------

_DAY = "(?P<day>N)o?"
_MONTH = "(?P<month>M)"
_YEAR = "(?P<year>[NAY])"
_LONG_YEAR = "(?P<year>[AY])"
_BEFORE = r"(?:(?P<weekday>[Ww])[-=/._]?)?"
_AFTER = r"(?:[_-](?P<weekday_after>W))?(?:_[4Y]|-4)?"
"""After a whole date a weekday may stand, and a time of four digits, which stays."""
_SAME = r"(?P<joint>[-/._=])"
_AGAIN = r"(?:(?P=joint)|_)"
_THIRD = r"(?:(?P<third>q)[-_]?)?"

# Which reading comes first matters only where the note says nothing.
_FORMS = (
    ("mdy", rf"{_BEFORE}(?P<month>[NB]){_SAME}(?P<day>[NB])o?{_AGAIN}(?P<year>[NAY4]){_AFTER}"),
    ("dmy", rf"{_BEFORE}(?P<day>[NB])o?{_SAME}(?P<month>[NB]){_AGAIN}(?P<year>[NAY4]){_AFTER}"),
    ("ymd", rf"{_BEFORE}(?P<year>[YN]){_SAME}(?P<month>[NB])(?P=joint)(?P<day>[NB]){_AFTER}"),
    ("ydm", rf"{_BEFORE}(?P<year>Y){_SAME}(?P<day>N)(?P=joint)(?P<month>N){_AFTER}"),
    ("md", rf"{_BEFORE}(?P<month>N){_SAME}{_DAY}(?:[_-](?P<weekday_after>W))?(?:[-_]4)?"),
    ("dm", rf"{_BEFORE}{_DAY}{_SAME}(?P<month>N)(?:[_-](?P<weekday_after>W))?(?:[-_]4)?"),
    ("ym", rf"(?P<year>Y){_SAME}(?P<month>[NB])"),
    ("my", rf"(?P<month>[NB]){_SAME}(?P<year>[NAYB])"),
    ("d M y", rf"{_BEFORE}{_DAY}[-/._]?{_MONTH}(?:[-/._]?{_YEAR}{_AFTER})?(?:_(?P<weekday_last>W))?"),
    (
        "M d y",
        rf"{_BEFORE}{_MONTH}{_SAME}{_DAY}(?:(?:{_AGAIN}|[/.]){_YEAR}{_AFTER})?(?:_(?P<weekday_last>W))?",
    ),
    ("M d y", rf"{_BEFORE}{_MONTH}{_DAY}(?:[-/._]{_YEAR}{_AFTER})?"),
    ("y M d", rf"{_LONG_YEAR}[-/._]?{_MONTH}[-/._]?{_DAY}"),
    ("M y", rf"{_THIRD}{_MONTH}[-/._]?{_YEAR}"),
    ("y M", rf"{_LONG_YEAR}[-/._]?{_MONTH}"),
    ("M", rf"{_THIRD}{_MONTH}"),
    ("M y", rf"q[-&/=]q[-_]?{_MONTH}(?:[-/._]?{_LONG_YEAR})?"),  # mid to late March: two thirds stay
    ("nth week", rf"(?P<week>N)o?_{_MONTH}(?:[-/._]?{_YEAR})?"),  # first week of March
    ("nth", rf"(?P<nth>N)o?_(?P<weekday>[Ww])_{_MONTH}(?:[-/._]?{_YEAR})?"),
    ("weekday M", rf"(?P<weekday>[Ww])_{_MONTH}(?:[-/._]?{_LONG_YEAR})?"),  # last Monday of May
    ("nth weekday", r"(?P<nth>N)o?_(?P<weekday>[Ww])"),
    ("weekday d", rf"(?P<weekday>[Ww])[_/]{_DAY}"),
    ("d", _DAY),
    ("y", rf"{_THIRD}{_LONG_YEAR}"),
    ("y", rf"{_THIRD}(?P<year>N)"),
    ("y", rf"q[-&/=]q[-_]?{_LONG_YEAR}"),
    ("decade", rf"{_THIRD}(?P<decade>[YNA])p"),
    ("decade", rf"{_THIRD}(?P<decade>D)"),
    ("season", rf"{_THIRD}(?P<season>S)(?:[-/._]?{_YEAR})?"),
    ("season", rf"{_LONG_YEAR}[-/._]?(?P<season>S)"),
    ("quarter", rf"{_THIRD}(?P<quarter>Q)(?:[-/._]?{_YEAR})?"),
    ("quarter", rf"{_LONG_YEAR}[-/._]?(?P<quarter>Q)"),
    ("weekday", r"(?P<weekday>[Ww])"),
)
_SINGLE = tuple((name, re.compile(form)) for name, form in _FORMS)

_PAIR_FORMS = (
    (
        "M d y",
        rf"{_BEFORE}{_MONTH}[-/._]?{_DAY}[-=&](?P<day2>N)o?(?:[_/.](?P<year2>[NAY]))?",
    ),  # June 3-7, 2019
    ("d M y", rf"{_DAY}[-=&/](?P<day2>N)o?[-/._]?(?P<month2>M)(?:[-/._]?(?P<year2>[NAY]))?"),  # 3-7 June 2019
    ("md", r"(?P<month>N)/(?P<day>N)[-=&](?P<day2>N)"),  # 3/4-9
    ("my", r"(?P<month>N)[-=&](?P<month2>N)/(?P<year2>[YA])"),  # 11-12/2009
    ("dmy", r"(?P<day>N)[-=&/](?P<day2>N)(?P<joint>\.)(?P<month2>N)\.(?P<year2>[NAY])"),  # 4.-6.3.2019
    ("dm", r"(?P<day>N)[-=&/](?P<day2>N)(?P<joint>\.)(?P<month2>N)"),  # 4.-6.3.
    ("season", rf"{_THIRD}(?P<season>S)[-/._]?(?P<year>[AY])[-=&/](?P<year2>[NAY])"),  # winter of 2015-16
)
_PAIRS = tuple((name, re.compile(form)) for name, form in _PAIR_FORMS)
_WEEK_WORD = re.compile(r"\b(?:week|wk)\b", re.IGNORECASE)
_WEEK = re.compile(r"[Ww](?:[-=&/._]?[Ww])+")
_RANGES: Mapping[Role, range] = {
    "month": range(1, 13),
    "day": range(1, 32),
    "nth": range(1, 6),
    "week": range(1, 6),
}


def parse_date(text: str, calendar: Calendar) -> tuple[WrittenDate, ...]:
    """Return the readings of a date; none if its form is unknown.

    >>> from plainsight.locale.calendar import load_calendar
    >>> [[reading.form for reading in parse_date(text, load_calendar("en_US"))]
    ...  for text in ("3/4/19", "May 2012", "Okafor")]
    [['mdy', 'dmy'], ['M y'], []]
    """
    if len(text) > _LONGEST:
        return ()
    tokens = tokenise(text, calendar)
    head = tail = ""
    while tokens and tokens[0].kind in JOINTS:
        head += tokens.pop(0).text
    while tokens and tokens[-1].kind in JOINTS:
        tail = tokens.pop().text + tail
    readings = _readings(tokens)
    if not (head or tail):
        return readings
    return tuple(WrittenDate(r.form, (head, *r.parts, tail), r.joint, r.points) for r in readings)


def _readings(tokens: list[Token]) -> tuple[WrittenDate, ...]:
    signature = "".join(token.kind for token in tokens)
    if not signature or "x" in signature:
        return ()
    if single := tuple(_single(tokens, signature)):
        return single
    if _WEEK.fullmatch(signature):
        return (_week(tokens),)
    pairs = (_fill(match, tokens) for match in _match(_PAIRS, signature))
    return tuple(reading for reading in pairs if reading) or tuple(_ranges(tokens, signature))


# --- one date ---------------------------------------------------------------------------------------------


def _single(tokens: list[Token], signature: str) -> Iterator[WrittenDate]:
    if _DIGITS.fullmatch(signature):
        yield from _compact(tokens[0].text, "".join(token.text for token in tokens[1:]))
    for match in _single_matches(signature):
        if reading := _fill(match, tokens):
            yield reading


class _Match(NamedTuple):
    """A form that fits a signature: its name, its joint, and the place, role and point of each field."""

    form: str
    joint: str
    fields: tuple[tuple[int, Role, int], ...]


@note_cache(1024)  # most dates have one of a few dozen signatures
def _single_matches(signature: str) -> tuple[_Match, ...]:
    return tuple(_match(_SINGLE, signature))


def _match(forms: Iterable[tuple[str, re.Pattern[str]]], signature: str) -> Iterator[_Match]:
    """Yield the forms that fit a signature."""
    for name, form in forms:
        if match := form.fullmatch(signature):
            groups = match.groupdict()
            fields = [
                (match.start(group), group.rstrip("2").partition("_")[0], int(group.endswith("2")))
                for group in groups
                if groups[group] is not None and group != "joint"
            ]
            joint = groups.get("joint") or _first_joint(signature)
            yield _Match(name, joint, tuple(fields))  # type: ignore[arg-type]


def _first_joint(signature: str) -> str:
    return next((kind for kind in signature if kind in JOINTS), "")


def _fill(match: _Match, tokens: list[Token]) -> WrittenDate | None:
    """Return the reading, or None if its values make no date."""
    form, joint, fields = match
    parts: list[str | Field] = [token.text for token in tokens]
    points, says_date = 1, form == "weekday"
    for place, role, point in fields:
        kind, text, value = tokens[place]
        if (kind == "B" and role != "year") or (kind == "4" and value == 0):
            continue  # a part left blank stays so
        if role in _RANGES:
            if value not in _RANGES[role]:
                return None
        elif (role == "year" and not _is_year(kind, text)) or (role == "decade" and value % 10):
            return None
        counts_weeks = form in ("d M y", "nth week") and _counts_weeks(tokens, place)
        if (role == "day" and counts_weeks) or (role == "week" and not counts_weeks):
            return None
        if form == "nth weekday" and text.isdigit() and tokens[place + 1].kind != "o":
            return None  # 5 Mon may well be a day of the month
        parts[place] = Field(role, text, value, point)
        points = max(points, point + 1)
        says_date = says_date or role != "weekday"
    return WrittenDate(form, tuple(parts), joint, points) if says_date else None


def _counts_weeks(tokens: list[Token], place: int) -> bool:
    """Whether the number at this place counts weeks: the second week of May."""
    after = tokens[place + 1 : place + 3]
    return any(token.kind == "_" and _WEEK_WORD.search(token.text) for token in after)


def _is_year(kind: str, text: str) -> bool:
    """Whether a token can be a year: one digit (3/4/9) cannot, a number in words can."""
    return kind in "AY" or (kind in "NB" and len(text) > 1 and text[0] not in "xX?")


_COMPACT = {
    8: (("ymd", "yyyymmdd"), ("mdy", "mmddyyyy"), ("dmy", "ddmmyyyy")),
    6: (("mdy", "mmddyy"), ("dmy", "ddmmyy"), ("ymd", "yymmdd"), ("ym", "yyyymm"), ("my", "mmyyyy")),
    4: (("md", "mmdd"), ("dm", "ddmm"), ("my", "mmyy")),
}
_DIGITS = re.compile("[468L](?:_[4Y6])?")
_ROLES: dict[str, Role] = {"y": "year", "m": "month", "d": "day"}
_YEARS = range(1700, 2200)


def _compact(digits: str, time: str) -> Iterator[WrittenDate]:
    """Read digits without joints; after eight of them may follow a time, which stays."""
    rest = digits[8:] + time
    for form, layout in _COMPACT[min(len(digits), 8)]:
        texts = [digits[layout.index(letter) : layout.rindex(letter) + 1] for letter in form]
        fields = [Field(_ROLES[letter], text, int(text)) for letter, text in zip(form, texts, strict=True)]
        years = range(100) if layout.count("y") == 2 else _YEARS
        if all(field.value in _RANGES.get(field.role, years) for field in fields):
            yield WrittenDate(form, (*fields, rest) if rest else tuple(fields), "0")


# --- several dates ----------------------------------------------------------------------------------------


def _week(tokens: list[Token]) -> WrittenDate:
    """Read several weekdays: each is a point."""
    parts: list[str | Field] = []
    points = 0
    for kind, text, value in tokens:
        if kind in "Ww":
            again = value == 1 and any(isinstance(part, Field) and part.value == 1 for part in parts)
            parts.append(Field("weekday", text, 3 if again else value, points))  # T/T/S
            points += 1
        else:
            parts.append(text)
    return WrittenDate("week", tuple(parts), _first_joint("".join(t.kind for t in tokens)), points)


def _ranges(tokens: list[Token], signature: str) -> Iterator[WrittenDate]:
    """Read several dates of the same grain, joined by a hyphen, "to" or a comma."""
    for place in sorted(_cuts(signature), key=lambda place: "-=&_/".index(signature[place])):
        left = list(_single(tokens[:place], signature[:place]))
        if not left:
            continue
        after = signature[place + 1 :]
        right = list(_single(tokens[place + 1 :], after))
        if not right and signature[place] in "=&_":
            right = list(_ranges(tokens[place + 1 :], after))
        listed = signature[place] != "_" or "," in tokens[place].text
        found = [
            WrittenDate(
                form=one.form if one.form in NUMERIC else two.form,
                parts=(*one.parts, tokens[place].text, *_later(two)),
                joint=one.joint,
                points=1 + two.points,
            )
            for one in left
            for two in right
            if one.grain == two.grain and not _orders_differ(one.form, two.form)
            if listed or ("month" in one.roles and "month" in two.roles)
        ]
        if found:
            yield from found
            return


def _cuts(signature: str) -> Iterator[int]:
    """Yield where one date may end and the next begin; between mere numbers, a slash never does."""
    for place, kind in enumerate(signature):
        if kind in "-=&_" or (kind == "/" and set("MYSQ") & set(signature)):
            yield place


def _orders_differ(one: str, two: str) -> bool:
    return (one in MONTH_FIRST and two in DAY_FIRST) or (one in DAY_FIRST and two in MONTH_FIRST)


def _later(reading: WrittenDate) -> Iterator[str | Field]:
    for part in reading.parts:
        yield part if isinstance(part, str) else part._replace(point=part.point + 1)
