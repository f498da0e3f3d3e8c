"""Compare the forms of one name: the same word must become the same word wherever it stands.

A name is read as words: particles are joined to the word behind them (``van der Berg``, ``Al-Rashid``), and
neighbours also count as one word, so that ``Pa Houa`` and ``Pahoua`` can be compared. Words that differ in a
slip of the pen or in their vowels and doubled letters (``Yousef``, ``Youssef``) are alike.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import combinations, product

from rapidfuzz.distance import OSA

from plainsight.locale.calendar import fold

Forms = dict[str, set[str]]
"""The words that each word of a name became."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NOT_NAMES = frozenset(
    (
        "dr", "drs", "mr", "mrs", "ms", "miss", "mx", "jr", "sr", "ii", "iii", "iv", "md", "rn", "np", "phd",
        "prof", "the", "and", "of", "for", "at", "in", "aka", "nee", "baby", "boy", "girl", "twin", "infant",
        "newborn",
    )
)  # fmt: skip
_PARTICLES = frozenset(
    (
        "de", "del", "dela", "la", "las", "los", "van", "von", "der", "den", "di", "da", "dos", "du", "al",
        "el", "bin", "ibn", "abu", "umm", "um", "bint", "ben", "mc", "mac", "o", "st",
    )
)  # fmt: skip
_SHORT, _LONG = (
    6,
    8,
)  # letters: a short word with another letter is another name, a long one may have two slips
_MADE_ALIKE = 0.6  # a copied slip moves more letters of a short surrogate
_SHORTEST = 4  # letters: shorter words are alike by chance
_VOWELS = re.compile(r"[aeiouyw]")
_DOUBLED = re.compile(r"(.)\1+")


def words(text: str) -> list[str]:
    """Return a name's words, folded, with particles joined to the word behind them.

    >>> words("VAN DER BERG, Anna Jr.")
    ['vanderberg', 'anna']
    """
    found: list[str] = []
    joined = ""
    for hit in _WORD.finditer(text):
        word = fold(hit[0]).replace("'", "").replace("’", "")
        is_initial = len(word) == 1 and text[hit.end() :].startswith(".")
        if word in _PARTICLES and len(text) > len(word) and not is_initial:
            joined += word
        elif word not in _NOT_NAMES:
            found.append(joined + word)
            joined = ""
    return [*found, joined] if joined else found


def is_tag(text: str) -> bool:
    """Whether a replacement says only what stood there: ``[DATE]``."""
    return text.startswith("[") and text.endswith("]")


def skeleton(word: str) -> str:
    """Return a word's first letter and its later consonants, doubled ones once.

    >>> skeleton("mohammed"), skeleton("muhammad")
    ('mhmd', 'mhmd')
    """
    return _DOUBLED.sub(r"\1", word[:1] + _VOWELS.sub("", word[1:]))


def alike(one: str, other: str) -> bool:
    """Whether two words may be spellings of one name: a slip of the pen, other vowels or doubled letters.

    >>> alike("kowalchuk", "kowalczuk"), alike("yousef", "youssef"), alike("andriy", "andy")
    (True, True, False)
    """
    shortest = min(len(one), len(other))
    if one == other or (shortest < _SHORTEST or one[:1] != other[:1]):
        return one == other
    same_bones = len(skeleton(one)) > 2 and skeleton(one) == skeleton(other)
    slips = 1 + (shortest > _LONG) - (shortest < _SHORT and len(one) == len(other))
    return same_bones or OSA.distance(one, other) <= slips


def _made_alike(one: str, other: str) -> bool:
    """Whether two surrogates may stand for two spellings of one name."""
    return one in other or other in one or SequenceMatcher(None, one, other).ratio() >= _MADE_ALIKE


def aligned(original: str, surrogate: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a name and neighbours as one word, each with what it became.

    >>> list(aligned("Pa Houa", "Mai Lee"))
    [('pa', 'mai'), ('houa', 'lee'), ('pahoua', 'mailee')]
    """
    old, new = words(original), words(surrogate)
    if len(old) == len(new):
        for length in range(1, len(old) + 1):
            for first in range(len(old) - length + 1):
                yield "".join(old[first : first + length]), "".join(new[first : first + length])
    elif old and new:
        yield "".join(old), "".join(new)


def single_words(pairs: Iterable[tuple[str, str]]) -> set[str]:
    """Return the words that stand as one word in a mention."""
    return {word for original, _ in pairs for word in words(original)}


def forms(pairs: Iterable[tuple[str, str]]) -> Forms:
    """Return what each word of one name became, over all its mentions: originals and surrogates."""
    found: Forms = defaultdict(set)
    for original, surrogate in pairs:
        twice = len(set(words(original))) < len(words(original))
        for word, made in aligned(original, surrogate):
            if len(word) > 1 and not twice:
                found[word].add(made)
    return found


def disagreements(pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the words of one name that became unlike words; neighbours count if they also stand as one."""
    found, single = forms(pairs), single_words(pairs)
    many = sorted(found)
    for word in many:
        if len(found[word]) > 1:
            yield f"{word} → {', '.join(sorted(found[word]))}"
    for one, other in combinations(many, 2):
        made = list(product(found[one], found[other]))
        if single & {one, other} and alike(one, other) and not any(_made_alike(*pair) for pair in made):
            yield f"{one}, {other} → {', '.join(made[0])}"


def initials(text: str) -> set[str]:
    """Return the initials of a name: all of them, and the first with the last; in both orders after a comma.

    >>> sorted(initials("Anna Maria Kim")), sorted(initials("KIM, ANNA"))
    (['ak', 'amk'], ['ak', 'ka'])
    """
    before, after = map(words, text.partition(",")[::2])
    found = set()
    for order in ([*before, *after], [*after, *before]) if after else (before,):
        letters = "".join(word[:1] for word in order)
        found |= {letters, letters[:1] + letters[-1:]}
    return {letters for letters in found if len(letters) > 1}


def letters_of(text: str) -> str:
    """Return the letters of initials (``N.O.``, ``NO``, ``nkj``), else nothing."""
    bare = re.sub(r"[.\s]", "", text)
    if not (1 < len(bare) < 5 and bare.isalpha()):
        return ""
    no_word = bare.islower() and not re.search("[aeiouy]", bare)
    return bare.casefold() if bare.isupper() or no_word or len(bare) == len(words(text)) else ""
