"""Numbers: others of the same shape, for records, accounts, licences, devices and all that has no kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from plainsight.errors import DataError
from plainsight.locale import default_locale
from plainsight.locale.number_kinds import NumberKind, number_kinds
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import Mention, Scope, assign, folded
from plainsight.replace.surrogate.shape import alphabets, another, cased, permute, replace, scramble, sounds

_words = default_locale().words
_KIND_WORDS = frozenset(_words("numbers", "kind_words"))
_LETTERS = re.compile(r"(?<![^\W\d_])(?:s/n|m/v|f/v|mp4)(?![^\W\d_])|[^\W\d_]+", re.IGNORECASE)
_MASK = re.compile(r"[x*#•]{2,}(?=$|[\W\d_])", re.IGNORECASE)
_WORD = re.compile(r"(?<![^\W_])(?=[^\W\d_]*[a-z])[^\W\d_]{4,}(?![^\W_])")  # capitals alone may be a code
_WORDS = {"VEHICLE": re.compile(r"(?<![^\W_])[^\W\d_]{4,}(?![^\W_])")}
_LIKE_DIGITS = {"O": "0", "o": "0", "l": "1", "I": "1"}
_SSN = re.compile(r"\d{3}([-\s.])\d{2}\1\d{4}")
_MEDICARE = re.compile(r"\d{9}[A-Z]\d?")  # until 2019: the SSN of the earner and a letter
_TAIL_NUMBER = re.compile(r"N\d{1,5}[A-Z]{0,2}")
_RUNS = re.compile(r"\d+|\D+")
_NAMES = tuple(sorted({*_words("numbers", "first_halves"), *_words("numbers", "second_halves")}))
_DIGITS = "0123456789"
_SHORTEST_TAIL = 4
_SHORTEST_WORD = 5  # shorter surrogates may stand in a note by chance


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
    pattern = _WORDS.get(mention.label, _WORD)
    words = [
        folded(word)
        for word in pattern.findall(mention.text)
        if word.lower() not in _KIND_WORDS and not _MASK.fullmatch(word)
    ]
    return read(pattern.sub(lambda word: "\0" * len(word[0]), mention.text)), tuple(words)


class Numbers:
    """Make the surrogates of the numbers in one scope.

    The same number in other punctuation or case gets the same surrogate, and so does the end of a longer one
    with the same label. Letters and digits are permuted apart, so a prefix stays one for all numbers that
    have it. SSNs become ones that were never given out, with their last four permuted on their own.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._keyed = scope.keyed.child("numbers")
        self._kinds = number_kinds(scope.locale)
        # Of two kinds, a number is of the first.
        self._ranks = {kind: rank for rank, kind in enumerate(("ssn", *self._kinds, ""))}

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention."""
        texts = [_read_mention(mention) for mention in mentions]
        words = self._made_words({word for _, own in texts for word in own})
        kinds: dict[str, NumberKind | str] = {}
        labels: dict[str, set[str]] = {}
        for mention, ((number, _), _) in zip(mentions, texts, strict=True):
            if number:
                kind = self._kind(mention, number)
                kinds[number] = min(kinds.get(number, ""), kind, key=self._ranks.__getitem__)
                labels.setdefault(mention.label, set()).add(number)
        made = self._made(kinds, _tails(labels.values()))
        return [
            _written(mention, text, made, words)
            if text.number or own
            else scramble(self._keyed, mention.text)
            for mention, (text, own) in zip(mentions, texts, strict=True)
        ]

    def _made_words(self, words: set[str]) -> dict[str, str]:
        """Return another word for each word, such as boats and call signs are named by."""

        def candidate(word: str, turn: int) -> str:
            if not word.isascii():
                return scramble(self._keyed, word, turn)
            return _NAMES[self._keyed.number(f"word {word} {turn}", len(_NAMES))]

        return assign(words, candidate, refused=str.__eq__)

    def _kind(self, mention: Mention, number: str) -> NumberKind | str:
        """Return what kind of number it is: one of the locale's kinds, an SSN, or none."""
        before = self._scope.before(mention, 20) + mention.text
        if kind := next((kind for kind in self._kinds if kind.fits(number, mention.label, before)), None):
            return kind
        is_social = (
            (mention.label == "SSN" and number.isdecimal() and len(number) in (4, 9))
            or (_SSN.search(mention.text) and len(number) == 9)
            or _MEDICARE.fullmatch(number)
        )
        return "ssn" if is_social else ""

    def _made(self, kinds: Mapping[str, NumberKind | str], tails: Mapping[str, str]) -> dict[str, str]:
        """Return the surrogate of each number, those that end longer ones after these."""

        def candidate(number: str, turn: int) -> str:
            kind = kinds[number]
            if isinstance(kind, NumberKind):
                return _of_kind(kind, self._keyed, number, turn)
            return self._social(number, turn) if kind == "ssn" else self._plain(number, turn)

        made = assign(kinds.keys() - tails.keys(), candidate, refused=str.__eq__)
        for number in sorted(tails, key=lambda number: (-len(number), number)):
            tail = made[tails[number]][-len(number) :] if tails[number] in made else number
            if tail != number:
                made[number] = tail
        return made | assign(tails.keys() - made.keys(), candidate, refused=str.__eq__)

    def _plain(self, number: str, turn: int) -> str:
        """Return a number with each run of letters and all digits together permuted."""
        digits = "".join(filter(str.isdecimal, number))
        made, done = scramble(self._keyed, digits, turn), 0
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
                runs.append(permute(self._keyed, run, sounds(run), turn))
        return "".join(runs)

    def _social(self, number: str, turn: int) -> str:
        """Return an SSN, or its last four; no SSN or taxpayer number has its area and group."""
        is_tail = len(number) <= _SHORTEST_TAIL
        head, last, letter = ("", number, "") if is_tail else (number[:5], number[5:9], number[9:])
        last = f"{another(self._keyed, (int(last) - 1) % 9999, 9999, 0 if head else turn) + 1:04}"
        if not head:
            return last
        area, group = divmod(self._keyed.number(f"{head} {turn}", 4900), 49)
        return f"9{area:02}{group + 1:02}{last}{self._plain(letter, 0) if letter else ''}"


def _of_kind(kind: NumberKind, keyed: Keyed, number: str, turn: int) -> str:
    """Return another number of a kind; its check character is right if that of the original is."""
    alphabets = [_DIGITS if sign in _DIGITS else kind.letters for sign in number]
    alphabets[: len(kind.start)] = kind.start
    if not kind.start and number[0] in _DIGITS:
        alphabets[0] = "" if number[0] == "0" else _DIGITS[1:]
    if not kind.check:
        return permute(keyed, number, alphabets, turn)
    place = kind.check_place % len(number)
    alphabets[place] = ""
    right = kind.check_sign(number)
    # Not every number of a kind has a right check character. A turn has 256 tries, which no other turn has.
    for further in range(turn << 8, (turn + 1) << 8):
        made = permute(keyed, number, alphabets, further)
        wanted = kind.check_sign(made)
        if number[place] != right:
            # Count the wrong ones on from the right one, so that two wrong ones stay two.
            wrong = [sign for sign in kind.check_signs if sign != wanted]
            known = [sign for sign in kind.check_signs if sign != right]
            step = keyed.number(made[:place] + made[place + 1 :], len(wrong))
            wanted = wrong[(known.index(number[place]) + step) % len(wrong)]
        if wanted is not None:
            return made[:place] + wanted + made[place + 1 :]
    raise DataError(f"no surrogate with a right check character for a number of the kind {kind.name}")


def _written(mention: Mention, number: NumberText, made: Mapping[str, str], words: Mapping[str, str]) -> str:
    """Return the text of a mention with its number and its words replaced, its words for a kind kept."""
    text = number.written(made[number.number], mention.text) if number.number else mention.text
    pattern = _WORDS.get(mention.label, _WORD)
    return pattern.sub(lambda word: cased(words.get(folded(word[0]), word[0]), word[0]), text)


def _tails(groups: Iterable[set[str]]) -> dict[str, str]:
    """Return for each number that is the end of a longer one with the same label the shortest such."""
    tails: dict[str, str] = {}
    for numbers in groups:
        ordered = sorted(numbers, key=lambda number: (len(number), number))
        for place, number in enumerate(ordered):
            if len(number) < _SHORTEST_TAIL:
                continue
            longer = [o for o in ordered[place + 1 :] if len(o) > len(number) and o.endswith(number)]
            if longer:
                tails[number] = longer[0]
    return tails
