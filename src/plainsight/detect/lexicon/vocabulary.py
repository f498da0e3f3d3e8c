"""What every word can be: one number of flags per word, built once from all lists.

A name that is also an ordinary word is judged by frequency: how often the word stands in everyday English
against how many people bear it. ``smith`` is rare English for so many Smiths; ``small`` is not.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from plainsight.detect.lexicon.compiled import Phrase, read_phrases, read_words
from plainsight.detect.lexicon.cues import CALENDAR_WORDS, CREDENTIALS, CUES, LABELS, PLACE_WORDS, STOP_WORDS
from plainsight.detect.lexicon.flags import Is
from plainsight.lists import load

_PLACES = Is.CITY | Is.STATE | Is.CODE | Is.COUNTRY | Is.PEOPLE | Is.PLACE_WORD
_LOOKED_AT = Is.LEVEL | Is.TITLE | _PLACES | Is.HEADS | Is.PHRASE | Is.SINGLE | Is.LOOSE


class Head(NamedTuple):
    """The telling end of a facility's or organisation's name: its text, label, and whether it is enough."""

    text: bytes
    label: str
    strong: bool


class Vocabulary(NamedTuple):
    """What every list says, ready to look up.

    Flags are by word, phrases by their first two words or their only one, heads by their last word; the
    longest come first.
    """

    flags: dict[bytes, int]
    phrases: dict[bytes, tuple[Phrase, ...]]
    heads: dict[bytes, tuple[Head, ...]]


@cache
def load_vocabulary() -> Vocabulary:
    """Return the vocabulary as compiled into the package."""
    folder = files("plainsight.data") / "vocabulary"
    return Vocabulary(read_words(folder), read_phrases(folder), _heads())


def build_vocabulary() -> Vocabulary:
    """Build the vocabulary from all lists; takes about a second."""
    flags: dict[str, int] = defaultdict(int)
    _add_names(flags)
    _add_exclusions(flags)
    phrases = _add_places(flags) + _add_organizations(flags)
    for text in load("excluded_phrases")["phrase"]:
        loose = text.split()[-1].islower() or (" " in text and text.split()[1].islower())
        phrases.append(Phrase(text.lower().encode(), "EXCLUDED", 9 if loose else 8))
    _add_cues(flags)
    by_start = _index(phrases, flags)
    shared: dict[int, int] = {}  # equal numbers as one object: less memory, and they stay in the cache
    table: dict[bytes, int] = {}
    for word, value in flags.items():
        if len(word) > 1:
            full = shared.get(value)
            if full is None:
                full = value | Is.KNOWN | level(value)
                full = shared[value] = full | Is.MARKED if full & _LOOKED_AT else full
            table[word.encode()] = full
        else:  # a single letter is an initial before it is anything else
            table[word.encode()] = value & (Is.SINGLE | Is.PLACE_WORD)
    return Vocabulary(table, by_start, _heads())


def _add_exclusions(flags: dict[str, int]) -> None:
    """Flag what is no name by itself: drugs, diseases, brands, clinical words, eponyms, languages."""
    columns = load("words")
    everyday = {word for word, zipf in zip(columns["word"], columns["zipf"], strict=True) if int(zipf) >= 39}
    medical = {
        "drugs": Is.MEDICAL,
        "diseases": Is.MEDICAL,
        "brands": Is.MEDICAL,
        "clinical": Is.MEDICAL | Is.GENERIC,
    }
    for name, flag in medical.items():
        for word in map(str.lower, load(name)["word"]):
            if name == "diseases" and word in everyday:
                continue  # names of diseases hold words such as river, gulf, street
            # Cook, Miller, Hudson: names first, products second
            flags[word] |= Is.EPONYM if flags[word] & (Is.PURE | Is.COMMON) == Is.PURE | Is.COMMON else flag
    for word in load("eponyms")["word"]:
        flags[word.lower()] |= Is.EPONYM
    for word in load("languages")["word"]:
        flags[word.lower()] |= Is.LANGUAGE


def _add_cues(flags: dict[str, int]) -> None:
    """Flag function words, the calendar, and the words that tell who or what stands beside them."""
    known = {*LABELS, *CREDENTIALS}  # and no name by themselves
    for words, flag in (
        (STOP_WORDS, Is.STOP),
        (CALENDAR_WORDS, Is.CALENDAR),
        (PLACE_WORDS, Is.PLACE_WORD),
        (known, 0),
    ):
        for word in words:
            flags[word.decode()] |= flag
    for cue, (_, weight) in CUES.items():
        if weight > 1:
            flags[cue.decode()] |= Is.TITLE if weight == 3 else Is.CUE


_COMMON_STARTS = Is.STOP | Is.CALENDAR | Is.TITLE | Is.CUE
_FIRST_WORD = re.compile(rb"[a-z]+(?:['-](?!s\b)[a-z]+)*")


def _index(phrases: list[Phrase], flags: dict[str, int]) -> dict[bytes, tuple[Phrase, ...]]:
    """Return the phrases by how they start, the largest of each text, and flag their first words."""
    found: dict[bytes, dict[bytes, Phrase]] = defaultdict(dict)
    for phrase in phrases:
        first = _FIRST_WORD.match(phrase.text)
        if first is None:
            continue
        pieces = phrase.text.split(None, 2)
        if phrase.kind == "CITY" and phrase.size < 5 and flags[first.group().decode()] & _COMMON_STARTS:
            continue  # a small town called May Creek is not worth a look at every May
        key = b" ".join(pieces[:2]).rstrip(b".") if len(pieces) > 1 else first.group()
        kind = Is.SINGLE if len(pieces) == 1 else Is.LOOSE if phrase.size == 9 else Is.PHRASE
        flags[first.group().decode()] |= kind
        known = found[key].get(phrase.text)
        if known is None or known.size < phrase.size:
            found[key][phrase.text] = phrase
    return {key: tuple(sorted(group.values(), key=lambda p: -len(p.text))) for key, group in found.items()}


def level(flags: int) -> int:
    """Return how much a listed word is a name by itself.

    3 is a name and little else, 2 a name as much as a word, 1 a possible name, 0 hardly one.
    """
    if flags & Is.CALENDAR:
        return 1 if flags & (Is.FIRST | Is.COMMON) == Is.FIRST | Is.COMMON else 0  # June, April, Jan
    if flags & (Is.STOP | Is.MEDICAL | Is.TITLE | Is.CUE | Is.LANGUAGE):
        return 0
    if flags & Is.PURE:
        return 3
    if flags & Is.MIXED:
        return 2
    if flags & Is.NAME:
        return 1
    return 0


_PEOPLE = {"surnames": 298_900_000, "first_names": 302_000_000}
"""People counted in each census table, listed names and all others."""


def _add_names(flags: dict[str, int]) -> None:
    """Flag names and ordinary words, and judge those that are both."""
    counts: dict[str, dict[str, int]] = {}
    for table, flag in (("surnames", Is.LAST), ("first_names", Is.FIRST)):
        columns = load(table)
        counts[table] = dict(zip(columns["name"], map(int, columns["count"]), strict=True))
        often = _PEOPLE[table] // 50_000
        for name, count in counts[table].items():
            flags[name] |= flag | Is.PURE | Is.COMMON if count > often else flag | Is.PURE
    last, first = counts["surnames"], counts["first_names"]
    columns = load("words")
    for word, tenths, listed in zip(columns["word"], columns["zipf"], columns["listed"], strict=True):
        if word not in last and word not in first:
            # frequent but in no dictionary in lower case: a place, a brand, slang
            flags[word] |= Is.WORD if listed == "1" else 0
            continue
        share = last.get(word, 0) / _PEOPLE["surnames"] + first.get(word, 0) / _PEOPLE["first_names"]
        excess = int(tenths) / 10 - math.log10(share * 100_000)
        if excess > (3.3 if listed == "1" else 3.7):
            flags[word] = flags[word] & ~Is.PURE | (Is.WORD if listed == "1" else 0)
        elif excess > (2.6 if listed == "1" else 3.2):
            flags[word] = flags[word] & ~Is.PURE | Is.MIXED


def _add_places(flags: dict[str, int]) -> list[Phrase]:
    """Flag single-word places; return the longer ones."""
    phrases: list[Phrase] = []

    def add(name: str, kind: str, flag: int, size: int = 5) -> None:
        low = name.lower()
        if low.isalpha() or low.replace("-", "").isalpha():
            flags[low] |= flag
        elif low[1:2] == "'" and low.replace("'", "").isalpha():  # O'Brien is a town and a surname
            flags[low] |= flag | flags.get(low.replace("'", ""), 0)
        else:
            phrases.append(Phrase(low.encode(), kind, size))

    for table in ("us_cities", "world_cities"):
        columns = load(table)
        for name, people in zip(columns["name"], columns["population"], strict=True):
            add(
                name,
                "CITY",
                Is.CITY | Is.BIG_CITY if int(people) > 100_000 else Is.CITY,
                min(7, len(people) - 1),
            )
    columns = load("states")
    for name, code, forms in zip(columns["name"], columns["code"], columns["forms"], strict=True):
        for form in filter(None, (name, *forms.split(";"))):
            add(form, "STATE", Is.STATE)
        if code:
            flags[code.lower()] |= Is.CODE
    columns = load("countries")
    for name, forms, people in zip(columns["name"], columns["forms"], columns["people"], strict=True):
        for form in filter(None, (name, *forms.split(";"))):
            add(form, "COUNTRY", Is.COUNTRY)
        for form in filter(None, people.split(";")):
            add(form, "PEOPLE", Is.PEOPLE)
    columns = load("places_extra")
    for name, kind in zip(columns["name"], columns["kind"], strict=True):
        if kind == "cities":
            add(name, "CITY", Is.CITY | Is.BIG_CITY, 6)
        else:
            phrases.append(Phrase(name.lower().encode(), "LOCATION_OTHER", 6))
    return phrases


def _heads() -> dict[bytes, tuple[Head, ...]]:
    """Return the grammar's heads by the last word they end in (without a possessive), longest first."""
    columns = load("facility_words")
    found: dict[bytes, list[Head]] = defaultdict(list)
    for entry, part in zip(columns["word"], columns["part"], strict=True):
        if part != "generic":
            key = entry.split()[-1].partition("'")[0].strip(".").encode()
            label = "HOSPITAL" if part.endswith("heads") else "ORGANIZATION"
            found[key].append(Head(entry.strip(".").encode(), label, not part.startswith("weak")))
    return {key: tuple(sorted(heads, key=lambda head: -len(head.text))) for key, heads in found.items()}


def _add_organizations(flags: dict[str, int]) -> list[Phrase]:
    """Flag the words of facility and organisation grammar; return the listed names."""
    columns = load("facility_words")
    for entry, part in zip(columns["word"], columns["part"], strict=True):
        last = entry.split()[-1].partition("'")[0].strip(".")
        flags[last] |= Is.GENERIC if part == "generic" else Is.HEAD if part.endswith("heads") else Is.ORG_HEAD
    columns = load("hospitals")
    phrases = [
        Phrase(name.lower().encode(), "HOSPITAL" if kind == "name" else "HOSPITAL_ACRONYM", 6)
        for name, kind in zip(columns["name"], columns["kind"], strict=True)
    ]
    columns = load("organizations")
    phrases += [
        Phrase(name.lower().encode(), "ORGANIZATION" if use == "alone" else "ORGANIZATION_CUE", 6)
        for name, use in zip(columns["name"], columns["use"], strict=True)
    ]
    return phrases
