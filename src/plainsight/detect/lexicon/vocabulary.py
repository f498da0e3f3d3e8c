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
from plainsight.lists import load

__all__ = ["Vocabulary", "build_vocabulary", "load_vocabulary"]

# The bits that rules ask for most come first: tests of small numbers are the fastest, and 30 bits in all
# keep every number in one machine word of Python's.
LEVEL = 3  # mask: how much a capitalised word is a name by itself, 0 to 3, see `level`
KNOWN = 1 << 2  # in any list at all
MARKED = 1 << 3  # worth a rule's look; so is a word in no list
TITLE = 1 << 4  # Dr, Mr, Pastor
EPONYM = 1 << 5  # a surname or place medicine uses
PURE = 1 << 6  # a name and hardly anything else
CITY = 1 << 7
FIRST = 1 << 8  # a listed first name
LAST = 1 << 9  # a listed surname
COMMON = 1 << 10  # borne by more than one person in 50,000
MIXED = 1 << 11  # a name and an ordinary word, both common
WORD = 1 << 12  # an ordinary word (it may be a rare name)
STOP = 1 << 13  # a function word
MEDICAL = 1 << 14  # drug, disease, brand, clinical word
BIG_CITY = 1 << 15  # over 100,000 people
STATE = 1 << 16
CODE = 1 << 17  # a state's two letters
COUNTRY = 1 << 18
PEOPLE = 1 << 19  # nationality
LANGUAGE = 1 << 20
CALENDAR = 1 << 21
HEAD = 1 << 22  # last word of a facility's name
ORG_HEAD = 1 << 23  # last word of an organisation's name
GENERIC = 1 << 24  # says nothing in a facility's name
PHRASE = 1 << 25  # first word of a phrase in a list
SINGLE = 1 << 26  # first word of an entry without spaces
LOOSE = 1 << 27  # first word of an excluded phrase, whose next word may have no capital
PLACE_WORD = 1 << 28  # County, Bridge, Highway, Lake
CUE = 1 << 29  # a relation or role: says that a name is near, is none itself

NAME = FIRST | LAST
_PLACES = CITY | STATE | CODE | COUNTRY | PEOPLE | PLACE_WORD
_LOOKED_AT = LEVEL | TITLE | _PLACES | HEAD | ORG_HEAD | PHRASE | SINGLE | LOOSE


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
                full = value | KNOWN | level(value)
                full = shared[value] = full | MARKED if full & _LOOKED_AT else full
            table[word.encode()] = full
        else:  # a single letter is an initial before it is anything else
            table[word.encode()] = value & (SINGLE | PLACE_WORD)
    return Vocabulary(table, by_start, _heads())


def _add_exclusions(flags: dict[str, int]) -> None:
    """Flag what is no name by itself: drugs, diseases, brands, clinical words, eponyms, languages."""
    columns = load("words")
    everyday = {word for word, zipf in zip(columns["word"], columns["zipf"], strict=True) if int(zipf) >= 39}
    medical = {"drugs": MEDICAL, "diseases": MEDICAL, "brands": MEDICAL, "clinical": MEDICAL | GENERIC}
    for name, flag in medical.items():
        for word in map(str.lower, load(name)["word"]):
            if name == "diseases" and word in everyday:
                continue  # names of diseases hold words such as river, gulf, street
            # Cook, Miller, Hudson: names first, products second
            flags[word] |= EPONYM if flags[word] & (PURE | COMMON) == PURE | COMMON else flag
    for word in load("eponyms")["word"]:
        flags[word.lower()] |= EPONYM
    for word in load("languages")["word"]:
        flags[word.lower()] |= LANGUAGE


def _add_cues(flags: dict[str, int]) -> None:
    """Flag function words, the calendar, and the words that tell who or what stands beside them."""
    known = {*LABELS, *CREDENTIALS}  # and no name by themselves
    for words, flag in (
        (STOP_WORDS, STOP),
        (CALENDAR_WORDS, CALENDAR),
        (PLACE_WORDS, PLACE_WORD),
        (known, 0),
    ):
        for word in words:
            flags[word.decode()] |= flag
    for cue, (_, weight) in CUES.items():
        if weight > 1:
            flags[cue.decode()] |= TITLE if weight == 3 else CUE


_COMMON_STARTS = STOP | CALENDAR | TITLE | CUE
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
        kind = SINGLE if len(pieces) == 1 else LOOSE if phrase.size == 9 else PHRASE
        flags[first.group().decode()] |= kind
        known = found[key].get(phrase.text)
        if known is None or known.size < phrase.size:
            found[key][phrase.text] = phrase
    return {key: tuple(sorted(group.values(), key=lambda p: -len(p.text))) for key, group in found.items()}


def level(flags: int) -> int:
    """Return how much a listed word is a name by itself.

    3 is a name and little else, 2 a name as much as a word, 1 a possible name, 0 hardly one.
    """
    if flags & CALENDAR:
        return 1 if flags & (FIRST | COMMON) == FIRST | COMMON else 0  # June, April, Jan
    if flags & (STOP | MEDICAL | TITLE | CUE | LANGUAGE):
        return 0
    if flags & PURE:
        return 3
    if flags & MIXED:
        return 2
    if flags & NAME:
        return 1
    return 0


_PEOPLE = {"surnames": 298_900_000, "first_names": 302_000_000}
"""People counted in each census table, listed names and all others."""


def _add_names(flags: dict[str, int]) -> None:
    """Flag names and ordinary words, and judge those that are both."""
    counts: dict[str, dict[str, int]] = {}
    for table, flag in (("surnames", LAST), ("first_names", FIRST)):
        columns = load(table)
        counts[table] = dict(zip(columns["name"], map(int, columns["count"]), strict=True))
        often = _PEOPLE[table] // 50_000
        for name, count in counts[table].items():
            flags[name] |= flag | PURE | COMMON if count > often else flag | PURE
    last, first = counts["surnames"], counts["first_names"]
    columns = load("words")
    for word, tenths, listed in zip(columns["word"], columns["zipf"], columns["listed"], strict=True):
        if word not in last and word not in first:
            # frequent but in no dictionary in lower case: a place, a brand, slang
            flags[word] |= WORD if listed == "1" else 0
            continue
        share = last.get(word, 0) / _PEOPLE["surnames"] + first.get(word, 0) / _PEOPLE["first_names"]
        excess = int(tenths) / 10 - math.log10(share * 100_000)
        if excess > (3.3 if listed == "1" else 3.7):
            flags[word] = flags[word] & ~PURE | (WORD if listed == "1" else 0)
        elif excess > (2.6 if listed == "1" else 3.2):
            flags[word] = flags[word] & ~PURE | MIXED


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
            add(name, "CITY", CITY | BIG_CITY if int(people) > 100_000 else CITY, min(7, len(people) - 1))
    columns = load("states")
    for name, code, forms in zip(columns["name"], columns["code"], columns["forms"], strict=True):
        for form in filter(None, (name, *forms.split(";"))):
            add(form, "STATE", STATE)
        if code:
            flags[code.lower()] |= CODE
    columns = load("countries")
    for name, forms, people in zip(columns["name"], columns["forms"], columns["people"], strict=True):
        for form in filter(None, (name, *forms.split(";"))):
            add(form, "COUNTRY", COUNTRY)
        for form in filter(None, people.split(";")):
            add(form, "PEOPLE", PEOPLE)
    columns = load("places_extra")
    for name, kind in zip(columns["name"], columns["kind"], strict=True):
        if kind == "cities":
            add(name, "CITY", CITY | BIG_CITY, 6)
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
        flags[last] |= GENERIC if part == "generic" else HEAD if part.endswith("heads") else ORG_HEAD
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
