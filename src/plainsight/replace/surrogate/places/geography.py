"""One fictional geography for a scope: another state for each state, another town there for each town."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from plainsight.errors import DataError
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.places.atlas import UNKNOWN, Atlas, Place
from plainsight.replace.surrogate.places.countries import countries, neighbours
from plainsight.replace.surrogate.places.states import area_codes, group, states
from plainsight.replace.surrogate.places.towns import (
    Town,
    invented,
    pool,
    ranks,
    size_of,
    town_key,
    towns,
    word_set,
    world,
    world_pool,
)
from plainsight.replace.surrogate.scope import Scope, assign, folded

_WORD = re.compile(r"[^\W_]+")
_SMALL_TOWN = 1  # the size class of a town that no table knows
_TURNS = 400
_WIDE = 200  # turns, after which states of any country are taken
_SMALL_CITY = 20_000  # the people of a city abroad that no table knows
_LAST_TURN = 150  # after these refusals a name is invented


@note_cache(16_384)
def _own_words(name: str) -> tuple[str, ...]:
    """Return the words of a place's name but for those that many places share."""
    shared = word_set("shared")
    return tuple([word for word in _WORD.findall(folded(name)) if word not in shared])


def _all_homes(home: str, *, wide: bool) -> Iterator[str]:
    """Yield every state that can stand for one when its own group is used up, or every country."""
    if "/" not in home:
        yield from (code for code in countries() if code not in ("US", "SCT", "WLS"))
    else:
        yield from (s.home for s in states().values() if s.size and (wide or s.home[:3] == home[:3]))


class Geography:
    """The states, countries and towns that stand for those of a scope."""

    def __init__(self, scope: Scope, atlas: Atlas) -> None:
        self._scope = scope
        self._atlas = atlas
        self._unnamed: dict[str, str] = {}

    @cached_property
    def _keyed(self) -> Keyed:
        return self._scope.keyed.child("places")

    @cached_property
    def _homes(self) -> dict[str, str]:
        """Return the state or country that stands for each one of the scope."""
        own = {place.home for place in self._atlas.places.values()} | self._atlas.countries
        stay = {country: country for country in self._atlas.native & own - self._atlas.countries}
        moved, candidate = sorted(own - set(stay)), self._home_candidate
        try:
            made = assign(moved, candidate, keyed=self._keyed, refused=self._refused_home(own))
        except DataError:  # the notes name every state there is: let some stand for others
            made = assign(moved, candidate, keyed=self._keyed, refused=lambda home: False)
        return stay | made

    def _home_candidate(self, home: str, turn: int) -> str:
        if "/" in home:
            others, known = group(home), home in states()
        elif home in countries():
            others, known = neighbours(home), True
        else:
            others, known = (), False
        if home == "US" and turn < len(others):
            return others[turn]
        if turn >= len(others):  # all refused
            others, known = tuple(_all_homes(home, wide=turn > _WIDE)), False
        index = others.index(home) if known and home in others else self._keyed.number(home, len(others))
        return others[(self._keyed.permute(index, len(others)) + turn) % len(others)]

    def _refused_home(self, own: set[str]) -> Callable[[str], bool]:
        def refused(home: str) -> bool:
            if home in own:
                return True
            country = countries().get(home)
            return self.used(f"{country.name} {country.adjective}" if country else states()[home].name)

        return refused

    def home(self, home: str) -> str:
        """Return the state or country that stands for one, whether the scope names it or not.

        Those not named are chosen each by itself, whichever is asked for first; two may come to the same.
        """
        made = self._homes.get(home) or self._unnamed.get(home)
        if made is None:
            refused = self._refused_home(set(self._homes) | {home})
            taken = set(self._homes.values())
            turns = (self._home_candidate(home, turn) for turn in range(_TURNS))
            free = (made for made in turns if made not in taken and not refused(made))
            made = self._unnamed[home] = next(free, self._home_candidate(home, 0))
        return made

    @cached_property
    def _names(self) -> dict[Place, str]:
        own = {place for place in self._atlas.places.values() if place.town}
        return assign(sorted(own), self._town_candidate, keyed=self._keyed, refused=self.used)

    def _town_candidate(self, place: Place, turn: int) -> str:
        """Return a town of the state or country that stands for a town's own, of its size and look."""
        target, alike = self.home(place.home), []
        town = towns().get(place.home, {}).get(place.town)
        if place.home in towns() or place.home == UNKNOWN:
            size = size_of(town.people) if town else _SMALL_TOWN
            alike = pool(target, size, " " in place.town, min(8, turn // 4))
        else:
            people = world().get(place.home[:2], {}).get(place.town, _SMALL_CITY)
            alike = world_pool(target.partition("/")[0], size_of(people))
        if not alike or turn > _LAST_TURN:
            return invented(self._keyed.number(f"invent {place} {turn}", 1 << 32))
        rank = ranks(place.home).get(town.name) if town else None
        index = self._keyed.number(f"town {place}", len(alike)) if rank is None else rank % len(alike)
        return alike[(self._keyed.permute(index, len(alike)) + turn) % len(alike)]

    def used(self, name: str) -> bool:
        """Say whether a word of a name occurs in the notes, and the name can therefore stand for nothing."""
        own = _own_words(name)
        return not own or not self._scope.words.isdisjoint(own)

    def name(self, place: Place) -> str:
        """Return the name of the town that stands for one of the scope."""
        return self._names[place]

    def town(self, place: Place) -> Town | None:
        """Return the town that stands for one of the scope, if it is one of the tables."""
        if not place.town or "/" not in place.home:
            return None
        return towns().get(self.home(place.home), {}).get(town_key(self._names[place]))

    @cached_property
    def by_key(self) -> dict[str, str]:
        """Return the surrogates of the scope's towns by their keys."""
        return {place.town: self._names[place] for place in sorted(self._names, reverse=True)}

    def area_code(self, code: str) -> str | None:
        """Return a telephone area code of the state that stands for the one of this code."""
        of, codes = area_codes()
        home = of.get(code)
        mine = codes.get(self.home(home), ()) if home else ()
        if not home or not mine:
            return None
        index = codes[home].index(code) % len(mine)
        return mine[self._keyed.permute(index, len(mine))]
