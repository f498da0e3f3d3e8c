"""Count originals that are left, that share a surrogate, and numbers that have two surrogates."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import cache

from plainsight import hipaa, lists
from plainsight.evaluate.surrogates.dates import names_day, shift_of
from plainsight.evaluate.surrogates.pairs import Count, Note, Pair, all_pairs
from plainsight.evaluate.surrogates.people import people
from plainsight.evaluate.surrogates.places import state_code
from plainsight.labels import CATEGORY_OF
from plainsight.locale.calendar import fold

_WORD = re.compile(r"[^\W_]+")
_NAMES = ("PATIENT", "DOCTOR")
_NUMBERS = frozenset(label for label, category in CATEGORY_OF.items() if category in ("ID", "CONTACT")) | {
    "USERNAME"
}
_STRINGS = _NUMBERS | {label for label, category in CATEGORY_OF.items() if category == "LOCATION"}
_PARTS = re.compile(
    r"van|vande|vander|von|der|den|del|dela|las|los|bin|ibn|ben|abd|abu|san|saint|vda|iii|big|little|old"
    r"|baby|boy|girl|babyboy|babygirl|infant|newborn|twin|male|female|trauma|unknown"
)  # particles, epithets and newborns' names identify nobody
_SAINT = re.compile(r"\bst\b\.? ")
_SHORTEST = 3
_SLIP = 0.9  # two texts that are so similar are one and its misspelling
_OLDEST = "90+"  # every age over 89 may be written so
_SHORTEST_NUMBER = 4  # digits and letters: shorter numbers are equal by chance


@cache
def _dictionary() -> frozenset[str]:
    table = lists.load("words")
    return frozenset(
        word for word, listed in zip(table["word"], table["listed"], strict=True) if listed == "1"
    )


def ordinary(text: str) -> bool:
    """Whether a text is made of dictionary words alone, as any note has them."""
    return all(word in _dictionary() for word in _WORD.findall(text.casefold()))


def originals_left(notes: Sequence[Note]) -> Count:
    """Count a patient's originals that are still there, in place of any identifier of its notes.

    Texts are compared without regard to case and at word edges; numbers also without their punctuation.
    Name words count in other names, and elsewhere if they are no ordinary words. Text outside the marks does
    not count: the gold says that it identifies nobody. Dates, ages and professions are often equal
    by chance, so each mention that has to change is compared with its own surrogate only.
    """
    words, strings, numbers = _originals(notes)
    surrogates = [(pair.label, pair.surrogate) for pair in all_pairs(notes)]
    named = {word for label, text in surrogates if label in _NAMES for word in _WORD.findall(text.casefold())}
    every = "\n".join(" ".join(_WORD.findall(text.casefold())) for _, text in surrogates)
    every = f"\n{every}\n".replace("\n", " \n ")
    squeezed = {_squeezed(text) for label, text in surrogates if label in _NUMBERS}
    found = {word for word in words if word in named or (not ordinary(word) and f" {word} " in every)}
    found |= {text for text in strings if f" {text} " in every}
    found |= {number for number in numbers if number in squeezed}
    return Count(len(found), len(words | strings | numbers)) + _unchanged(notes)


def _unchanged(notes: Sequence[Note]) -> Count:
    """Count the mentions of days, ages over 89 and professions that did not change."""
    shift = shift_of(notes)
    held = [pair for pair in all_pairs(notes) if _has_to_change(pair, shift)]
    same = [pair for pair in held if _spaced(pair.original) == _spaced(pair.surrogate)]
    return Count(len(same), len(held))


def _has_to_change(pair: Pair, shift: int | None) -> bool:
    if pair.label == "DATE":
        return names_day(pair.original, shift)
    if pair.label == "AGE":
        return bool(hipaa.over_89(pair.original)) and _OLDEST not in pair.original
    return pair.label == "PROFESSION"


def _spaced(text: str) -> str:
    return " ".join(text.casefold().split())


def _originals(notes: Iterable[Note]) -> tuple[set[str], set[str], set[str]]:
    """Return a patient's name words, its other strings, and its numbers without punctuation."""
    words: set[str] = set()
    strings: set[str] = set()
    numbers: set[str] = set()
    for pair in all_pairs(notes):
        parts = _WORD.findall(pair.original.casefold())
        if pair.label in _NAMES:
            words |= {part for part in parts if len(part) >= _SHORTEST and not _PARTS.fullmatch(part)}
        elif pair.label in _STRINGS:
            text = " ".join(parts)
            if len(text) >= _SHORTEST and not ordinary(text):
                strings.add(text)
            if pair.label in _NUMBERS and len(number := _squeezed(pair.original)) >= _SHORTEST_NUMBER:
                numbers.add(number)
    return words, strings, numbers


def _squeezed(text: str) -> str:
    return "".join(_WORD.findall(text.casefold()))


def split_numbers(notes: Iterable[Note]) -> Count:
    """Count a patient's numbers that have more than one surrogate; punctuation and case do not matter."""
    made: dict[str, set[str]] = defaultdict(set)
    for pair in all_pairs(notes):
        if pair.label in _NUMBERS and len(number := _squeezed(pair.original)) >= _SHORTEST_NUMBER:
            made[number].add(_squeezed(pair.surrogate))
    return Count(sum(len(many) > 1 for many in made.values()), len(made))


def collapsed(notes: Sequence[Note]) -> Count:
    """Count a patient's different originals that share a surrogate with another one.

    People differ by given word and surname word, states by what they name, all else by its text without case,
    accents and punctuation. A short or misspelled form may share its surrogate with the full one.
    """
    originals: dict[tuple[str, str], set[str]] = defaultdict(set)
    for person in people(notes):
        if person.given and person.surname:
            for given in person.givens:
                for surname in person.surnames:
                    key = "DOCTOR" if person.provider else "PATIENT", f"{given} {surname}"
                    originals[key].add(f"{person.given} {person.surname}")
    for pair in all_pairs(notes):
        if pair.label in _STRINGS and len(_squeezed(pair.original)) >= _SHORTEST:
            originals[pair.label, _same(pair, pair.surrogate)].add(_same(pair, pair.original))
    shared = {
        (label, one)
        for (label, _), many in originals.items()
        for one in many
        if any(other != one and not (label not in _NUMBERS and _forms(one, other)) for other in many)
    }
    every = {(label, one) for (label, _), many in originals.items() for one in many}
    return Count(len(shared), len(every))


def _forms(one: str, other: str) -> bool:
    """Whether one text may be another form of the other: a part of it, letters of it in order, a slip."""
    short, long = sorted((one, other), key=len)
    letters = iter(long)
    in_order = short[:1] == long[:1] and all(letter in letters for letter in short)
    return short in long or in_order or SequenceMatcher(None, one, other).ratio() > _SLIP


def _same(pair: Pair, text: str) -> str:
    if pair.label == "STATE" and (code := state_code(text)):
        return code
    return _squeezed(_SAINT.sub("saint ", fold(text)))
