"""One fictional geography for a scope: another state for each, and towns and post codes of that state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property

from plainsight.locale import default_locale
from plainsight.replace.surrogate.places import towns as tables
from plainsight.replace.surrogate.places.atlas import UNKNOWN, Atlas, Place, fits, post_code
from plainsight.replace.surrogate.places.regions import area_codes, countries, group, neighbours, states
from plainsight.replace.surrogate.places.towns import Town, size_of, town_key, towns
from plainsight.replace.surrogate.scope import Mention, Scope, assign
from plainsight.replace.surrogate.shape import another, scramble

_WORD = re.compile(r"[^\W_]+")
_SMALL_TOWN = 1  # the size class of a town that no table knows
_TURNS = 400
_WIDE = 200  # turns, after which states of any country are taken
_SMALL_CITY = 20_000  # the people of a city abroad that no table knows
_LAST_TURN = 150  # after these refusals a name is invented


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
        self._keyed = scope.keyed.child("places")

    @cached_property
    def _homes(self) -> dict[str, str]:
        """Return the state or country that stands for each one of the scope."""
        own = {place.home for place in self._atlas.places.values()} | self._atlas.countries
        stay = {country: country for country in self._atlas.native & own - self._atlas.countries}
        return stay | assign(own - set(stay), self._home_candidate)

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

    def home(self, home: str) -> str:
        """Return the state or country that stands for one, whether the scope names it or not."""
        return self._homes.get(home) or self._home_candidate(home, 0)

    @cached_property
    def _names(self) -> dict[Place, str]:
        own = {place for place in self._atlas.places.values() if place.town}
        return assign(own, self._town_candidate)

    def _town_candidate(self, place: Place, turn: int) -> str:
        """Return a town of the state or country that stands for a town's own, of its size and look."""
        target = self.home(place.home)
        town = towns().get(place.home, {}).get(place.town)
        if place.home in towns() or place.home == UNKNOWN:
            size = size_of(town.people) if town else _SMALL_TOWN
            alike = tables.pool(target, size, " " in place.town, min(8, turn // 4))
        else:
            people = tables.world().get(place.home[:2], {}).get(place.town, _SMALL_CITY)
            alike = tables.world_pool(target.partition("/")[0], size_of(people))
        if not alike or turn > _LAST_TURN:
            return tables.invented(self._keyed.number(f"invent {place} {turn}", 1 << 32))
        rank = tables.ranks(place.home).get(town.name) if town else None
        index = self._keyed.number(f"town {place}", len(alike)) if rank is None else rank % len(alike)
        return alike[(self._keyed.permute(index, len(alike)) + turn) % len(alike)]

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


# --- post codes -------------------------------------------------------------------------------------------

_CANADIAN = re.compile(r"([A-Z]\d[A-Z])(\d[A-Z]\d)")
_BRITISH = re.compile(r"([A-Z]{1,2})(\d[A-Z\d]?)(\d[A-Z]{2})")
_INWARD = "ABDEFGHJLNPQRSTUWXYZ"
_CANADIAN_LETTERS = "ABCEGHJKLMNPRSTVWXYZ"
_CITY_TURNS, _AREA_TURNS = 6, 20


@cache
def _codes(home: str, area: str = "") -> tuple[str, ...]:
    """Return the post codes of a state, or of one of its areas."""
    mine = towns().get(home, {}).values()
    return tuple(sorted({c for town in mine for c in town.codes.split() if c.startswith(area)}))


class PostCodes:
    """The post codes that stand for those of a scope."""

    def __init__(self, scope: Scope, atlas: Atlas, geography: Geography) -> None:
        self._scope = scope
        self._atlas = atlas
        self._geography = geography
        self._keyed = scope.keyed.child("post codes")

    @cached_property
    def _made(self) -> dict[tuple[str, Place], str]:
        own = {
            (post_code(m.text), place)
            for m in self._scope.of("ZIP")
            if (place := self._atlas.places.get(m))
            and fits(post_code(m.text), place.home)
            and _codes(self._geography.home(place.home))  # none if its country ran out of states
        }
        return assign(own, self._candidate)

    def _candidate(self, original: tuple[str, Place], turn: int) -> str:
        """Return a code of the fictional town; if it has none left, one of its area, then of its state."""
        code, place = original
        home, town = self._geography.home(place.home), self._geography.town(place)
        codes = tuple(town.codes.split()) if town else ()
        if codes and turn >= _CITY_TURNS:
            codes = _codes(home, codes[0][:3])
        if not codes or turn >= _AREA_TURNS:
            codes = _codes(home)
        was = towns().get(place.home, {}).get(place.town)
        siblings = was.codes.split() if was else []
        drawn = siblings.index(code) if code in siblings else self._keyed.number(code, len(codes))
        index = drawn % len(codes)
        return codes[(self._keyed.permute(index, len(codes)) + turn) % len(codes)]

    def write(self, mention: Mention) -> str:
        """Return the post code that stands for a mention, in its shape."""
        code = "".join(filter(str.isalnum, mention.text))
        place = self._atlas.places.get(mention)
        made = self._made.get((post_code(mention.text), place)) if place else None
        if made is None or not code.isascii() or len(made) > len(code):
            made = self._by_shape(code.upper())
        rest = code[len(made) :].upper()
        if _CANADIAN.fullmatch(code.upper()):
            made += self._letters(rest, _CANADIAN_LETTERS, made)
        elif rest:
            made += scramble(self._keyed.child("rest"), rest)
        letters = iter(made)
        shaped = "".join(next(letters, sign) if sign.isalnum() else sign for sign in mention.text)
        return shaped.lower() if mention.text.islower() else shaped

    def _by_shape(self, code: str) -> str:
        """Return a code of the same letters and digits, with the parts that name an area changed alike."""
        if british := _BRITISH.fullmatch(code):
            area, district, inward = british.groups()
            areas = default_locale().words("states", "british_areas")
            mine = [other for other in areas if len(other) == len(area)]
            made = scramble(self._keyed.child("area"), area)
            if area in mine:
                made = mine[another(self._keyed, mine.index(area), len(mine))]
            made += scramble(self._keyed.child(f"district {area}"), district)
            return made + self._letters(inward, _INWARD, area + district)
        half = 2 if code.isdigit() else 3
        first, second = code[:half], code[half:]
        made = scramble(self._keyed.child("first"), first)
        return made + scramble(self._keyed.child(f"second {first}"), second)

    def _letters(self, text: str, alphabet: str, before: str) -> str:
        """Scramble digits and letters, the letters within an alphabet."""
        keyed = self._keyed.child(f"inward {before}")
        made = ""
        for place, character in enumerate(text):
            choices = alphabet if character.isalpha() else "0123456789"
            index = choices.find(character)
            made += choices[another(keyed.child(str(place)), max(0, index), len(choices))]
        return made
