"""Read what Philter hides: every letter and digit of it is an asterisk."""

import re

_STARS = re.compile(r"\*+")


def hidden(text: str, stars: str) -> list[tuple[int, int, str]]:
    """Return the runs of asterisks that are letters or digits in the note.

    >>> hidden("On 3/4 Ann *", "On */* *** *")
    [(3, 4, 'OTHER'), (5, 6, 'OTHER'), (7, 10, 'OTHER')]
    """
    if len(stars) != len(text):
        raise ValueError(f"the text has {len(stars)} characters after Philter, {len(text)} before")
    runs = (run.span() for run in _STARS.finditer(stars))
    return [(start, end, "OTHER") for start, end in runs if text[start:end].strip("*")]
