"""The feature sets of Carafe, as published in 2007 (S26 to S34).

``I`` was made for names in newswire. ``RC`` adds regular expressions and context, ``L`` a lexicon.
"""

from __future__ import annotations

import re

from plainsight.lab.detect.crf.spotted import in_lists, in_patterns
from plainsight.lab.detect.crf.templates import (
    Template,
    affixes,
    all_of,
    around,
    as_written,
    pairs,
    parts,
    words,
)

_SHAPES = {
    "INITCAP": r"[A-Z].*$",
    "ALLCAPS": r"[A-Z]+$",
    "CAPS_MIX": r"[A-Za-z]+$",
    "HAS_DIGIT": r".*[0-9].*$",
    "SINGLE_DIGIT": r"[0-9]$",
    "DOUBLE_DIGIT": r"[0-9][0-9]$",
    "FOUR_DIGIT": r"[0-9]{4}$",
    "NAT_NUM": r"[0-9]+$",
    "REAL_NUM": r"[0-9]+.[0-9]+$",  # the dot is not escaped in print: 555-1234 is one as well
    "ALPHA_NUM": r"[0-9A-Za-z]+$",
    "HAS_DASH": r".*-.*$",
    "PUNCTUATION": r"[^A-Za-z0-9]+$",
}
_REGEXES = {
    "PHONE_REG1": r"[0-9]{3}-[0-9]{4}$",
    "PHONE_REG2": r"[0-9]{3}-[0-9]{3}-[0-9]{4}$",  # three digits at the end in print
    "FIVE_DIGIT": r"[0-9]{5}$",
    "NO_VOWELS": r"[^AaEeIiOoUu]+$",
    "HAS_DASH_NUM_ALPHA": r".*(?:[0-9]-[A-Za-z0-9]|[A-Za-z]-[0-9])",  # illegible in print
    "DATE_SEP": r"[-/]$",
    "MIXED": r"(?=.*[0-9])(?=.*[A-Za-z])",
}
_INITCAP = r"[A-Z][\w'-]*"
_STREETS = (
    "Dr|Drive|Blvd|Boulevard|Ln|Lane|St|Street|Ave|Avenue|Rd|Road|Ct|Court|Pl|Place|Way|Cir|Circle|Ter|Terrace|"
    "Pkwy|Parkway|Hwy|Highway|Sq|Square"
)
_PATTERNS = {
    **{
        f"HOSPITAL_{count}": rf"\b(?:{_INITCAP}\s+){{{count}}}"
        r"(?:Hospital|Health\s+Care\s+Center|Medical\s+Center|Morgue)\b"
        for count in (1, 2, 3)
    },
    "ADDRESS": rf"\b[0-9]+\s+{_INITCAP}\s+(?:{_STREETS})\b\.?,?\s+{_INITCAP},?\s+{_INITCAP},?\s+[0-9]{{5}}\b",
}

_COMPILED = tuple((name, re.compile(pattern)) for name, pattern in _SHAPES.items())
_COMPILED_REGEXES = tuple((name, re.compile(pattern)) for name, pattern in _REGEXES.items())


def shapes(value: str) -> list[str]:
    """Return the word-shape classes of a token (S29).

    >>> shapes("x-ray"), shapes("3.5")
    (['HAS_DASH'], ['HAS_DIGIT', 'REAL_NUM'])
    """
    return [name for name, pattern in _COMPILED if pattern.match(value)]


def regexes(value: str) -> list[str]:
    """Return the classes of telephone numbers, dates and codes, and how many digits a number has (S30, S31).

    >>> regexes("K4471829"), regexes("555-1234")
    (['NO_VOWELS', 'MIXED'], ['PHONE_REG1', 'NO_VOWELS', 'HAS_DASH_NUM_ALPHA'])
    >>> regexes("02139")
    ['FIVE_DIGIT', 'NO_VOWELS', 'DIGITS_5']
    """
    made = [name for name, pattern in _COMPILED_REGEXES if pattern.match(value)]
    return [*made, f"DIGITS_{len(value)}"] if value.isdecimal() else made


BASELINE = (
    Template("word", around(2), words, as_written),
    pairs("pair", (-2, -1, 1), 0, 1, lower=False),
    pairs("around", (0,), -1, 1, lower=False),
    Template("token", (0,), words, all_of(affixes, shapes)),
)
"""I: words and pairs of words within two tokens, affixes and shapes of the token (S26 to S29)."""

REGEXES_AND_CONTEXT = (
    Template("regex", (0,), words, regexes),
    Template("pattern", (0,), in_patterns(_PATTERNS), parts),
    Template("far", (-4, -3, 3, 4), words, as_written),
    Template("affix", (-3, -2, -1, 1, 2), words, affixes),
    pairs("farpair", (-3, 0, 2), 0, 1, lower=False),
)
"""RC: shapes of codes, hospitals and addresses of several tokens, and a wider context (S30 to S33)."""

LEXICON = (Template("list", (0,), in_lists("us-state", "month", "english"), parts),)
"""L: states, months, and words of a dictionary, which are hardly names (S34)."""
