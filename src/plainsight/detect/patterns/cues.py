"""The words that announce an identifying number: the locale's ``number_cues.toml`` describes them."""

from __future__ import annotations

from typing import NamedTuple

from plainsight.locale import default_locale

__all__ = [
    "COUNTED", "FAMILIES", "FIELDS", "INSURERS", "MEASURES", "PROVIDERS", "PUBLIC_CODES", "PUBLIC_FORMS",
    "RESPONDERS", "UNITS", "VACCINES", "WORDS", "Family",
]  # fmt: skip


class Family(NamedTuple):
    """Cues of one label that are read alike."""

    label: str
    score: float
    words: str
    numbered: str = ""
    digits: int = 4
    """Fewest digits of a value that stands straight behind a cue; behind "no." or "#" three are enough."""
    kind: str = "id"
    """How a value is read, see `values`."""
    sure: bool = False
    """No other number follows these cues, so even four digits or what looks like a day is a value."""
    codes: bool = False
    """Short codes of letters and digits follow these cues: two digits are enough among letters."""
    suffix: bool = False
    """A value may end in a person code set apart: `W22910447 02`."""


_locale = default_locale()
_words = _locale.word_sets("number_cues")

FAMILIES = tuple(Family(**family) for family in _locale.table("number_cues")["families"])
UNITS, FIELDS, WORDS = _words["units"], _words["fields"], _words["short_words"]
VACCINES, INSURERS, RESPONDERS = _words["vaccines"], _words["insurers"], _words["responders"]
PUBLIC_FORMS, PUBLIC_CODES = _words["public_forms"], _words["public_codes"]
MEASURES, COUNTED, PROVIDERS = _words["measures"], _words["counted"], _words["providers"]
