"""Replace names by unusual ones: rare names, names that are words, and invented names."""

from __future__ import annotations

import re
from functools import cache
from random import Random

from plainsight.lab.synth.pieces import Piece, Pieces
from plainsight.lists import load
from plainsight.text.vocabulary import Is, vocabulary

_WORD = re.compile(r"[^\W\d_]{3,}")
_SYLLABLE = re.compile(r"[^aeiouy]*[aeiouy]+(?:[^aeiouy]+\Z)?")
_PARTICLES = frozenset({"von", "van", "der", "den", "del", "dela", "bin", "ibn", "jr", "sr", "iii"})
_KNOWN = 20_000  # surnames before this place are not rare


def unusual_names(pieces: Pieces, random: Random) -> Pieces:
    """Give some people of a note strange names, the same wherever they are called."""
    share = random.choice((0.3, 0.6, 1.0))
    known: dict[str, str] = {}

    def change(match: re.Match[str]) -> str:
        word = match[0].lower()
        if word not in known:
            kept = random.random() > share or word in _PARTICLES
            known[word] = word if kept else _unusual(random)
        made = known[word]
        return made.upper() if match[0].isupper() else made if match[0].islower() else made.capitalize()

    return [
        Piece(_WORD.sub(change, piece.text), piece.label) if piece.label in ("PATIENT", "DOCTOR") else piece
        for piece in pieces
    ]


def _unusual(random: Random) -> str:
    rare, words = _names()
    kind = random.random()
    if kind < 0.35:
        return random.choice(rare)
    if kind < 0.55:
        return random.choice(words)
    one, two = (_SYLLABLE.findall(random.choice(rare)) for _ in range(2))
    made = "".join((*one[: max(1, len(one) // 2)], *two[len(two) // 2 :]))
    return made if 3 <= len(made) <= 14 else random.choice(rare)


@cache
def _names() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return rare surnames, and surnames that are ordinary words as well."""
    surnames = load("surnames")["name"]
    flags = vocabulary()
    words = tuple(name for name in surnames[:_KNOWN] if flags.get(name.encode(), 0) & (Is.WORD | Is.MIXED))
    return surnames[_KNOWN:], words
