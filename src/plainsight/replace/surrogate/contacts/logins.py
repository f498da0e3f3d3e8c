"""Logins and the local parts of e-mail addresses: built like the originals, from the surrogates of names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property

from rapidfuzz.distance import Prefix

from plainsight.lists import read
from plainsight.locale import default_locale
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.digits import deranged
from plainsight.replace.surrogate.scope import Scope
from plainsight.replace.surrogate.shape import alphabets, cased, permute, scramble

_ROLES = frozenset(default_locale().words("contacts", "roles"))
_ROLE_NAMES = frozenset(default_locale().words("contacts", "role_names"))
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_NAME_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SHORTEST_PIECE = 3  # letters of a name that show that a login was built from it
_LONGEST_WORD = 40
_POOL = 20_000
_Steps = tuple[tuple[str, int], ...]


class Logins:
    """Make surrogate logins in one note: ``egaithers60`` for Ernestine Gaithers follows her surrogate.

    The names that a login may be built from are those of its own note and the record.
    """

    def __init__(self, scope: Scope, *, name_word: Callable[[str], str | None]) -> None:
        self._scope = scope
        self._word_of = name_word
        self._keyed = scope.keyed.child("logins")

    def is_role(self, text: str) -> bool:
        """Whether a login names a function, such as billing, and no person."""
        parts = _PARTS.findall(text.lower())
        return bool(parts) and all(part in _ROLES and not self.is_name(part) for part in parts)

    def is_name(self, word: str) -> bool:
        """Whether somebody in the note has this name: the login of a Bill is not about bills."""
        return self._name_word(word) is not None

    def _name_word(self, word: str) -> str | None:
        return self._word_of(word) if _plain(word) in self._spellings else None

    def login(self, text: str) -> str:
        """Return a login built like this one, the same in any case; "" if nothing in it can be changed."""
        roles = self._roles(text)
        made = _PARTS.sub(lambda part: self._part(part[0], roles), text)
        return made if made.casefold() != text.casefold() else ""

    def _roles(self, text: str) -> frozenset[str]:
        """Return the parts that name a function; beside other parts, Bill and Ed are given names instead."""
        parts = [part for part in _PARTS.findall(text.lower()) if not part.isdecimal()]
        roles = frozenset(part for part in parts if part in _ROLES and not self.is_name(part))
        return roles if len(roles) == len(set(parts)) else roles - _ROLE_NAMES

    def _part(self, part: str, roles: frozenset[str]) -> str:
        if part.isdecimal():
            return deranged(self._keyed, part)
        word = _plain(part)
        if part.lower() in roles or not word:
            return part if word else scramble(self._keyed, part)
        return self._from_name(part, word) or cased(self._made_up(word), part)

    def _from_name(self, part: str, word: str) -> str:
        """Return the login part that the surrogate of somebody in the note would have, if it is built so."""
        if made := self._name_word(part):
            return _letters_of(made)
        best: tuple[int, list[tuple[str, int]]] = (0, [])
        for name in self._names:
            if any(known[:_SHORTEST_PIECE] in word for known in name):
                best = max(best, _pieces(word, name), key=lambda found: found[0])
            elif len(name) == len(word) and all(map(str.startswith, name, word)):
                best = max(best, (1, [(known, 1) for known in name]), key=lambda found: found[0])
        made, place = "", 0
        for known, length in best[1]:
            letter = word[place]
            other = _letter_after(letter, 1 + self._keyed.number(f"letter {letter}", 25))
            surrogate = self._word(known) if known else other
            piece = surrogate if length == len(known) else surrogate[:length]
            made += cased(piece, part[place : place + length])
            place += length
        return made if made.casefold() != part.casefold() else ""

    def _word(self, known: str) -> str:
        spelt = self._spellings[known]
        made = self._name_word(spelt) or self._name_word(spelt.capitalize())
        return _plain(made) if made and _plain(made) else self._made_up(known)

    def _made_up(self, word: str) -> str:
        """Return a login part that no name in the note explains: an initial and a surname, or letters."""
        if len(word) <= _SHORTEST_PIECE:
            return permute(self._keyed, word, alphabets(word))
        pool = _surnames()[min(len(word) - 1, 11)]
        initial, place = divmod(self._keyed.number(word, 25 * len(pool)), len(pool))
        return _letter_after(word[0], 1 + initial) + pool[place]

    @cached_property
    def _names(self) -> list[tuple[str, ...]]:
        """Return the names in the note and the record, each as its words without accents or capitals.

        Those with initials come last: of two that a login fits alike, the first counts, and only the
        surrogate of a whole given name tells its letter.
        """
        names = {tuple(filter(None, map(_plain, _NAME_WORD.findall(text)))) for text in self._texts()}
        return sorted(filter(None, names), key=lambda name: (sum(len(word) == 1 for word in name), name))

    @cached_property
    def _spellings(self) -> dict[str, str]:
        words = sorted(word for text in self._texts() for word in _NAME_WORD.findall(text))
        return {_plain(word): word for word in words}

    def _texts(self) -> Iterator[str]:
        yield from (mention.text for mention in self._scope.of("PATIENT", "DOCTOR"))
        if patient := self._scope.patient:
            yield from patient.names + patient.relatives + patient.providers


def _letter_after(letter: str, steps: int) -> str:
    """Return the letter that is some steps after another in the alphabet; after z comes a."""
    return chr(ord("a") + (ord(letter) - ord("a") + steps) % 26)


def _pieces(word: str, name: tuple[str, ...]) -> tuple[int, list[tuple[str, int]]]:
    """Return how a word can be put together from a name: its parts, each of a name word and so many letters.

    A part is a whole name word, its beginning, or its initial; up to two letters may stand for names unknown.
    The score is zero if it cannot.
    """
    if len(word) > _LONGEST_WORD:
        return 0, []

    # The best way to put together the word from each place on, with so many unknown letters.
    best: list[list[tuple[int, _Steps]]] = [[(0, ())] * 3 for _ in range(len(word) + 1)]
    for start in range(len(word) - 1, -1, -1):
        steps: list[tuple[str, int]] = []
        for known in name:
            same = Prefix.similarity(known, word[start:])
            steps += [(known, length) for length in {same, min(same, 1)} - {0, 2}]
        for free in range(3):
            found: tuple[int, _Steps] = (-1000, ())
            for known, length in steps:
                score, rest = best[start + length][free]
                score += 10 * length if length >= _SHORTEST_PIECE else 1
                found = max(found, (score, ((known, length), *rest)))
            if free:
                score, rest = best[start + 1][free - 1]
                found = max(found, (score - 5, (("", 1), *rest)))
            best[start][free] = found
    score, parts = best[0][2]
    return (score, list(parts)) if any(length >= _SHORTEST_PIECE for _, length in parts) else (0, [])


def _letters_of(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if c.isascii() and c.isalpha())


@note_cache(4096)
def _plain(text: str) -> str:
    """Return the letters of a word as logins have them: no accents, no capitals, no apostrophes."""
    return _letters_of(text).lower()


@cache
def _surnames() -> Mapping[int, list[str]]:
    """Return common surnames by their length."""
    found: dict[int, list[str]] = {}
    for name in read("surnames", rows=_POOL)["name"]:
        if name.isalpha():
            found.setdefault(len(name), []).append(name)
    return found
