"""Tell the group of origin of each name of the census: learn it from lists of names by group.

scripts/surrogates/name_groups.txt has some names of each group. Their letters, and the races that the census
counts for their bearers, say to which group every other name most likely belongs; the names that are then
certain are learnt from, too. African American names, which no list has, are learnt from the census itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np

SEEDS = Path(__file__).parent / "surrogates" / "name_groups.txt"
BLACK, MIXED, DEFAULT = "bl", "X", "en"
ONE_GROUP = {"ht": "fr"}  # learnt apart, because most bearers are of another race
_BITS = 18
_ROUNDS = 2
_CERTAIN = 0.99  # to learn from
_TYPICAL = 0.9
_ALL_LISTED = ("hm", "zh", "ko", "vi")  # groups of so few names that the list has nearly all
_SMOOTHING = 0.05
_TEMPERATURE = 0.35  # letters that overlap are counted several times
_PER_TENTH = 0.55
_LISTED = 14.0  # log odds that a list speaks for its group
_RARE, _COMMON = 1500, 2.5  # how much rather a name is British the more common it is among white people
_PRIORS = {
    "en": 12.0,
    "bl": 2.5,
    "hi": 1.5,
    "de": 3.0,
    "it": 1.0,
    "fr": 0.8,
    "ht": 0.3,
    "sc": 0.8,
    "sl": 1.2,
    "je": 0.4,
    "gr": 0.15,
    "nl": 0.3,
    "am": 0.05,
    "ar": 0.3,
    "fa": 0.15,
    "wa": 0.4,
    "ea": 0.3,
    "na": 0.1,
    "zh": 0.5,
    "ko": 0.25,
    "vi": 0.2,
    "hm": 0.05,
    "ja": 0.5,
    "se": 0.3,
    "pc": 0.1,
    "in": 1.5,
    "ph": 0.8,
    "pt": 0.3,
}


@cache
def seeds() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Return the listed names by group and list: surnames, female, male, syllables (of women, of men)."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    group = ""
    for line in SEEDS.read_text(encoding="ascii").splitlines():
        if line.startswith("#") or not line:
            continue
        name, colon, words = line.partition(": ")
        if colon:
            found[group][name] = frozenset(word for word in words.split() if word.isalpha())
        else:
            group = line.split()[0]
            found[group] = {}
    return found


def groups(
    role: str, names: Iterable[str], counts: Iterable[str], races: Iterable[str]
) -> dict[str, tuple[str, bool]]:
    """Return the group of each name, and whether that is certain enough to stand for others of the group.

    ``races`` are the tenths of bearers by race, as the lists have them.
    """
    names, tenths = list(names), np.array([[int(digit) for digit in each] for each in races], float)
    listed = _listed(role)
    with_list = {code for own in listed.values() for code in own}
    codes = [*(code for code in seeds() if code in with_list), BLACK]
    number = {code: place for place, code in enumerate(codes)}
    features = [_features(name) for name in names]
    known: dict[int, int] = {}
    for place, name in enumerate(names):
        if len(listed.get(name, ())) == 1:
            known[place] = number[listed[name][0]]
        elif name not in listed and tenths[place, 1] >= 6:
            known[place] = number[BLACK]
    prior = np.log([_PRIORS[code] for code in codes])
    bonus = np.zeros((len(names), len(codes)))
    common = np.log(np.array(list(counts), float) / _RARE)
    bonus[:, number[DEFAULT]] = np.where(tenths[:, 0] >= 6, _COMMON * np.maximum(common, 0), 0)
    for place, name in enumerate(names):
        for code in listed.get(name, ()):
            bonus[place, number[code]] += _LISTED
    posterior = np.zeros((len(names), len(codes)))
    for _ in range(_ROUNDS):
        letters, race = _learnt(features, tenths, known, len(codes))
        for place, own in enumerate(features):
            posterior[place] = _TEMPERATURE * (letters[:, own].sum(1) - letters[:, own].sum(1).max())
        posterior += _PER_TENTH * tenths @ np.log(race).T + prior + bonus
        posterior -= posterior.max(1, keepdims=True)
        posterior = np.exp(posterior)
        posterior /= posterior.sum(1, keepdims=True)
        best = posterior.argmax(1)
        sure = posterior.max(1) > _CERTAIN
        known = {place: int(best[place]) for place in range(len(names)) if sure[place]}
    made = {}
    for place, name in enumerate(names):
        code = ONE_GROUP.get(codes[best[place]], codes[best[place]])
        white, black, *_ = tenths[place]
        if code in (DEFAULT, BLACK, "de") and min(white, black) >= 3:
            code = MIXED
        if code in _ALL_LISTED and (role == "surnames" or code == "hm"):
            typical = code in listed.get(name, ())
        else:
            typical = code in (DEFAULT, MIXED, BLACK) or float(posterior[place].max()) > _TYPICAL
        made[name] = (code, typical)
    return made


def _listed(role: str) -> Mapping[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for code, lists in seeds().items():
        for kind, words in lists.items():
            if (kind == "surnames") == (role == "surnames") and "syllables" not in kind:
                for word in words:
                    if code not in found[word]:
                        found[word].append(code)
    return found


def _features(name: str) -> np.ndarray:
    padded = f"^{name}$"
    grams = [f"{padded[at : at + size]}" for size in (2, 3, 4) for at in range(len(padded) - size + 1)]
    grams.append(f"len {min(len(name), 12)}")
    return np.array([crc32(gram.encode()) & ((1 << _BITS) - 1) for gram in grams])


def _learnt(
    features: list[np.ndarray], tenths: np.ndarray, known: Mapping[int, int], count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the log of how likely letters are in each group, and the shares of races in it."""
    counts = np.zeros((count, 1 << _BITS))
    race = np.full((count, tenths.shape[1]), 0.15)
    for place, group in known.items():
        np.add.at(counts[group], features[place], 1.0)
        race[group] += tenths[place] / 10
    used = counts.sum(0) > 0
    total = counts.sum(1, keepdims=True)
    smooth = np.where(used, _SMOOTHING, 0)
    letters = np.log((counts + smooth + 1e-9) / (total + smooth.sum()))
    letters[:, ~used] = 0.0
    return letters, race / race.sum(1, keepdims=True)
