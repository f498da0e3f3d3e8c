"""Word lists about people's names: ordinary words, nicknames, medical eponyms."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from plainsight.locale import default_locale
from plainsight.shipped import read_shipped

_EPONYM = re.compile(
    r"(?:'?s)?[ \t-]+(?:[a-z]{1,20}[ \t-]+)?"
    rf"(?:{default_locale().patterns('record_cues')['after_eponym']})\b".encode(),
    re.I,
)
_DISEASES = default_locale().word_sets("record_cues")["diseases"]
"""Names that mean a disease with an 's: ``diagnosed with Crohn's``."""


def _lines(name: str) -> list[bytes]:
    content = read_shipped(f"data/patient/{name}")
    return [line for line in content.splitlines() if not line.startswith(b"#")]


@cache
def ordinary() -> frozenset[bytes]:
    """Return words that usually are no name: those of the corpus, and English words that are also names."""
    return frozenset(b" ".join(_lines("ordinary.txt") + _lines("name_words.txt")).split())


def is_ordinary(word: bytes) -> bool:
    """Whether a word, folded and in lower case, or its singular is an ordinary one.

    >>> is_ordinary(b"gathers"), is_ordinary(b"gaithers")
    (True, False)
    """
    known = ordinary()
    return word in known or (len(word) > 4 and word.endswith(b"s") and word[:-1] in known)


@cache
def nicknames() -> Mapping[bytes, frozenset[bytes]]:
    """Return short forms by given name, and given names by short forms that are no given names themselves."""
    rows = [line.split() for line in _lines("nicknames.txt")]
    table: defaultdict[bytes, set[bytes]] = defaultdict(set)
    given_names = {row[0] for row in rows}
    for name, *forms in rows:
        table[name].update(forms)
        for form in forms:
            if form not in given_names:
                table[form].add(name)
    return {name: frozenset(forms) for name, forms in table.items()}


@cache
def eponyms() -> frozenset[bytes]:
    """Return people's names in medical terms for signs, diseases and devices."""
    return frozenset(b" ".join(_lines("eponyms.txt")).split())


def is_eponym(text: bytes, start: int, end: int) -> bool:
    """Whether an eponym at these offsets means a sign, a disease or a device."""
    if text[end : end + 2] == b"'s" and text[start:end].lower() in _DISEASES:
        return True
    return _EPONYM.match(text, end) is not None
