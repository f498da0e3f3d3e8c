"""The lists that a word is in, as flags: names, towns, drugs, ordinary words. Networks read these flags.

Whether a name counts as an ordinary word depends on frequencies: of the word in everyday English, and of
people with that name. ``smith`` is a name, ``small`` a word. ``scripts/build_vocabulary.py`` makes
``words.txt.gz`` from the lists.

The words stay one text in memory: a dictionary of 317,000 words takes longer to build and ten times the
memory, and worker processes would each end up with a copy, because Python writes to each object it reads.
"""

from __future__ import annotations

import gzip
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import accumulate
from typing import TypeVar

from plainsight.shipped import read_shipped


class Is:
    """The flags of a word. Networks have learned what each bit means, so none may move."""

    LEVEL = 3  # mask: how likely a capitalised word is a name by itself, 0 to 3
    KNOWN = 1 << 2  # in any list at all
    MARKED = 1 << 3  # it may be part of a name or place; so may a word in no list
    TITLE = 1 << 4  # Dr, Mr, Pastor
    EPONYM = 1 << 5  # a surname or place in a medical term
    PURE = 1 << 6  # a name and hardly anything else
    CITY = 1 << 7
    FIRST = 1 << 8  # a listed first name
    LAST = 1 << 9  # a listed surname
    COMMON = 1 << 10  # the name of more than one person in 50,000
    MIXED = 1 << 11  # a name and an ordinary word, both common
    WORD = 1 << 12  # an ordinary word (it may be a rare name)
    STOP = 1 << 13  # a function word
    MEDICAL = 1 << 14  # drug, disease, brand, clinical word
    BIG_CITY = 1 << 15  # over 100,000 people
    STATE = 1 << 16
    CODE = 1 << 17  # a state's two letters
    COUNTRY = 1 << 18
    PEOPLE = 1 << 19  # nationality
    LANGUAGE = 1 << 20
    CALENDAR = 1 << 21
    HEAD = 1 << 22  # last word of a facility's name
    ORG_HEAD = 1 << 23  # last word of an organisation's name
    GENERIC = 1 << 24  # a generic word in a facility's name
    PHRASE = 1 << 25  # first word of a phrase in a list
    SINGLE = 1 << 26  # first word of an entry without spaces
    LOOSE = 1 << 27  # first word of a phrase that is not a name
    PLACE_WORD = 1 << 28  # County, Bridge, Highway, Lake
    CUE = 1 << 29  # a relation or role, often near a name

    HEADS = HEAD | ORG_HEAD


FLAG_BITS = 30

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
}


Default = TypeVar("Default")


class Vocabulary(Mapping[bytes, int]):
    r"""The flags of every listed word, in lower case.

    ``text`` has the words in order, as ``" word=flags word=flags \n"``, some words a line.

    >>> words = Vocabulary(b" ada=3 ann=15 \n bob=7 \n")
    >>> words[b"ann"], words.get(b"bo"), b"bob" in words, len(words)
    (15, None, True, 3)
    """

    def __init__(self, text: bytes) -> None:
        lines = text.splitlines(keepends=True)
        self._text = text
        self._starts = array("I", accumulate(map(len, lines), initial=0))
        self._firsts = [line[1 : line.index(b"=")] for line in lines]

    def get(self, word: bytes, default: Default = None) -> int | Default:  # type: ignore[assignment]
        """Return the flags of a word."""
        line = bisect_right(self._firsts, word)
        if not line or b"=" in word:
            return default
        entry = b" %b=" % word
        at = self._text.find(entry, self._starts[line - 1], self._starts[line])
        if at < 0:
            return default
        at += len(entry)
        return int(self._text[at : self._text.index(b" ", at)])

    def __getitem__(self, word: bytes) -> int:
        flags = self.get(word)
        if flags is None:
            raise KeyError(word)
        return flags

    def __iter__(self) -> Iterator[bytes]:
        return (entry.partition(b"=")[0] for entry in self._text.split())

    def __len__(self) -> int:
        return self._text.count(b"=")


@cache
def vocabulary() -> Vocabulary:
    """Return the flags of every listed word, in lower case."""
    return Vocabulary(gzip.decompress(read_shipped("data/vocabulary/words.txt.gz")))


def flags_of(word: str) -> int:
    """Return the flags of a word in any case; 0 if it has other characters than ASCII letters.

    >>> bool(flags_of("GARCIA") & Is.LAST), flags_of("Qwzx") == Is.MARKED, flags_of("O2")
    (True, True, 0)
    """
    if not (word.isalpha() and word.isascii()):
        return 0
    flags = vocabulary().get(word.lower().encode(), 0)
    return flags if flags & Is.KNOWN else flags | Is.MARKED


def listed(word: str) -> tuple[str, ...]:
    """Return the lists that a word is in, as features for networks.

    >>> listed("Okafor")
    ('in=last', 'in=pure', 'level=3')
    """
    return _lists(vocabulary().get(word.lower().encode(), 0)) if word.isalpha() and word.isascii() else ()


@cache  # a few hundred combinations of flags occur
def _lists(flags: int) -> tuple[str, ...]:
    if not flags & Is.KNOWN:
        return ("in=unknown",)
    return *(f"in={name}" for name, bit in _NAMED.items() if flags & bit), f"level={flags & Is.LEVEL}"
