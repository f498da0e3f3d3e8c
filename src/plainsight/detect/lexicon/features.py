"""What the bundled lists say of a word, as features."""

from __future__ import annotations

from functools import cache

from plainsight.detect.lexicon.flags import Is
from plainsight.detect.lexicon.vocabulary import load_vocabulary

_NAMED = {
    "first": Is.FIRST,
    "last": Is.LAST,
    "common": Is.COMMON,
    "pure": Is.PURE,
    "mixed": Is.MIXED,
    "word": Is.WORD,
    "city": Is.CITY,
    "bigcity": Is.BIG_CITY,
    "state": Is.STATE,
    "code": Is.CODE,
    "country": Is.COUNTRY,
    "people": Is.PEOPLE,
    "medical": Is.MEDICAL,
    "eponym": Is.EPONYM,
    "calendar": Is.CALENDAR,
    "title": Is.TITLE,
    "cue": Is.CUE,
    "head": Is.HEAD,
    "orghead": Is.ORG_HEAD,
    "generic": Is.GENERIC,
    "place": Is.PLACE_WORD,
    "stop": Is.STOP,
    "language": Is.LANGUAGE,
    "unknown": 0,
}


def listed(value: str) -> tuple[str, ...]:
    """Return the lists a word is in; names are told from words by how often they are either."""
    if not value.isalpha() or not value.isascii():
        return ()
    return _lists(load_vocabulary().flags.get(value.lower().encode(), 0))


@cache  # the words of all lists have some hundred combinations of flags
def _lists(flag: int) -> tuple[str, ...]:
    """Return the lists that flags stand for."""
    if not flag & Is.KNOWN:
        return ("in=unknown",)
    return *(f"in={name}" for name, bit in _NAMED.items() if flag & bit), f"level={flag & Is.LEVEL}"
