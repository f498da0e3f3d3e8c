"""Phone and fax numbers: read the digits out of a text, write never-assigned ones into their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from plainsight.locale import default_locale
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.scope import Mention, Scope, assign
from plainsight.replace.surrogate.shape import alphabets, another, cased, permute, scramble, sounds

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

PhoneStyle = Literal["fictional", "area"]
_EXCHANGES = tuple(f"{number:03}" for number in range(200, 1000) if number % 100 != 11)
_FICTIONAL_TURNS = 8  # after these the hundred fictional numbers are taken for used up
_SHORTEST_TAIL = 4
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

    The parts of a number are mapped apart, so that forms agree without a table: an area code always becomes
    the same other one, and the seven digits after it do not depend on it.
    """

    def __init__(self, scope: Scope, *, area_code: Callable[[str], str | None], style: PhoneStyle) -> None:
        self._scope = scope
        self._keyed = scope.keyed.child("phones")
        self._area_code = area_code
        self._style = style

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention."""
        texts = [read(mention.text) for mention in mentions]
        made = self._made({phone for numbers in texts for phone, _ in numbers})
        return [
            self._written(mention.text, numbers, made) if numbers else scramble(self._keyed, mention.text)
            for mention, numbers in zip(mentions, texts, strict=True)
        ]

    def _written(self, text: str, numbers: Sequence[tuple[Phone, Places]], made: Mapping[Phone, str]) -> str:
        """Return a text with other digits; words that a number should not hold may be names, and change."""

        def between(part: str) -> str:
            keep = _KEPT_WORDS.__contains__
            return _WORD.sub(lambda w: w[0] if keep(w[0].lower()) else scramble(self._keyed, w[0]), part)

        pieces, last = [], 0
        for phone, places in numbers:
            for (start, end), digit in zip(places, made[phone], strict=True):
                pieces += [between(text[last:start]), _styled(digit, text[start:end], text)]
                last = end
        return "".join((*pieces, between(text[last:])))

    def _made(self, phones: set[Phone]) -> dict[Phone, str]:
        """Return the digits of each surrogate: whole numbers first, then what may be parts of them."""
        made = self._assigned({phone for phone in phones if phone.kind not in ("local", "short")})
        for kind in ("local", "short"):
            made |= self._parts({phone for phone in phones if phone.kind == kind}, made)
        return made

    def _parts(self, parts: set[Phone], whole: Mapping[Phone, str]) -> dict[Phone, str]:
        """Return the surrogates of numbers that may be the last digits of whole ones."""
        if not parts:
            return {}
        longer = sorted(whole, key=lambda phone: (len(phone.digits), phone))
        made = {}
        for part in sorted(parts):
            size = len(part.digits)
            ends = (whole[phone][-size:] for phone in longer if phone.digits.endswith(part.digits))
            tail = next(ends, "") if size >= _SHORTEST_TAIL else ""
            if tail and tail != part.digits:
                made[part] = tail
        return made | self._assigned(parts - made.keys())

    def _assigned(self, phones: set[Phone]) -> dict[Phone, str]:
        return assign(phones, self._candidate, refused=lambda phone, made: made == phone.digits)

    def _candidate(self, phone: Phone, turn: int) -> str:
        if phone.kind == "us":
            return self._area(phone.digits[:3]) + self._local(phone.digits[3:], turn)
        if phone.kind == "local":
            return self._local(phone.digits, turn)
        if phone.kind == "vanity":
            rest = phone.digits[3:]
            return self._area(phone.digits[:3]) + permute(self._keyed, rest, sounds(rest), turn)
        for start, fictional in default_locale().table("phones")["fictional"].get(phone.kind, {}).items():
            left = len(phone.digits) - len(fictional)
            if left > 1 and phone.digits.startswith(start):
                return f"{fictional}{another(self._keyed, int(phone.digits[-left:]), 10**left, turn):0{left}}"
        kinds = alphabets(phone.digits)
        if phone.kind not in ("short", "other"):
            kinds[0] = ""  # it separates mobile numbers from land lines
        return permute(self._keyed, phone.digits, kinds, turn)

    def _area(self, code: str) -> str:
        pool = _TOLL_FREE if code in _TOLL_FREE else _AREA_CODES
        place = pool.index(code) if code in pool else 0
        step = 1 + self._keyed.number(f"area {code}", len(pool) - 1)
        return self._area_code(code) or pool[(place + step) % len(pool)]

    def _local(self, digits: str, turn: int) -> str:
        """Return the seven digits that take the place of seven."""
        head, tail = digits[:5], int(digits[5:])
        if self._style == "area":
            known, size = head[:3] in _EXCHANGES, len(_EXCHANGES)
            place = _EXCHANGES.index(head[:3]) if known else self._keyed.number(head[:3], size)
            line = another(self._keyed, int(digits[3:]), 10_000, turn)
            return f"{_EXCHANGES[another(self._keyed, place, size)]}{line:04}"
        if turn < _FICTIONAL_TURNS:
            # Each head has permutations of its own: numbers that share it never meet.
            return f"55501{self._keyed.child(head).follower(tail, 100, turn):02}"
        return f"555{self._keyed.permute(int(digits[3:]), 10_000, turn):04}"
