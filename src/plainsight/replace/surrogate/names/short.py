"""Whether a given name may be short for another one that stands in the same notes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Set
from functools import cache
from importlib.resources import files

from plainsight.replace.surrogate.names.pools import is_given, sex_of

__all__ = ["longer"]

_PET = re.compile(r"(?:ie|ey|ee|y|i)$")
_OWN_NAME = 50_000  # people; a name that more bear is rarely short for another
_OWN_STEM = 150_000


def longer(word: str, names: Set[str]) -> str | None:
    """Return the only one of the given names that a word may be short for.

    It goes by the list of nicknames, or else by looks: ``Addie``, ``Adelaide``.
    """
    bearers = is_given(word)
    if (listed := _names().get(word)) and (listed := listed & names):
        found = [name for name in listed if bearers < 2 * is_given(name)]  # Mary is not short for Marie
    elif bearers < _OWN_STEM and (alike := [name for name in names if name[0] == word[0] and name != word]):
        stem = _PET.sub("", word) if bearers < _OWN_NAME else ""
        if len(stem) > 2 and stem[-1] == stem[-2]:
            stem = stem[:-1]
        found = [name for name in alike if _looks_short(word, stem, name)]
    else:
        return None
    return found[0] if len(found) == 1 else None


def _looks_short(word: str, stem: str, name: str) -> bool:
    if len(name) < len(word) or {sex_of(word), sex_of(name)} == {"M", "F"}:
        return False
    if name.startswith(word):
        return len(word) > 2 and len(name) > len(word) + 1
    return 1 < len(stem) < len(word) and name.startswith(stem) and len(name) > len(stem) + 2


@cache
def _names() -> Mapping[str, frozenset[str]]:
    """Return the given names that each nickname is short for."""
    lines = (files("plainsight.data") / "patient" / "nicknames.txt").read_text(encoding="ascii").splitlines()
    found: dict[str, frozenset[str]] = defaultdict(frozenset)
    for line in lines:
        if line and not line.startswith("#"):
            name, *forms = line.split()
            for form in forms:
                found[form] |= {name}
    return dict(found)
