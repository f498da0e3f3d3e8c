"""Find a record's employers in a text, in full or without the generic end of their name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from plainsight.detect.patient.view import Claim, View, occurrences
from plainsight.locale import default_locale
from plainsight.text.shadow import flatten, shadow
from plainsight.text.word_lists import is_ordinary

_LINKS = frozenset(b"of the and for at in on de la del".split())
_GENERIC = default_locale().word_sets("record_cues")["generic_employers"]
_NEXT = re.compile(rb"(?:[ \t](?i:and)[ \t]|[ \t]?[&+][ \t]?|[ \t]{1,2}|-|,[ \t])([A-Za-z0-9]+)")


class Employers:
    """The employers of one record, ready to be found."""

    def __init__(self, names: Iterable[str]) -> None:
        split = [
            [word for word in flatten(shadow(name)).split() if word not in (b"and", b"the")] for name in names
        ]
        self._words = [words for words in split if len(words) > 1 or (words and words[0] not in _GENERIC)]

    def find(self, view: View, tokens: set[bytes]) -> Iterator[Claim]:
        """Yield the record's employers."""
        for words in self._words:
            if words[0] in tokens:
                for start in occurrences(view, words[0]):
                    yield from _judge(view.text, start, words)


def _judge(text: bytes, start: int, words: list[bytes]) -> Iterator[Claim]:
    """Follow the name as far as the text does, and weigh how far that is."""
    end = start + len(words[0])
    matched, last_end, distinct = 1, end, words[0] not in _GENERIC
    capitals = text[start : start + 1].isupper()
    for word in words[1:]:
        following = _NEXT.match(text, end)
        if following is None:
            break
        written = following[1].lower()
        if written != word and not (len(written) > 2 and word.startswith(written)):
            break
        end, matched = following.end(), matched + 1
        capitals = capitals and (following[1][:1].isupper() or word in _LINKS)
        if word not in _LINKS:
            last_end = end
        distinct = distinct or word not in _GENERIC | _LINKS
    if matched == len(words) and matched > 1 and (distinct or capitals):
        yield Claim(start, end, "ORGANIZATION", 0.97 if capitals else 0.85, "employer")
    elif matched > 1 and last_end > start + len(words[0]) and capitals and distinct:
        yield Claim(start, last_end, "ORGANIZATION", 0.9, "employer")
    elif capitals and len(words[0]) > 4 and words[0] not in _GENERIC and not is_ordinary(words[0]):
        yield Claim(start, start + len(words[0]), "ORGANIZATION", 0.7 if len(words) > 1 else 0.9, "employer")
