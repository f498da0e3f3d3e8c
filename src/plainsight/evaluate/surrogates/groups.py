"""Say whether a name word is of a group of origin, by the bundled lists of names."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from plainsight import lists

_FILES = ("surnames", "first_names")
_ASIAN = ("chinese", "korean", "vietnamese", "hmong", "japanese", "south-asian", "filipino")
_EUROPEAN = ("english", "german", "french", "italian", "scandinavian", "irish", "slavic", "jewish")
_CODES = {
    "hispanic": "H",
    "native-american": "N",
    **dict.fromkeys(_ASIAN, "A"),
    **dict.fromkeys(_EUROPEAN, "WBX"),
}


@cache
def _groups() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for file in _FILES:
        for line in lists.read_lines(f"surrogates/names/{file}.tsv.gz")[1:]:
            _, group, _, drawn, known = line.split("\t")[:5]
            for word in f"{drawn} {known}".split():
                found[word].add(group)
    return found


def fits_group(word: str, group: str) -> bool | None:
    """Whether a folded word is a name of the group; None if nothing is known of the word or the group."""
    if group not in _CODES or word not in _groups():
        return None
    return any(code in _CODES[group] for code in _groups()[word])
