"""Whether a given name may be short for another one that stands in the same notes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from plainsight.replace.surrogate.names.pools import is_given, sex_of

__all__ = ["short_for"]

_PET = re.compile(r"(?:ie|ey|ee|y|i)$")
_OWN_NAME = 50_000  # people; a name that more bear is rarely short for another
_OWN_STEM = 150_000


def short_for(word: str, name: str) -> bool:
    """Whether a word may be short for a given name, by the list or by its looks (``Addie``, ``Adelaide``)."""
    if word == name:
        return False
    if word in _forms().get(name, ()):
        return True
    if len(name) < len(word) or {sex_of(word), sex_of(name)} == {"M", "F"}:
        return False
    if name.startswith(word):
        return len(word) >= 3 and len(name) > len(word) + 1 and is_given(word) < _OWN_STEM
    stem = _PET.sub("", word)
    if stem == word or is_given(word) >= _OWN_NAME:
        return False
    if len(stem) > 2 and stem[-1] == stem[-2]:
        stem = stem[:-1]
    return len(stem) > 1 and name.startswith(stem) and len(name) > len(stem) + 2


@cache
def _forms() -> Mapping[str, frozenset[str]]:
    lines = (files("plainsight.data") / "patient" / "nicknames.txt").read_text(encoding="ascii").splitlines()
    found: dict[str, frozenset[str]] = defaultdict(frozenset)
    for line in lines:
        if line and not line.startswith("#"):
            name, *forms = line.split()
            found[name] |= frozenset(forms)
    return found
