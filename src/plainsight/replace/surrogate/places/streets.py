"""Streets and other places: types and directions stay, numbers are permuted, names become other names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial
from typing import Literal, NamedTuple

from plainsight.lists import read_lines
from plainsight.locale import default_locale
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.places.atlas import Atlas
from plainsight.replace.surrogate.places.geography import Geography
from plainsight.replace.surrogate.places.regions import read_state, states
from plainsight.replace.surrogate.places.towns import counties, invented, town_key, word_set
from plainsight.replace.surrogate.scope import Mention, folded
from plainsight.replace.surrogate.shape import another, match_case, ordinal_suffix, scramble

Kind = Literal["keep", "name", "number", "ordinal", "id", "word number", "word ordinal"]

_TOKEN = re.compile(r"\d/\d(?!\d)|[^\W_]+(?:['’ʻ][^\W_]+)*")
_BREAK = re.compile(r"([,;&\n|()\"]|/(?!\d))")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
_NOWHERE = ("general delivery", "gen del", "gen delivery", "star route", "star rt")
_COUNTIES_ALIKE = 12
_SHARED = frozenset(("name", "ordinal", "word ordinal", "word number"))
_words = partial(default_locale().words, "streets")


@cache
def _surnames() -> tuple[str, ...]:
    return tuple(read_lines("surrogates/places/surnames.txt.gz"))


@cache
def _regions() -> dict[str, list[str]]:
    """Return the regions by key: for each, all regions of its kind."""
    kinds = [line.split("; ") for line in default_locale().table("places")["regions"].splitlines()]
    return {town_key(name): kind for kind in kinds for name in kind}


@cache
def _places(sort: str) -> dict[str, int]:
    """Return where each name stands in the list that names of its sort are drawn from, by key."""
    return {town_key(name): place for place, name in enumerate(_pool(sort))}


def _pool(sort: str) -> Sequence[str]:
    return _surnames() if sort == "surname" else _words(sort)


class Streets:
    """The street lines and names of other places that stand for others.

    A name gets its surrogate by itself: the same one in every line. Street and town are drawn apart, from
    lists of names and not from a directory, so that a line is no address of the town.
    """

    def __init__(self, keyed: Keyed, geography: Geography) -> None:
        self._geography = geography
        self._keyed = keyed.child("streets")
        self._numbers = self._keyed.child("numbers")

    def write(self, mention: Mention, atlas: Atlas) -> str:
        """Return what stands for a street line or another place; "" if nothing in it can be changed."""
        text, street = mention.text, mention.label == "STREET"
        key = town_key(text)
        if not street and key in _regions():
            made = self._region(key)
            always_capitals = text.isupper() and text in _regions()[key]  # JFK
            return made if always_capitals else match_case(text, made)
        if street and key in _NOWHERE:
            return match_case(text, f"PO Box {100 + self._keyed.number(f'box {key}', 900)}")
        found = parts(text, street=street)
        if all(part.kind == "keep" for part in found):
            return ""
        made = "".join(self._part(mention, number, found, atlas) for number in range(len(found)))
        may_stay = any(part.kind in _SHARED or (part.kind == "number" and not street) for part in found)
        return made if may_stay or made != text else ""

    def _region(self, key: str) -> str:
        alike = _regions()[key]
        place = next(n for n, name in enumerate(alike) if town_key(name) == key)
        return alike[self._keyed.permute(place, len(alike))]

    def _part(self, mention: Mention, number: int, found: Sequence[Part], atlas: Atlas) -> str:
        part = found[number]
        text, street = part.text, mention.label == "STREET"
        if part.kind == "keep":
            return text
        if part.kind == "name":
            return match_case(text, self._name(mention, number, found, atlas))
        if part.kind == "number":
            return _number(self._numbers, text, own=street)
        if part.kind == "ordinal":
            made = _number(self._numbers, "".join(filter(str.isdecimal, text)), own=False)
            return match_case(text, made + ordinal_suffix(int(made)))
        if part.kind == "id":
            if text[0] in "NSEW" and text[1:].isdecimal():  # W227 N1410
                return text[0] + _number(self._numbers, text[1:], own=street)
            return scramble(self._numbers, text)
        row = _words("numbers") if part.kind == "word number" else _words("ordinals")
        made = row[self._keyed.permute(row.index(folded(text)), len(row))]
        return match_case(text, made.capitalize())

    def _name(self, mention: Mention, number: int, found: Sequence[Part], atlas: Atlas) -> str:
        """Return the name that stands for one: of a county, a state, a town of the note, or by its sort."""
        key, street = town_key(found[number].text), mention.label == "STREET"
        if not street and key in atlas.counties:
            return self._county(key, atlas.county_home(atlas.counties[key], key))
        home = read_state(key) if len(key) > 3 else None
        if home and folded(states()[home].name) == key and self._geography.home(home) in states():
            return states()[self._geography.home(home)].name
        if not street and key in atlas.by_key:
            return self._geography.name(atlas.by_key[key])
        if " " in key:
            first, second = _words("first"), _words("second")
            draw = self._keyed.number(key, len(first) * len(second))
            return f"{first[draw % len(first)]} {second[draw // len(first)]}"
        sort = next((sort for sort in ("nature", "plain") if key in _places(sort)), "")
        if not sort and not street:
            return invented(self._keyed.number(key, 1 << 64))
        pool, place = _pool(sort or "surname"), _places(sort or "surname").get(key)
        if place is None:
            place = self._keyed.number(key, len(pool))
        return pool[self._keyed.permute(place, len(pool))]

    def _county(self, key: str, home: str) -> str:
        """Return a county of the state that stands for a county's own."""
        others = counties().of_home.get(self._geography.home(home))
        if not others:
            return invented(self._keyed.number(key, 1 << 64))
        own, count = counties().of_home.get(home, ()), len(others)
        index = next((n for n, name in enumerate(own) if town_key(name) == key), None)
        place = self._keyed.number(f"county {key}", count) if index is None else index * count // len(own)
        # From about as many counties in every state, so that none comes out more often for its state's size.
        blocks = max(1, round(count / _COUNTIES_ALIKE))
        block = place * blocks // count
        first, last = -(-block * count // blocks), -(-(block + 1) * count // blocks)
        turn = self._keyed.number(f"counties {self._geography.home(home)} {block}", 1 << 32)
        return others[first + self._keyed.permute(place - first, last - first, turn)]


def _number(keyed: Keyed, digits: str, *, own: bool) -> str:
    """Return a number of as many digits; never the same one where it is somebody's own."""
    if not digits.isascii() or digits[0] == "0" or len(digits) > 9:
        return scramble(keyed, digits)
    low = 10 ** (len(digits) - 1)
    number, size = int(digits) - low, 9 * low
    return str(low + (another(keyed, number, size) if own else keyed.permute(number, size)))


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
