"""Word lists about people's names: ordinary words, nicknames, medical eponyms."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from plainsight.locale import default_locale

_EPONYM = re.compile(
    r"(?:'?s)?[ \t-]+(?:[a-z]{1,20}[ \t-]+)?"
    rf"(?:{default_locale().patterns('record_cues')['after_eponym']})\b".encode(),
    re.I,
)
_DISEASES = default_locale().word_sets("record_cues")["diseases"]
"""Whose name with an 's means the disease: ``was told he had Crohn's``."""


def _lines(name: str) -> list[bytes]:
    content = files("plainsight").joinpath("data", "patient", name).read_bytes()
    return [line for line in content.splitlines() if not line.startswith(b"#")]


@cache
def ordinary() -> frozenset[bytes]:
    """Words that usually mean no person: those of our notes, and English words that are also names."""
    return frozenset(b" ".join(_lines("ordinary.txt") + _lines("name_words.txt")).split())


def is_ordinary(word: bytes) -> bool:
    """Whether a folded, small-letter word, or what it is the plural of, is an ordinary one.

    >>> is_ordinary(b"gathers"), is_ordinary(b"gaithers")
    (True, False)
    """
    known = ordinary()
    return word in known or (len(word) > 4 and word.endswith(b"s") and word[:-1] in known)


@cache
def nicknames() -> Mapping[bytes, frozenset[bytes]]:
    """Given name to its short forms; a form that is no given name itself, to those it stands for."""
    rows = [line.split() for line in _lines("nicknames.txt")]
    table: defaultdict[bytes, set[bytes]] = defaultdict(set)
    given = {row[0] for row in rows}
    for name, *forms in rows:
        table[name].update(forms)
        for form in forms:
            if form not in given:
                table[form].add(name)
    return {name: frozenset(forms) for name, forms in table.items()}


@cache
def eponyms() -> frozenset[bytes]:
    """People's names that medicine uses for signs, diseases and devices."""
    return frozenset(b" ".join(_lines("eponyms.txt")).split())


def is_eponym(text: bytes, start: int, end: int) -> bool:
    """Whether a name that medicine uses is a sign, a disease or a device here."""
    if text[end : end + 2] == b"'s" and text[start:end].lower() in _DISEASES:
        return True
    return _EPONYM.match(text, end) is not None
