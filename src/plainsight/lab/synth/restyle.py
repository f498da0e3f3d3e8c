"""Restyle: write dates, phones and names another way, and draw common and unusual names and other numbers.

Labels stay exact. Numbers that are no identifiers (doses, scores, ratios, hours) are drawn anew because the
same authored text comes again and again. If its numbers stayed, a network would memorise them instead of
their context: that 6/10 is a pain score, and 6/11 a date.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from types import MappingProxyType

from plainsight.lab.synth.noise import Noise, substitute
from plainsight.lab.synth.pieces import Piece, Pieces
from plainsight.lists import load
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.calendar import load_calendar
from plainsight.locale.date_grammar import Values, parse_date
from plainsight.replace.surrogate.names.census import given_bearers, surname_bearers
from plainsight.text.vocabulary import Is, vocabulary

# --- dates ------------------------------------------------------------------------------------------------

_CALENDAR = load_calendar(DEFAULT_LOCALE)
_MONTHS = _CALENDAR.month_names[_CALENDAR.language]
_WITH_YEAR = (
    "{m}/{d}/{yy:02}", "{m:02}/{d:02}/{y}", "{m}/{d}/{y}", "{m}-{d}-{yy:02}", "{m:02}-{d:02}-{y}",
    "{y}-{m:02}-{d:02}", "{y}/{m:02}/{d:02}", "{y}{m:02}{d:02}", "{d:02}.{m:02}.{y}", "{d}/{m}/{y}",
    "{month} {d}, {y}", "{mon} {d}, {y}", "{month} {d}{th}, {y}", "{d} {month} {y}", "{d:02}-{mon}-{y}",
    "{d:02}{MON}{yy:02}", "{d:02} {MON} {y}", "{mon} {d} '{yy:02}",
)  # fmt: skip
_WITHOUT_YEAR = ("{m}/{d}", "{m:02}/{d:02}", "{m}-{d}", "{mon} {d}", "{month} {d}{th}", "{d} {mon}")


def _dates(pieces: Pieces, random: Random) -> Pieces:
    """Write the dates of a note in one other way, or each in its own."""
    full, short = random.choice(_WITH_YEAR), random.choice(_WITHOUT_YEAR)
    each = random.random() < 0.2
    made: Pieces = []
    for piece in pieces:
        date = _read(piece.text) if piece.label == "DATE" else None
        if date is None:
            made.append(piece)
            continue
        if each:
            full, short = random.choice(_WITH_YEAR), random.choice(_WITHOUT_YEAR)
        made.append(Piece(_write(date, full if "year" in date else short), "DATE"))
    return made


def _read(text: str) -> Values | None:
    """Read a single date with a month and a day; the likeliest reading counts."""
    reading = next(iter(parse_date(text, _CALENDAR)), None)
    if reading is None or not {"month", "day"} <= reading.roles.keys() <= {"month", "day", "year"}:
        return None
    return reading.values(2030)[0] if reading.points == 1 else None


def _write(date: Values, style: str) -> str:
    month, day, year = _MONTHS[date["month"] - 1], date["day"], date.get("year", 0)
    return style.format(
        m=date["month"], d=day, y=year, yy=year % 100, month=month, mon=month[:3], MON=month[:3].upper(),
        th=_CALENDAR.ordinal_suffix(day),
    )  # fmt: skip


# --- phones and names -------------------------------------------------------------------------------------

_DIGIT = re.compile(r"\d")
_PLAIN_PHONE = re.compile(r"[\d() .+/-]+")
_PHONES = (
    "({0}) {1}-{2}", "({0}){1}-{2}", "{0}-{1}-{2}", "{0}.{1}.{2}", "{0} {1} {2}", "{0}{1}{2}", "{0}/{1}-{2}",
    "+1 {0} {1} {2}", "1-{0}-{1}-{2}", "{1}-{2}",
)  # fmt: skip
_PLAIN_NAME = re.compile(r"([A-Z][\w'’-]+)(?: ([A-Z])\.?)? ([A-Z][\w'’-]+)")
_NAMES = (
    "{first} {last}", "{first} {middle}. {last}", "{f}. {last}", "{f}.{middle}. {last}", "{first} {l}.",
    "{FIRST} {LAST}", "{f} {last}",
)  # fmt: skip
_LISTED = (
    *_NAMES, "{last}, {first}", "{last}, {first} {middle}", "{LAST}, {FIRST}", "{LAST},{FIRST} {middle}",
    "{LAST}, {first}", "{LAST}^{FIRST}^{middle}", "{LAST} {FIRST}",
)  # fmt: skip
_LIST_END = re.compile(r"(?:\A|[:\n\t|]|  )[ \t]*\Z")


def _phones(pieces: Pieces, random: Random) -> Pieces:
    """Write the phones of a note in one other way."""
    style = random.choice(_PHONES)
    made: Pieces = []
    for text, label in pieces:
        if label in ("PHONE", "FAX") and _PLAIN_PHONE.fullmatch(text):
            digits = "".join(_DIGIT.findall(text))
            if len(digits) == 10:
                text = style.format(digits[:3], digits[3:6], digits[6:])
        made.append(Piece(text, label))
    return made


def _names(pieces: Pieces, random: Random) -> Pieces:
    """Write some full names another way; surname first only where a form or a list has them."""
    share = random.choice((0.3, 0.7, 1.0))
    running, listed = random.choice(_NAMES), random.choice(_LISTED)
    made: Pieces = []
    for text, label in pieces:
        renamed = label in ("PATIENT", "DOCTOR") and random.random() < share
        if renamed and (hit := _PLAIN_NAME.fullmatch(text)):
            alone = not made or (not made[-1].label and _LIST_END.search(made[-1].text[-12:]))
            middle = hit[2] or random.choice("ABCDEFGHJKLMNPRSTW")
            first, last = hit[1], hit[3]
            forms = {"first": first, "last": last, "middle": middle, "f": first[0], "l": last[0]}
            text = (listed if alone else running).format(FIRST=first.upper(), LAST=last.upper(), **forms)
        made.append(Piece(text, label))
    return made


# --- unusual names, and the commonest ---------------------------------------------------------------------

_WORD = re.compile(r"[^\W\d_]{3,}")
_SYLLABLE = re.compile(r"[^aeiouy]*[aeiouy]+(?:[^aeiouy]+\Z)?")
_PARTICLES = frozenset({"von", "van", "der", "den", "del", "dela", "bin", "ibn", "jr", "sr", "iii"})
_FREQUENT = 20_000  # surnames before this place are not rare
_COMMONEST = 250  # given names, and as many surnames


def _renamed(
    draw: Callable[[str, Random], str], shares: tuple[float, ...]
) -> Callable[[Pieces, Random], Pieces]:
    """Return a kind of noise that gives some people of a note the names that ``draw`` returns for theirs."""

    def apply(pieces: Pieces, random: Random) -> Pieces:
        share = random.choice(shares)
        known: dict[str, str] = {}

        def change(match: re.Match[str]) -> str:
            word = match[0].lower()
            if word not in known:
                kept = random.random() > share or word in _PARTICLES
                known[word] = word if kept else draw(word, random)
            made = known[word]
            return made.upper() if match[0].isupper() else made if match[0].islower() else made.capitalize()

        return [
            Piece(_WORD.sub(change, piece.text), piece.label)
            if piece.label in ("PATIENT", "DOCTOR")
            else piece
            for piece in pieces
        ]

    return apply


def _common(name: str, random: Random) -> str:
    """Return one of the commonest given names for a given name, or one of the commonest surnames."""
    given = given_bearers(name) > surname_bearers(name)
    return random.choice(load("first_names" if given else "surnames")["name"][:_COMMONEST])


def _unusual(_: str, random: Random) -> str:
    rare, words = _surnames()
    kind = random.random()
    if kind < 0.35:
        return random.choice(rare)
    if kind < 0.55:
        return random.choice(words)
    one, two = (_SYLLABLE.findall(random.choice(rare)) for _ in range(2))
    made = "".join((*one[: max(1, len(one) // 2)], *two[len(two) // 2 :]))
    return made if 3 <= len(made) <= 14 else random.choice(rare)


@cache
def _surnames() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return rare surnames, and surnames that are ordinary words as well."""
    surnames = load("surnames")["name"]
    flags = vocabulary()
    words = tuple(name for name in surnames[:_FREQUENT] if flags.get(name.encode(), 0) & (Is.WORD | Is.MIXED))
    return surnames[_FREQUENT:], words


# --- numbers ----------------------------------------------------------------------------------------------

# Neither in a word (q4h, B12), nor behind one (Ki-67), nor with a sign that makes it part of a code.
_NUMBER = re.compile(
    r"(?<![\w^*\\:])(?<!\w[-.,/])"
    r"(?:(\d{1,3})([/-])(\d{1,3})|(\d{1,3})\.(\d{1,2})|(\d{1,4}))"
    r"(?![\w^:]|[-.,/]\w)"
)
_TOTALS = (3, 4, 5, 6, 7, 10, 12, 14, 15, 20, 21, 24, 27, 28, 30)  # of scores
_OTHER_TOTAL = 0.3


def _other(match: re.Match[str], random: Random) -> str:
    """Return another number of the same size and format."""
    first, sign, second, whole, part, alone = match.groups()
    if alone:
        return _hour(random) if _is_hour(alone) else _alike(alone, random)
    if whole:
        return f"{_alike(whole, random)}.{''.join(random.choice('0123456789') for _ in part)}"
    if sign == "/" and int(first) <= int(second):  # a score
        total = random.choice(_TOTALS) if random.random() < _OTHER_TOTAL else int(second)
        return f"{random.randint(0, total)}/{total}"
    return f"{_alike(first, random)}{sign}{_alike(second, random)}"


def _alike(number: str, random: Random) -> str:
    """Return another number with as many digits, the first of which is 0 only if it was."""
    if number[0] == "0":
        return "0" + "".join(random.choice("0123456789") for _ in number[1:])
    return str(random.randint(10 ** (len(number) - 1), 10 ** len(number) - 1))


def _is_hour(number: str) -> bool:
    """Tell whether a number is a clock time rather than an amount, which is mostly round."""
    clock = len(number) == 4 and int(number[:2]) < 24 and int(number[2:]) < 60
    return clock and (number[0] == "0" or number[2:] != "00")


def _hour(random: Random) -> str:
    return f"{random.randrange(24):02}{random.randrange(60):02}"


NEW: Mapping[str, Noise] = MappingProxyType(
    {
        "common-names": Noise(_renamed(_common, (0.5, 1.0)), 5.0),
        "unusual-names": Noise(_renamed(_unusual, (0.3, 0.6, 1.0))),
        "other-numbers": Noise(substitute(_NUMBER, (0.3, 0.7, 1.0), _other, identifiers=False), 5.0),
    }
)
"""Other names and numbers, by kind."""

STYLES: Mapping[str, Noise] = MappingProxyType(
    {"dates": Noise(_dates, 2.0), "phones": Noise(_phones, 2.0), "names": Noise(_names)}
)
"""Other ways of writing identifiers, by kind."""
