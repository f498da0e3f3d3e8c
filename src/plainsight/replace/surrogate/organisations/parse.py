"""Split a name into words for its kind, core words, brands, acronyms and codes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

from plainsight.locale import default_locale
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.organisations import vocabulary
from plainsight.replace.surrogate.organisations.vocabulary import Brand, brands, kinds, plain, sections
from plainsight.replace.surrogate.places.towns import town_key
from plainsight.text.vocabulary import Is, flags_of

PartKind = Literal[
    "gap", "kind", "core", "acronym", "digits", "letter", "ordinal", "direction", "brand", "shared"
]

_CAMEL = re.compile(r"(?<=[a-z]{3})(?=[A-Z][a-z]{2})")
_ENDING = re.compile(r"['’](?:s|S)?$|(?<=s)['’]$")
_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)
_DIRECTION = re.compile(r"(?:north|south)(?:east|west)?(?:ern)?|(?:east|west)(?:ern)?|norte|sur|este|oeste")
_BLUE_CROSS = re.compile(r"bcbs[a-z]{2}")  # and a state: BCBSIL
_LONGEST_LETTERS = 5
_ORDINAL = frozenset(("st", "nd", "rd", "th"))
_words = default_locale().words
_ARTICLES = frozenset(_words("organisations", "articles"))
_STREETS = frozenset(_words("organisations", "streets"))
_POINTS = frozenset("nesw")
_ROMAN = frozenset(("ii", "iii", "iv"))
_SMALL_LETTERS = frozenset("aeyuo")

# Sections that are read first in a hospital's name, and those that are never read there.
_MILITARY = frozenset(("military branch", "military letters"))
_CARE = frozenset(("hospital", "hospital letters"))


EVERYWHERE = frozenset(("va", "vamc"))
"""Words for a kind that stay even where they stand alone: they name no one place."""


class Part(NamedTuple):
    """A piece of a name.

    ``stem`` is what it is looked up by, ``ending`` what follows its text (``'s``), ``sort`` the list it is
    on; ``made`` is its surrogate where that is known beforehand.
    """

    kind: PartKind
    text: str
    stem: str = ""
    ending: str = ""
    brand: Brand | None = None
    sort: str = ""
    made: str = ""


class _Token(NamedTuple):
    """A piece of a name as written: what `TOKEN` takes it for, and the word as it is looked up."""

    kind: str
    text: str
    word: str


_NOTHING = _Token("gap", "", "")


def norm(text: str) -> str:
    """Return a name as forms are compared: without regard to case and space."""
    return " ".join(plain(text).split())


@note_cache(16_384)
def parts(text: str, label: str) -> tuple[Part, ...]:
    """Return the parts of a name; put together they are the text."""
    tokens = _tokens(text)
    made: list[Part] = []
    place = 0
    while place < len(tokens):
        brand, length = _brand(tokens, place, label, made)
        if brand:
            covered = "".join([token.text for token in tokens[place : place + length]])
            made.append(Part("brand", covered, " ".join(brand.words), brand=brand))
        else:
            made.append(_read(tokens, place, text))
        place += length
    return tuple(_alone(_with_sorts(made, label)))


def _alone(made: Sequence[Part]) -> Sequence[Part]:
    """Return the parts of a name; a word for a kind is the name itself where it stands alone.

    So the ``VA`` and a ``CMH`` are acronyms, and ``Moravian`` is a word of the name's own.
    """
    own = [part for part in made if part.kind != "gap" and part.stem not in ("the", "a", "an")]
    if len(own) != 1 or own[0].kind != "kind":
        return made
    kind: PartKind = "core" if own[0].sort else "acronym" if _is_short_form(own[0].stem) else "kind"
    if own[0].stem in EVERYWHERE:
        return made  # the VA: everybody has it, in every form of every name
    return [part._replace(kind=kind) if part is own[0] else part for part in made]


def _is_short_form(word: str) -> bool:
    """Whether a word for a kind is an abbreviation."""
    letters = word.isascii() and word.isalpha() and 2 <= len(word) <= _LONGEST_LETTERS
    return letters and (not _VOWEL.search(word) or word in vocabulary.abbreviations())


def _tokens(text: str) -> list[_Token]:
    """Return the pieces of a name; a word made of several, such as ``HealthSouth``, is cut into these."""
    made: list[_Token] = []
    for token in vocabulary.TOKEN.finditer(text):
        kind, pieces = token.lastgroup or "gap", [token[0]]
        if kind == "word" and not token[0].istitle() and plain(token[0]) not in brands():
            pieces = _CAMEL.split(token[0])
            if all(plain(piece) in kinds() for piece in pieces):  # LanguageLine is a name
                pieces = [token[0]]
        made += [_Token(kind, piece, "" if kind == "gap" else plain(piece)) for piece in pieces]
    return made


# --- brands -------------------------------------------------------------------------------------------------


def _brand(
    tokens: Sequence[_Token], place: int, label: str, before: Sequence[Part]
) -> tuple[Brand | None, int]:
    """Return the well-known name that begins here, if one does, and over how many tokens it runs."""
    word = tokens[place].word
    if word.startswith("bcbs") and _BLUE_CROSS.fullmatch(word):
        return brands()["bcbs"][0], 1

    def preferred(brand: Brand) -> tuple[int, bool]:
        return -len(brand.words), (brand.section in _CARE) != (label == "HOSPITAL")

    for brand in sorted(brands().get(word, ()), key=preferred):
        length = _length(tokens, place, brand.words)
        around = (*tokens[:place], *tokens[place + length :])
        in_company = brand.alone and any(token.kind in ("word", "dotted") for token in around)
        if length and _fits(brand, label, before) and not in_company:
            return brand, length
    return None, 1


def _length(tokens: Sequence[_Token], place: int, words: Sequence[str]) -> int:
    """Return over how many tokens the words run, or 0."""
    at = place
    for number, word in enumerate(words):
        if number and at < len(tokens) and tokens[at].kind == "gap":
            at += 1
        if at >= len(tokens) or tokens[at].word != word:
            return 0
        at += 1
    return at - place


def _fits(brand: Brand, label: str, before: Sequence[Part]) -> bool:
    if brand.section == "marian title":
        return [part.stem for part in before if part.stem][-2:] == ["lady", "of"]
    return brand.section not in (_MILITARY if label == "HOSPITAL" else ())


# --- words and codes ----------------------------------------------------------------------------------------


def _read(tokens: Sequence[_Token], place: int, text: str) -> Part:
    kind, token, word = tokens[place]
    if kind == "gap":
        return Part("gap", token)
    if kind == "digits":
        return Part("digits", token, token)
    if kind == "damaged":
        word = word.replace("0", "o").replace("1", "l")
        return Part("kind" if word in kinds() else "core", token, word)
    if kind == "dotted":
        letters = word.replace(".", "")
        tells_kind = letters in kinds() and letters not in kinds("small words")  # P.A., but not L.A.
        return Part("kind" if tells_kind else "acronym", token, letters)
    return _word(tokens, place, text)


def _word(tokens: Sequence[_Token], place: int, text: str) -> Part:
    _, token, word = tokens[place]
    before = tokens[place - 1] if place else _NOTHING
    after = tokens[place + 1] if place + 1 < len(tokens) else _NOTHING
    beside_digits = before.kind == "digits" or after.kind == "digits"
    if before.kind == "digits" and word in _ORDINAL:
        return Part("ordinal", token, word)
    if beside_digits and word in _POINTS:
        return Part("direction", token, word)
    if len(word) == 1:
        if word == "x" and after.text.startswith(("-", " ")) and "ray" in text.casefold():
            return Part("kind", token, word)
        if "&" in before.text + after.text and len(text) > 5:
            return Part("kind", token, word)  # Saint Odilia W&C
        if not (word in _SMALL_LETTERS and token.islower() and not beside_digits):
            return Part("letter", token, word)
    kind = word.removesuffix("'s")
    is_own = kind in kinds("later words") and _is_own(tokens, place)
    if word in _ROMAN or (kind in kinds() and not is_own):
        return Part("kind", token, word)
    if _DIRECTION.fullmatch(word):
        return Part("direction", token, word)
    if beside_digits and (len(word) <= 2 or (token.isupper() and len(word) <= 6)):
        return Part("acronym", token, word)
    if token.isupper() and token.casefold() in sections()["state code"] and len(token) < len(text):
        return Part("core", token, word, sort="state code")
    if _is_acronym(token, word, text):
        return Part("acronym", token, word)
    ending = None if token.isalpha() else _ENDING.search(token)
    if ending is None:
        return Part("core", token, word)
    stem = token[: ending.start()]
    return Part("core", stem, plain(stem), token[len(stem) :])


def _is_own(tokens: Sequence[_Token], place: int) -> bool:
    """Whether a word comes first in a name of several, or before a street."""
    following = next((token.word for token in tokens[place + 1 :] if token.kind == "word"), "")
    leads = all(token.word in _ARTICLES for token in tokens[:place] if token.kind != "gap")
    return (bool(following) and leads) or following in _STREETS


def _is_acronym(token: str, word: str, text: str) -> bool:
    """Whether a word is the letters of other words: ``MGH``, ``mgh``, but not ``MERCY``."""
    if not 2 <= len(token) <= 6 or not (token.isascii() and token.isalpha()) or word in _SHORT_FOR:
        return False
    if not _VOWEL.search(token):
        return True
    if not token.isupper():
        return False
    letters = [letter for letter in text if letter.isalpha()]
    if sum(map(str.isupper, letters)) < 0.8 * len(letters):
        return len(token) < 4 or word not in vocabulary.listed()
    # In a name all of capitals, or one that stands alone, a word that is on a list is a word.
    if len(token) == len(text):
        return len(token) <= 5 and word not in vocabulary.listed()
    return len(token) <= 4 and word not in vocabulary.listed() and not flags_of(word) & _NAME_OR_WORD


# --- sorts --------------------------------------------------------------------------------------------------

_LATIN = re.compile(r"[\x00-\u024f'’ʻ]+")
_SORTS_AFTER = default_locale().table("organisations")["sorts_after"]
_SHORT_FOR = default_locale().table("organisations")["short_for"]
_NAMES = ("town", "surname", "woman", "man", "coined")
_NAME_OR_WORD = Is.FIRST | Is.LAST | Is.CITY | Is.WORD
_BEFORE_SURNAMES = ("woman", "man", "town", "surname", "coined")
_HALF_STATES = frozenset(("carolina", "dakota", "virginia"))


def _with_sorts(made: Sequence[Part], label: str) -> list[Part]:
    """Return the parts, each word of the name's own with its sort."""
    stems = [part.stem for part in made if part.kind != "gap"]
    sorted_out: list[Part] = []
    number = -1
    for part in made:
        number += part.kind != "gap"
        if part.kind != "core" or part.sort:
            sorted_out.append(part)
            continue
        before = stems[number - 1] if number else ""
        after = stems[number + 1] if number + 1 < len(stems) else ""
        text, ending = part.text, part.ending
        stem = _SHORT_FOR.get(part.stem, part.stem)
        sort = _by_place(stem, before, "lady" in stems) or _by_list(stem)
        single = vocabulary.singular(stem) if sort in ("", "saints") else stem
        if single != stem:
            # St Lukes, Black Hills: the ending of the word is no part of the name
            plural = sort or _by_list(single)
            if not plural and not _by_name(stem, after) and not ending and len(single) > 3:
                text, stem, ending = text[:-1], single, text[-1]  # Lokers, as Loker's
            elif plural and single in sections().get(plural, ()) and stem not in sections().get(plural, ()):
                text, stem, ending, sort = text[:-1], single, text[-1] + ending, plural
        sort = sort or _by_name(stem, after)
        if not (sort or stem.isascii()):  # Diné, as Dine
            stem = town_key(stem) or stem
            sort = _by_list(stem) or _by_name(stem, after)
        kind: PartKind = "kind" if sort == "denomination" and label != "HOSPITAL" else "core"
        sorted_out.append(Part(kind, text, stem, ending, sort=sort))
    return sorted_out


def _by_place(word: str, before: str, lady: bool) -> str:
    """Return the sort of a word by the word before it."""
    if before in _SORTS_AFTER:
        return str(_SORTS_AFTER[before])
    if lady and before in ("of", "the"):
        return "marian"
    return "" if _LATIN.fullmatch(word) else "script"


def _by_list(word: str) -> str:
    """Return the sort of a word by the lists it is on: words with a meaning."""
    if word in vocabulary.peoples():
        return "people"
    if word in _HALF_STATES:
        return "town"
    return _meanings().get(word, "")


@cache
def _meanings() -> dict[str, str]:
    """Return the sort of each word with a meaning; the first that has it wins."""
    sorts = default_locale().table("organisations")["meanings"].split(",")
    return {word: sort for sort in reversed(sorts) for word in sections()[sort]}


def _by_name(word: str, after: str) -> str:
    """Return the sort of a word by the lists it is on: names of people and places."""
    known = sections()
    before_surname = len(after) == 1 or after in known["surname"]
    for sort in _BEFORE_SURNAMES if before_surname else _NAMES:
        if word in known[sort]:
            return sort
    return ""
