"""Forms of coded rooms, beds and units, which point to a place in a hospital."""

from __future__ import annotations

import re

from plainsight.detect.patterns.context import next_word
from plainsight.detect.patterns.forms import Form
from plainsight.detect.patterns.rule import Claim
from plainsight.locale import default_locale

_words = default_locale().word_sets("numbers")
_UNITS = _words["units"]
_CLOCK = re.compile(rb"(?:[01]\d|2[0-3])[0-5]\d")


def _goes_on(text: bytes, end: int) -> bool:
    """Tell whether a number goes on as a measurement, a ratio, a time or a longer word."""
    after, beyond = text[end : end + 1], text[end + 1 : end + 2]
    if after.isalnum() or after in (b"%", b"_") or (after.strip(b"./:,-") == b"" and beyond.isdigit()):
        return True
    return next_word(text, end) in _UNITS


def _room(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    value, end = match["value"], match.end()
    if _goes_on(text, end) or (len(value) == 4 and match["gap"] == b" " and _CLOCK.fullmatch(value)):
        return []  # "waited in room 40 min", "out of bed 2140"
    # A bare short number is marked with its word, a code stands for itself.
    alone = (
        value.isdigit() and len(value) < 3 and match["gap"] == b" " and not text[end + 1 : end + 2].isupper()
    )
    return [Claim(match.start() if alone else match.start("value"), end, "HOSPITAL", 0.7)]


def _unit(text: bytes, match: re.Match[bytes]) -> list[Claim]:
    return [] if _goes_on(text, match.end()) else [Claim(*match.span(), "HOSPITAL", 0.7)]


ROOMS: tuple[Form, ...] = (
    Form(
        "RrBbCcSs",
        r"\b(?i:rm|room|bed|bay|chair|crib|suite)(?P<gap>\.?[ ]?[:#]?[ ]{0,4}#?)"
        r"(?P<value>[A-Z]{0,4}[.-]?\d{1,4}(?:-?[A-Za-z]\b|-\d{1,3})?(?:-\d{1,2})?)",
        _room,
    ),
    Form("A-Z", r"\b(?:[A-Z]{1,4}ICU|ICU|CCU|CVU|PACU|LDRP|NCCU)[ -](?:bed )?\d{1,4}\b", _unit),
    Form("0-9", r"\b\d{1,2}(?:[NSEW]-\d{2}| (?:North|South|East|West|Tower))\b", _unit),
)
