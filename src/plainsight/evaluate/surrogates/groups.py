"""Say whether a name word is of a group of origin, by the bundled lists of names.

The lists are those that surrogates are drawn from: what is measured is whether the origin of a name was
recognised and kept.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from plainsight import lists
from plainsight.shipped import read_shipped

_FILES = ("surnames", "first_names")
_CODES = {
    "english": ("en", "X", "bl", "nl"),
    "irish": ("en", "X", "bl"),
    "german": ("de", "nl"),
    "french": ("fr",),
    "italian": ("it",),
    "scandinavian": ("sc",),
    "slavic": ("sl",),
    "jewish": ("je",),
    "hispanic": ("hi", "pt"),
    "filipino": ("ph", "hi"),
    "chinese": ("zh",),
    "korean": ("ko",),
    "vietnamese": ("vi",),
    "hmong": ("hm",),
    "japanese": ("ja",),
    "south-asian": ("in",),
    "arabic": ("ar",),
    "persian": ("fa", "ar"),
    "west-african": ("wa",),
    "east-african": ("ea", "ar"),
    "native-american": ("na",),
}
"""The codes of the lists for each group of `persons.json`.

Many surnames of Filipinos are Spanish, many names of Somalis Arabic.
"""


@cache
def _groups() -> dict[str, frozenset[str]]:
    """Return the groups of each listed name."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in _FILES:
        for line in lists.read_lines(f"surrogates/names/{file}.tsv.gz")[1:]:
            _, group, _, drawn, known = line.split("\t")[:5]
            for word in f"{drawn} {known}".split():
                found[word].add(group)
    return {word: frozenset(groups) for word, groups in found.items()}


@cache
def _syllables() -> dict[str, frozenset[str]]:
    """Return the syllables that given names of a group are made of."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in read_shipped("data/surrogates/names/syllables.txt").decode("ascii").splitlines():
        group, _, *parts = line.split()
        found[group] |= set(parts)
    return {group: frozenset(parts) for group, parts in found.items()}


def _of_syllables(word: str, code: str) -> bool:
    parts = _syllables().get(code, frozenset())
    return word in parts or any(word[:cut] in parts and word[cut:] in parts for cut in range(1, len(word)))


def fits_group(word: str, group: str) -> bool | None:
    """Whether a folded word is a name of the group; None if nothing is known of the word or the group.

    >>> fits_group("nowak", "slavic"), fits_group("nowak", "korean"), fits_group("qzx", "korean")
    (True, False, None)
    """
    codes = _CODES.get(group, ())
    if any(_of_syllables(word, code) for code in codes):
        return True
    if not codes or word not in _groups():
        return None
    return not _groups()[word].isdisjoint(codes)
