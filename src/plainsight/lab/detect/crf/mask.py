"""The features of MASK's two CRFs (S191 to S200)."""

from __future__ import annotations

from plainsight.lab.detect.crf.spotted import in_lists
from plainsight.lab.detect.crf.templates import Template, all_of, around, as_written, parts, shape, words

_TESTS = {
    "upper": str.isupper,
    "lower": str.islower,
    "capital": lambda value: value[:1].isupper(),
    "alphanumeric": str.isalnum,
    "letters": str.isalpha,
    "number": str.isdigit,
}


def lexical(value: str) -> list[str]:
    """Return case, kind of characters, and shape.

    >>> lexical("McKay")
    ['capital', 'alphanumeric', 'letters', 'shape=WwWww']
    """
    return [*(name for name, test in _TESTS.items() if test(value)), f"shape={shape(value)}"]


LEXICAL = (Template("token", around(4), words, all_of(as_written, lexical)),)
"""The token and four on each side."""

DICTIONARIES = (
    *LEXICAL,
    Template("list", around(4), in_lists("country", "city", "first-name", "last-name"), parts),
)
"""The same, and which of four dictionaries each token is in."""
