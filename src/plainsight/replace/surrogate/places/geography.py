"""The fictional geography of a patient: each state, telephone area, town and post code becomes another one.

It is a pure function of the patient's key. A state becomes a state of its size, a telephone area of it an
area of that state, a town of this area a town of that area, of about its place by size. A post code belongs
to a town, an area code to an area, so they agree with the town even where nobody names it. Everything is
drawn from what holds the original, too, which comes out as often as any other.

The country of the locale stays, so that its states do. Other countries become neighbours of theirs, and take
their states and cities with them.
"""

from __future__ import annotations

from bisect import bisect
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from plainsight.locale import default_locale
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.places import towns as tables
from plainsight.replace.surrogate.places.regions import area_codes, countries, group, neighbours, states
from plainsight.replace.surrogate.places.towns import Town, size_of, towns

UNKNOWN = "US/?"
"""The home of a town about which nothing is known."""

_FEWEST_ALIKE, _TOWNS_ALIKE = 6, 24  # of how many towns of about its size one is drawn, the smaller the more
_CODES_IN_USE = frozenset(default_locale().words("phones", "area_codes"))  # newer ones are rare
_SMALL_CITY = 20_000  # the people of a city abroad that no table knows


class Place(NamedTuple):
    """A town in a state (``US/TN``) or abroad (a country's code); without town, the state itself."""

    home: str
    town: str


class Geography:
    """The states, areas and towns that stand for others."""

    def __init__(self, keyed: Keyed, country: str = "US") -> None:
        self._keyed = keyed.child("places")
        self._country = country
        self._states: dict[str, str] = {}
        self._areas: dict[str, dict[str, str]] = {}

    def country(self, code: str) -> str:
        """Return the country that stands for one."""
        if code == self._country:
            return code
        others = neighbours(code) if code in countries() else (code, *neighbours("NZ"))
        return others[self._keyed.permute(others.index(code), len(others))]

    def home(self, home: str) -> str:
        """Return the state or country that stands for one; a state abroad becomes one or a country."""
        if home not in self._states:
            self._states[home] = self._home(home)
        return self._states[home]

    def _home(self, home: str) -> str:
        country, _, state = home.partition("/")
        new = self.country(country)
        if not state:
            return new
        if new == country:
            others = group(home)
            known = home in others
            index = others.index(home) if known else self._keyed.number(f"home {home}", len(others))
            return others[self._keyed.permute(index, len(others))]
        others = tuple(other for other in states() if other.startswith(f"{new}/") and other in towns())
        return others[self._keyed.number(f"home {home}", len(others))] if others else new

    # --- towns ---------------------------------------------------------------------------------------------

    def name(self, place: Place) -> str:
        """Return the name of the town that stands for one."""
        town = self.town(place)
        return town.name if town else self._city(place)

    def town(self, place: Place) -> Town | None:
        """Return the town that stands for one; None where the tables have only cities."""
        home = self.home(place.home)
        if home not in towns() or not place.town:
            return None
        was = towns().get(place.home, {}).get(place.town)
        if was is None:
            small = tables.small_towns(home)
            return small[self._keyed.number(f"town {place.town} {place.home}", len(small))]
        area = self._area_map(place.home)[was.area]
        posted = bool(was.codes)
        pool = tables.pool(home, area, posted=posted)
        if home == place.home and area == was.area and was not in pool:
            pool = (*pool, was)  # no town that stands for others, but it may stay as they may
        within = tuple(old for old, new in self._area_map(place.home).items() if new == area)
        like = tables.matched(place.home, place.town, within, home, area, posted=posted)
        return pool[self._near(like, len(pool), place, f"towns {home} {area}")]

    def _near(self, like: int, size: int, place: Place, name: str) -> int:
        """Return the place by size of a town for one whose like is known: large towns never meet there."""
        large = min(tables.LARGE, size)
        if like < large:
            return self._shuffled(like, large, name, first=1)
        count = min(_TOWNS_ALIKE, max(_FEWEST_ALIKE, like // 2))
        first = max(large, min(like - count // 2, size - count))
        return first + self._keyed.number(f"town {place.town} {place.home}", min(count, size - first))

    def _city(self, place: Place) -> str:
        """Return a city of a country, of about the size of the original."""
        country = self.home(place.home).partition("/")[0]
        old = place.home.partition("/")[0]
        town = towns().get(place.home, {}).get(place.town)
        people = town.people if town else tables.world().get(old, {}).get(place.town, _SMALL_CITY)
        alike = tables.world_pool(country, size_of(people))
        if not alike:
            return tables.invented(self._keyed.number(f"invent {place.town} {old}", 1 << 32))
        keys = _keys(tuple(alike))
        known = keys.get(place.town) if country == old else None
        index = self._keyed.number(f"city {place.town} {old}", len(alike)) if known is None else known
        return alike[self._keyed.permute(index, len(alike))]

    # --- telephone areas -----------------------------------------------------------------------------------

    def _area_map(self, home: str) -> dict[str, str]:
        """Return for each telephone area of a state the one that stands for it.

        Both states are cut along their people, the areas with most of them first, so that a state with few
        areas takes in many where many people live.
        """
        if home not in self._areas:
            new = self.home(home)
            old, others = tables.areas(home), tables.areas(new)
            size, codes = len(others), list(others)
            order = [codes[self._shuffled(place, size, f"areas {new}")] for place in range(size)]
            ends = list(accumulate(others[area] / sum(others.values()) for area in order))
            found, before = {}, 0.0
            for area, people in old.items():
                share = people / sum(old.values())
                found[area] = order[min(bisect(ends, before + share / 2), size - 1)]
                before += share
            self._areas[home] = found
        return self._areas[home]

    def area_code(self, code: str) -> str | None:
        """Return an area code of the area that stands for the one of this code; None if it is in none."""
        home, codes = area_codes().get(code, ("", ()))
        if not home or self.home(home) not in towns():
            return None
        found = self._area_map(home)
        area = found.get(codes[0]) or next(iter(found.values()))
        _, others = area_codes().get(area, ("", ()))
        in_use = [other for other in others if other in _CODES_IN_USE or other == code]
        if not in_use:
            return None
        return in_use[self._keyed.permute(codes.index(code) % len(in_use), len(in_use))]

    def _shuffled(self, number: int, size: int, name: str, *, first: int = 0) -> int:
        """Return a number near another one in ``range(size)``, by a keyed permutation.

        The numbers up to ``first`` stay, the next two change places, the next four, then always eight.
        """
        if number < first:
            return number
        start, length = first, 2
        while number >= start + length and size - start - length > 1:
            start, length = start + length, min(2 * length, 8)
        if size - start - length < 2:  # what is left is too few for a draw of its own
            length = size - start
        turn = self._keyed.number(f"{name} {start}", 1 << 32)
        return start + self._keyed.permute(number - start, length, turn)


@lru_cache(256)
def _keys(names: tuple[str, ...]) -> dict[str, int]:
    return {tables.town_key(name): index for index, name in enumerate(names)}
