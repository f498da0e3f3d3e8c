"""Work out where the places of a note are: the state of a town or a county.

A note is read by itself, so that it says the same whichever notes stand beside it. What it does not say, the
patient's record may (`Known`), then the tables do.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache, cached_property

from plainsight.document import Address
from plainsight.locale import default_locale
from plainsight.replace.surrogate.places.geography import UNKNOWN, Place
from plainsight.replace.surrogate.places.post_codes import place_of, post_code
from plainsight.replace.surrogate.places.regions import area_codes, read_country, read_state
from plainsight.replace.surrogate.places.towns import counties, largest, town_key, towns, world
from plainsight.replace.surrogate.scope import Mention, Scope

KIND = re.compile(r"(?<=\w)\s+(?:township|twp|borough|boro)\.?$", re.IGNORECASE)

_LABELS = ("CITY", "STATE", "ZIP", "COUNTRY", "LOCATION_OTHER")
_JOIN = re.compile(
    r"[\s,.;:()/|-]{0,8}(?:(?:state|st|zip|zip ?code|post(?:al)? ?code|country)[\s:|.]{1,8})?", re.IGNORECASE
)
_LONGEST_JOIN = 24
_FAMOUS = 20  # times more people make a city abroad more likely than its namesake at home
_FAR = 50  # times more people make a town of any state more likely than one of a state in the note
_AREA_CODE = re.compile(r"(?:\+?1[-. ]?)?\(?([2-9]\d\d)\)?[-. /]?\d{3}[-. ]?\d{4}")
_BRITISH = re.compile(r"[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}")
_IRISH = re.compile(r"[A-Z]\d[\dW][A-Z\d]{4}")
_COUNTY = re.compile(r"(.*\w)\s+(?:county|co|parish|borough)\b", re.IGNORECASE)
_MISREAD = str.maketrans("015", "ols")


@cache
def _nicknames() -> dict[str, Place]:
    found: dict[str, Place] = {}
    for line in default_locale().table("places")["nicknames"].splitlines():
        home, name, forms = line.split("|")
        found |= dict.fromkeys(map(town_key, forms.split(";")), Place(home, town_key(name)))
    return found


class Known:
    """What is known of a patient's places beforehand: from the record, or from notes read earlier."""

    def __init__(self, addresses: Sequence[Address] = ()) -> None:
        self.town_homes: dict[str, str] = {}
        count: Counter[str] = Counter()
        for address in addresses:
            place = place_of(post_code(address.zip))
            if home := read_state(address.state) or (place.home if place else None):
                self.town_homes.setdefault(town_key(address.city), home)
                count[home] += 1
        self.town_homes.pop("", None)
        self.homes = tuple(sorted(count, key=lambda home: (-count[home], home)))


class Atlas:
    """Where each city, state and county of one note is."""

    def __init__(self, scope: Scope, known: Known) -> None:
        """Take a scope of one note, and what is known beforehand."""
        self._scope = scope
        self._known = known

    @cached_property
    def places(self) -> dict[Mention, Place]:
        """Return the place of every city and state that has one."""
        found = {m: Place(home, "") for m, home in self._states.items()}
        return found | {m: self._town(m) for m in self._scope.of("CITY")}

    @cached_property
    def by_key(self) -> dict[str, Place]:
        """Return the towns of the note by their keys."""
        return {place.town: place for place in sorted(self.places.values(), reverse=True) if place.town}

    @cached_property
    def countries(self) -> frozenset[str]:
        """Return the countries that are named."""
        read = (read_country(m.text) for m in self._scope.of("COUNTRY"))
        return frozenset(found[0] for found in read if found)

    @cached_property
    def is_australian(self) -> bool:
        """Whether the note names a state of Australia."""
        return any(home.startswith("AU/") for home in self._states.values())

    @cached_property
    def _states(self) -> dict[Mention, str]:
        return {m: home for m in self._scope.of("STATE") if (home := read_state(m.text))}

    @cached_property
    def _chains(self) -> dict[Mention, dict[str, Mention]]:
        """For each city and county, what stands with it in one address, by label."""
        found: dict[Mention, dict[str, Mention]] = defaultdict(dict)
        chain: dict[str, Mention] = {}
        last: Mention | None = None
        for mention in self._scope.of(*_LABELS):
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

    def state_beside(self, mention: Mention) -> str:
        """Return the state that is written beside a place, if there is one."""
        state = self._chains.get(mention, {}).get("STATE")
        return self._states.get(state, "") if state else ""

    def _own_home(self, mention: Mention) -> str | None:
        """Return the home that stands beside a city or county."""
        beside = self._chains.get(mention, {})
        if home := self.state_beside(mention):
            return home
        if code := beside.get("ZIP"):
            short = post_code(code.text)
            if _BRITISH.fullmatch(short) or _IRISH.fullmatch(short):
                return "GB" if _BRITISH.fullmatch(short) else "IE"
            if place := place_of(short, australian=self.is_australian):
                return place.home
        if (named := beside.get("COUNTRY")) and (read := read_country(named.text)):
            return None if read[0] == "US" else _abroad(town_key(mention.text), read[0])
        return None

    @cached_property
    def _seen(self) -> dict[str, str]:
        """Return the home with which each town is written in the note, most often or first by name."""
        seen: dict[str, Counter[str]] = defaultdict(Counter)
        for mention in self._scope.of("CITY"):
            if home := self._own_home(mention):
                seen[_key(mention)][home] += 1
        return {key: min(homes, key=lambda home: (-homes[home], home)) for key, homes in seen.items()}

    @cached_property
    def homes(self) -> tuple[str, ...]:
        """Return the states that the note is about: those of the record, then the most frequent first.

        A state that is named counts more than one whose post codes or telephone areas stand there.
        """
        count = Counter({home: 2 * number for home, number in Counter(self._states.values()).items()})
        for home in self._seen.values():
            count[home] += 2
        for mention in self._scope.of("ZIP"):
            if place := place_of(post_code(mention.text)):
                count[place.home] += 1
        for mention in self._scope.of("PHONE", "FAX"):
            code = _AREA_CODE.match(mention.text)
            if code and code[1] in area_codes():
                count[area_codes()[code[1]][0]] += 1
        found = sorted((home for home in count if "/" in home), key=lambda home: (-count[home], home))
        return tuple(dict.fromkeys((*self._known.homes, *found)))

    def _town(self, mention: Mention) -> Place:
        """Return where a city is: as written beside it, in the record, elsewhere in the note, or by table."""
        key = _key(mention)
        short = _nicknames().get(key)
        home = self._own_home(mention) or self._known.town_homes.get(key) or self._seen.get(key)
        if short and home in (None, short.home):
            return short
        return Place(home, key) if home else self.find(key) or Place((*self.homes, UNKNOWN)[0], key)

    def find(self, key: str) -> Place | None:
        """Return the town of a name, where nothing is written beside it, in one of its spellings."""
        if home := self._known.town_homes.get(key) or self._seen.get(key):
            return Place(home, key)
        for spelling in dict.fromkeys((key, key.translate(_MISREAD), key.replace(" ", ""))):
            if found := self._in_tables(spelling):
                return found
        return None

    def _in_tables(self, key: str) -> Place | None:
        """Return the town of that name in the note's states and countries, else the largest one."""
        for code in sorted(self.countries):
            if key in world().get(code, ()):
                return Place(_abroad(key, code), key)
        near = next((towns()[home][key] for home in self.homes if key in towns().get(home, ())), None)
        here, there = largest(key)
        if here[0] < 0 and there[0] < 0:
            return None
        if near and max(here[0], there[0]) <= _FAR * max(near.people, 1000):
            return Place(near.home, key)
        return Place(there[1] if there[0] > _FAMOUS * max(here[0], 100) else here[1] or there[1], key)

    @cached_property
    def counties(self) -> dict[str, Mention]:
        """Return where the note names each county, by the key of its name."""
        named = ((_COUNTY.match(mention.text), mention) for mention in self._scope.of("LOCATION_OTHER"))
        return {town_key(found[1]): mention for found, mention in named if found}

    def county_home(self, mention: Mention, key: str) -> str:
        """Return the state of a county: written beside it, of the record, of the note, else the largest."""
        if home := self._own_home(mention):
            return home
        having = counties().of_name.get(key, ())
        return next((home for home in self.homes if home in having), (*having, *self.homes, UNKNOWN)[0])


def _key(mention: Mention) -> str:
    return town_key(KIND.sub("", mention.text))


def _abroad(key: str, country: str) -> str:
    """Return the home of a town of which the country is known."""
    homes = [(found[key].people, home) for home, found in towns().items() if key in found]
    return max((pair for pair in homes if pair[1].startswith(f"{country}/")), default=(0, country))[1]
