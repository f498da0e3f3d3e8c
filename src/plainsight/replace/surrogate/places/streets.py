"""Streets and other places: kinds and directions stay, numbers are permuted, names become other names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property

from plainsight.locale import default_locale
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.places.atlas import UNKNOWN, Atlas
from plainsight.replace.surrogate.places.geography import Geography
from plainsight.replace.surrogate.places.parts import Part, parts
from plainsight.replace.surrogate.places.states import read_state, states
from plainsight.replace.surrogate.places.towns import invented, read_lines, town_key, word_set
from plainsight.replace.surrogate.scope import Mention, Scope, assign, folded
from plainsight.replace.surrogate.shape import another, match_case, ordinal_suffix, scramble

_LAST_TURN = 60
_TURNS = 20
_NOWHERE = ("general delivery", "gen del", "gen delivery", "star route", "star rt")


def _words(key: str) -> tuple[str, ...]:
    return default_locale().words("streets", key)


@cache
def _surnames() -> tuple[str, ...]:
    return tuple(read_lines("surnames.txt.gz"))


@cache
def _counties() -> dict[str, tuple[str, ...]]:
    rows = (line.split("\t") for line in read_lines("counties.tsv.gz")[1:])
    return {home: tuple(names.split(";")) for home, names in rows}


@cache
def _regions() -> tuple[dict[str, int], list[tuple[str, ...]]]:
    """Return the number of each region's line, and the lines."""
    rows = [tuple(line.split("; ")) for line in default_locale().table("places")["regions"].splitlines()]
    return {town_key(name): number for number, names in enumerate(rows) for name in names}, rows


@cache
def _short_regions() -> frozenset[str]:
    """Return the regions that are always written in capitals, such as JFK."""
    return frozenset(name for names in _regions()[1] for name in names if name.isupper())


class Streets:
    """The street lines and names of other places that stand for those of a scope."""

    def __init__(self, scope: Scope, atlas: Atlas, geography: Geography) -> None:
        self._scope = scope
        self._atlas = atlas
        self._geography = geography

    @cached_property
    def _keyed(self) -> Keyed:
        return self._scope.keyed.child("streets")

    @cached_property
    def _numbers(self) -> Keyed:
        return self._keyed.child("numbers")

    @cached_property
    def _parts(self) -> dict[tuple[str, bool], tuple[Part, ...]]:
        found = {(m.text, m.label == "STREET") for m in self._scope.of("STREET", "LOCATION_OTHER")}
        return {(text, street): parts(text, street=street) for text, street in found}

    @cached_property
    def names(self) -> dict[str, str]:
        """Return what stands for each name, by its key: one name, however its place is called."""
        sorts: dict[str, str] = {}
        for (text, street), found in sorted(self._parts.items()):
            if not street and town_key(text) in _regions()[0]:
                sorts[town_key(text)] = "region"
                continue
            for number, part in enumerate(found):
                if part.kind == "name":
                    key = town_key(part.text)
                    sorts[key] = max(sorts.get(key, ""), self._sort(key, found[number + 1 :], street=street))
        places = {name: key for key in sorted(sorts, reverse=True) if (name := self._place(key))}
        made = {key: name for name, key in places.items()}
        left = [(key, sort) for key, sort in sorts.items() if key not in made]
        drawn = assign(left, self._candidate, keyed=self._keyed, refused=self._geography.used)
        return made | {key: name for (key, _), name in drawn.items()}

    @cached_property
    def other_places(self) -> frozenset[str]:
        """Return the keys of the names that are not of streets."""
        named = (found for (_, street), found in self._parts.items() if not street)
        return frozenset(town_key(part.text) for found in named for part in found if part.kind == "name")

    def _sort(self, key: str, after: Sequence[Part], *, street: bool) -> str:
        """Return what kind of name a name is. Of two, the greater one counts: see `names`."""
        following = "".join(part.text for part in after[:2]).split()
        if (
            not street
            and following
            and folded(following[0]).rstrip(".") in ("county", "co", "parish", "borough")
        ):
            return "region of counties"
        own = key.split()
        if len(own) > 1:
            return "c compound"
        if key in word_set("nature") or key in word_set("first") or key in word_set("second"):
            return "c nature"
        if key in word_set("plain"):
            return "c plain"
        return "c surname" if street else "a place"

    def _place(self, key: str) -> str | None:
        """Return the surrogate of a name that is a town or a state of the scope."""
        if key in self._geography.by_key:
            return self._geography.by_key[key]
        home = read_state(key) if len(key) > 3 else None
        if home and folded(states()[home].name) == key:
            return states()[self._geography.home(home)].name
        return None

    def _candidate(self, original: tuple[str, str], turn: int) -> str:
        key, sort = original
        draw = self._keyed.number(f"{key} {turn}", 1 << 64)
        if turn > _LAST_TURN:
            return invented(draw)
        if sort == "region":
            rows = _regions()[1][_regions()[0][key]]
            return rows[draw % len(rows)]
        if sort == "region of counties":
            homes = self._atlas.homes
            counties = _counties().get(self._geography.home(homes[0] if homes else UNKNOWN)) or _surnames()
            return counties[draw % len(counties)]
        if sort == "c compound":
            first, second = _words("first"), _words("second")
            return f"{first[draw % len(first)]} {second[draw // 1000 % len(second)]}"
        if sort == "a place":
            return invented(draw)
        pool = {"c nature": _words("nature"), "c plain": _words("plain")}.get(sort, _surnames())
        return pool[draw % len(pool)]

    @cached_property
    def _lines(self) -> dict[tuple[str, bool], str]:
        """Return what stands for each line: never a line of the scope, else its numbers take another turn."""
        own = {folded(mention.text) for mention in self._scope.mentions}
        made = {}
        for text, street in self._parts:
            turns = (self._render(text, street, turn) for turn in range(_TURNS))
            made[text, street] = next((line for line in turns if folded(line) not in own), "") or scramble(
                self._keyed, text
            )
        return made

    def write(self, mention: Mention) -> str:
        """Return what stands for a street line or another place."""
        return self._lines[mention.text, mention.label == "STREET"]

    def _render(self, text: str, street: bool, turn: int) -> str:
        key = town_key(text)
        if not street and key in self.names and key in _regions()[0]:
            return self.names[key] if text in _short_regions() else match_case(text, self.names[key])
        if street and key in _NOWHERE:
            return match_case(text, f"PO Box {100 + self._keyed.number(f'box {key} {turn}', 900)}")
        return "".join([self._part(part, turn) for part in self._parts[text, street]])

    def _part(self, part: Part, turn: int) -> str:
        text = part.text
        if part.kind == "keep":
            return text
        if part.kind == "name":
            return match_case(text, self.names[town_key(text)])
        if part.kind in ("number", "ordinal"):
            digits = "".join(filter(str.isdecimal, text))
            made = _number(self._numbers, digits, turn)
            return made if part.kind == "number" else match_case(text, made + ordinal_suffix(int(made)))
        if part.kind == "id":
            if text[0] in "NSEW" and text[1:].isdecimal():  # W227 N1410
                return text[0] + _number(self._numbers, text[1:], turn)
            return scramble(self._numbers, text, turn)
        row = _words("numbers") if part.kind == "word number" else _words("ordinals")
        made = row[another(self._keyed, row.index(folded(text)), len(row), turn)]
        return match_case(text, made.capitalize())


def _number(keyed: Keyed, digits: str, turn: int) -> str:
    """Return another number of as many digits."""
    if not digits.isascii() or digits[0] == "0" or len(digits) > 9:
        return scramble(keyed, digits, turn)
    low = 10 ** (len(digits) - 1)
    return str(low + another(keyed, int(digits) - low, 9 * low, turn))
