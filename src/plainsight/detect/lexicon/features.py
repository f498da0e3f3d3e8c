"""What the bundled lists say of a word, as features (S34, S195)."""

from __future__ import annotations

from functools import cache

from plainsight.detect.lexicon import vocabulary as flags
from plainsight.detect.lexicon.vocabulary import load_vocabulary

__all__ = ["listed"]

_NAMED = {
    "first": flags.FIRST,
    "last": flags.LAST,
    "common": flags.COMMON,
    "pure": flags.PURE,
    "mixed": flags.MIXED,
    "word": flags.WORD,
    "city": flags.CITY,
    "bigcity": flags.BIG_CITY,
    "state": flags.STATE,
    "code": flags.CODE,
    "country": flags.COUNTRY,
    "people": flags.PEOPLE,
    "medical": flags.MEDICAL,
    "eponym": flags.EPONYM,
    "calendar": flags.CALENDAR,
    "title": flags.TITLE,
    "cue": flags.CUE,
    "head": flags.HEAD,
    "orghead": flags.ORG_HEAD,
    "generic": flags.GENERIC,
    "place": flags.PLACE_WORD,
    "stop": flags.STOP,
    "language": flags.LANGUAGE,
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
    if not flag & flags.KNOWN:
        return ("in=unknown",)
    return *(f"in={name}" for name, bit in _NAMED.items() if flag & bit), f"level={flag & flags.LEVEL}"
