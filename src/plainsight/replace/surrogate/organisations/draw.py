"""Draw another word of the same sort for each core word of a name."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.organisations.vocabulary import (
    Brand,
    brand_names,
    peoples,
    plain,
    sections,
    sorts,
)
from plainsight.replace.surrogate.scope import assign
from plainsight.replace.surrogate.shape import scramble

# A sort and a word of it, or a section of brands and the place of a brand in it.
Core = tuple[str, str]

_TURNS = 100  # words of its own sort are tried before the name of a town is taken
_LAST_TURN = 300


def surrogate_words(
    cores: Iterable[Core],
    *,
    keyed: Keyed,
    refused: Callable[[str], bool],
    barred: Container[tuple[Core, str]] = (),
) -> dict[Core, str]:
    """Return a word for each word, no two alike; for a brand the long form of another brand.

    ``refused`` says which words may stand for none, ``barred`` which may not stand for a certain one.
    """

    def candidate(core: Core, turn: int) -> str:
        word = _candidate(keyed, core, turn)
        return "" if (core, word) in barred else word

    return assign(cores, candidate, keyed=keyed, refused=lambda word: not word or refused(word))


def _candidate(keyed: Keyed, core: Core, turn: int) -> str:
    sort, word = core
    if turn >= _LAST_TURN or sort == "script":
        return scramble(keyed, word.title(), turn)
    if sort in brand_names():
        names = brand_names()[sort]
        if turn < len(names):
            place = keyed.permute((int(word) + turn) % len(names), len(names))
            return names[place][0] if place != int(word) else ""
        sort = "coined"
    words = peoples().get(word, ()) if sort == "people" else sorts().get(sort, ())
    if turn >= min(len(words), _TURNS):
        sort, words = "town", sorts()["town"]
    place = words.index(word.title()) if sort == "people" else sections()[sort].get(word, -1)
    if place >= 0:
        drawn = words[keyed.permute((place + turn) % len(words), len(words))]
    else:
        drawn = words[(keyed.number(f"{sort} {word}", len(words)) + turn) % len(words)]
    if plain(drawn)[:4] == word[:4]:
        return ""  # too near to the original: no candidate
    return drawn if drawn.isupper() else drawn[:1].upper() + drawn[1:]


def brand_form(name: str, brand: Brand) -> str:
    """Return a brand's name in the form that another brand has: both long, or both short."""
    forms = next((forms for forms in brand_names()[brand.section] if forms[0] == name), (name,))
    return forms[brand.form if brand.form < len(forms) else 0]


def written_as(brand: Brand) -> str:
    """Return a brand's name as the list writes it."""
    return brand_names()[brand.section][brand.place][brand.form]
