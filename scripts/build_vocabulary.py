"""Compile the vocabulary that networks read, from the lists: ``python scripts/build_vocabulary.py``.

Run it after a change to src/plainsight/data/lexicons or scripts/lexicons/name_cues.toml. Networks have
learned the flags as they are: train them again after that.
"""

from __future__ import annotations

import gzip
import hashlib
import math
import re
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from build_checksums import write_checksums
from plainsight.lists import load
from plainsight.text.vocabulary import Is

HERE = Path(__file__).parent
TARGET = HERE.parent / "src" / "plainsight" / "data" / "vocabulary"
SOURCE = """\
title = "What every word can be, compiled"
origin = "The lists in src/plainsight/data/lexicons and scripts/lexicons/name_cues.toml"
licence = "As the lists it is made from: see ../lexicons/source.toml and NOTICE"
made_by = "python scripts/build_vocabulary.py"
"""
TITLES = ("patient_titles", "doctor_titles")
ROLES = ("doctor_signs", "patient_roles", "doctor_roles")

_WORDS_A_LINE = 32  # the line of a word is searched for it

_PLACES = Is.CITY | Is.STATE | Is.CODE | Is.COUNTRY | Is.PEOPLE | Is.PLACE_WORD
_LOOKED_AT = Is.LEVEL | Is.TITLE | _PLACES | Is.HEADS | Is.PHRASE | Is.SINGLE | Is.LOOSE


class Phrase(NamedTuple):
    """A listed entry: its text, what it is, and its size (of a city: digits of its people less one).

    Size 9 marks a phrase that is no name, whose words may lack capitals.
    """

    text: str
    kind: str
    size: int


def build_vocabulary() -> dict[bytes, int]:
    """Return the flags of all words in the lists; takes about a second."""
    flags: dict[str, int] = defaultdict(int)
    _add_names(flags)
    _add_exclusions(flags)
    phrases = _add_places(flags) + _add_organizations(flags)
    for text in load("excluded_phrases")["phrase"]:
        loose = text.split()[-1].islower() or (" " in text and text.split()[1].islower())
        phrases.append(Phrase(text.lower(), "EXCLUDED", 9 if loose else 8))
    _add_cues(flags)
    _flag_starts(phrases, flags)
    table: dict[bytes, int] = {}
    for word, value in flags.items():
        if len(word) > 1:
            full = value | Is.KNOWN | level(value)
            table[word.encode()] = full | Is.MARKED if full & _LOOKED_AT else full
        else:  # a single letter is an initial before it is anything else
            table[word.encode()] = value & (Is.SINGLE | Is.PLACE_WORD)
    return table


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
    """Flag function words, the calendar, and words beside which a name stands."""
    cues = tomllib.loads((HERE / "lexicons" / "name_cues.toml").read_text("utf-8"))
    kinds = {
        "stop_words": Is.STOP,
        "calendar_words": Is.CALENDAR,
        "place_words": Is.PLACE_WORD,
        "patient_labels": 0,
        "doctor_labels": 0,
        "credentials": 0,
    }
    for key, flag in kinds.items():
        for word in cues[key].split():
            flags[word] |= flag
    titles, roles = ({word for key in keys for word in cues[key].split()} for keys in (TITLES, ROLES))
    for word in titles | roles:
        flags[word] |= Is.TITLE if word in titles else Is.CUE


_COMMON_STARTS = Is.STOP | Is.CALENDAR | Is.TITLE | Is.CUE
_FIRST_WORD = re.compile(r"[a-z]+(?:['-](?!s\b)[a-z]+)*")


def _flag_starts(phrases: list[Phrase], flags: dict[str, int]) -> None:
    """Flag the first words of phrases."""
    for phrase in phrases:
        first = _FIRST_WORD.match(phrase.text)
        if first is None:
            continue
        if phrase.kind == "CITY" and phrase.size < 5 and flags[first.group()] & _COMMON_STARTS:
            continue  # a small town called May Creek says nothing of May
        single = len(phrase.text.split(None, 2)) == 1
        flags[first.group()] |= Is.SINGLE if single else Is.LOOSE if phrase.size == 9 else Is.PHRASE


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
    if flags & (Is.FIRST | Is.LAST):
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
            phrases.append(Phrase(low, kind, size))

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
            phrases.append(Phrase(name.lower(), "LOCATION_OTHER", 6))
    return phrases


def _add_organizations(flags: dict[str, int]) -> list[Phrase]:
    """Flag the words of facility and organisation grammar; return the listed names."""
    columns = load("facility_words")
    for entry, part in zip(columns["word"], columns["part"], strict=True):
        last = entry.split()[-1].partition("'")[0].strip(".")
        flags[last] |= Is.GENERIC if part == "generic" else Is.HEAD if part.endswith("heads") else Is.ORG_HEAD
    columns = load("hospitals")
    phrases = [
        Phrase(name.lower(), "HOSPITAL" if kind == "name" else "HOSPITAL_ACRONYM", 6)
        for name, kind in zip(columns["name"], columns["kind"], strict=True)
    ]
    columns = load("organizations")
    phrases += [
        Phrase(name.lower(), "ORGANIZATION" if use == "alone" else "ORGANIZATION_CUE", 6)
        for name, use in zip(columns["name"], columns["use"], strict=True)
    ]
    return phrases


def main() -> None:
    """Write the compiled file."""
    entries = [b"%b=%d" % entry for entry in sorted(build_vocabulary().items())]
    lines = (b" ".join(entries[at : at + _WORDS_A_LINE]) for at in range(0, len(entries), _WORDS_A_LINE))
    path = TARGET / "words.txt.gz"
    path.write_bytes(gzip.compress(b"".join(b" %b \n" % line for line in lines), 9, mtime=0))
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    (TARGET / "source.toml").write_text(
        f'{SOURCE}\n[sha256]\n"{path.name}" = "{checksum}"\n', encoding="utf-8"
    )


if __name__ == "__main__":
    main()
    write_checksums()
