"""The words of street lines, from the locale's ``streets.toml``, as sets and as parts of patterns."""

from __future__ import annotations

import re

from plainsight.detect.patterns.alternation import one_of
from plainsight.locale import default_locale

__all__ = [
    "ASKING", "CLINICAL", "FACILITIES", "GOING", "HOUSING", "MONTHS", "NAMED_TYPES", "NOT_NAMES",
    "ORDINAL_WORDS", "PLACE", "SMALL_TYPES", "SURE_TYPES", "TITLE_NOT_NAMES", "TYPES",
]  # fmt: skip

_words = default_locale().words
_sets = default_locale().word_sets("streets")


def _spelled(key: str) -> list[str]:
    """Spell words in lower, title and upper case, but in no mixture of them."""
    return [form for word in _words("streets", key) for form in (word, word.title(), word.upper())]


SURE_TYPES = _sets["sure_types"]
TYPES = one_of(_spelled("sure_types") + _spelled("other_types") + _spelled("numbered_types"))
"""Pattern of all types that may follow a house number and a name."""
NAMED_TYPES = one_of(_spelled("sure_types") + [word.title() for word in _words("streets", "other_types")])
"""Pattern of the types that may follow a name without a number."""
SMALL_TYPES = one_of([*_spelled("sure_types"), *_words("streets", "lower_types")])
"""Pattern of the types that may follow a number and a name in lower case."""
HOUSING = "|".join(_words("streets", "housing"))
ORDINAL_WORDS = re.compile(
    rb"\d(?:st|nd|rd|th)|\b(?:St|Ave|Rd|Blvd|Street|Avenue|Road|First|Second|Third|Fourth|Fifth|Sixth|Seventh"
    rb"|Eighth|Ninth|Tenth)\b"
)
"""What one of two crossing streets is known by."""
MONTHS = re.compile(rb"(?i)\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b")
"""Months: `June 8th and July` is no crossing."""

# "the" may be part of a name.
TITLE_NOT_NAMES = _sets["function_words"] - {b"the"} | _sets["title_measure_words"]
NOT_NAMES = _sets["function_words"] | _sets["measure_words"]
CLINICAL = NOT_NAMES | _sets["clinical_words"]
PLACE, FACILITIES = _sets["place_words"], _sets["facility_words"]
ASKING, GOING = "|".join(_words("streets", "asking_words")), "|".join(_words("streets", "going_words"))
