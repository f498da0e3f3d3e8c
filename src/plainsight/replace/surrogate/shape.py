"""Scramble: a surrogate for text that nothing else can read, of the same shape."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from math import log2, prod

from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.keyed import SMALL, Keyed

_DIGITS = "0123456789"
_FIRST = "123456789"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
_VOWELS = "aeiouAEIOU"

_MOST_BITS = 512
_PIECE = 8  # characters; eight of any script fit into one draw


def match_case(original: str, surrogate: str) -> str:
    """Return the surrogate in capitals or small letters if the original is, else as it is.

    >>> match_case("MEMPHIS", "Tulsa"), match_case("memphis", "Tulsa"), match_case("Memphis", "Tulsa")
    ('TULSA', 'tulsa', 'Tulsa')
    """
    if original.isupper() and sum(map(str.isalpha, original)) > 1:
        return surrogate.upper()
    return surrogate.lower() if original.islower() else surrogate


def cased(word: str, like: str) -> str:
    """Return a word with the capitals of another: all, the first, or none.

    >>> cased("harbor", "MERLIN"), cased("harbor", "Merlin"), cased("Harbor", "merlin")
    ('HARBOR', 'Harbor', 'harbor')
    """
    if like.isupper() and (len(like) > 1 or len(word) == 1):
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word.lower()


def ordinal_suffix(number: int) -> str:
    """Return the suffix of an ordinal number: ``st`` for 21, ``th`` for 11."""
    return "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def scramble(keyed: Keyed, text: str, turn: int = 0) -> str:
    """Return a text of the same shape: digits for digits, letters for letters of the same case and script.

    Everything else stays where it is, and so does a zero in first place; no other digit becomes one there.
    Different texts of one shape get different ones, and texts that differ in case or punctuation alone get
    the same digits and letters. Never the text itself, unless there is nothing in it to change.

    >>> scramble(Keyed(bytes(32)), "Lot 0371-88b")
    'Qqv 0276-11x'
    """
    return permute(keyed, text, alphabets(text), turn)


def permute(keyed: Keyed, text: str, alphabets: Sequence[str], turn: int = 0) -> str:
    """Return the text that takes this one's place among all those with each character from its alphabet.

    A character without an alphabet stays.
    """
    if sum(map(log2, filter(None, map(len, alphabets)))) <= _MOST_BITS:
        number, size = _number(text, alphabets)
        return _text(another(keyed, number, size, turn), text, alphabets)
    # So long that no two texts meet: each piece is drawn by itself, but depends on all of the text.
    seed = keyed.digest(f"draw {turn} {text}").hex()
    pieces = []
    for start in range(0, len(text), _PIECE):
        piece, own = text[start : start + _PIECE], alphabets[start : start + _PIECE]
        pieces.append(_text(keyed.number(f"{seed} {start}", prod(map(len, filter(None, own)))), piece, own))
    return "".join(pieces)


def replace(keyed: Keyed, text: str, alphabets: Sequence[str]) -> str:
    """Do as `permute` does, in a tenth of the time, but two texts may get the same one."""
    number, size = _number(text, alphabets)
    made = (number + 1 + keyed.number(f"replace {text}", size - 1)) % size if size > 1 else 0
    return _text(made, text, alphabets)


def _number(text: str, alphabets: Sequence[str]) -> tuple[int, int]:
    """Return which of all texts of these alphabets a text is, and how many there are."""
    size, number = 1, 0
    for character, alphabet in zip(text, alphabets, strict=True):
        if base := len(alphabet):
            place = alphabet.find(character)
            number = number * base + (place if place >= 0 else ord(character) % base)
            size *= base
    return number, size


def _text(number: int, text: str, alphabets: Sequence[str]) -> str:
    """Return the text of that number; what has no alphabet is as in the given one."""
    characters = list(text)
    for place in range(len(characters) - 1, -1, -1):
        if alphabet := alphabets[place]:
            number, character = divmod(number, len(alphabet))
            characters[place] = alphabet[character]
    return "".join(characters)


def another(keyed: Keyed, number: int, size: int, turn: int = 0) -> int:
    """Return a number of ``range(size)`` other than the given one, by a keyed permutation.

    Up to 4096 it is a permutation without fixed points; above, the one number or so that the permutation
    leaves in place gets what another one gives it.
    """
    if size == 1:
        return 0
    if size <= SMALL:
        return keyed.follower(number, size, turn)
    made = keyed.permute(number, size, turn)
    return made if made != number else keyed.permute(number, size, turn + (1 << 16))


def alphabets(text: str) -> list[str]:
    """Return for each character those that may take its place; none if it stays."""
    found = [_alphabet(character) for character in text]
    if sum(map(bool, found)) > 1 and _DIGITS in found:
        first = found.index(_DIGITS)
        found[first] = "" if text[first] == "0" else _FIRST
    return found


def sounds(text: str) -> list[str]:
    """Return for each letter those that may take its place; vowels for vowels in what can be spoken."""
    found = alphabets(text)
    vowels = sum(letter in _VOWELS for letter in text)
    if len(text) < 4 or not 0.2 <= vowels / len(text) <= 0.7:
        return found
    for place, letter in enumerate(text):
        if found[place] in (_LOWER, _UPPER):
            alike = (other for other in found[place] if (other in _VOWELS) == (letter in _VOWELS))
            found[place] = "".join(alike)
    return found


@note_cache(4096)
def _alphabet(character: str) -> str:
    """Return the characters of a character's kind: digit or letter, case, script."""
    if unicodedata.category(character) == "Nd":
        zero = ord(character) - unicodedata.decimal(character)
        return "".join(map(chr, range(zero, zero + 10)))
    if not character.isalpha():
        return ""
    for alphabet in _scripts():
        if character in alphabet:
            return alphabet
    return _UPPER if character.isupper() else _LOWER


@cache
def _scripts() -> tuple[str, ...]:
    """Return the alphabets, one for each case, with the letters in daily use before the rare ones."""
    lower = [
        _LOWER,
        "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿāăąćčďđēęěğģīįķĺļľłńņňōőŕřśşšţťūůűųźżžșț",
        "αβγδεζηθικλμνξοπρστυφχψω",
        "άέήίόύώς",
        "абвгдежзийклмнопрстуфхцчшщъыьэюя",
        "ёђѓєѕіїјљњћќўџґ",
        "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ",
    ]
    # The capital of ÿ is not among the others, that of ς is already.
    upper = [alphabet.translate(dict.fromkeys(map(ord, "ÿς"))).upper() for alphabet in lower]
    return (
        *lower,
        *upper,
        "אבגדהוזחטיכלמנסעפצקרשת",
        "ךםןףץ",
        "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي",
        "پچژگکی",
        *(_letters(*ends) for ends in ("अह", "অহ", "กฮ", "აჰ", "あん", "アン")),  # first and last letter
        _rows("gb2312", 16, 55),  # the Chinese characters of daily use
        _rows("euc_kr", 16, 40),  # the Korean syllables of daily use
        *(_letters(*ends) for ends in ("一鿿", "가힣")),
    )


def _letters(first: str, last: str) -> str:
    return "".join(letter for letter in map(chr, range(ord(first), ord(last) + 1)) if letter.isalpha())


def _rows(codec: str, first: int, last: int) -> str:
    """Return the characters in these rows of a national table of 94 x 94 characters."""
    codes = (bytes((row, cell)) for row in range(first + 160, last + 161) for cell in range(161, 255))
    return b"".join(codes).decode(codec, "ignore")
