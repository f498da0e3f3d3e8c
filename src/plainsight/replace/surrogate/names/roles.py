"""Tell given names from surnames.

Some names say it themselves (``Smith, John``, the record); those vote for their words. Every other name gets
the reading that its words' votes, the statistics and the words around it make most likely.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.names.nicknames import formal
from plainsight.replace.surrogate.names.parse import Name, Unit
from plainsight.replace.surrogate.names.pools import is_given, is_surname

__all__ = ["GIVEN", "SURNAME", "Roles"]

GIVEN, SURNAME = "given", "surname"
_GIVEN, _SURNAME = (GIVEN,), (SURNAME,)
_MOST_VOTES = 6.0
_MOST_STATISTICS = 1.5

Reading = tuple[str, ...]
"""A role for each unit."""


@dataclass(slots=True, repr=False)
class Roles:
    """The votes for each word of a scope: above zero for a surname, below for a given name.

    ``slips`` has the word that a misspelt one stands for.
    """

    slips: Mapping[str, str]
    votes: dict[str, float] = field(default_factory=dict)

    def vote(self, word: str, weight: float) -> None:
        """Add to the votes for a word."""
        if self.slips:
            word = self.slips.get(word, word)
        self.votes[word] = self.votes.get(word, 0.0) + weight

    def vote_reading(self, name: Name, reading: Reading, weight: float) -> None:
        """Let a name vote for the roles of its words."""
        for unit, role in zip(name.units, reading, strict=True):
            if not unit.initial:
                for word in unit.words:
                    self.vote(word, weight if role == SURNAME else -weight)

    def belief(self, word: str) -> float:
        """Return how much rather a surname than a given name a word is."""
        if self.slips:
            word = self.slips.get(word, word)
        votes = self.votes.get(word)
        if votes is None:
            return _rate(word)
        if not -_MOST_VOTES <= votes <= _MOST_VOTES:
            votes = math.copysign(_MOST_VOTES, votes)
        return _rate(word) + votes

    def read(self, name: Name, context: float = 0.0) -> Reading:
        """Return the likeliest role of each unit; ``context`` is above zero where a surname is expected."""
        units = name.units
        if name.comma is not None:
            return (SURNAME,) * name.comma + (GIVEN,) * (len(units) - name.comma)
        if len(units) == 1 and not units[0].initial:
            words = units[0].words
            if len(words) == 1 and not units[0].particle:  # as most are
                return _SURNAME if self.belief(words[0]) + context > 0 else _GIVEN
            return _SURNAME if self._lone(name, units[0], 0, context) > 0 else _GIVEN
        if 1 < name.words == len(units):  # no initials
            return _likeliest([self._unit(unit) for unit in units], context, led=False)
        places = [place for place, unit in enumerate(units) if not unit.initial]
        if not places:  # letters alone
            return (*(GIVEN for _ in units[1:]), SURNAME if len(units) > 1 else GIVEN)[: len(units)]
        full = [units[place] for place in places]
        if len(full) == 1:
            role = SURNAME if self._lone(name, full[0], places[0], context) > 0 else GIVEN
            return _around(units, places[0], role)
        beliefs = [self._unit(unit) for unit in full]
        best = _likeliest(beliefs, context, led=places[0] > 0)
        first_surname = best.index(SURNAME) if SURNAME in best else len(best)
        reading: list[str] = []
        for place, unit in enumerate(units):
            if not unit.initial:
                reading.append(best[places.index(place)])
            else:
                done = sum(1 for other in places if other < place)
                if done == len(places):  # at the end: what is missing
                    reading.append(SURNAME if SURNAME not in best else GIVEN)
                else:
                    reading.append(SURNAME if 0 < first_surname < done else GIVEN)
        return tuple(reading)

    def _lone(self, name: Name, unit: Unit, place: int, context: float) -> float:
        """Return how much rather a surname the only word of a name is."""
        score = self._unit(unit) + context
        if len(unit.words) > 1 and not unit.particle:
            score += 0.5
        if place > 0:  # J. Smith
            return score + 4.0
        if len(name.units) > 1:  # Smith J, but Annika R.
            end = name.pieces[name.units[-1].pieces[0] + 1 :]
            score += -1.0 if end and end[0].text.startswith(".") else 0.5
        return score

    def _unit(self, unit: Unit) -> float:
        words = unit.words
        belief = self.belief(words[0]) if len(words) == 1 else sum(map(self.belief, words)) / len(words)
        return max(belief, 0.0) + 4.0 if unit.particle else belief


def _likeliest(beliefs: Sequence[float], context: float, *, led: bool) -> Reading:
    """Return the likeliest reading of several words; ``led`` is whether an initial stands first."""
    given = -max(1.5, 2.5 + 0.5 * context)
    surname = -1.0 if led else 2.0 * (context > 1.0) - 4.5
    best: Reading = ()
    most = -math.inf
    first, second, *others = beliefs
    for reading, usual, signs in _readings(len(beliefs)):
        score = usual if usual is not None else surname if reading[0] == SURNAME else given
        score += signs[0] * first
        score += signs[1] * second
        if others:  # as few have
            for belief, sign in zip(others, signs[2:], strict=True):
                score += sign * belief
        if score > most:
            best, most = reading, score
    return best


@note_cache(16_384)
def _rate(word: str) -> float:
    """Return what the statistics say of a word."""
    givens = is_given(word) + 0.1 * is_given(formal(word))  # a nickname is a given name, listed or not
    rate = math.log10((is_surname(word) + 1) / (givens + 1))
    return max(-_MOST_STATISTICS, min(_MOST_STATISTICS, rate))


@cache
def _readings(count: int) -> list[tuple[Reading, float | None, tuple[float, ...]]]:
    """Return the readings that a number of words can have, the usual one first.

    With each comes what speaks against it, unless that depends on the words around, as where all words are
    given names or surnames; and for each word whether it counts for a surname or against it.
    """
    usual: list[Reading] = [
        (GIVEN,) * given + (SURNAME,) * (count - given) for given in range(count - 1, -1, -1)
    ]
    made = []
    for reading in (*usual, (GIVEN,) * count, (SURNAME,) + (GIVEN,) * (count - 1)):
        against = -3.5 if reading[0] == SURNAME else -2.2 * (reading.count(SURNAME) - 1)
        signs = tuple(1.0 if role == SURNAME else -1.0 for role in reading)
        made.append((reading, against if len(set(reading)) > 1 else None, signs))
    return made


def _around(units: Sequence[Unit], place: int, role: str) -> Reading:
    """Return the roles of the initials around the only word."""
    other = GIVEN if role == SURNAME else SURNAME
    return tuple(role if at == place else GIVEN if at < place else other for at in range(len(units)))
