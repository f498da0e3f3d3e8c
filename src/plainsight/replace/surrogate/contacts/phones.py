"""Phone and fax numbers: read the digits out of a text, write others into their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from plainsight.locale import default_locale
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.digits import deranged
from plainsight.replace.surrogate.numbers import Ranges
from plainsight.replace.surrogate.scope import Mention, Scope
from plainsight.replace.surrogate.shape import cased

_DIGIT_WORDS = default_locale().words("phones", "digits")
_KEPT_WORDS = frozenset(default_locale().words("phones", "kept_words"))
_SPOKEN = re.compile(rf"\b(?:{'|'.join(_DIGIT_WORDS)}|oh)\b", re.IGNORECASE)
_EXTENSION = re.compile(
    r"[\s,;(]*(?:\b(?:x|ext?n?\.?|extension|opt(?:ion)?\.?)|#)\s*[:.#]?\s*(\d[\d-]*)\W*$", re.IGNORECASE
)
_VANITY = re.compile(r"1?([2-9]\d\d[\dA-Z]{7,10})")
_LIKE_DIGITS = {"O": "0", "o": "0", "l": "1", "I": "1"}
_ABROAD = re.compile(r"\s*\(?\s*(?:\+|00[1-9]|011[-.\s])")
_COUNTRY_CODES = re.compile(r"(?:011|00)?(7|20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})")
_WORD = re.compile(r"[^\W\d_]{3,}")
_COUNTRIES = {"44": "uk", "61": "australia"}

Places = tuple[tuple[int, int], ...]
"""Where the digits of a number stand."""

_FICTIONAL = "555"
_NO_EXCHANGES = frozenset(("555", "950", "958", "959", "976", *(f"{first}11" for first in range(2, 10))))
_LINE = 4
_AREA_CODES = default_locale().words("phones", "area_codes")
_TOLL_FREE = default_locale().words("phones", "toll_free")


class Phone(NamedTuple):
    """A number: its kind and the digits that change, without those that stay (country, trunk)."""

    kind: str  # us (10 digits), local (7), vanity, uk, australia, abroad, short, other
    digits: str


def _styled(digit: str, old: str, text: str) -> str:
    """Return a digit as the old one was written: as a word, or mistaken for a letter."""
    if len(old) == 1:
        return old if _LIKE_DIGITS.get(old) == digit else digit
    word = "oh" if digit == "0" and re.search(r"\boh\b", text, re.IGNORECASE) else _DIGIT_WORDS[int(digit)]
    return cased(word, old)


@note_cache(4096)
def read(text: str) -> tuple[tuple[Phone, Places], ...]:
    """Read the numbers in a text: a main number and perhaps an extension.

    >>> [phone.digits for phone, _ in read("1 (901) 555-0142 ext 12")]
    ['9015550142', '12']
    """
    extension = _EXTENSION.search(text)
    found = [_main_number(text[: extension.start()] if extension else text)]
    if extension:
        spots = [place for place in range(*extension.span(1)) if text[place] != "-"]
        digits = "".join(text[place] for place in spots)
        found.append((Phone("short", digits), tuple((place, place + 1) for place in spots)))
    return tuple(number for number in found if number)


def _main_number(text: str) -> tuple[Phone, Places] | None:
    """Return the number in a text, in digits, letters or words, and the places of what changes."""
    signs = [place for place, sign in enumerate(text) if sign.isascii() and sign.isalnum()]
    letters = [place for place in signs if not text[place].isdigit()]
    digits = "".join(text[place] for place in signs)
    places = [(place, place + 1) for place in signs]
    if len(letters) == len(signs):
        places = [found.span() for found in _SPOKEN.finditer(text)]
        words = (text[start:end].lower() for start, end in places)
        digits = "".join("0" if word == "oh" else str(_DIGIT_WORDS.index(word)) for word in words)
    elif all(text[place] in _LIKE_DIGITS for place in letters):
        digits = "".join(_LIKE_DIGITS.get(sign, sign) for sign in digits)
    elif not (len(letters) > 2 and _VANITY.fullmatch(digits)):
        places = [(place, place + 1) for place in signs if text[place].isdigit()]
        digits = "".join(text[start:end] for start, end in places)
    if not digits:
        return None
    kind, stay = _kind(digits, text)
    return Phone(kind, digits[stay:]), tuple(places[stay:])


def _kind(digits: str, text: str) -> tuple[str, int]:
    """Return the kind of a number and how many of its first digits stay."""
    size = len(digits)
    abroad = bool(_ABROAD.match(text)) and size > 7
    if not digits.isdecimal():
        return "vanity", int(digits[0] == "1")
    if size == 11 and digits[0] == "1":
        return "us", 1
    if abroad and (found := _COUNTRY_CODES.match(digits)):
        stay = found.end()
        stay += digits[stay : stay + 1] == "0" and size - stay > 6  # the trunk prefix in +44 (0)20
        return _COUNTRIES.get(found[1], "abroad"), stay
    if size == 10 and digits[0] >= "2":
        return "us", 0
    if size == 7:
        return "local", 0
    if digits[0] == "0" and 9 <= size <= 12:
        british = size == 11 and digits[1] in "1237"
        australian = size == 10 and digits[1] in "23478"
        return ("uk" if british else "australia" if australian else "abroad"), 1
    return ("short" if size < 7 else "other"), 0


class Phones:
    """Make the surrogates of the phone and fax numbers in one scope.

    The parts of a number are mapped apart, each by itself: an area code becomes one of the towns that stand
    for its own, an exchange another exchange, the last four digits others. So a number without its area code
    and the end of a number agree with the whole one. With ``ranges`` of ``plausible`` a number looks like any
    other, and may be somebody's; ``fictional`` ones (555-01xx) are nobody's.
    """

    def __init__(
        self, scope: Scope, *, area_code: Callable[[str], str | None], ranges: Ranges = "plausible"
    ) -> None:
        self._keyed = scope.keyed.child("phones")
        self._area_code = area_code
        self._fictional = ranges == "fictional"

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention; "" for one without a number or with other words in it."""
        return [self._written(mention.text) for mention in mentions]

    def _written(self, text: str) -> str:
        pieces, last = [], 0
        for phone, places in read(text):
            for (start, end), digit in zip(places, self._made(phone), strict=True):
                pieces += [text[last:start], _styled(digit, text[start:end], text)]
                last = end
        pieces.append(text[last:])
        between = (word.lower() for piece in pieces[::2] for word in _WORD.findall(piece))
        return "".join(pieces) if last and all(word in _KEPT_WORDS for word in between) else ""

    def _made(self, phone: Phone) -> str:
        """Return the digits that take the place of a number's."""
        digits = phone.digits
        if phone.kind == "us":
            return self._area(digits[:3]) + self._local(digits[3:])
        if phone.kind == "local":
            return self._local(digits)
        if phone.kind == "vanity":
            return self._area(digits[:3]) + self._vanity(digits[3:])
        if phone.kind == "short":
            return self._short(digits)
        ranges = default_locale().table("phones")["fictional"].get(phone.kind, {})
        for start, fictional in ranges.items() if self._fictional else ():
            left = len(digits) - len(fictional)
            if left > 1 and digits.startswith(start):
                return str(fictional) + deranged(self._keyed, digits[-left:])
        kept = phone.kind != "other"  # the first digit separates mobile numbers from land lines
        return digits[:kept] + deranged(self._keyed, digits[kept:])

    def _short(self, digits: str) -> str:
        """Return an extension, or the last digits of a number."""
        if len(digits) == _LINE:
            return self._line(digits)
        if len(digits) == _LINE + 1:  # 3-4567, in a house with one exchange
            first = digits[0] if digits.startswith("501") else self._last(digits[0])
            return first + self._line(digits[1:])
        return deranged(self._keyed, digits)

    def _area(self, code: str) -> str:
        if code in _TOLL_FREE:
            return _TOLL_FREE[self._keyed.permute(_TOLL_FREE.index(code), len(_TOLL_FREE))]
        return self._area_code(code) or _AREA_CODES[self._keyed.number(f"area {code}", len(_AREA_CODES))]

    def _local(self, digits: str) -> str:
        """Return the seven digits that take the place of seven; what is fictional stays so."""
        exchange, line = digits[:3], digits[3:]
        if self._fictional:
            # Each head has a permutation of its own: numbers that share it never meet.
            return f"55501{self._keyed.child(digits[:5]).follower(int(digits[5:]), 100):02}"
        return self._exchange(exchange) + self._line(line)

    def _exchange(self, exchange: str) -> str:
        """Return the exchange that takes the place of one; its last digit depends on that digit alone."""
        if exchange == _FICTIONAL:
            return exchange
        start = made = exchange if exchange[0] in "23456789" else f"2{exchange[1:]}"
        while made == start or made in _NO_EXCHANGES:
            first = 20 + self._keyed.permute(int(made[:2]) - 20, 80)
            made = f"{first}{self._last(made[2])}"
            if made == start:
                break  # its cycle holds nothing else that is allowed, so it becomes itself
        return made

    def _last(self, digit: str) -> str:
        return str(self._keyed.permute(int(digit), 10))

    def _line(self, line: str) -> str:
        """Return the last four digits that take the place of four; only 01xx becomes 01xx."""
        last = f"{self._keyed.follower(int(line[2:]), 100):02}"
        first = int(line[:2])
        if first == 1:
            return f"01{last}"
        others = (first - (first > 1) + self._keyed.number(f"line {line[2:]}", 99)) % 99
        return f"{others + (others > 0):02}{last}"

    def _vanity(self, rest: str) -> str:
        """Return other digits, and words that can be read for the letters."""
        letters = "".join(filter(str.isalpha, rest))
        words = _words_of(len(letters))
        made = iter(words[self._keyed.number(f"vanity {letters}", len(words))] if words else ())
        digits = iter(deranged(self._keyed, "".join(filter(str.isdecimal, rest)) or "0"))
        key = self._keyed.number
        return "".join(
            next(digits) if sign.isdecimal() else next(made, "") or str(key(f"key {rest} {place}", 10))
            for place, sign in enumerate(rest)
        )


@cache
def _words_of(length: int) -> tuple[str, ...]:
    """Return words, or pairs of words, of so many letters in capitals."""
    first, second = (default_locale().words("numbers", half) for half in ("first_halves", "second_halves"))
    single = (word for word in (*first, *second) if len(word) == length)
    pairs = (one + other for one in first for other in second if len(one) + len(other) == length)
    return tuple(sorted({word.upper() for word in (*single, *pairs)}))
