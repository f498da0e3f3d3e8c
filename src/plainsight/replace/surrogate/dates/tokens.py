"""Cut a date into tokens and write down its signature, one letter for each, that `parse` matches.

| letter | token | | letter | token |
|---|---|---|---|---|
| N | one or two digits, or such a number in words | | M | a month's name |
| B | a part left blank: ``00``, ``XX``, ``??`` | | W | a weekday's name |
| A | ``'08`` | | w | a weekday's letter: the M of MWF |
| Y | a year of four digits, or in words | | S | a season |
| 4 6 8 L | other digits: four, six, eight, twelve or fourteen | | Q | a quarter of a year: Q3 |
| o | ``st``, ``nd``, ``rd``, ``th`` | | D | a decade in words |
| p | the s of ``1990s`` | | q | early, mid, late, end |
| x | anything else | | - = & / . _ | what joins them: hyphen, spaced hyphen, "to", slash, dot, the rest |
"""

# ruff: noqa: SIM905 - a list of words is read more easily as words

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.dates.calendar_words import (
    FILLERS,
    UNTIL,
    fold,
    month_of,
    season_of,
    third_of,
    weekday_of,
)
from plainsight.replace.surrogate.dates.number_words import number_words

__all__ = ["JOINTS", "Token", "tokenise"]

JOINTS = "-=&/._"
_YEARS = range(1850, 2200)
_APOSTROPHE = "['’‘`´]"
_TOKEN = re.compile(
    rf"""
      (?P<time>(?:T|(?<![^\W_]))(?:\d{{1,2}}:\d\d(?::\d\d(?:[.,]\d+)?)?(?!\d)|\d{{4}}\s?(?:hrs|hours|h)\b|(?<=T)\d{{4}}(?:\d\d)?|\d{{1,2}}(?=\s?[AaPp]\.?[Mm]\b))
         (?:\s?[AaPp]\.?[Mm]\b\.?)?(?:Z|[+-]\d\d:?\d\d)?)
    | (?P<quarter>(?<![^\W\d_])[Qq][1-4](?![^\W_])|(?<![^\W_])[1-4][Qq](?![^\W\d_]))
    | (?P<blank>(?<![^\W_])(?:[Xx?]{{1,2}}|00)(?=\s?[-/.])|(?<=[-/.])[Xx?]{{1,2}}(?![^\W_]))
    | (?P<short>{_APOSTROPHE}\d\d(?!\d))
    | (?P<digits>[0-9]+)
    | (?P<foreign>\d)
    | (?P<plural>(?<=\d){_APOSTROPHE}?[sS](?![^\W\d_]))
    | (?P<ordinal>(?<=\d)(?:st|nd|rd|th|ST|ND|RD|TH|St|Nd|Rd|Th|º|ª)(?![^\W\d_]))
    | (?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)
    | (?P<joint>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_NUMBERS = re.compile(r"(?!00[-/.])[0-9]+([-/.])(?!00[-/.])[0-9]+(?:\1[0-9]+)?")  # 00 may be a blank
_PARTS = re.compile("[0-9]+|[-/.]")
_LETTERS = re.compile(r"(?:tu|th|sa|su|[mtwrfs])+", re.IGNORECASE)
_LETTER = re.compile(r"tu|th|sa|su|[mtwrfs]", re.IGNORECASE)
_LETTER_DAYS = {"m": 0, "t": 1, "tu": 1, "w": 2, "th": 3, "r": 3, "f": 4, "s": 5, "sa": 5, "su": 6}
_ROMAN = {word: n for n, word in enumerate("I II III IV V VI VII VIII IX X XI XII".split(), start=1)}
_TENS = "twenties thirties forties fifties sixties seventies eighties nineties".split()
_DECADES = {word: 10 * n for n, word in enumerate(_TENS, start=2)}
_LENGTHS = {1: "N", 2: "N", 4: "4", 6: "6", 8: "8", 12: "L", 14: "L"}


class Token(NamedTuple):
    """A piece of a date: its letter in the signature, its text and what it says."""

    kind: str
    text: str
    value: int = 0

    def __repr__(self) -> str:
        return f"Token({self.kind})"  # never the text


_JOINED_BY = {joint: Token(joint, joint) for joint in "-/."}
_LETTER_OF = {"time": "_", "blank": "B", "plural": "p", "ordinal": "o", "joint": "j", "foreign": "x"}


def tokenise(text: str) -> list[Token]:
    """Return the tokens of a date; together their texts are the text."""
    if numbers := _NUMBERS.fullmatch(text):  # 3/14/2019: half of all dates
        joint = _JOINED_BY[numbers[1]]
        return [joint if part == joint.text else _digits(part) for part in _PARTS.findall(text)]
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        tokens += _read(match, text)
    if "n" in [token.kind for token in tokens]:
        tokens = _spelled(tokens)
    return _joined(tokens)


def _read(match: re.Match[str], text: str) -> Sequence[Token]:
    kind, piece = str(match.lastgroup), match[0]
    if kind == "word":
        if piece in _ROMAN and _is_numeral(text[: match.start()], text[match.end() :]):
            return [Token("M", piece, _ROMAN[piece])]
        return _word(piece)
    return [_digits(piece) if kind == "digits" else _sign(kind, piece)]


def _is_numeral(before: str, after: str) -> bool:
    """Whether letters between these are a month in Roman numerals."""
    return bool(before and after) and {before[-1], after[0]} <= set("./- ")


@note_cache(16_384)
def _sign(kind: str, piece: str) -> Token:
    if kind == "short":
        return Token("A", piece, int(piece[1:]))
    if kind == "quarter":
        return Token("Q", piece, int(piece.lower().strip("q")) - 1)
    return Token(_LETTER_OF[kind], piece)


@note_cache(16_384)
def _digits(piece: str) -> Token:
    value = int(piece) if len(piece) < 15 else 0
    letter = _LENGTHS.get(len(piece), "x")
    return Token("Y" if letter == "4" and value in _YEARS else letter, piece, value)


@note_cache(16_384)
def _word(word: str) -> tuple[Token, ...]:
    folded = fold(word)
    if folded in FILLERS:
        return (Token("j", word),)
    if folded in UNTIL:
        return (Token("&", word),)
    if (month := month_of(word)) is not None:
        return (Token("M", word, month),)
    if (weekday := weekday_of(word)) is not None:
        return (Token("w" if len(folded) < 3 else "W", word, weekday),)
    if (season := season_of(word)) is not None:
        return (Token("S", word, season),)
    if (third := third_of(word)) is not None:
        return (Token("q", word, third),)
    if folded in number_words():
        return (Token("n", word, number_words()[folded][0]),)
    if folded in _DECADES:
        return (Token("D", word, _DECADES[folded]),)
    if _LETTERS.fullmatch(word):
        return _weekday_letters(word)
    return (Token("x", word),)


def _weekday_letters(word: str) -> tuple[Token, ...]:
    """Read MWF, TThS and their like: the second T is a Thursday, the S at the end a Saturday."""
    letters = _LETTER.findall(word)
    tokens: list[Token] = []
    for place, letter in enumerate(letters):
        day = _LETTER_DAYS[letter.lower()]
        if letter in "Tt" and tokens and tokens[-1].value == 1:
            day = 3
        if letter in "Ss" and ((tokens and tokens[-1].value == 5) or (place == 0 and len(letters) > 2)):
            day = 6
        tokens.append(Token("w", letter, day))
    return tuple(tokens)


def _spelled(tokens: list[Token]) -> list[Token]:
    """Put number words together: ``twenty`` ``second`` is 22, ``nineteen`` ``fifty`` is a year."""
    made: list[Token] = []
    numbers = place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.kind != "n":
            made.append(token)
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
        made.append(Token("Y" if value in _YEARS else "N" if value < 100 else "x", text, value))
        numbers += 1
        place = end
    return made


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


def _joined(tokens: list[Token]) -> list[Token]:
    """Merge all that stands between two parts into one joint, and give an abbreviation its full stop."""
    made: list[Token] = []
    for token in tokens:
        last = made[-1] if made else None
        if token.kind not in "j" and token.kind not in JOINTS:
            made.append(token)
        elif token.text == "." and last and last.kind in "MW" and (len(made) < 2 or "." not in made[-2].text):
            made[-1] = last._replace(text=last.text + ".")
        elif last and last.kind in JOINTS:
            text = last.text + token.text
            made[-1] = Token(_joint(text, "&" in (last.kind, token.kind)), text)
        else:
            made.append(Token(_joint(token.text, token.kind == "&"), token.text))
    return made


def _joint(text: str, until: bool) -> str:
    if "/" in text or "~" in text or "\\" in text or "|" in text:
        return "/"
    bare = text.strip()
    if bare in ("-", "–", "—", "‐", "‑", "−", "--"):
        return "=" if text[0].isspace() and text[-1].isspace() else "-"
    if until or "&" in text or "+" in text:
        return "&"
    return "." if bare in (".", "·") else "_"
