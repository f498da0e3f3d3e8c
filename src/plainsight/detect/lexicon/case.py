"""Notes typed without capitals, made readable for rules that look for capitals.

Where a writer does not use capitals they say nothing, just as in text all in capitals; so such stretches
are turned into capitals, and the rules, which ask for more proof there, see them. Lengths never change.
"""

from __future__ import annotations

import re

__all__ = ["raise_lower_case"]

_STRETCH = re.compile(rb"[^A-Z]{24,}")
_SHORT = 24  # a line or stretch shorter than this may be in lower case by chance
_RARE = 60  # one capital letter in so many characters, or fewer: the writer does not use capitals
_CAPITAL = bytes(range(65, 91))


def raise_lower_case(text: bytes) -> bytes:
    """Return the text with stretches typed without capitals in capitals.

    >>> raise_lower_case(b"seen by dr prudhomme at noon, wife marie here")
    b'SEEN BY DR PRUDHOMME AT NOON, WIFE MARIE HERE'
    """
    capitals = len(text) - len(text.translate(None, _CAPITAL))
    if capitals * _RARE < len(text):
        return _STRETCH.sub(lambda found: found.group().upper(), text)
    lines = text.split(b"\n")
    raised = [place for place, line in enumerate(lines) if len(line) >= _SHORT and line.islower()]
    if not raised:
        return text
    for place in raised:
        lines[place] = lines[place].upper()
    return b"\n".join(lines)
