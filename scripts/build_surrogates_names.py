"""Rebuild the pools of surrogate names in src/plainsight/data/surrogates/names from the package's own lists.

    python scripts/build_surrogates_names.py

A pool holds the names of one role (surnames or given names) in buckets. The names of a bucket can replace
each other: they have the same sex and group of origin (surrogate_name_groups.py), are of the same sort
(everyday words, names that are given names and surnames alike, or neither), and are similarly common;
surnames are also similarly long and usual in spelling, and words similarly often written. Given names are cut
less finely, because their surrogates have a given first letter.

A bucket lists the names that may be drawn, then those that may not: drugs, eponyms that nobody bears, words
that would confuse a reader, names of no certain group, and names that are drawn in the other role. They are
listed so that they get a surrogate of their kind. Buckets are the rows of a gzipped, tab-separated table with
fixed time stamps, so that the same lists give the same bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from build_checksums import write_checksums
from plainsight.lists import load
from surrogate_name_groups import DEFAULT, MIXED, ONE_GROUP, groups, seeds

ROOT = Path(__file__).parent.parent / "src" / "plainsight" / "data"
TARGET = ROOT / "surrogates" / "names"

SMALLEST = 200  # fewest names in a bucket, so that a surrogate reveals little about its original
SMALLEST_GROUP = 12  # fewest names of a group and sex, which may be few
SMALLEST_COMMON = 64  # the same where thousands bear each name, or the names are words
MANY = 100_000  # the smaller number is enough if so many people bear the names together
COMMON = 20_000
STEP = 1.8  # most by which the first name of a bucket may be more common than its last
STEP_OF_WORDS = 4.0  # the same for names that are words
LOOKS = 8
LENGTHS = (0, 4, 5, 6, 7, 8, 10, 99)
MISSING = 100  # bearers of a name that the census lacks
SMALLEST_LETTERS = 300  # fewest given names, so that most letters begin some
BOTH_SHARE, BOTH_LEAST = 0.07, 1500  # names with more bearers in their other role are of both roles
BOTH_GROUPS = ("en", "X", "hi", "ar", "bl")  # the groups with enough such names
COLUMNS = ("sex", "group", "sort", "drawn", "known", "levels")
NAME, WORD, BOTH, RATHER_SURNAME = "name", "word", "both", "both, rather a surname"


class Sort(NamedTuple):
    """What all names of a bucket share, apart from frequency and length."""

    sex: str
    group: str
    kind: str


class Name(NamedTuple):
    """An entry of a census list, with what decides its bucket."""

    text: str
    count: int
    sex: str
    group: str
    kind: str
    fit: bool


def names(role: str) -> Iterator[Name]:
    """Yield the entries of a role's list, the most common first."""
    table = load(role)
    females = table.get("female", ("0",) * len(table["name"]))
    of = _groups(role)
    for text, count, female in zip(table["name"], table["count"], females, strict=True):
        sex = "-" if role == "surnames" else sex_class(int(female))
        number = int(count)
        (group, certain), word, own = of[text], is_word(text), role_of(text)
        kind = own if own in (BOTH, RATHER_SURNAME) else WORD if word and group in (DEFAULT, MIXED) else NAME
        drawn_here = own == role or (own in (BOTH, RATHER_SURNAME) and role == "first_names")
        fit = drawn_here and certain and not is_unfit(text, number, word)
        yield Name(text, number, sex, group, kind, fit)
    yield from _more(role)


def _more(role: str) -> Iterator[Name]:
    """Yield names of the lists of groups that the census lacks, as rare ones."""
    census = _counts("surnames").keys() | _counts("first_names").keys()
    kinds = {"surnames": "-"} if role == "surnames" else {"female": "F", "male": "M"}
    done: set[str] = set()
    for code, lists in seeds().items():
        for kind, sex in kinds.items():
            for text in sorted(lists.get(kind, frozenset()) - census - done):
                done.add(text)
                yield Name(
                    text, MISSING, sex, ONE_GROUP.get(code, code), NAME, not is_unfit(text, MISSING, False)
                )


def role_of(name: str) -> str:
    """Return whether a name is rather a given name, a surname, or both alike."""
    given, surname = (rounded(_counts(role).get(name, 0)) for role in ("first_names", "surnames"))
    both = min(given, surname) >= max(BOTH_LEAST, BOTH_SHARE * max(given, surname))
    if both and _groups("first_names")[name][0] in BOTH_GROUPS:
        foreign = _groups("surnames")[name][0] not in BOTH_GROUPS
        if foreign and surname > given / 2:  # Kim
            return "surnames"
        return RATHER_SURNAME if surname > given else BOTH
    return "first_names" if given > surname else "surnames"


def rounded(count: int) -> float:
    """Return a count as the pools tell it."""
    return 64 * 2 ** (steps(count) / 4) if count else 0.0


def steps(count: int) -> int:
    """Return a count as a number of steps, each the fourth root of two."""
    return round(4 * (math.log2(count) - 6))


@cache
def _counts(role: str) -> dict[str, int]:
    table = load(role)
    return dict(zip(table["name"], map(int, table["count"]), strict=True))


@cache
def _groups(role: str) -> dict[str, tuple[str, bool]]:
    table = load(role)
    return groups(role, table["name"], table["count"], table["groups"])


def sex_class(female: int) -> str:
    """Return who bears the name: F women, f mostly women, u both, m mostly men, M men."""
    return (
        "F" if female >= 95 else "f" if female > 65 else "u" if female >= 35 else "m" if female > 5 else "M"
    )


def is_word(name: str) -> bool:
    """Whether readers know the name as an everyday word, too.

    That is a dictionary's word that is written far more often than names borne by as many people are. The
    most common names need no such guess: the hand-written list has those of them that are words.
    """
    bearers = _bearers()[name]
    guess = bearers < 200_000 and _zipf().get(name, 0) > _expected(bearers) + 0.8
    return guess or name in _hand("name_words.txt")


def is_unfit(name: str, count: int, word: bool) -> bool:
    """Whether the name must never be a surrogate: it would confuse a reader, mislead software or offend.

    Very common names are allowed whatever else they mean: if they were never drawn, each one in a release
    would be known to be an original.
    """
    if name in _refused() or len(name) < 2 or (len(name) < 4 and not re.search("[aeiouy]|ng", name)):
        return True
    if _is_double(name):
        return True
    if count >= 100_000:
        return False
    if name in _words("drugs", "diseases") or (name in _words("clinical") and (word or count < 30_000)):
        return True
    if name in _words("brands", "eponyms") and _bearers()[name] < 10_000:
        return True
    if name in _words("facility_words", "languages") and count < 50_000:
        return True
    return word and count < (20_000 if name in _hand("ordinary.txt") or len(name) < 3 else 1000)


def _is_double(name: str) -> bool:
    """Whether it is two surnames written as one word."""
    parts = ((name[:cut], name[cut:]) for cut in range(4, len(name) - 3)) if len(name) > 9 else ()
    return any(part in _hispanic() and other in _hispanic() for part, other in parts)


@cache
def _hispanic() -> frozenset[str]:
    table = load("surnames")
    rows = zip(table["name"], table["count"], table["groups"], strict=True)
    return frozenset(name for name, count, groups in rows if int(count) > 2000 and int(groups[5]) >= 7)


@cache
def _words(*lists: str) -> frozenset[str]:
    columns = ("word", "name")
    found = (load(name)[column] for name in lists for column in columns if column in load(name))
    return frozenset(word.lower() for words in found for word in words)


@cache
def _hand(name: str) -> frozenset[str]:
    lines = (ROOT / "patient" / name).read_text(encoding="ascii").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def _refused() -> frozenset[str]:
    lines = (
        (Path(__file__).parent / "surrogates" / "refused_names.txt").read_text(encoding="ascii").splitlines()
    )
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def _zipf() -> dict[str, float]:
    table = load("words")
    rows = zip(table["word"], table["zipf"], table["listed"], strict=True)
    return {word: int(zipf) / 10 for word, zipf, listed in rows if listed == "1"}


@cache
def _bearers() -> dict[str, int]:
    found: defaultdict[str, int] = defaultdict(int)
    for role in ("surnames", "first_names"):
        for name, count in zip(load(role)["name"], load(role)["count"], strict=True):
            found[name] += int(count)
    return found


@cache
def _line() -> tuple[float, float]:
    """Fit a line: how often a name that is no word is written, by how many people bear it."""
    table = load("words")
    rows = zip(table["word"], table["zipf"], table["listed"], strict=True)
    points = [
        (math.log10(_bearers()[word]), int(zipf) / 10)
        for word, zipf, listed in rows
        if listed == "0" and _bearers().get(word, 0) > 3000
    ]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return slope, mean_y - slope * mean_x


def _expected(bearers: int) -> float:
    slope, base = _line()
    return slope * math.log10(bearers) + base


def buckets(role: str) -> Iterator[tuple[Sort, list[Name]]]:
    """Return a role's names in buckets, each with its sort."""
    sorts: defaultdict[Sort, list[Name]] = defaultdict(list)
    for name in names(role):
        sorts[Sort(name.sex, name.group, name.kind)].append(name)
    enough: defaultdict[Sort, list[Name]] = defaultdict(list)
    for sort, found in list(sorts.items()):  # a sort with too few names joins its nearest neighbour
        sexes = {"F": "Ff", "f": "fF", "m": "mM", "M": "Mm", "u": "umfMF"}.get(sort.sex, sort.sex)
        nearest = [sort._replace(sex=sex, kind=kind) for kind in (sort.kind, NAME) for sex in sexes]
        if sort.group in (DEFAULT, MIXED):
            nearest += [Sort(sort.sex, DEFAULT, kind) for kind in (sort.kind, NAME)]
        # a group with few given names has one bucket for all
        few = sort._replace(sex="u" if sort.sex in "FfmMu" else sort.sex, kind=NAME)
        enough[next((near for near in nearest if fit(sorts[near]) >= smallest(near)), few)] += found
    for sort in sorted(enough):
        least = SMALLEST_LETTERS if role == "first_names" else SMALLEST
        for run in by_count(enough[sort], STEP_OF_WORDS if sort.kind != NAME else STEP, least):
            if role == "first_names":
                yield sort, run
                continue
            # split by the most revealing property first: frequency among people, for words frequency in text
            for part in by_use(run) if sort.kind == WORD else by_length(run):
                for bucket in by_look(part):
                    yield sort, bucket


def smallest(sort: Sort) -> int:
    """Return how many names a sort needs for buckets of its own."""
    return (
        SMALLEST_GROUP
        if sort.group not in (DEFAULT, MIXED) or sort.kind in (BOTH, RATHER_SURNAME)
        else SMALLEST_COMMON
    )


def fit(found: Iterable[Name]) -> int:
    """Return how many of the names may be drawn."""
    return sum(name.fit for name in found)


def by_count(found: list[Name], step: float, smallest: int) -> list[list[Name]]:
    """Cut names into runs of about as common ones, most common first."""
    runs: list[list[Name]] = [[]]
    held = 0
    for name in sorted(found, key=lambda name: (-name.count, name.text)):
        least = SMALLEST_COMMON if name.count >= COMMON and smallest == SMALLEST else smallest
        if held >= least and runs[-1][0].count > step * name.count:
            runs.append([])
            held = 0
        runs[-1].append(name)
        held += name.fit
    return _joined(runs)


def by_use(found: list[Name]) -> list[list[Name]]:
    """Cut names that are words into runs of words that are about as often written."""
    ordered = sorted(found, key=lambda name: (-_zipf().get(name.text, 0), name.text))
    return _evenly(ordered, fit(found) // SMALLEST_COMMON)


def by_length(found: list[Name]) -> list[list[Name]]:
    """Cut names into runs of about as long ones, as far as there are enough."""
    runs: list[list[Name]] = [[]]
    for low, high in pairwise(LENGTHS):
        if are_enough(runs[-1]):
            runs.append([])
        runs[-1] += [name for name in found if low <= len(name.text) < high]
    return runs if are_enough(runs[-1]) else _joined(runs)


def are_enough(found: list[Name]) -> bool:
    """Whether names of about the same length may be a bucket by themselves."""
    drawn = fit(found)
    return drawn >= SMALLEST or (drawn >= SMALLEST_COMMON and sum(name.count for name in found) >= MANY)


def by_look(found: list[Name]) -> list[list[Name]]:
    """Cut names into parts of about as usual spellings, as far as there are enough."""
    ordered = sorted(found, key=lambda name: (_usual(name.text), name.text))
    return _evenly(ordered, min(LOOKS, fit(found) // SMALLEST))


def _evenly(ordered: list[Name], parts: int) -> list[list[Name]]:
    """Cut names into so many parts, at least one, with as many names to draw in each."""
    parts = max(1, parts)
    places = [place for place, name in enumerate(ordered) if name.fit]
    cuts = [0, *(places[len(places) * part // parts] for part in range(1, parts)), len(ordered)]
    return [ordered[low:high] for low, high in pairwise(cuts)]


@cache
def _usual(name: str) -> float:
    """Return how likely, on average, a letter of the name is after the two before it in names at large."""
    threes, twos = _followed()
    padded = f"^^{name}$"
    likely = (
        (threes[padded[at : at + 3]] + 0.1) / (twos[padded[at : at + 2]] + 3.0) for at in range(len(name) + 1)
    )
    return sum(map(math.log, likely)) / (len(name) + 1)


@cache
def _followed() -> tuple[Counter[str], Counter[str]]:
    """Count three letters that follow each other in names, and the first two of them."""
    padded = [f"^^{name}$" for name in _bearers()]
    threes = Counter(text[at : at + 3] for text in padded for at in range(len(text) - 2))
    twos: Counter[str] = Counter()
    for letters, number in threes.items():
        twos[letters[:2]] += number
    return threes, twos


def _joined(runs: list[list[Name]]) -> list[list[Name]]:
    """Return the runs, the last one joined to the one before it if it is too small."""
    if len(runs) > 1 and fit(runs[-1]) < SMALLEST:
        return [*runs[:-2], runs[-2] + runs[-1]]
    return runs


def level(name: Name) -> str:
    """Return the count as one character: each step is the fourth root of two."""
    return chr(35 + steps(name.count))


def row(sort: Sort, bucket: list[Name]) -> str:
    """Return a bucket as a row: its sort, the names to draw, those only known, and how common all are."""
    drawn, known = (sorted(name for name in bucket if name.fit is fit) for fit in (True, False))
    texts = (" ".join(name.text for name in part) for part in (drawn, known))
    levels = "".join(map(level, [*drawn, *known]))
    return "\t".join((sort.sex, sort.group, sort.kind, *texts, levels))


def write(roles: Iterable[str]) -> None:
    """Build the pools and the record of their sources."""
    TARGET.mkdir(parents=True, exist_ok=True)
    record = (
        "# Origin, licence and checksum of the pools of surrogate names\n"
        "# Rebuild with scripts/build_surrogates_names.py.\n"
    )
    for role in roles:
        made = list(buckets(role))
        lines = ["\t".join(COLUMNS), *(row(sort, bucket) for sort, bucket in made)]
        content = ("\n".join(lines) + "\n").encode("ascii")
        (TARGET / f"{role}.tsv.gz").write_bytes(gzip.compress(content, 9, mtime=0))
        size = (TARGET / f"{role}.tsv.gz").stat().st_size / 1024
        fits = sorted(fit(bucket) for _, bucket in made)
        everybody = [name for _, bucket in made for name in bucket]
        never = sum(name.count for name in everybody if not name.fit) / sum(name.count for name in everybody)
        print(
            f"{role}: {sum(fits)} names in {len(made)} buckets of {fits[0]} to {fits[-1]} (median "
            f"{fits[len(fits) // 2]}), {size:.0f} KiB; {never:.1%} of people bear one that is never drawn"
        )
        record += (
            f'\n[{role}]\norigin = "the list {role} (US Census 2020), cut into buckets by '
            "scripts/surrogates/name_groups.txt, written for plainsight; what is never drawn: "
            'scripts/surrogates/refused_names.txt, written for plainsight, and words of other lists here"\n'
            'licence = "public domain (Census); Apache-2.0"\n'
            f"columns = {json.dumps(COLUMNS)}\nentries = {len(made)}\n"
            f'sha256 = "{hashlib.sha256(content).hexdigest()}" # of the uncompressed table\n'
        )
    record += _write_words() + _write_syllables()
    (TARGET / "source.toml").write_text(record, encoding="utf-8")


def _write_syllables() -> str:
    """Write the syllables of given names that are written apart or as one word, by group and sex."""
    content = "".join(
        f"{code} {kind.split()[0].replace('syllables', 'any')} {' '.join(sorted(words))}\n"
        for code, lists in seeds().items()
        for kind, words in lists.items()
        if "syllables" in kind
    )
    (TARGET / "syllables.txt").write_text(content, encoding="ascii")
    return (
        '\n[syllables]\norigin = "scripts/surrogates/name_groups.txt, written for plainsight from general '
        'knowledge"\nlicence = "Apache-2.0"\n'
        f'sha256 = "{hashlib.sha256(content.encode()).hexdigest()}"\n'
    )


def _write_words() -> str:
    """Write the words that no invented name may be, one line for each start of three letters."""
    found = {word for word in _zipf() if len(word) > 2} | _refused() | _words("drugs", "diseases", "clinical")
    lines: defaultdict[str, list[str]] = defaultdict(list)
    for word in sorted(found):
        if re.fullmatch("[a-z]{3,16}", word):
            lines[word[:3]].append(word)
    content = "".join(f"{' '.join(lines[start])}\n" for start in sorted(lines)).encode("ascii")
    (TARGET / "not_names.txt.gz").write_bytes(gzip.compress(content, 9, mtime=0))
    return (
        '\n[not_names]\norigin = "dictionary words of the list words; the lists drugs, diseases, clinical; '
        'scripts/surrogates/refused_names.txt"\n'
        'licence = "CC BY-SA 4.0 (wordfreq data); public domain; MIT; CC0; Apache-2.0"\n'
        f'sha256 = "{hashlib.sha256(content).hexdigest()}" # of the uncompressed text\n'
    )


if __name__ == "__main__":
    write(("surnames", "first_names"))
    write_checksums()
