"""Count originals that are left, that share a surrogate, and numbers that have two surrogates."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from plainsight import hipaa
from plainsight.evaluate.surrogates.dates import names_day, shift_of
from plainsight.evaluate.surrogates.pairs import Count, Note, Pair, all_pairs
from plainsight.evaluate.surrogates.people import people
from plainsight.evaluate.surrogates.persons import Persons
from plainsight.evaluate.surrogates.places import state_code
from plainsight.labels import CATEGORY_OF
from plainsight.locale.calendar import fold

_WORD = re.compile(r"[^\W_]+")
_NUMBERS = frozenset(label for label, category in CATEGORY_OF.items() if category in ("ID", "CONTACT")) | {
    "USERNAME"
}
_SHARED = frozenset(label for label, category in CATEGORY_OF.items() if category == "LOCATION") | {"DOCTOR"}
_STRINGS = _NUMBERS | {label for label, category in CATEGORY_OF.items() if category == "LOCATION"}
_PARTS = re.compile(
    r"van|vande|vander|von|der|den|del|dela|las|los|bin|ibn|ben|abd|abu|umm|san|saint|vda|iii|big|little|old"
    r"|baby|boy|girl|babyboy|babygirl|infant|newborn|twin|male|female|trauma|unknown"
)  # particles, epithets and newborns' names identify nobody
_SAINT = re.compile(r"\bst\b\.? ")
_SHORTEST = 3
_SLIP = 0.9  # two texts that are so similar are one and its misspelling
_OLDEST = "90+"  # every age over 89 may be written so
_SHORTEST_NUMBER = 4  # digits and letters: shorter numbers are equal by chance


def originals_left(notes: Sequence[Note]) -> Count:
    """Count a patient's own originals that their surrogates still show: names, numbers, days, ages, jobs.

    Each distinct original is compared with its own surrogates, without regard to case and punctuation: that
    another identifier comes out like it is chance. A name word that stays counts; numbers and logins count if
    the surrogate holds all of them. What many patients share is counted by `shared_left`.
    """
    shift = shift_of(notes)
    checked: dict[tuple[str, str], bool] = {}
    held = Count()
    for pair in all_pairs(notes):
        stays = _stays(pair)
        if _has_to_change(pair, shift):
            held += _one(_spaced(pair.original) == _spaced(pair.surrogate), pair)
        elif stays is not None:
            key = pair.label, _squeezed(pair.original)
            checked[key] = checked.get(key, False) or stays
            held += Count(0, 0, _one(stays, pair).examples)
    return Count(sum(checked.values()), len(checked)) + held


def shared_left(notes: Sequence[Note]) -> Count:
    """Count the providers, institutions and places that became themselves; by chance a few do."""
    checked: dict[tuple[str, str], Count] = {}
    for pair in all_pairs(notes):
        if pair.label in _SHARED:
            same = _one(_squeezed(pair.original) == _squeezed(pair.surrogate), pair)
            checked.setdefault((pair.label, _squeezed(pair.original)), same)
    return sum(checked.values(), Count())


def safe_harbor_left(notes: Sequence[Note], persons: Persons) -> Count:
    """Count the mentions that Safe Harbor lets nobody keep and that did not change."""
    found = Count()
    for note in notes:
        day = persons.note_date(note.gold.id)
        for pair in note.pairs:
            if hipaa.identifying(pair.label, pair.original, note_year=day.year if day else None):
                found += _one(_spaced(pair.original) == _spaced(pair.surrogate), pair)
    return found


def providers_changed(notes: Sequence[Note]) -> Count:
    """Count the mentions of providers that changed."""
    doctors = [pair for pair in all_pairs(notes) if pair.label == "DOCTOR"]
    return sum((_one(_spaced(pair.original) != _spaced(pair.surrogate), pair) for pair in doctors), Count())


def _one(wrong: bool, pair: Pair) -> Count:
    return Count(int(wrong), 1, (f"{pair.label} {pair.original} → {pair.surrogate}",) if wrong else ())


def _stays(pair: Pair) -> bool | None:
    """Whether a surrogate shows its original; None for what is not the patient's own, or says nothing."""
    if pair.label == "PATIENT":
        words, made = (_WORD.findall(text.casefold()) for text in (pair.original, pair.surrogate))
        telling = [len(word) >= _SHORTEST and not _PARTS.fullmatch(word) for word in words]
        if not any(telling):
            return None
        if len(words) == len(made):  # Jose Luis may become Ernesto Jose: each word is drawn for itself
            return any(map(all, zip(telling, map(str.__eq__, words, made), strict=True)))
        return any(tells and word in made for tells, word in zip(telling, words, strict=True))
    number = _squeezed(pair.original)
    if pair.label in _NUMBERS and len(number) >= _SHORTEST_NUMBER:
        return number in _squeezed(pair.surrogate)
    return None


def _has_to_change(pair: Pair, shift: int | None) -> bool:
    if pair.label == "DATE":
        return names_day(pair.original, shift)
    if pair.label == "AGE":
        return bool(hipaa.over_89(pair.original)) and _OLDEST not in pair.original
    return pair.label == "PROFESSION"


def _spaced(text: str) -> str:
    return " ".join(text.casefold().split())


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
    return Count(len(shared), len(every), tuple(f"{label} {one}" for label, one in sorted(shared)))


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
