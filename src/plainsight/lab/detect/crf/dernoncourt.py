"""The features of Dernoncourt's CRF baseline of 2016 (S69, S70).

The paper names the families of features and some examples; the list here is ours: n-grams, affixes, shapes,
shapes of identifiers, and gazetteers, of the token and of two on each side.
"""

from __future__ import annotations

from plainsight.lab.detect.crf.carafe import shapes
from plainsight.lab.detect.crf.spotted import in_lists, in_patterns
from plainsight.lab.detect.crf.templates import (
    Template,
    affixes,
    all_of,
    around,
    longer_affixes,
    pairs,
    parts,
    regexes,
    short_shape,
    word,
    words,
)

ID_SHAPES = {
    "colons": r"\b[A-Za-z0-9]{1,6}(?::[A-Za-z0-9]{1,10}){2,}\b",  # S09:14477:B
    "specimen": r"\b[A-Z]{1,3}\d{2}[-:]\d{3,7}(?:[-:]\w{1,3})?\b",
    "age-sex-hand": r"\b\d{1,3}\s?(?:y/?o\s?|yr\s?)?(?:[RL]H\s?[MFW]|[MFW]\s?[RL]H|[RL]H)(?:\b|(?=[A-Z]))",
    "age-sex": r"\b\d{1,3}\s?(?:y/?o\s?)?[MFmf]\b",
    "letters-digits": r"\b[A-Z]{1,4}[-#]?\d{4,}\b",
    "digits-letters": r"\b\d{3,}[-]?[A-Z]{1,3}\b",
    "dashed": r"\b\d{2,4}(?:-\d{2,4}){1,3}(?:-\d)?\b",
    "slashed": r"\b[A-Za-z]{2,4}[/:][A-Za-z]{2,4}[/:]?\d*\b",  # who dictated and who typed
    "long-number": r"\b\d{6,}\b",
    "numbered": r"(?:#|\b(?:No|no|MRN|ID|Acct|DD|DT|TD|Unit)[.:#]?)\s?[A-Z]{0,3}\d[\w-]{3,}",
}
"""Shapes of identifiers by name, as regular expressions over the text."""

TEMPLATES = (
    Template("word", around(2), words, all_of(word, affixes, longer_affixes, shapes, regexes, short_shape)),
    pairs("pair", (-2, -1, 0, 1), 0, 1),
    pairs("around", (0,), -1, 1),
    Template("id", around(2), in_patterns(ID_SHAPES), parts),
    Template(
        "list",
        around(2),
        in_lists(
            "holiday", "hospital", "hospital-acronym", "last-name", "first-name", "profession", "month",
            "us-state", "country", "city", "english",
        ),
        parts,
    ),
)  # fmt: skip
