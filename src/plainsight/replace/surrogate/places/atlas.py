"""Work out where the places of a scope are: the state of a town, the town of a post code."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache, cached_property
from typing import NamedTuple, TypeVar

from plainsight.locale import default_locale
from plainsight.replace.surrogate.places.regions import read_country, read_state, states
from plainsight.replace.surrogate.places.towns import area_of, largest, of_code, town_key, towns, world
from plainsight.replace.surrogate.scope import Mention, Scope

# The home of a town about which nothing is known.
UNKNOWN = "US/?"

_LABELS = ("CITY", "STATE", "ZIP", "COUNTRY")
_JOIN = re.compile(
    r"[\s,.;:()/|-]{0,8}(?:(?:state|st|zip|zip ?code|post(?:al)? ?code|country)[\s:|.]{1,8})?", re.IGNORECASE
)
_LONGEST_JOIN = 24
_FAMOUS = 20  # times more people make a city abroad more likely than its namesake at home
_FAR = 50  # times more people make a town of any state more likely than one of a state in the notes
KIND = re.compile(r"(?<=\w)\s+(?:township|twp|borough|boro)\.?$", re.IGNORECASE)
_SHAPES = {"US/": re.compile(r"\d{5}"), "CA/": re.compile(r"[A-Z]\d[A-Z]"), "AU/": re.compile(r"\d{4}")}
_ZIP = re.compile(r"\d{5}(?:\d{4})?")
_CANADIAN = re.compile(r"[A-Z]\d[A-Z]\d[A-Z]\d")
_SHAPES_ABROAD = {
    "GB": re.compile(r"[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}"),
    "IE": re.compile(r"[A-Z]\d[\dW][A-Z\d]{4}"),
}
Known = TypeVar("Known", str, "Place")
_MISREAD = str.maketrans("015", "ols")


class Place(NamedTuple):
    """A town in a state (``US/TN``) or abroad (a country's code); without town, the state itself."""

    home: str
    town: str


@cache
def _nicknames() -> dict[str, Place]:
    found: dict[str, Place] = {}
    for line in default_locale().table("places")["nicknames"].splitlines():
        home, name, forms = line.split("|")
        found |= dict.fromkeys(map(town_key, forms.split(";")), Place(home, town_key(name)))
    return found


def post_code(text: str) -> str:
    """Return the part of a post code that identifies its place: five digits, a Canadian half, or all."""
    code = "".join(filter(str.isalnum, text.upper()))
    if _ZIP.fullmatch(code):
        return code[:5]
    return code[:3] if _CANADIAN.fullmatch(code) else code


def fits(code: str, home: str) -> bool:
    """Whether a post code, as `post_code` gives it, has the shape of those of a state's country."""
    shape = _SHAPES.get(home[:3])
    return bool(shape and shape.fullmatch(code))


class Atlas:
    """Where each city, state and post code of a scope is, as its notes, its record and the tables tell."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    @cached_property
    def places(self) -> dict[Mention, Place]:
        """Return the place of every city, state and post code that has one."""
        found = {m: Place(home, "") for m, home in self._states.items()}
        found |= {m: self._town(m) for m in self._scope.of("CITY")}
        codes: dict[str, Counter[Place]] = defaultdict(Counter)
        for mention in self._scope.of("ZIP"):
            if place := self._beside(mention, found):
                codes[post_code(mention.text)][place] += 1
                found[mention] = place
        for mention in [m for m in self._scope.of("ZIP") if m not in found]:
            code = post_code(mention.text)
            city = self._chains.get(mention, {}).get("CITY")
            if city and not fits(code, found[city].home):
                continue  # a country whose codes no table has: by shape alone
            if code in codes:
                found[mention] = _commonest(codes[code])
            elif place := self._of_code(code):
                found[mention] = place
        return {mention: self._moved(mention, place) for mention, place in found.items()}

    def _moved(self, mention: Mention, place: Place) -> Place:
        """Return a place by its country alone if that is named: state and town move there with it."""
        country = place.home.partition("/")[0]
        if country not in self.countries - {"US"}:
            return place
        return Place(country, town_key(states()[place.home].name) if mention.label == "STATE" else place.town)

    @cached_property
    def countries(self) -> frozenset[str]:
        """Return the countries that are named."""
        read = (read_country(m.text) for m in self._scope.of("COUNTRY"))
        return frozenset(found[0] for found in read if found)

    @cached_property
    def native(self) -> frozenset[str]:
        """Return the countries abroad with post codes of their own in the notes: their cities stay there."""
        codes = [post_code(m.text) for m in self._scope.of("ZIP")]
        return frozenset(home for home, shape in _SHAPES_ABROAD.items() if any(map(shape.fullmatch, codes)))

    @cached_property
    def _states(self) -> dict[Mention, str]:
        return {m: home for m in self._scope.of("STATE") if (home := read_state(m.text))}

    @cached_property
    def _chains(self) -> dict[Mention, dict[str, Mention]]:
        """For each city and post code, what stands with it in one address, by label."""
        found: dict[Mention, dict[str, Mention]] = defaultdict(dict)
        chain: dict[str, Mention] = {}
        last: Mention | None = None
        for mention in sorted(self._scope.of(*_LABELS)):
            if last is None or not self._joined(last, mention) or mention.label in chain:
                chain = {}
            for other in chain.values():
                found[other][mention.label] = mention
                found[mention][other.label] = other
            chain[mention.label] = mention
            last = mention
        return found

    def _joined(self, first: Mention, second: Mention) -> bool:
        if first.note != second.note or not 0 <= second.start - first.end <= _LONGEST_JOIN:
            return False
        return bool(_JOIN.fullmatch(self._scope.documents[first.note].text, first.end, second.start))

    def _own_home(self, mention: Mention) -> str | None:
        """Return the home that stands beside a city."""
        beside = self._chains.get(mention, {})
        if (state := beside.get("STATE")) in self._states:
            return self._states[state]
        if code := beside.get("ZIP"):
            short = post_code(code.text)
            for country, shape in _SHAPES_ABROAD.items():
                if shape.fullmatch(short):
                    return country
            if place := self._of_code(short):
                return place.home
        if (named := beside.get("COUNTRY")) and (read := read_country(named.text)):
            return None if read[0] == "US" else _abroad(town_key(mention.text), read[0])
        return None

    def _of_code(self, code: str) -> Place | None:
        """Return the place of a post code by the table: its town, or the state of its area."""
        town = of_code().get(code)
        if town and (not fits(code, "AU/") or any(home.startswith("AU/") for home in self._states.values())):
            return Place(town.home, town_key(town.name))
        area = of_code().get(area_of(code)) if fits(code, "US/") or fits(code, "CA/") else None
        return Place(area.home, "") if area else None

    @cached_property
    def _seen(self) -> dict[str, Counter[str]]:
        """Return the homes with which each town is written somewhere in the notes or the record."""
        seen: dict[str, Counter[str]] = defaultdict(Counter)
        for mention in self._scope.of("CITY"):
            if home := self._own_home(mention):
                seen[town_key(mention.text)][home] += 1
        for address in self._scope.patient.addresses if self._scope.patient else ():
            place = self._of_code(post_code(address.zip))
            if home := read_state(address.state) or (place.home if place else None):
                seen[town_key(address.city)][home] += 1
        return seen

    @cached_property
    def homes(self) -> list[str]:
        """Return the states that the scope is about, the most frequent first."""
        count = Counter(self._states.values())
        for homes in self._seen.values():
            count += homes
        for mention in self._scope.of("ZIP"):
            if place := self._of_code(post_code(mention.text)):
                count[place.home] += 1
        return sorted((home for home in count if "/" in home), key=lambda home: (-count[home], home))

    def _town(self, mention: Mention) -> Place:
        """Return where a city is: as written beside it, elsewhere in the notes, or as the tables say."""
        key = town_key(KIND.sub("", mention.text))
        short = _nicknames().get(key)
        home = self._own_home(mention) or (_commonest(self._seen[key]) if key in self._seen else None)
        if short and home in (None, short.home):
            return short
        if home:
            return Place(home, key)
        for spelling in dict.fromkeys((key, key.translate(_MISREAD), key.replace(" ", ""))):
            if found := self._known(spelling):
                return found
        return Place((*sorted(self.native), *self.homes, UNKNOWN)[0], key)

    def _known(self, key: str) -> Place | None:
        """Return the town of that name in the scope's states and countries, else the largest one."""
        for code in sorted(self.countries | self.native):
            if key in world().get(code, ()):
                return Place(_abroad(key, code), key)
        near = next((towns()[home][key] for home in self.homes if key in towns().get(home, ())), None)
        here, there = largest(key)
        if here[0] < 0 and there[0] < 0:
            return None
        if near and max(here[0], there[0]) <= _FAR * max(near.people, 1000):
            return Place(near.home, key)
        return Place(there[1] if there[0] > _FAMOUS * max(here[0], 100) else here[1] or there[1], key)

    def _beside(self, mention: Mention, found: dict[Mention, Place]) -> Place | None:
        """Return the place that a post code is written with."""
        beside = self._chains.get(mention, {})
        if (city := beside.get("CITY")) and fits(post_code(mention.text), found[city].home):
            return found[city]
        if (state := beside.get("STATE")) in self._states:
            home, place = self._states[state], self._of_code(post_code(mention.text))
            return place if place and place.home == home else Place(home, "")
        return None


def _abroad(key: str, country: str) -> str:
    """Return the home of a town of which the country is known."""
    homes = [(found[key].people, home) for home, found in towns().items() if key in found]
    return max((pair for pair in homes if pair[1].startswith(f"{country}/")), default=(0, country))[1]


def _commonest(count: Counter[Known]) -> Known:
    return min(count, key=lambda item: (-count[item], item))
