"""Cut a written date into tokens. Their letters are the signature of the date, which `date_grammar` matches.

| letter | token | | letter | token |
|---|---|---|---|---|
| N | one or two digits, or such a number in words | | M | a month's name |
| B | a part left blank: ``00``, ``XX``, ``??`` | | W | a weekday's name |
| A | ``'08``, the 08 of ``FY08`` | | w | a weekday's letter: the M of MWF |
| Y | a year of four digits, or in words | | S | a season |
| 4 6 8 L | other digits: four, six, eight, twelve or fourteen | | Q | a quarter of a year: Q3 |
| o | ``st``, ``nd``, ``rd``, ``th`` | | D | a decade in words |
| p | the s of ``1990s`` | | q | early, mid, late, end |
| x | anything else | | - = & / . _ | a joint: hyphen, spaced hyphen, "to", slash, dot, the rest |
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from plainsight.locale.calendar import Calendar, fold
from plainsight.note_cache import note_cache

JOINTS = "-=&/._"
_YEARS = range(1850, 2200)
_TOKEN = r"""
      (?P<time>(?:T|(?<![^\W_]))(?:\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?!\d)|\d{4}\s?(?:hrs|hours|h)\b|(?<=T)\d{4}(?:\d\d)?|(?<![/.-])(?:1[0-2]|0?[1-9])(?=\s?[AaPp]\.?[Mm]\b))
         (?:\s?[AaPp]\.?[Mm]\b\.?)?(?:Z|[+-]\d\d:?\d\d)?)
    | (?P<quarter>(?<![^\W\d_])[Qq][1-4](?:(?=[Ff][Yy])|(?![^\W_]))|(?<![^\W_])[1-4][Qq](?![^\W\d_]))
    | (?P<blank>(?<![^\W_])(?:[Xx?]{1,2}|00)(?=\s?[-/.])|(?<=[-/.])[Xx?]{1,2}(?![^\W_]))
    | (?P<short>['’‘`´]\d\d(?!\d)|(?:(?<=[AFS]Y)|(?<=[AFS]Y\ ))\d\d(?!\d))
    | (?P<digits>[0-9]+)
    | (?P<foreign>\d)
    | (?P<plural>(?<=\d)['’‘`´]?[sS](?![^\W\d_]))
    | (?P<ordinal>(?<=\d)(?:(?i:SUFFIX)|º|ª)(?![^\W\d_]))
    | (?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)
    | (?P<joint>.)
"""
_ROMAN = {word: n for n, word in enumerate("I II III IV V VI VII VIII IX X XI XII".split(), start=1)}  # noqa: SIM905
_LENGTHS = {1: "N", 2: "N", 4: "4", 6: "6", 8: "8", 12: "L", 14: "L"}
_LETTERS = {"time": "_", "blank": "B", "plural": "p", "ordinal": "o", "joint": "j", "foreign": "x"}


class Token(NamedTuple):
    """A piece of a date: its letter in the signature, its text and its value."""

    kind: str
    text: str
    value: int = 0

    def __repr__(self) -> str:
        return f"Token({self.kind})"  # never the text


@cache
def _pattern(calendar: Calendar) -> re.Pattern[str]:
    return re.compile(_TOKEN.replace("SUFFIX", "|".join(calendar.ordinal_suffixes)), re.VERBOSE | re.DOTALL)


def tokenise(text: str, calendar: Calendar) -> list[Token]:
    """Return the tokens of a date; joined, their texts are the text."""
    tokens: list[Token] = []
    for match in _pattern(calendar).finditer(text):
        kind, piece = str(match.lastgroup), match[0]
        if kind == "digits":
            value, letter = int(piece[:15]), _LENGTHS.get(len(piece), "x")
            tokens.append(Token("Y" if letter == "4" and value in _YEARS else letter, piece, value))
        elif kind == "short":
            tokens.append(Token("A", piece, int(piece[-2:])))
        elif kind == "quarter":
            tokens.append(Token("Q", piece, int(piece.strip("Qq")) - 1))
        elif kind != "word":
            tokens.append(Token(_LETTERS[kind], piece))
        elif piece in _ROMAN and _is_numeral(text[: match.start()][-1:], text[match.end() :][:1]):
            tokens.append(Token("M", piece, _ROMAN[piece]))
        else:
            tokens += _word(piece, calendar)
    return _join(_join_numbers(tokens))


def _is_numeral(before: str, after: str) -> bool:
    """Whether a Roman numeral between these characters is a month."""
    return bool(before and after) and before in "./- " and after in "./- "


@note_cache(4096)
def _word(word: str, calendar: Calendar) -> tuple[Token, ...]:
    folded = fold(word)
    if folded in calendar.fillers:
        return (Token("j", word),)
    if folded in calendar.until:
        return (Token("&", word),)
    if (month := calendar.month_of(word)) is not None:
        return (Token("M", word, month),)
    if (weekday := calendar.weekday_of(word)) is not None:
        return (Token("w" if len(folded) < 3 else "W", word, weekday),)
    if (season := calendar.season_of(word)) is not None:
        return (Token("S", word, season),)
    if (third := calendar.third_of(word)) is not None:
        return (Token("q", word, third),)
    if folded in calendar.number_words:
        return (Token("n", word, calendar.number_words[folded]),)
    if folded in calendar.decade_names:
        return (Token("D", word, 10 * calendar.decade_names.index(folded) + 20),)
    return _weekday_letters(word, calendar.weekday_letters) or (Token("x", word),)


def _weekday_letters(word: str, days: dict[str, int]) -> tuple[Token, ...]:
    """Read MWF, TThS and so on: a second T is a Thursday, a second or leading S a Sunday."""
    letters = re.findall("|".join(sorted(days, key=len, reverse=True)), word, re.IGNORECASE) if days else []
    if "".join(letters) != word:
        return ()
    tokens: list[Token] = []
    for letter in letters:
        day, previous = days[letter.lower()], tokens[-1].value if tokens else None
        if letter in "Tt" and previous == 1:
            day = 3
        if letter in "Ss" and (previous == 5 or (previous is None and len(letters) > 2)):
            day = 6
        tokens.append(Token("w", letter, day))
    return tuple(tokens)


def _join_numbers(tokens: list[Token]) -> list[Token]:
    """Join number words: ``twenty`` ``second`` is 22, ``nineteen`` ``fifty`` is a year."""
    joined: list[Token] = []
    numbers = place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.kind != "n":
            joined.append(token)
            numbers *= token.text == " "
            place += 1
            continue
        words = [token.value]
        end = place + 1
        ends = [end]
        while end < len(tokens) - 1:
            # one sign between two words, or "and" after a thousand
            end += 3 if words[-1] == 1000 and tokens[end + 1].text.lower() == "and" else 1
            if end >= len(tokens) or tokens[end].kind != "n" or tokens[end - 1].text not in (" ", "-"):
                break
            words.append(tokens[end].value)
            end += 1
            ends.append(end)
        value, used = _number(words, year=numbers != 1)
        end = ends[used - 1]
        text = "".join(part.text for part in tokens[place:end])
        joined.append(Token("Y" if value in _YEARS else "N" if value < 100 else "x", text, value))
        numbers += 1
        place = end
    return joined


def _number(words: list[int], *, year: bool) -> tuple[int, int]:
    """Return the number that the first words make, and how many words it takes."""
    first, *rest = words
    if first == 2 and rest[:1] == [1000]:
        value, used = _number(rest[1:], year=False) if rest[1:] else (0, 0)
        return 2000 + value, 2 + used
    if year and first in (18, 19, 20) and rest and (rest[0] >= 10 or rest[0] == 0):
        if rest[0] == 100:
            return 100 * first, 2
        if rest[0] == 0 and len(rest) > 1:
            return 100 * first + rest[1], 3
        value, used = _number(rest, year=False)
        return 100 * first + value, 1 + used
    if 20 <= first < 100 and first % 10 == 0 and rest and 0 < rest[0] < 10:
        return first + rest[0], 2
    return first, 1


def _join(tokens: list[Token]) -> list[Token]:
    """Merge everything between two parts into one joint, and a full stop into its abbreviation."""
    joined: list[Token] = []
    for token in tokens:
        last = joined[-1] if joined else Token("", "")
        if token.kind != "j" and token.kind not in JOINTS:
            joined.append(token)
        elif (
            token.text == "."
            and last.kind in ("M", "W")
            and "." not in "".join(t.text for t in joined[-2:-1])
        ):
            joined[-1] = last._replace(text=last.text + ".")
        elif last.kind and last.kind in JOINTS:
            text = last.text + token.text
            joined[-1] = Token(_joint(text, "&" in (last.kind, token.kind)), text)
        else:
            joined.append(Token(_joint(token.text, token.kind == "&"), token.text))
    return joined


def _joint(text: str, until: bool) -> str:
    if any(sign in text for sign in "/~\\|"):
        return "/"
    bare = text.strip()
    after_stop = text.removeprefix(".") if len(bare) > 1 else text  # 4.-6.3.2019
    if after_stop.strip() in ("-", "–", "—", "‐", "‑", "−", "--"):
        return "=" if after_stop[0].isspace() and after_stop[-1].isspace() else "-"
    if until or "&" in text or "+" in text:
        return "&"
    return "." if bare in (".", "·") else "_"
