"""Streets and other places: types and directions stay, numbers are permuted, names become other names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, cached_property, partial
from typing import Literal, NamedTuple

from plainsight.lists import read_lines
from plainsight.locale import default_locale
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.places.atlas import UNKNOWN, Atlas
from plainsight.replace.surrogate.places.geography import Geography
from plainsight.replace.surrogate.places.regions import read_state, states
from plainsight.replace.surrogate.places.towns import invented, town_key, word_set
from plainsight.replace.surrogate.scope import Mention, Scope, assign, folded
from plainsight.replace.surrogate.shape import another, match_case, ordinal_suffix, scramble

Kind = Literal["keep", "name", "number", "ordinal", "id", "word number", "word ordinal"]

_TOKEN = re.compile(r"\d/\d(?!\d)|[^\W_]+(?:['’ʻ][^\W_]+)*")
_BREAK = re.compile(r"([,;&\n|()\"]|/(?!\d))")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
_LAST_TURN = 60
_TURNS = 20
_NOWHERE = ("general delivery", "gen del", "gen delivery", "star route", "star rt")
_words = partial(default_locale().words, "streets")


@cache
def _surnames() -> tuple[str, ...]:
    return tuple(read_lines("surrogates/places/surnames.txt.gz"))


@cache
def _counties() -> dict[str, tuple[str, ...]]:
    rows = (line.split("\t") for line in read_lines("surrogates/places/counties.tsv.gz")[1:])
    return {home: tuple(names.split(";")) for home, names in rows}


@cache
def _regions() -> dict[str, list[str]]:
    """Return the regions by key: for each, all regions of its kind."""
    kinds = [line.split("; ") for line in default_locale().table("places")["regions"].splitlines()]
    return {town_key(name): kind for kind in kinds for name in kind}


class Streets:
    """The street lines and names of other places that stand for those of a scope."""

    def __init__(self, scope: Scope, atlas: Atlas, geography: Geography) -> None:
        self._scope = scope
        self._atlas = atlas
        self._geography = geography
        self._keyed = scope.keyed.child("streets")
        self._numbers = self._keyed.child("numbers")

    @cached_property
    def _parts(self) -> dict[tuple[str, bool], tuple[Part, ...]]:
        found = {(m.text, m.label == "STREET") for m in self._scope.of("STREET", "LOCATION_OTHER")}
        return {(text, street): parts(text, street=street) for text, street in found}

    @cached_property
    def names(self) -> dict[str, str]:
        """Return what stands for each name, by its key: one name, however its place is called."""
        sorts: dict[str, str] = {}
        for (text, street), found in sorted(self._parts.items()):
            if not street and town_key(text) in _regions():
                sorts[town_key(text)] = "region"
                continue
            for number, part in enumerate(found):
                if part.kind == "name":
                    key = town_key(part.text)
                    sorts[key] = max(sorts.get(key, ""), self._sort(key, found[number + 1 :], street=street))
        places = {name: key for key in sorted(sorts, reverse=True) if (name := self._place(key))}
        made = {key: name for name, key in places.items()}
        left = [(key, sort) for key, sort in sorts.items() if key not in made]
        drawn = assign(left, self._candidate)
        return made | {key: name for (key, _), name in drawn.items()}

    @cached_property
    def other_places(self) -> frozenset[str]:
        """Return the keys of the names that are not of streets."""
        named = (found for (_, street), found in self._parts.items() if not street)
        return frozenset(town_key(part.text) for found in named for part in found if part.kind == "name")

    def _sort(self, key: str, after: Sequence[Part], *, street: bool) -> str:
        """Return what kind of name a name is. Of two, the greater one counts: see `names`."""
        following = folded("".join(part.text for part in after[:2])).split()
        if not street and following and following[0].rstrip(".") in ("county", "co", "parish", "borough"):
            return "region of counties"
        if " " in key:
            return "c compound"
        if key in word_set("nature", "first", "second"):
            return "c nature"
        if key in word_set("plain"):
            return "c plain"
        return "c surname" if street else "a place"

    def _place(self, key: str) -> str | None:
        """Return the surrogate of a name that is a town or a state of the scope."""
        home = read_state(key) if len(key) > 3 else None
        if key in self._geography.by_key or not home or folded(states()[home].name) != key:
            return self._geography.by_key.get(key)
        return states()[self._geography.home(home)].name

    def _candidate(self, original: tuple[str, str], turn: int) -> str:
        key, sort = original
        draw = self._keyed.number(f"{key} {turn}", 1 << 64)
        if turn > _LAST_TURN or sort == "a place":
            return invented(draw)
        if sort == "c compound":
            first, second = _words("first"), _words("second")
            return f"{first[draw % len(first)]} {second[draw // 1000 % len(second)]}"
        pool: Sequence[str] = _surnames()
        if sort == "region":
            pool = _regions()[key]
        elif sort == "region of counties":
            pool = _counties().get(self._geography.home((*self._atlas.homes, UNKNOWN)[0]), pool)
        elif sort in ("c nature", "c plain"):
            pool = _words(sort.removeprefix("c "))
        return pool[draw % len(pool)]

    def write(self, mention: Mention) -> str:
        """Return what stands for a street line or another place."""
        return self._render(mention.text, mention.label == "STREET")

    def _render(self, text: str, street: bool) -> str:
        key = town_key(text)
        if not street and key in self.names and key in _regions():
            always_capitals = text.isupper() and text in _regions()[key]  # JFK
            return self.names[key] if always_capitals else match_case(text, self.names[key])
        if street and key in _NOWHERE:
            return match_case(text, f"PO Box {100 + self._keyed.number(f'box {key}', 900)}")
        return "".join([self._part(part) for part in self._parts[text, street]])

    def _part(self, part: Part) -> str:
        text = part.text
        if part.kind == "keep":
            return text
        if part.kind == "name":
            return match_case(text, self.names[town_key(text)])
        if part.kind in ("number", "ordinal"):
            digits = "".join(filter(str.isdecimal, text))
            made = _number(self._numbers, digits)
            return made if part.kind == "number" else match_case(text, made + ordinal_suffix(int(made)))
        if part.kind == "id":
            if text[0] in "NSEW" and text[1:].isdecimal():  # W227 N1410
                return text[0] + _number(self._numbers, text[1:])
            return scramble(self._numbers, text)
        row = _words("numbers") if part.kind == "word number" else _words("ordinals")
        made = row[another(self._keyed, row.index(folded(text)), len(row))]
        return match_case(text, made.capitalize())


def _number(keyed: Keyed, digits: str) -> str:
    """Return another number of as many digits."""
    if not digits.isascii() or digits[0] == "0" or len(digits) > 9:
        return scramble(keyed, digits)
    low = 10 ** (len(digits) - 1)
    return str(low + another(keyed, int(digits) - low, 9 * low))


# --- the parts of a line ----------------------------------------------------------------------------------


class Part(NamedTuple):
    """A stretch of a line and what it is; all parts together are the line."""

    kind: Kind
    text: str


@note_cache(4096)
def parts(text: str, *, street: bool) -> tuple[Part, ...]:
    """Return the parts of a street line, or of the name of another place.

    >>> [part.text for part in parts("1846 Old Mill St, Apt 4", street=True) if part.kind != "keep"]
    ['1846', 'Mill', '4']
    """
    made: list[Part] = []
    for piece in _BREAK.split(text):
        made += [Part("keep", piece)] if _BREAK.fullmatch(piece) else _piece_parts(piece, street=street)
    return tuple(made)


def _piece_parts(text: str, *, street: bool) -> list[Part]:
    """Return the parts of a piece between commas and the like."""
    tokens = list(_TOKEN.finditer(text))
    made: list[Part] = []
    last = 0
    for token, kind in zip(tokens, _kinds(tokens, street=street), strict=True):
        between = text[last : token.start()]
        if kind == "name" and made and made[-1].kind == "name" and between.isspace():
            made[-1] = Part("name", made[-1].text + between + token[0])  # one name of several words
        else:
            made += [Part("keep", between)] if between else []
            made.append(Part(kind, token[0]))
        last = token.end()
    return [*made, Part("keep", text[last:])] if last < len(text) else made


def _kinds(tokens: list[re.Match[str]], *, street: bool) -> list[Kind]:
    """Return what each token of a piece is."""
    plain = [folded(token[0]) for token in tokens]
    kinds: list[Kind] = [_kind_alone(word, first=n == 0, more=len(plain) > 1) for n, word in enumerate(plain)]
    after_unit = False
    for n, (token, word) in enumerate(zip(tokens, plain, strict=True)):
        named = kinds[n] == "name"
        marked = token.string[: token.start()].rstrip(" ").endswith("#")
        is_id = len(word) == 1 or (len(word) <= 3 and token[0].isupper())
        alone = len(word) == 1 and word not in word_set("directions") and len(plain) > 1  # Avenue J
        if named and (alone or (is_id and (after_unit or marked))):
            kinds[n] = "id"
        continues = after_unit and kinds[n] in ("id", "number")
        after_unit = continues or (word in word_set("units") and kinds[n] == "name")
    for n in range(len(plain) - 2, -1, -1):  # County Road 29, P.O. Box 12: kept where a number follows
        road_follows = kinds[n + 1] == "keep" and plain[n + 1] in word_set("roads")
        counted = road_follows or kinds[n + 1] in ("number", "ordinal", "id")
        if counted and kinds[n] in ("name", "id") and plain[n] in word_set("roads", "units"):
            kinds[n] = "keep"
    for n, word in enumerate(plain):
        before = kinds[n - 1] if n else "keep"
        floor = before == "number" and word in word_set("floors")
        counted = (floor or before in ("ordinal", "word ordinal")) and word in word_set("units")
        if kinds[n] == "name" and (counted or word in word_set("particles")):
            kinds[n] = "keep"
    _keep_types(plain, kinds, street=street)
    return kinds


def _kind_alone(word: str, *, first: bool, more: bool) -> Kind:
    """Return what a token looks like by itself."""
    if word.isdecimal():
        return "number"
    if "/" in word:
        return "keep"  # 418 1/2
    if _ORDINAL.fullmatch(word):
        return "ordinal"
    if word in word_set("ordinals") and more:
        return "word ordinal"
    if word in word_set("numbers") and first and more:
        return "word number"
    letters = sum(map(str.isalpha, word))
    return "name" if letters > 3 or letters == sum(map(str.isalnum, word)) else "id"


def _keep_types(plain: list[str], kinds: list[Kind], *, street: bool) -> None:
    """Keep the words that say the type of street or place and the direction, as long as a name is left."""
    types = word_set("types") if street else word_set("types", "place_kinds")
    directions = word_set("directions")
    left = [n for n, kind in enumerate(kinds) if kind == "name"]
    numbered = not {"number", "ordinal", "id", "word ordinal"}.isdisjoint(kinds)
    while left and plain[left[-1]] in directions and (len(left) > 1 or numbered):
        kinds[left.pop()] = "keep"
    unnamed = any(
        kind in ("ordinal", "id", "word ordinal") or (kind == "keep" and word in word_set("roads"))
        for kind, word in zip(kinds, plain, strict=True)
    )
    while left and plain[left[0]] in directions:
        others = left[1:]
        name_left = unnamed or len(others) > 1 or any(plain[n] not in types for n in others)
        if not name_left and (others or not numbered):
            break
        kinds[left.pop(0)] = "keep"
    while left and plain[left[-1]] in types and (len(left) > 1 or unnamed):
        kinds[left.pop()] = "keep"
        if street and left and plain[left[-1]] not in word_set("units"):
            break
    if len(left) > 1 and plain[left[0]] in word_set("front_types"):
        kinds[left.pop(0)] = "keep"
    while len(left) > 1 and plain[left[-1]] in directions:
        kinds[left.pop()] = "keep"
