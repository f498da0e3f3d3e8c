"""Draw what stands for the parts of a name: core words, acronyms, and the codes of wards and rooms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from plainsight.locale import default_locale
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.organisations.vocabulary import (
    abbreviations,
    brand_names,
    kinds,
    peoples,
    sections,
    sorts,
)
from plainsight.replace.surrogate.scope import assign

# A sort and a word of it, or a section of brands and the place of a brand in it.
Core = tuple[str, str]

_TURNS = 100  # words of its own sort are tried before the name of a town is taken


def words(
    cores: Iterable[Core],
    *,
    keyed: Keyed,
    refused: Callable[[str], bool],
) -> dict[Core, str]:
    """Return a word for each word; for a brand the long form of a brand.

    ``refused`` says which words may stand for none.
    """
    return assign(cores, partial(_candidate, keyed), refused=lambda core, word: refused(word))


def _candidate(keyed: Keyed, core: Core, turn: int) -> str:
    sort, word = core
    if sort == "script":
        return ""  # letters of another script: no list has words of it
    if sort in brand_names():
        names = brand_names()[sort]
        return names[keyed.permute((int(word) + turn) % len(names), len(names))][0]
    pool = peoples().get(word, ()) if sort == "people" else sorts().get(sort, ())
    if turn >= min(len(pool), _TURNS):
        sort, pool = "town", sorts()["town"]
    place, size = pool.index(word.title()) if sort == "people" else sections()[sort].get(word, -1), len(pool)
    if place >= 0:
        drawn = pool[keyed.permute((place + turn) % size, size)]
    else:
        number = keyed.number(f"{sort} {word}", size + 1) + turn
        drawn = pool[number] if number < size else word.strip()  # it may stay as those of the list may
    return drawn if drawn.isupper() else drawn[:1].upper() + drawn[1:]


def brand_form(name: str, form: int, section: str) -> str:
    """Return the name of a brand of a section in one of its forms: a long one, a short one."""
    forms = next((forms for forms in brand_names()[section] if forms[0] == name), (name,))
    return forms[form if form < len(forms) else 0]


# --- acronyms -----------------------------------------------------------------------------------------------

# What part of a name a word is (``small``, ``kind``, ``core``), its first letter, and its surrogate's.
Initials = tuple[str, str, str]

_COMMON_LETTERS = "abcdefghijklmnoprstvw"  # those that names of hospitals begin with

# How acronyms of hospitals end when the name at hand does not say so: Proctor Valley Lab, PVMC.
_ENDS = re.compile(r"(?:r|c|u|g)?m?[chg]|mc|hs|hc|mg|vamc|va|ch|snf")
_LONG_ENDS = re.compile(r"[rcugmwp]{1,2}(?:h|mc|hc|hs|c)|[chr]?mc")
_KIND_END = re.compile(r"(?:r?mc|[rmgc]h|h[cs]|h|va|pd|fd)$")


class Acronyms:
    """The acronyms of the surrogates of some names, by those of the originals.

    An acronym has the letters of all words but the small ones, of all words, of the first words, or of the
    core words with letters for the kind after them; the name may be a short form without its last words
    (Fenwick Women's, FWH), or have only one word that no other name begins with (Fenwick). Of the names that
    it can stand for, the likeliest reading counts, then the first name.

    >>> Acronyms([[("core", "b", "c"), ("kind", "g", "g"), ("kind", "h", "h")]])("bgh")
    'cgh'
    """

    def __init__(self, names: Sequence[Sequence[Initials]]) -> None:
        self._found: dict[str, tuple[int, int, str]] = {}
        self._cores: dict[str, str] = {}
        self._firsts: dict[str, set[str]] = {}  # the new letters of names with one core word, by the old one
        for place, name in enumerate(names):
            words = [word for word in name if word[0] != "small"]
            self._add(0, place, words)
            self._add(1, place, name)
            for length in range(3, len(words)):
                self._add(2, place, words[:length], words[length:])
            core = [word for word in name if word[0] == "core"]
            for short in (core, words):
                if len(short) > 1:
                    self._cores.setdefault(_old(short), _new(short))
            if core and words[0] is core[0] and len(core) == 1:
                self._firsts.setdefault(core[0][1], set()).add(core[0][2])

    def _add(self, way: int, place: int, words: Sequence[Initials], rest: Sequence[Initials] = ()) -> None:
        old, new = _old(words), _new(words)
        if new == old:  # only words for the kind: add the core words that follow
            new += _new([word for word in rest if word[0] == "core"])
        if len(words) > 1:
            self._found[old] = min(self._found.get(old, (way, place, new)), (way, place, new))

    def __call__(self, acronym: str) -> str:
        """Return the acronym of the surrogate; "" if it stands for none of the names."""
        if acronym in self._found:
            return self._found[acronym][2]
        for length in range(len(acronym) - 1, 1, -1):
            core, end = acronym[:length], acronym[length:]
            if core in self._cores and _ENDS.fullmatch(end):
                return self._cores[core] + end
        new = self._firsts.get(acronym[:1], set())
        return "".join(new) + acronym[1:] if len(new) == 1 and _LONG_ENDS.fullmatch(acronym[1:]) else ""


def _old(words: Sequence[Initials]) -> str:
    return "".join([old for _, old, _ in words])


def _new(words: Sequence[Initials]) -> str:
    return "".join([new for _, _, new in words])


def lettered(acronyms: Iterable[str], *, keyed: Keyed) -> dict[str, str]:
    """Return letters for acronyms that stand for no known name; an ending for the kind stays.

    A unit, such as the MICU, becomes a unit.
    """
    units = default_locale().words("organisations", "units")

    def candidate(acronym: str, turn: int) -> str:
        if acronym in units:
            return units[keyed.permute(units.index(acronym), len(units))]
        end = _KIND_END.search(acronym)
        kept = end[0] if end and len(acronym) > len(end[0]) else ""
        own = acronym.removesuffix(kept)
        number = keyed.number(f"letters {own} {turn}", len(_COMMON_LETTERS) ** len(own))
        made = ""
        for _ in own:
            number, letter = divmod(number, len(_COMMON_LETTERS))
            made += _COMMON_LETTERS[letter]
        return made + kept

    def refused(acronym: str, letters: str) -> bool:
        return (
            letters != acronym and letters not in units and (letters in kinds() or letters in abbreviations())
        )

    return assign(acronyms, candidate, refused=refused)


# --- codes of wards and rooms -------------------------------------------------------------------------------

_LONGEST_CODE = 12
_EARLY, _LATE = "abcdefgh", "ijklmnopqrstuvwxyz"
_MAIN = ("north", "east", "south", "west")
_BETWEEN = ("northeast", "southeast", "southwest", "northwest")
_SPANISH = ("norte", "este", "sur", "oeste")


def digits(keyed: Keyed, number: str) -> str:
    """Return digits for digits, so that what begins alike still does: ``6``, ``612``."""
    made = zeros = number[: len(number) - len(number.lstrip("0"))]
    for place in range(len(zeros), len(number)):
        value, before = int(number[place]), number[:place][-_LONGEST_CODE:]
        if place == len(zeros):  # the first digit is often the floor: it stands for itself wherever it leads
            made += str(1 + keyed.permute(value - 1, 9))
        else:
            made += str((value + keyed.number(f"digit {before}", 10)) % 10)
    return made


def letter(keyed: Keyed, small: str) -> str:
    """Return a small letter for a small letter; the first eight, which name pods and beds, stay so."""
    for letters in (_EARLY, _LATE):
        if small in letters:
            return letters[keyed.permute(letters.index(small), len(letters))]
    return small


def direction(keyed: Keyed, word: str) -> str:
    """Return a direction for one, by its letter (``w``) or its name (``western``), in agreement."""
    base = word.removesuffix("ern")
    for names in (_MAIN, tuple(name[0] for name in _MAIN), _SPANISH, _BETWEEN):
        if base in names:
            return names[keyed.permute(names.index(base), 4)] + word[len(base) :]
    return word
