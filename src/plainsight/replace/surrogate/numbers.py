"""Numbers: others of the same shape, for records, accounts, licences, devices and all that has no kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from plainsight.locale import default_locale
from plainsight.locale.number_kinds import NumberKind, number_kinds
from plainsight.replace.surrogate.digits import deranged
from plainsight.replace.surrogate.scope import Mention, Scope, folded
from plainsight.replace.surrogate.shape import alphabets, cased, permute, replace, sounds

_words = default_locale().words
_KIND_WORDS = frozenset(_words("numbers", "kind_words"))
_LETTERS = re.compile(r"(?<![^\W\d_])(?:s/n|m/v|f/v|mp4)(?![^\W\d_])|[^\W\d_]+", re.IGNORECASE)
_MASK = re.compile(r"[x*#•]{2,}(?=$|[\W\d_])", re.IGNORECASE)
_WORD = re.compile(r"(?<![^\W_])(?=[^\W\d_]*[a-z])[^\W\d_]{4,}(?![^\W_])")  # capitals alone may be a code
_CAPITALS = re.compile(r"(?<![^\W_])(?=[^\W\d_]*[AEIOUYaeiouy])[^\W\d_]{4,}(?![^\W_])")
_WORDS = {"VEHICLE": re.compile(r"(?<![^\W_])(?:[^\W\d_]{4,}|[^\W\d_]{2,}[a-z])(?![^\W_])")}
_LIKE_DIGITS = {"O": "0", "o": "0", "l": "1", "I": "1"}
_SSN = re.compile(r"\d{3}([-\s.])\d{2}\1\d{4}")
_MEDICARE = re.compile(r"\d{9}[A-Z]\d?")  # until 2019: the SSN of the earner and a letter
_TAIL_NUMBER = re.compile(r"N\d{1,5}[A-Z]{0,2}")
_RUNS = re.compile(r"\d+|\D+")
_NAMES = tuple(sorted({*_words("numbers", "first_halves"), *_words("numbers", "second_halves")}))
_DIGITS = "0123456789"
_SHORTEST_TAIL = 4
_SOCIAL = 9  # digits of a social security number
_CAN_BE_SOCIAL = re.compile(r"(?!000|666)[0-8]\d\d(?!00)\d{6}")
_ANY = re.compile(".*")
_TURNS = 256

Ranges = Literal["plausible", "fictional"]
"""Where numbers come from: ranges that are in use, or those that are given to nobody."""


class NumberText(NamedTuple):
    """What of a text is the number: its characters, in capitals, and where they stand."""

    number: str
    places: tuple[int, ...]

    def __repr__(self) -> str:
        return f"NumberText({len(self.places)})"  # never the number

    def written(self, number: str, text: str) -> str:
        """Return the text with another number in the places of its own."""
        signs = list(text)
        for place, sign in zip(self.places, number, strict=True):
            old = signs[place]
            if old in _LIKE_DIGITS and sign.isdecimal():
                signs[place] = old if _LIKE_DIGITS[old] == sign else sign
            else:
                signs[place] = sign.lower() if old.islower() and len(sign.lower()) == 1 else sign
        return "".join(signs)


def read(text: str) -> NumberText:
    """Read the number in a text: without its punctuation, its mask and the words for its kind.

    >>> read("MRN 0371-88-214").number, read("xxx-xx-7706").number, read("9O1-l2-9987").number
    ('037188214', '7706', '901129987')
    """
    stays = [found for found in _LETTERS.finditer(text) if found[0].lower() in _KIND_WORDS]
    kept = {place for found in (*stays, *_MASK.finditer(text)) for place in range(*found.span())}
    places = [place for place, sign in enumerate(text) if sign.isalnum() and place not in kept]
    signs = [text[place] for place in places]
    letters = [place for place, sign in enumerate(signs) if not sign.isdecimal()]
    mistaken = 3 * len(letters) <= 2 * len(signs) and all(signs[place] in _LIKE_DIGITS for place in letters)
    if mistaken and letters != [0]:  # a lone letter in front is one
        signs = [_LIKE_DIGITS.get(sign, sign) for sign in signs]
    # A capital may be two characters long.
    return NumberText("".join(s.upper() if len(s.upper()) == 1 else s for s in signs), tuple(places))


def _read_mention(mention: Mention) -> tuple[NumberText, tuple[str, ...]]:
    """Return the number of a mention and the words beside it: a boat's name, a device's brand."""
    pattern = _pattern(mention)
    words = [
        folded(word)
        for word in pattern.findall(mention.text)
        if word.lower() not in _KIND_WORDS and not _MASK.fullmatch(word)
    ]
    return read(pattern.sub(lambda word: "\0" * len(word[0]), mention.text)), tuple(words)


def _pattern(mention: Mention) -> re.Pattern[str]:
    """Return what matches the words of a mention: several words in capitals, without a digit, are no code."""
    if len(_CAPITALS.findall(mention.text)) > 1 and not any(map(str.isdigit, mention.text)):
        return _CAPITALS
    return _WORDS.get(mention.label, _WORD)


class Numbers:
    """Make the surrogates of the numbers in one scope.

    A surrogate depends on the letters and digits of the number alone: punctuation, case and the words around
    it do not matter, and the end of a number becomes the end of its surrogate (`digits.py`). A prefix of
    letters stays one for all numbers that have it. A number with a right check digit gets another one with a
    right check digit. ``ranges`` says where numbers come from: ``plausible`` ones may have been given out,
    ``fictional`` ones never were, where such ranges exist.
    """

    def __init__(self, scope: Scope, *, ranges: Ranges = "plausible") -> None:
        self._scope = scope
        self._keyed = scope.keyed.child("numbers")
        self._kinds = number_kinds(scope.locale)
        self._fictional = ranges == "fictional"
        self._known: dict[tuple[str, str], str] = {}

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention; "" for one without letters and digits."""
        return [self._surrogate(mention) for mention in mentions]

    def _surrogate(self, mention: Mention) -> str:
        text, words = _read_mention(mention)
        made = mention.text
        if text.number:
            start = self._start(mention, text.number) if self._fictional else ""
            asked = text.number, start
            if asked not in self._known:
                self._known[asked] = self._made(*asked)
            made = text.written(self._known[asked], made)
        if not words:
            return made if text.number else ""
        return _pattern(mention).sub(lambda word: self._word(word[0]), made)

    def _word(self, word: str) -> str:
        """Return another word, such as boats and call signs are named by; words for a kind stay."""
        if word.lower() in _KIND_WORDS or _MASK.fullmatch(word):
            return word
        place = self._keyed.number(f"word {folded(word)}", len(_NAMES))
        return cased(next(name for name in (_NAMES[place], _NAMES[place - 1]) if name != folded(word)), word)

    def _start(self, mention: Mention, number: str) -> str:
        """Return how numbers of the kind of one begin that nobody has been given."""
        before = self._scope.before(mention, 20) + mention.text
        if kind := next((kind for kind in self._kinds if kind.fits(number, mention.label, before)), None):
            return kind.start
        is_social = (
            (mention.label == "SSN" and number.isdecimal() and len(number) == _SOCIAL)
            or (_SSN.search(mention.text) and len(number) == _SOCIAL)
            or _MEDICARE.fullmatch(number)
        )
        return "9" if is_social else ""

    def _made(self, number: str, start: str) -> str:
        """Return the surrogate of a number; ``start`` takes the place of its first digits."""
        kind = next((kind for kind in self._kinds if _is_of(kind, number)), None)
        if kind and not number.isdecimal():
            return self._with_letters(kind, number)
        if kind and (kind.start or not start):
            return self._with_check(kind, number, start)
        if _MEDICARE.fullmatch(number):
            return self._social(number[:_SOCIAL], start) + self._plain(number[_SOCIAL:])
        if len(number) == _SOCIAL and number.isdecimal():
            return self._social(number, start)
        made = self._plain(number)
        return start + made[len(start) :] if made[len(start) :] != number[len(start) :] else made

    def _plain(self, number: str) -> str:
        """Return a number with each run of letters and all digits together changed."""
        digits = "".join(filter(str.isdecimal, number))
        made, done = self._digits(digits) if digits else "", 0
        runs = []
        for run in _RUNS.findall(number):
            if run[0].isdecimal():
                runs.append(made[done : done + len(run)])
                done += len(run)
            elif run == "N" and _TAIL_NUMBER.fullmatch(number):
                runs.append(run)  # all aircraft of the country have it
            elif digits:
                runs.append(replace(self._keyed, run, alphabets(run)))  # its prefix is one for all numbers
            else:
                runs.append(permute(self._keyed, run, sounds(run)))
        return "".join(runs)

    def _digits(self, digits: str) -> str:
        """Return other digits; where the check digit of a kind is wrong, that of the surrogate is."""
        wrong = [kind for kind in self._kinds if kind.check and _has_shape(kind, digits)]
        turns = (deranged(self._keyed, digits, turn) for turn in range(_TURNS if wrong else 1))
        fitting = (made for made in turns if not any(_is_of(kind, made) for kind in wrong))
        return next(fitting, deranged(self._keyed, digits))

    def _social(self, number: str, start: str) -> str:
        """Return nine digits: an SSN that may be given out for one that may be.

        With a start of 9 it is neither an SSN nor a taxpayer number: their groups begin at 50.
        """
        turns = (deranged(self._keyed, number, turn) for turn in range(_TURNS))
        wrong = [kind for kind in self._kinds if kind.check and _has_shape(kind, number)]
        if start:
            group = 1 + self._keyed.number(f"group {number}", 49)
            drawn = next(turns)
            return f"{start}{drawn[1:3]}{group:02}{drawn[5:]}"
        shape = _CAN_BE_SOCIAL if _CAN_BE_SOCIAL.fullmatch(number) else _ANY
        lead = "9" if number[0] == "9" else ""
        made = (lead + made[len(lead) :] for made in turns)
        return next(m for m in made if shape.fullmatch(m) and not any(_is_of(kind, m) for kind in wrong))

    def _with_check(self, kind: NumberKind, number: str, start: str) -> str:
        """Return digits with a right check digit for digits with one, which one of the others makes right.

        The characters for which the kind has a range of its own stay, or become the start of that range.
        """
        free, kept = len(number) - _SHORTEST_TAIL - 1, len(kind.start)
        social = _CAN_BE_SOCIAL if _CAN_BE_SOCIAL.fullmatch(number) else _ANY
        if len(number) == _SOCIAL and number[0] == "9":
            kept = 1
        for turn in range(_TURNS):
            made = deranged(self._keyed, number, turn, free=free)
            made = (start or number[:kept]) + made[kept:]
            for digit in _DIGITS:
                tried = made[:free] + digit + made[free + 1 :]
                if kind.pattern.fullmatch(tried) and social.fullmatch(tried) and kind.is_valid(tried):
                    return tried
        return self._plain(number)  # no number of the kind has these last digits

    def _with_letters(self, kind: NumberKind, number: str) -> str:
        """Return another number of a kind with letters in it; its check character is right."""
        signs = [_DIGITS if sign in _DIGITS else kind.letters for sign in number]
        if number[0] in _DIGITS:
            signs[0] = "" if number[0] == "0" else _DIGITS[1:]
        place = kind.check_place % len(number)
        if kind.check:
            signs[place] = ""
        for turn in range(_TURNS):
            made = permute(self._keyed, number, signs, turn)
            wanted = kind.check_sign(made) if kind.check else made[place]
            if wanted is not None and kind.pattern.fullmatch(made[:place] + wanted + made[place + 1 :]):
                return made[:place] + wanted + made[place + 1 :]
        return self._plain(number)  # no number of the kind has these last digits


def _has_shape(kind: NumberKind, number: str) -> bool:
    long_enough = not number.isdecimal() or len(number) > _SHORTEST_TAIL + 1
    return long_enough and kind.pattern.fullmatch(number) is not None


def _is_of(kind: NumberKind, number: str) -> bool:
    """Whether a number is of a kind by its look: by its check character or its letters."""
    if not _has_shape(kind, number):
        return False
    if not kind.check:
        return not number.isdecimal()
    return number[kind.check_place] in kind.check_signs and kind.is_valid(number)
