"""Parse a date: every reading that a text alone allows, the likeliest first.

Which one holds is for the note to say (see `habits`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from plainsight.replace.surrogate.dates.forms import Field, Form, Role, field_of
from plainsight.replace.surrogate.dates.tokens import JOINTS, Token, tokenise

__all__ = ["parse"]

_LONGEST = 80

_DAY = "(?P<day>N)o?"
_MONTH = "(?P<month>M)"
_YEAR = "(?P<year>[NAY])"
_LONG_YEAR = "(?P<year>[AY])"
_BEFORE = r"(?:(?P<weekday>[Ww])[-=/._]?)?"
_AFTER = r"(?:[_-](?P<weekday_after>W))?(?:_[4Y])?"
"""After a whole date a weekday may stand, and a time of four digits, which stays."""
_SAME = r"(?P<joint>[-/._=])"
_AGAIN = r"(?:(?P=joint)|_)"
_THIRD = r"(?:(?P<third>q)[-_]?)?"

# Which reading comes first matters only where the note says nothing.
_SHAPES: tuple[tuple[str, str], ...] = (
    ("mdy", rf"{_BEFORE}(?P<month>[NB]){_SAME}(?P<day>[NB])o?{_AGAIN}(?P<year>[NAY4]){_AFTER}"),
    ("dmy", rf"{_BEFORE}(?P<day>[NB])o?{_SAME}(?P<month>[NB]){_AGAIN}(?P<year>[NAY4]){_AFTER}"),
    ("ymd", rf"{_BEFORE}(?P<year>[YN]){_SAME}(?P<month>[NB])(?P=joint)(?P<day>[NB]){_AFTER}"),
    ("ydm", rf"{_BEFORE}(?P<year>Y){_SAME}(?P<day>N)(?P=joint)(?P<month>N){_AFTER}"),
    ("md", rf"{_BEFORE}(?P<month>N){_SAME}{_DAY}(?:[_-](?P<weekday_after>W))?(?:_4)?"),
    ("dm", rf"{_BEFORE}{_DAY}{_SAME}(?P<month>N)(?:[_-](?P<weekday_after>W))?(?:_4)?"),
    ("ym", rf"(?P<year>Y){_SAME}(?P<month>[NB])"),
    ("my", rf"(?P<month>[NB]){_SAME}(?P<year>[NAYB])"),
    ("d M y", rf"{_BEFORE}{_DAY}[-/._]?{_MONTH}(?:[-/._]?{_YEAR}{_AFTER})?(?:_(?P<weekday_last>W))?"),
    (
        "M d y",
        rf"{_BEFORE}{_MONTH}{_SAME}{_DAY}(?:(?:{_AGAIN}|[/.]){_YEAR}{_AFTER})?(?:_(?P<weekday_last>W))?",
    ),
    ("M d y", rf"{_BEFORE}{_MONTH}(?P<day>N)o?(?:[-/._]{_YEAR}{_AFTER})?"),
    ("y M d", rf"{_LONG_YEAR}[-/._]?{_MONTH}[-/._]?{_DAY}"),
    ("M y", rf"{_THIRD}{_MONTH}[-/._]?{_YEAR}"),
    ("y M", rf"{_LONG_YEAR}[-/._]?{_MONTH}"),
    ("M", rf"{_THIRD}{_MONTH}"),
    ("M y", rf"q[-&/=]q[-_]?{_MONTH}(?:[-/._]?{_LONG_YEAR})?"),  # mid to late March: two thirds stay
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
_SINGLE = tuple((name, re.compile(shape)) for name, shape in _SHAPES)

_PAIR_SHAPES: tuple[tuple[str, str], ...] = (
    (
        "M d y",
        rf"{_BEFORE}{_MONTH}[-/._]?{_DAY}[-=&](?P<day2>N)o?(?:[_/.](?P<year2>[NAY]))?",
    ),  # June 3-7, 2019
    ("d M y", rf"{_DAY}[-=&/](?P<day2>N)o?[-/._]?(?P<month2>M)(?:[-/._]?(?P<year2>[NAY]))?"),  # 3-7 June 2019
    ("md", r"(?P<month>N)/(?P<day>N)[-=&](?P<day2>N)"),  # 3/4-9
    ("my", r"(?P<month>N)[-=&](?P<month2>N)/(?P<year2>[YA])"),  # 11-12/2009
)
_PAIRS = tuple((name, re.compile(shape)) for name, shape in _PAIR_SHAPES)
_WEEK = re.compile(r"[Ww](?:[-=&/._]?[Ww])+")


def parse(text: str) -> tuple[Form, ...]:
    """Return the readings of a date, none if there is no such form.

    >>> [form.name for form in parse("3/4/19")], [form.name for form in parse("May 2012")], parse("Okafor")
    (['mdy', 'dmy'], ['M y'], ())
    """
    if len(text) > _LONGEST:
        return ()
    tokens = tokenise(text)
    head = tail = ""
    while tokens and tokens[0].kind in JOINTS:
        head += tokens.pop(0).text
    while tokens and tokens[-1].kind in JOINTS:
        tail = tokens.pop().text + tail
    found = _readings(tokens)
    if not (head or tail):
        return found
    return tuple(Form(f.name, (head, *f.parts, tail), f.joint, f.points) for f in found)


def _readings(tokens: list[Token]) -> tuple[Form, ...]:
    signature = "".join([token.kind for token in tokens])
    if not signature or "x" in signature:
        return ()
    if found := tuple(_single(tokens, signature)):
        return found
    if _WEEK.fullmatch(signature):
        return (_week(tokens),)
    for read in (_pairs, _spans, _odd):
        if found := tuple(read(tokens, signature)):
            return found
    return ()


# --- one date ---------------------------------------------------------------------------------------------


def _single(tokens: list[Token], signature: str) -> list[Form]:
    found: list[Form] = []
    if _DIGITS.fullmatch(signature):
        found += _compact(tokens[0].text, "".join(token.text for token in tokens[1:]))
    for shape in _singles(signature):
        if form := _form(shape, tokens):
            found.append(form)
    return found


class _Shape(NamedTuple):
    """How a signature is read: where its joint is, and place, role and point of each field."""

    name: str
    joint: str
    fields: tuple[tuple[int, Role, int], ...]


@lru_cache(maxsize=1024)  # most dates have one of a few dozen signatures
def _singles(signature: str) -> tuple[_Shape, ...]:
    return tuple(_shapes(_SINGLE, signature))


def _shapes(shapes: Iterable[tuple[str, re.Pattern[str]]], signature: str) -> Iterator[_Shape]:
    """Return the shapes that a signature has."""
    joints = (kind for kind in signature if kind in JOINTS)
    joint = next(joints, "")
    for name, shape in shapes:
        if match := shape.fullmatch(signature):
            found = match.groupdict()
            fields = [
                (match.start(group), group.rstrip("2").partition("_")[0], int(group.endswith("2")))
                for group in found
                if found[group] is not None and group != "joint"
            ]
            yield _Shape(name, found.get("joint") or joint, tuple(fields))  # type: ignore[arg-type]


_VALUES: Mapping[Role, range] = {"month": range(1, 13), "day": range(1, 32), "nth": range(1, 6)}


def _form(shape: _Shape, tokens: list[Token]) -> Form | None:
    """Return the form if its values make a date."""
    name, joint, fields = shape
    parts: list[str | Field] = [token.text for token in tokens]
    points, said = 1, name == "weekday"
    for place, role, point in fields:
        kind, text, value = tokens[place]
        if (kind == "B" and role != "year") or (kind == "4" and value == 0):
            continue  # a part left blank stays so
        if role in _VALUES:
            if value not in _VALUES[role]:
                return None
        elif (role == "year" and not _is_year(kind, text)) or (role == "decade" and value % 10):
            return None
        if name == "nth weekday" and text.isdigit() and tokens[place + 1].kind != "o":
            return None  # 5 Mon may well be a day of the month
        parts[place] = field_of(role, text, value, point)
        points = max(points, point + 1)
        said = said or role != "weekday"
    return Form(name, tuple(parts), joint, points) if said else None


def _is_year(kind: str, text: str) -> bool:
    """Whether a token can be one: 3/4/9 is hardly a year; a number in words may be."""
    return kind in "AY" or (kind in "NB" and len(text) > 1 and text[0] not in "xX?")


def _first_joint(tokens: list[Token]) -> str:
    return next((token.kind for token in tokens if token.kind in JOINTS), "")


_COMPACT = {
    8: (("ymd", "yyyymmdd"), ("mdy", "mmddyyyy"), ("dmy", "ddmmyyyy")),
    6: (("mdy", "mmddyy"), ("dmy", "ddmmyy"), ("ymd", "yymmdd"), ("ym", "yyyymm"), ("my", "mmyyyy")),
    4: (("md", "mmdd"), ("dm", "ddmm"), ("my", "mmyy")),
}
_DIGITS = re.compile("[468L](?:_[4Y6])?")
_ROLES: dict[str, Role] = {"y": "year", "m": "month", "d": "day"}


def _compact(digits: str, time: str) -> Iterator[Form]:
    """Read digits without joints; after the day of a long one comes a time, which stays."""
    rest = digits[8:] + time
    for name, layout in _COMPACT[min(len(digits), 8)]:
        parts: list[str | Field] = []
        for letter in name:
            text = digits[layout.index(letter) : layout.rindex(letter) + 1]
            parts.append(Field(_ROLES[letter], text, int(text)))
        kinds = {"month": range(1, 13), "day": range(1, 32), "year": range(1700, 2200)}
        if all(
            part.value in kinds[part.role] or (part.role == "year" and len(part.text) == 2)
            for part in parts
            if isinstance(part, Field)
        ):
            yield Form(name, (*parts, rest) if rest else tuple(parts), "0")


# --- several dates ----------------------------------------------------------------------------------------


def _week(tokens: list[Token]) -> Form:
    """Read several weekdays: each is a point of its own."""
    parts: list[str | Field] = []
    points = 0
    for token in tokens:
        if token.kind in "Ww":
            again = token.value == 1 and any(isinstance(part, Field) and part.value == 1 for part in parts)
            parts.append(Field("weekday", token.text, 3 if again else token.value, points))  # T/T/S
            points += 1
        else:
            parts.append(token.text)
    return Form("week", tuple(parts), _first_joint(tokens), points)


def _pairs(tokens: list[Token], signature: str) -> Iterator[Form]:
    """Read two ends that share what only one of them says."""
    for shape in _shapes(_PAIRS, signature):
        if form := _form(shape, tokens):
            yield form


def _spans(tokens: list[Token], signature: str) -> Iterator[Form]:
    """Read dates of the same grain, one after the other."""
    for place in sorted(_cuts(signature), key=lambda place: "-=&_/".index(signature[place])):
        left = _single(tokens[:place], signature[:place])
        if not left:
            continue
        after = signature[place + 1 :]
        right = _single(tokens[place + 1 :], after)
        if not right and signature[place] in "=&_":
            right = list(_spans(tokens[place + 1 :], after))
        listed = signature[place] != "_" or "," in tokens[place].text
        made = [
            Form(
                name=one.name if _order(one.name) else two.name,
                parts=(*one.parts, tokens[place].text, *_later(two)),
                joint=one.joint,
                points=1 + two.points,
            )
            for one in left
            for two in right
            if one.grain == two.grain and {_order(one.name), _order(two.name)} != {"m", "d"}
            if listed or ("month" in one.said and "month" in two.said)
        ]
        if made:
            yield from made
            return


def _cuts(signature: str) -> Iterator[int]:
    """Return where one date may end and the next begin; a slash does not part mere numbers."""
    for place, kind in enumerate(signature):
        if kind in "-=&_" or (kind == "/" and set("MYSQ") & set(signature)):
            yield place


def _order(name: str) -> str:
    """Return what a reading says of the order of day and month."""
    return {"mdy": "m", "md": "m", "dmy": "d", "dm": "d"}.get(name, "")


def _later(form: Form) -> Iterator[str | Field]:
    for part in form.parts:
        yield part if isinstance(part, str) else Field(part.role, part.text, part.value, part.point + 1)


# --- no date ----------------------------------------------------------------------------------------------


def _odd(tokens: list[Token], signature: str) -> Iterator[Form]:
    """Read numbers that look like a date but are none, such as 13/45/20: each is changed by itself."""
    if re.fullmatch(r"(?:[Ww][-=/._]?)?[NYB46][-/._][NYB46](?:[-/._][NYAB46])?", signature):
        yield Form(
            "odd",
            tuple(
                Field("weekday", t.text, t.value) if t.kind in "Ww"
                else t.text if t.kind in JOINTS or t.kind == "B"
                else Field("year" if t.kind in "YA" else "odd", t.text, t.value)
                for t in tokens
            ),
            _first_joint(tokens),
        )  # fmt: skip
