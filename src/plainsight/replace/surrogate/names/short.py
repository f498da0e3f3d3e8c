"""Whether a given name may be short for another one that stands in the same notes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache
from importlib.resources import files

from plainsight.replace.surrogate.names.pools import is_given, sex_of

__all__ = ["beginnings", "longer"]

_PET = re.compile(r"(?:ie|ey|ee|y|i)$")
_OWN_NAME = 50_000  # people; a name that more bear is rarely short for another
_OWN_STEM = 150_000


def beginnings(names: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Return names by their first two letters: a word can look short only for those that share its own."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name[:2], []).append(name)
    return found


def longer(word: str, names: Set[str], alike: Mapping[str, Sequence[str]]) -> str | None:
    """Return the only one of the given names that a word may be short for; ``alike`` are their `beginnings`.

    It goes by the list of nicknames, or else by looks: ``Addie``, ``Adelaide``.
    """
    listed = _names().get(word)
    near = alike.get(word[:2], ())
    if not listed and (not near or (len(near) == 1 and near[0] == word)):  # as it nearly always is
        return None
    bearers = is_given(word)
    if listed and (listed := listed & names):
        found = [name for name in listed if bearers < 2 * is_given(name)]  # Mary is not short for Marie
    elif bearers < _OWN_STEM:
        stem = _PET.sub("", word) if bearers < _OWN_NAME else ""
        if len(stem) > 2 and stem[-1] == stem[-2]:
            stem = stem[:-1]
        found = [name for name in near if name != word and _looks_short(word, stem, name)]
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
