"""Tell given names from surnames.

Some names are clear (``Smith, John``, or those of the record); they vote for their words. Every other name
gets the roles that its words' votes, the statistics and the words around it make most likely.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.names.census import given_bearers, surname_bearers
from plainsight.replace.surrogate.names.parse import Name, Unit
from plainsight.replace.surrogate.names.variants import formal

GIVEN, SURNAME = "given", "surname"
_MOST_VOTES = 6.0
_MOST_STATISTICS = 1.5

UnitRoles = tuple[str, ...]
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
        word = self.slips.get(word, word)
        self.votes[word] = self.votes.get(word, 0.0) + weight

    def vote_for(self, name: Name, roles: UnitRoles, weight: float) -> None:
        """Let a name vote for the roles of its words."""
        for unit, role in zip(name.units, roles, strict=True):
            if not unit.initial:
                for word in unit.words:
                    self.vote(word, weight if role == SURNAME else -weight)

    def belief(self, word: str) -> float:
        """Return how much rather a surname than a given name a word is."""
        word = self.slips.get(word, word)
        return _statistics(word) + max(-_MOST_VOTES, min(_MOST_VOTES, self.votes.get(word, 0.0)))

    def read(self, name: Name, context: float = 0.0) -> UnitRoles:
        """Return the likeliest role of each unit; ``context`` is above zero where a surname is expected."""
        units = name.units
        if name.comma is not None:
            return (SURNAME,) * name.comma + (GIVEN,) * (len(units) - name.comma)
        places = [place for place, unit in enumerate(units) if not unit.initial]
        if not places:  # letters alone
            return (GIVEN,) * (len(units) - 1) + (SURNAME,) if len(units) > 1 else (GIVEN,) * len(units)
        if len(places) == 1:
            return self._around_only_word(name, places[0], context)
        beliefs = [self._unit(units[place]) for place in places]
        best = _likeliest(beliefs, context, initial_first=places[0] > 0)
        if len(places) == len(units):
            return best
        first_surname = best.index(SURNAME) if SURNAME in best else len(best)
        roles: list[str] = []
        for place, unit in enumerate(units):
            words_before = sum(other < place for other in places)
            if not unit.initial:
                roles.append(best[words_before])
            elif words_before == len(places):  # at the end: whatever is missing
                roles.append(SURNAME if SURNAME not in best else GIVEN)
            else:
                roles.append(SURNAME if 0 < first_surname < words_before else GIVEN)
        return tuple(roles)

    def _around_only_word(self, name: Name, place: int, context: float) -> UnitRoles:
        """Return the roles of the only word of a name and of the initials around it."""
        unit = name.units[place]
        score = self._unit(unit) + context
        if len(unit.words) > 1 and not unit.particle:
            score += 0.5
        if place > 0:  # J. Smith
            score += 4.0
        elif len(name.units) > 1:  # Smith J, but Annika R.
            end = name.pieces[name.units[-1].pieces[0] + 1 :]
            score += -1.0 if end and end[0].text.startswith(".") else 0.5
        role, other = (SURNAME, GIVEN) if score > 0 else (GIVEN, SURNAME)
        return (GIVEN,) * place + (role,) + (other,) * (len(name.units) - place - 1)

    def _unit(self, unit: Unit) -> float:
        words = unit.words
        belief = self.belief(words[0]) if len(words) == 1 else sum(map(self.belief, words)) / len(words)
        return max(belief, 0.0) + 4.0 if unit.particle else belief


def _likeliest(beliefs: Sequence[float], context: float, *, initial_first: bool) -> UnitRoles:
    """Return the likeliest roles of several words."""
    given = -max(1.5, 2.5 + 0.5 * context)
    surname = -1.0 if initial_first else 2.0 * (context > 1.0) - 4.5

    def score(pattern: tuple[UnitRoles, float | None, tuple[float, ...]]) -> float:
        roles, usual, signs = pattern
        total = usual if usual is not None else surname if roles[0] == SURNAME else given
        for belief, sign in zip(beliefs, signs, strict=True):
            total += sign * belief
        return total

    return max(_patterns(len(beliefs)), key=score)[0]


@note_cache(16_384)
def _statistics(word: str) -> float:
    """Return what the statistics say of a word."""
    # A nickname is a given name, listed or not.
    givens = given_bearers(word) + 0.1 * given_bearers(formal(word))
    rate = math.log10((surname_bearers(word) + 1) / (givens + 1))
    return max(-_MOST_STATISTICS, min(_MOST_STATISTICS, rate))


@cache
def _patterns(count: int) -> list[tuple[UnitRoles, float | None, tuple[float, ...]]]:
    """Return the roles that a number of words can have, the usual ones first.

    With each comes its score, unless that depends on the words around, as where all words are given names or
    surnames; and for each word the sign with which its belief counts.
    """
    usual = [(GIVEN,) * given + (SURNAME,) * (count - given) for given in range(count - 1, -1, -1)]
    patterns = []
    for roles in (*usual, (GIVEN,) * count, (SURNAME,) + (GIVEN,) * (count - 1)):
        score = -3.5 if roles[0] == SURNAME else -2.2 * (roles.count(SURNAME) - 1)
        signs = tuple(1.0 if role == SURNAME else -1.0 for role in roles)
        patterns.append((roles, score if len(set(roles)) > 1 else None, signs))
    return patterns
