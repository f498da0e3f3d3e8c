"""Draw what stands for the parts of a name: core words, acronyms, and the codes of wards and rooms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

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
from plainsight.replace.surrogate.shape import another, scramble

# A sort and a word of it, or a section of brands and the place of a brand in it.
Core = tuple[str, str]

_TURNS = 100  # words of its own sort are tried before the name of a town is taken
_LAST_TURN = 300


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
    if turn >= _LAST_TURN or sort == "script":
        return scramble(keyed, word.title(), turn)
    if sort in brand_names():
        names = brand_names()[sort]
        if turn < len(names):
            place = keyed.permute((int(word) + turn) % len(names), len(names))
            return names[place][0]
        sort = "coined"
    pool = peoples().get(word, ()) if sort == "people" else sorts().get(sort, ())
    if turn >= min(len(pool), _TURNS):
        sort, pool = "town", sorts()["town"]
    place, size = pool.index(word.title()) if sort == "people" else sections()[sort].get(word, -1), len(pool)
    if place >= 0:
        drawn = pool[keyed.permute((place + turn) % size, size)]
    else:
        drawn = pool[(keyed.number(f"{sort} {word}", size) + turn) % size]
    return drawn if drawn.isupper() else drawn[:1].upper() + drawn[1:]


def brand_form(name: str, form: int, section: str) -> str:
    """Return the name of a brand of a section in one of its forms: a long one, a short one."""
    forms = next((forms for forms in brand_names()[section] if forms[0] == name), (name,))
    return forms[form if form < len(forms) else 0]


# --- acronyms -----------------------------------------------------------------------------------------------

# What part of a name a word is (``small``, ``kind``, ``core``), its first letter, and its surrogate's.
Initials = tuple[str, str, str]

# How acronyms of hospitals end when the name at hand does not say so: Proctor Valley Lab, PVMC.
_ENDS = re.compile(r"(?:r|c|u|g)?m?[chg]|mc|hs|hc|mg|vamc|va|ch|snf")
_KIND_END = re.compile(r"(?:mc|rmc|mh|gh|ch|h|va|hs|pd|fd)$")


def letters_of(acronym: str, names: Sequence[Sequence[Initials]]) -> tuple[str, int]:
    """Return the acronym of the surrogate of the first name it can stand for, and which one; '' if none.

    >>> letters_of("bgh", [[("core", "b", "c"), ("kind", "g", "g"), ("kind", "h", "h")]])
    ('cgh', 0)
    """
    found = [
        (way, place, made)
        for place, name in enumerate(names)
        if acronym[:1] in [old for _, old, _ in name]  # most have no such word
        for way, made in enumerate(_acronyms(acronym, name))
        if made
    ]
    _, place, made = min(found, default=(0, -1, ""))
    return made, place


def _acronyms(acronym: str, name: Sequence[Initials]) -> Sequence[str]:
    """Return what an acronym becomes in each way to read it, the likeliest first; '' if it cannot be read.

    Its letters are those of all words but the small ones, of all words, of the first words, or of the core
    words with letters for the kind after them.
    """
    words = [word for word in name if word[0] != "small"]
    core = [word for word in name if word[0] == "core"]
    beginning = _joined(acronym, words[: len(acronym)]) if len(acronym) > 2 else ""
    if beginning == acronym:  # only words for the kind: add the core words that follow
        beginning += "".join(new for kind, _, new in words[len(acronym) :] if kind == "core")
    end = acronym[len(core) :]
    with_end = _joined(acronym[: len(core)], core) if len(acronym) > 2 and _ENDS.fullmatch(end) else ""
    return _joined(acronym, words), _joined(acronym, name), beginning, with_end and with_end + end


def _joined(acronym: str, words: Sequence[Initials]) -> str:
    """Return the new letters of words whose old letters are the acronym."""
    fits = len(words) > 1 and acronym == "".join([old for _, old, _ in words])
    return "".join([new for _, _, new in words]) if fits else ""


def lettered(acronyms: Iterable[str], *, keyed: Keyed) -> dict[str, str]:
    """Return letters for acronyms that stand for no known name; an ending for the kind stays."""

    def candidate(acronym: str, turn: int) -> str:
        end = _KIND_END.search(acronym)
        kept = end[0] if end and len(acronym) - len(end[0]) >= 2 else ""
        return scramble(keyed, acronym.removesuffix(kept), turn) + kept

    def refused(acronym: str, letters: str) -> bool:
        return letters in kinds() or letters in abbreviations()

    return assign(acronyms, candidate, refused=refused)


# --- codes of wards and rooms -------------------------------------------------------------------------------

_EARLY, _LATE = "abcdefgh", "ijklmnopqrstuvwxyz"
_MAIN = ("north", "east", "south", "west")
_BETWEEN = ("northeast", "southeast", "southwest", "northwest")
_SPANISH = ("norte", "este", "sur", "oeste")


def digits(keyed: Keyed, number: str, turn: int = 0) -> str:
    """Return digits for digits, never the same, so that what begins alike still does: ``6``, ``612``."""
    made = zeros = number[: len(number) - len(number.lstrip("0"))]
    for digit in number[len(zeros) :]:
        value = int(digit)
        if made == zeros:  # the first digit is often the floor: it stands for itself wherever it leads
            made += str(1 + another(keyed, value - 1, 9, turn))
        else:
            made += str((value + keyed.number(f"digit {turn} {made}", 10)) % 10)
    return made


def letter(keyed: Keyed, small: str, turn: int = 0) -> str:
    """Return a small letter for a small letter; the first eight, which name pods and beds, stay so."""
    for letters in (_EARLY, _LATE):
        if small in letters:
            return letters[another(keyed, letters.index(small), len(letters), turn)]
    return small


def direction(keyed: Keyed, word: str, turn: int = 0) -> str:
    """Return another direction, by its letter (``w``) or its name (``western``), in agreement."""
    base = word.removesuffix("ern")
    for names in (_MAIN, tuple(name[0] for name in _MAIN), _SPANISH, _BETWEEN):
        if base in names:
            return names[another(keyed, names.index(base), 4, turn)] + word[len(base) :]
    return word
