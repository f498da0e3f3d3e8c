"""The words that street lines are made of, and those that show a line to be something else. Data only."""

from __future__ import annotations

import re

from plainsight.detect.patterns.alternation import one_of

__all__ = [
    "ASKING", "CLINICAL", "FACILITIES", "GOING", "HOUSING", "KINDS", "LOWER_KINDS", "MONTHS", "NOT_NAMES",
    "ORDINAL_WORDS", "PLACE", "SURE_KINDS", "TITLE_KINDS", "TITLE_NOT_NAMES",
]  # fmt: skip

# Words that end the name of a street. With the first a street needs no number; the others are common words or
# abbreviations of something else (St, Ct) and need a house number, or a word of place before the name.
_SURE = "street avenue ave road rd boulevard blvd parkway pkwy turnpike tpke expressway crescent mews"
_OTHER = """drive lane ln court ct place pl square circle cir terrace terr ter way wy trail trl plaza plz
    alley grove gardens hill park rise quay wharf pike bend cove crossing xing landing ridge heights hts
    hollow glen meadow meadows esplanade parade promenade highway hwy cres st"""
# Kinds that only a house number and a name with a capital make one.
_NUMBERED_ONLY = """dr av pt sq tce cct pde cl brae wynd gate mount vale villas croft circuit yard marg
    nagar layout colony trace creek lake manor harbor freeway commons knoll oaks orchard springs woods
    overlook fork ferry crest bluff beach bay causeway branch fwy straat laan loop run pass path row walk
    close green point view vista spur bypass hills"""


def _spelled(words: str) -> list[str]:
    """Spell words in lower, title and upper case, but in no mixture of them."""
    return [form for word in words.split() for form in (word, word.title(), word.upper())]


SURE_KINDS = frozenset(_SURE.encode().split())
"""Kinds of street that are nothing else."""
KINDS = one_of(_spelled(f"{_SURE} {_OTHER} {_NUMBERED_ONLY}"))
"""Pattern of all kinds that may follow a house number and a name."""
TITLE_KINDS = one_of(_spelled(_SURE) + [word.title() for word in _OTHER.split()])
"""Pattern of the kinds that may follow a name without a number."""
LOWER_KINDS = one_of([*_spelled(_SURE), "st", "dr", "ln", "lane", "drive", "ct", "court"])
"""Pattern of the kinds that may follow a number and a name in lower case."""
HOUSING = "Towers|Tower|Village|Estates|Apartments|Apts|Manor|House"
"""Pattern of what a name behind a unit may end in."""
ORDINAL_WORDS = re.compile(
    rb"\d(?:st|nd|rd|th)|\b(?:St|Ave|Rd|Blvd|Street|Avenue|Road|First|Second|Third|Fourth|Fifth|Sixth|Seventh"
    rb"|Eighth|Ninth|Tenth)\b"
)
"""What one of two crossing streets is known by."""

MONTHS = re.compile(rb"(?i)\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b")
"""Months: `June 8th and July` is no crossing."""

_FUNCTION = b"""a an and at by for from if in is on or per then to was were with without after before when
    while than as but has had this that these the his her their our my your about through within more less
    until since because"""
_MEASURED = b"""mg ml mm cm units views days week weeks month months year years yo hour hours min minutes am
    pm pt times doses dose tabs tab caps pills beats liters liter packs puffs puff hr hrs wk wks mo yr yrs
    female male dr leads vessel episodes lesions lbs lb kg stools mcg sets reps feet ft inch inches cc
    degrees percent visit visits po iv im sc qd bid tid prn daily no non not all any each meq mmol miles
    call coli chamber vicryl prolene nylon gastric"""
TITLE_NOT_NAMES = frozenset(_FUNCTION.split()) - {b"the"} | frozenset(
    b"""units views days weeks months years hours minutes female male chamber vicryl prolene nylon gastric
    visit doses""".split()
)
"""Words that are no name of a street even with a capital; "the" may be part of one."""
NOT_NAMES = frozenset(_FUNCTION.split() + _MEASURED.split())
"""Words that show what stands behind a number to be no name of a street, in lower case or all capitals."""

CLINICAL = NOT_NAMES | frozenset(
    b"""unit view day patient left right bilateral chest abdomen abd head
    neck ct mri xr us lymph node nodes x time pack woman man lead stool blood stage grade step steps fall
    falls over under ecg ekg old new""".split()
)
"""More of them, for notes in lower case and for kinds that are medical abbreviations (CT, ST, PT)."""

PLACE = frozenset(
    b"""on at off near along from to of past down up address addr home lives living live
    resides residing residence located location house corner intersection mail mailed via across toward
    towards between opposite behind block over the""".split()
)
"""Words that a street may follow."""

ASKING = "address|addr|lives|living|resides|residing|residence|walkup|home|domicile"
"""Pattern of the words that ask for an address, so that a number and a name are enough."""

GOING = (
    "discharge|discharged|reply|mail|mailed|deliver|delivered|ship|go|going|send|sent|moved|move|visit|return"
    "|lives|living|resides|residing|staying|stays|located|house|home|found"
)
"""Pattern of the words that ask for one when "to" or "at" follows them."""

FACILITIES = frozenset(
    b"""medical clinic hospital pharmacy school church center centre group
    elementary baptist high middle surgery health healthcare dental practice family pediatrics station
    shelter hotel inn mall rehab nursing manor annex oncology rash""".split()
)
"""Words that make a street's name the name of a facility, or of an injury."""
