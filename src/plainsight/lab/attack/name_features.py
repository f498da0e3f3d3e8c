"""Features of a name for an attacker: lists, frequency, letters, format, and how often it occurs."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from plainsight import lists
from plainsight.lab.attack.release import Name
from plainsight.note_cache import note_cache

_WORD = re.compile(r"[^\W\d_]{2,}")
_EDGE: Final = "^"
_TRAINED_ON = 20_000  # names of each list: the letters of rarer ones add nothing


@cache
def _ranks(name: str) -> Mapping[str, int]:
    """Return for each name of a list how many people have it, as a power of ten."""
    table = lists.load(name)
    counts = zip(table["name"], table["count"], strict=True)
    return {word: len(count) for word, count in counts}


@cache
def _zipf() -> Mapping[str, tuple[int, bool]]:
    table = lists.load("words")
    rows = zip(table["word"], table["zipf"], table["listed"], strict=True)
    return {word: (int(zipf) // 10, listed == "1") for word, zipf, listed in rows}


@cache
def _trigrams() -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Count the letter triples and pairs of the lists' names."""
    triples: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for name in ("first_names", "surnames"):
        for word in lists.load(name)["name"][:_TRAINED_ON]:
            padded = f"{_EDGE}{_EDGE}{word}$"
            for place in range(len(padded) - 2):
                triples[padded[place : place + 3]] += 1
                pairs[padded[place : place + 2]] += 1
    return triples, pairs


@note_cache(1 << 16)
def _likelihood(word: str) -> float:
    """Return the mean log-likelihood of a word's letters under the lists' names."""
    triples, pairs = _trigrams()
    padded = f"{_EDGE}{_EDGE}{word}$"
    steps = [
        math.log(
            (triples.get(padded[place : place + 3], 0) + 0.1)
            / (pairs.get(padded[place : place + 2], 0) + 3.0)
        )
        for place in range(len(padded) - 2)
    ]
    return sum(steps) / len(steps)


@note_cache(1 << 16)
def _of_word(word: str) -> tuple[tuple[str, float], ...]:
    low = word.casefold()
    zipf, listed = _zipf().get(low, (0, False))
    return (
        (f"given {_ranks('first_names').get(low, 0)}", 1.0),
        (f"surname {_ranks('surnames').get(low, 0)}", 1.0),
        (f"word {zipf} {listed}", 1.0),
        (f"length {min(len(low), 12)}", 1.0),
        ("letters", _likelihood(low) + 2.5),
    )


@note_cache(1 << 16)
def word_features(name: str) -> Mapping[str, float]:
    """Return the features of a name by itself, averaged over its words."""
    words = _WORD.findall(name)
    features: dict[str, float] = defaultdict(float)
    for word in words:
        for feature, value in _of_word(word):
            features[feature] += value / len(words)
    case = (
        "upper" if name.isupper() else "lower" if name.islower() else "title" if name.istitle() else "mixed"
    )
    features[f"case {case}"] = 1.0
    features[f"words {min(len(words), 4)}"] = 1.0
    features[f"comma {',' in name} stop {'.' in name} hyphen {'-' in name}"] = 1.0
    features["bias"] = 1.0
    return MappingProxyType(features)


def occurrences(names: Iterable[Name]) -> Mapping[tuple[str, str], int]:
    """Count how many names of a patient's notes hold each word."""
    counts: Counter[tuple[str, str]] = Counter()
    for name in names:
        counts.update({(name.scope, word.casefold()) for word in _WORD.findall(name.text)})
    return counts


def context_features(name: Name, counts: Mapping[tuple[str, str], int]) -> dict[str, float]:
    """Return how often a name's words occur in the patient's notes."""
    words = [word.casefold() for word in _WORD.findall(name.text)]
    if not words:
        return {"seen never": 1.0}
    least = least_seen(name, counts)
    most = max(counts[name.scope, word] for word in words)
    return {f"seen least {min(least, 5)}": 1.0, f"seen most {min(most, 8)}": 1.0}


def least_seen(name: Name, counts: Mapping[tuple[str, str], int]) -> int:
    """Return how often the rarest word of a name occurs in the patient's notes."""
    return min((counts[name.scope, word.casefold()] for word in _WORD.findall(name.text)), default=0)


@note_cache(1 << 16)
def name_flags(word: str) -> tuple[str, str]:
    """Return what the lists say about a word, as features of a tagger."""
    zipf, listed = _zipf().get(word, (0, False))
    given, surname = _ranks("first_names").get(word, 0), _ranks("surnames").get(word, 0)
    return f"list={given // 2}{surname // 2}", f"dict={zipf}{listed:d}"
