"""Count replacements with shuffled letters: words that are no word, no name, and do not look like one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import log

from plainsight import lists
from plainsight.evaluate.surrogates.forms import is_tag
from plainsight.evaluate.surrogates.pairs import Count, Note, all_pairs
from plainsight.labels import CATEGORY_OF
from plainsight.locale.calendar import fold

_CATEGORIES = ("NAME", "DATE", "AGE", "LOCATION", "PROFESSION")
_LISTS = (
    ("words", "word"), ("first_names", "name"), ("surnames", "name"), ("us_cities", "name"),
    ("counties", "name"), ("states", "name"), ("countries", "name"), ("facility_words", "word"),
    ("places_extra", "name"), ("world_cities", "name"),
)  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 4  # letters: shorter strings may be abbreviations
_UNLIKELY = -4.0  # the mean log-probability of a letter after the two before it
_ACRONYM = 6
_VOWEL = re.compile("[aeiouy]", re.IGNORECASE)


@cache
def _known() -> tuple[frozenset[str], Counter[str], Counter[str]]:
    """Return all listed words, and how often they have each triple and each pair of letters."""
    known: set[str] = set()
    for name, column in _LISTS:
        for text in lists.load(name)[column]:
            known.update(_WORD.findall(fold(text)))
    for file in ("first_names", "surnames"):
        for line in lists.read_lines(f"surrogates/names/{file}.tsv.gz"):
            known.update(_WORD.findall(line.casefold()))
    triples = Counter(triple for word in known for triple in _triples(word))
    pairs: Counter[str] = Counter()
    for triple, count in triples.items():
        pairs[triple[:2]] += count
    return frozenset(known), triples, pairs


@cache
def _given() -> frozenset[str]:
    """Return all listed given names: two of them may be one word, as in Phuonglinh."""
    names = [*lists.load("first_names")["name"]]
    names += [line.partition("\t")[0] for line in lists.read_lines("surrogates/names/first_names.tsv.gz")]
    return frozenset(map(fold, names))


def _triples(word: str) -> list[str]:
    padded = f"^{word}$"
    return [padded[place : place + 3] for place in range(len(padded) - 2)]


def is_scrambled(word: str) -> bool:
    """Whether a word is listed nowhere and its letters follow each other as they hardly do in listed words.

    Of words with shuffled letters 86 % are found, and 1 % of the names of foreign towns are taken for such.

    >>> [is_scrambled(word) for word in ("Skvtku", "tcrshg", "Lakecote", "Kowalczyk")]
    [True, True, False, False]
    """
    word = fold(word)
    known, triples, pairs = _known()
    if word in known or any(
        word[:cut] in _given() and word[cut:] in _given() for cut in range(4, len(word) - 3)
    ):
        return False
    steps = [log((triples[triple] + 0.1) / (pairs[triple[:2]] + 3)) for triple in _triples(word)]
    return sum(steps) / len(steps) < _UNLIKELY


def scrambles(notes: Sequence[Note]) -> Count:
    """Count the replacements with a scrambled word; numbers, acronyms and words that stay do not count.

    What is an acronym in one mark of a patient is one in all of them, also in a name all in capitals.
    """
    pairs = [
        pair
        for pair in all_pairs(notes)
        if CATEGORY_OF.get(pair.label) in _CATEGORIES and pair.label != "USERNAME"
    ]
    acronyms = {
        word for pair in pairs for word in _WORD.findall(pair.original) if _is_acronym(word, pair.original)
    }
    errors = []
    for pair in pairs:
        if is_tag(pair.surrogate):
            continue
        old, new = _WORD.findall(pair.original), _WORD.findall(pair.surrogate)
        exempt = {fold(word) for word in old}
        if len(old) == len(new):
            exempt |= {fold(made) for word, made in zip(old, new, strict=True) if word in acronyms}
        shared = len(old) != len(new) or not any(map(str.isupper, old))
        if shared and not pair.surrogate.isupper():
            # Found together with what stands beside it: capitals stay capitals, so these are an acronym.
            exempt |= {fold(word) for word in new if word.isupper() and len(word) <= _ACRONYM}
        if any(len(word) >= _SHORTEST and fold(word) not in exempt and is_scrambled(word) for word in new):
            errors.append(f"{pair.label} {pair.original} → {pair.surrogate}")
    return Count(len(errors), len(pairs), tuple(errors))


def tags(notes: Sequence[Note]) -> Count:
    """Count the replacements that say only what stood there: ``[DATE]``."""
    pairs = all_pairs(notes)
    errors = tuple(f"{pair.original} → {pair.surrogate}" for pair in pairs if is_tag(pair.surrogate))
    return Count(len(errors), len(pairs), errors)


def _is_acronym(word: str, text: str) -> bool:
    """Whether a word is an acronym: short and without vowels, alone in capitals, or among other words."""
    if len(word) > _ACRONYM:
        return False
    return not _VOWEL.search(word) or (word.isupper() and (word == text or not text.isupper()))
