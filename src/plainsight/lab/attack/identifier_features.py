"""Features of any identifier for an attacker: of names, numbers, places and organisations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from plainsight import lists
from plainsight.lab.attack.name_features import word_features
from plainsight.lab.attack.release import NAMES
from plainsight.labels import CATEGORY_OF
from plainsight.note_cache import note_cache

_NUMBERS = frozenset(label for label, category in CATEGORY_OF.items() if category in ("ID", "CONTACT")) | {
    "ZIP"
}
_CLASSES = (("9", re.compile(r"\d")), ("X", re.compile(r"[^\W\d_]")))
_WORD = re.compile(r"[^\W\d_]{2,}")
_LISTS = ("us_cities", "world_cities", "counties", "hospitals", "organizations")
_HEADS = (1, 2, 3)  # leading digits


@note_cache(1 << 16)
def features_of(label: str, text: str) -> Mapping[str, float]:
    """Return what an attacker sees of an identifier by itself."""
    if label in NAMES:
        return word_features(text)
    return _number_features(label, text) if label in _NUMBERS else _phrase_features(label, text)


def _number_features(label: str, text: str) -> Mapping[str, float]:
    """Return label, shape, leading digits, the digits of an exchange, and whether a check digit holds."""
    digits = re.sub(r"\D", "", text)
    shape = text
    for sign, characters in _CLASSES:
        shape = characters.sub(sign, shape)
    features = {"bias": 1.0, label: 1.0, f"{label} shape {shape[:14]}": 1.0}
    features |= {f"{label} head {digits[:length]}": 1.0 for length in _HEADS if len(digits) >= length}
    if len(digits) >= 7:
        features[f"{label} exchange {digits[-7:-4]}"] = 1.0
        features[f"{label} line {digits[-4:-2]}"] = 1.0
    features[f"{label} luhn {_luhn(digits)}"] = 1.0
    features[f"{label} repeated {len(set(digits))}"] = 1.0
    if letters := "".join(_WORD.findall(text))[:3].casefold():
        features[f"{label} letters {letters}"] = 1.0
    return features


def _luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 * (value > 9)
    return total % 10 == 0


@cache
def _listed() -> Mapping[str, Mapping[str, int]]:
    """Return the names of each list, with their people as a power of ten where it says them."""
    found: dict[str, dict[str, int]] = {name: {} for name in _LISTS}
    for name, known in found.items():
        table = lists.load(name)
        people = table.get("population", ("",) * len(table["name"]))
        for text, count in zip(map(str.casefold, table["name"]), people, strict=True):
            known[text] = max(known.get(text, 0), len(count))
    return found


def _phrase_features(label: str, text: str) -> Mapping[str, float]:
    """Return what the lists say about a place or organisation and its words, and the look of its words."""
    plain = " ".join(text.casefold().split())
    features = {f"{label} {name}": value for name, value in word_features(text).items()}
    for name, known in _listed().items():
        features[f"{label} {name} {known.get(plain, -1)}"] = 1.0
    digits = re.sub(r"\D", "", text)
    features[f"{label} digits {len(digits)} {digits[:1]}"] = 1.0
    words = plain.split()
    if words:
        features[f"{label} last {words[-1]}"] = 1.0
    return features
