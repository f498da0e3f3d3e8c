"""Find the addresses and employers of a record in a text, in part or whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from plainsight.detect.patient.evidence import has_title
from plainsight.detect.patient.view import Claim, View, occurrences
from plainsight.document import Address
from plainsight.lists import load
from plainsight.locale import default_locale
from plainsight.text.shadow import flatten, shadow
from plainsight.text.word_lists import is_ordinary

_LIST = load("states")
_STATES = {
    code.lower().encode(): name.removeprefix("U.S. ").lower().encode()
    for code, name in zip(_LIST["code"], _LIST["name"], strict=True)
    if len(code) == 2
}
_CODES = {name: code for code, name in _STATES.items()} | {code: code for code in _STATES}
"""States and provinces, given either way, to their postal abbreviations."""

_words = default_locale().word_sets("record_cues")
_TYPES = _words["street_types"]
_DIRECTIONS = frozenset(
    b"n s e w ne nw se sw north south east west northeast northwest southeast southwest".split()
)
_UNITS = frozenset(b"apt apartment unit suite ste rm room fl floor lot bldg building trlr no box".split())
_DIRECTION = rb"(?:n|s|e|w|ne|nw|se|sw|(?:north|south)(?:east|west)?|east|west)"
_LEFT = re.compile(
    rb"(?:\A|[^0-9A-Za-z])((?:(\d{1,6}[A-Za-z]?)[ \t]{1,2})?(?:%b\.?[ \t]{1,2})?)\Z" % _DIRECTION,
    re.IGNORECASE,
)
_UNIT = rb"(?:(?:apt|apartment|unit|suite|ste|rm|room|lot|bldg|no)\b\.?[ \t]?#?|#)[ \t]?[0-9A-Za-z-]{1,6}"
_RIGHT = re.compile(
    rb"(?:[ \t]{1,2}(%b)\b\.?)?(?:[ \t]{1,2}%b\b\.?)?(?:,?[ \t]{0,2}%b)?"
    % (b"|".join(sorted(_TYPES, reverse=True)), _DIRECTION, _UNIT),
    re.IGNORECASE,
)
_SAME = ((b"saint", b"st"), (b"fort", b"ft"), (b"mount", b"mt"), (b"north", b"n"), (b"south", b"s"),
         (b"east", b"e"), (b"west", b"w"))  # fmt: skip
_PLACE_BEFORE = re.compile(rb"(?:[A-Z][A-Z]|[A-Z][a-z]+\.?|(?i:zip(?: code)?:?)),?[ \t]{1,3}\Z")
_IN = re.compile(rb"\b(?:in|from|of|near|at|to)[ \t]\Z")
_STATE_BEFORE = re.compile(rb"(?<![A-Za-z0-9])([A-Z]{2}),?[ \t]{1,2}\Z")
_STATE_AFTER = re.compile(rb"(,?[ \t]{1,2})([A-Za-z]{2})\b")
_ZIP_AFTER = re.compile(rb",?[ \t]{1,2}\d{5}\b")
_NOWHERE = frozenset(b"unknown none na homeless undomiciled general delivery same".split())
_HOME = frozenset(
    {b"", b"us", b"usa", b"u s", b"u s a", b"united states", b"united states of america", b"america"}
)
_LINKS = frozenset(b"of the and for at in on de la del".split())
_GENERIC = _words["generic_employers"]
_NEXT_WORD = re.compile(rb"(?:[ \t](?i:and)[ \t]|[ \t]?[&+][ \t]?|[ \t]{1,2}|-|,[ \t])([A-Za-z0-9]+)")


class Street(NamedTuple):
    """A street line: its number, and the words of its name without type, direction and unit."""

    number: bytes
    name: bytes
    ordinary: bool
    """The name has only ordinary words."""


class Places:
    """The addresses of one record, ready to be found."""

    def __init__(self, addresses: tuple[Address, ...]) -> None:
        streets = (_read_street(_flat(address.street)) for address in addresses)
        self._streets = list(dict.fromkeys(street for street in streets if street))
        cities = {_flat(address.city) for address in addresses}
        self._cities = {
            form: all(is_ordinary(word) for word in form.split())
            for city in cities
            if len(city) > 2 and city not in _NOWHERE and set(city) != {ord("x")}
            for form in _forms(city)
        }
        states = (_CODES.get(_flat(address.state)) for address in addresses)
        self._states = frozenset(state for state in states if state)
        zips = (shadow(address.zip).strip().upper().split(b"-")[0] for address in addresses)
        self._zips = frozenset(code for code in zips if len(code) > 3 and len(set(code)) > 1)
        countries = (_flat(address.country) for address in addresses)
        self._countries = frozenset(
            c for c in countries if c not in _HOME and len(c) > 3 and c not in _NOWHERE
        )

    def find(self, view: View) -> Iterator[Claim]:
        """Yield the record's places."""
        for street in self._streets:
            yield from _find_street(view, street)
        for city, ordinary in self._cities.items():
            yield from self._find_city(view, city, ordinary)
        for state in self._states:
            yield from _find_capitalised(view, _STATES[state], "STATE")
        for code in self._zips:
            yield from self._find_zip(view.text, code)
        for country in self._countries:
            yield from _find_capitalised(view, country, "COUNTRY")

    def _find_city(self, view: View, city: bytes, ordinary: bool) -> Iterator[Claim]:
        text = view.text
        for start in occurrences(view, city):
            end = start + len(city)
            written = text[start:end]
            state = _STATE_AFTER.match(text, end)
            known = state is not None and state[2].lower() in self._states
            located = known or _ZIP_AFTER.match(text, end) is not None
            capitals = all(word[:1].isupper() for word in written.split())
            if not located:
                if ordinary and not (capitals and _IN.search(text, max(0, start - 6), start)):
                    continue
                if (not capitals and len(city) < 4) or has_title(text, start):
                    continue
            yield Claim(start, end, "CITY", 0.97 if located else 0.93 if capitals else 0.8, "place")
            if state and known and (state[2].isupper() or _ZIP_AFTER.match(text, state.end())):
                yield Claim(state.start(2), state.end(), "STATE", 0.95, "place")

    def _find_zip(self, text: bytes, code: bytes) -> Iterator[Claim]:
        """Yield a post code, and a state of the record before it."""
        pattern = rb"(?<![0-9A-Za-z.$#/-])%b(?:-\d{4}(?![0-9A-Za-z])|(?![0-9A-Za-z%%-]|[.,]\d))" % re.escape(
            code
        )
        for match in re.finditer(pattern, text):
            start, end = match.span()
            placed = _PLACE_BEFORE.search(text, max(0, start - 24), start)
            yield Claim(start, end, "ZIP", 0.97 if placed else 0.8, "place")
            state = _STATE_BEFORE.search(text, max(0, start - 8), start)
            if state and state[1].lower() in self._states:
                yield Claim(*state.span(1), "STATE", 0.95, "place")


def _flat(value: str) -> bytes:
    return b" ".join(flatten(shadow(value)).split())


def _forms(city: bytes) -> set[bytes]:
    """Return a city as it is and with its first word abbreviated, with a full stop or without."""
    first, _, rest = city.partition(b" ")
    forms = {city}
    for pair in _SAME:
        if rest and first in pair:
            forms |= {b"%b %b" % (pair[0], rest), b"%b %b" % (pair[1], rest), b"%b  %b" % (pair[1], rest)}
    return forms


def _read_street(flat: bytes) -> Street | None:
    words = flat.split()
    number = words.pop(0) if words and words[0][:1].isdigit() else b""
    for place, word in enumerate(words):
        if place and word in _UNITS:
            words = words[:place]
            break
    while len(words) > 1 and words[0] in _DIRECTIONS:
        del words[0]
    while len(words) > 1 and words[-1] in _DIRECTIONS:
        del words[-1]
    if len(words) > 1 and words[-1] in _TYPES:
        del words[-1]
    name = b" ".join(words)
    if len(name) < 3 or name in _NOWHERE or (name in _TYPES and not number):
        return None
    return Street(number, name, all(is_ordinary(word) or word.isdigit() for word in words))


def _find_street(view: View, street: Street) -> Iterator[Claim]:
    text = view.text
    for place in occurrences(view, street.name):
        stop = place + len(street.name)
        left, right = _LEFT.search(text, max(0, place - 20), place), _RIGHT.match(text, stop)
        assert right is not None  # every part of it may be missing
        number = left[2] if left else None
        capitals = all(word[:1].isupper() or word[:1].isdigit() for word in text[place:stop].split())
        start, end = left.start(1) if left else place, right.end()
        alone = len(street.name) > 4 and (not street.ordinary or b" " in street.name)  # needs no type
        if number and (right[1] or number.lower() == street.number):
            yield Claim(start, end, "STREET", 0.99 if number.lower() == street.number else 0.9, "place")
        elif right[1] and capitals and (right[1][:1].isupper() or not street.ordinary):
            yield Claim(start, end, "STREET", 0.9, "place")
        elif capitals and not number and alone and not has_title(text, place):
            yield Claim(place, stop, "STREET", 0.75, "place")


def _find_capitalised(view: View, words: bytes, label: str) -> Iterator[Claim]:
    for start in occurrences(view, words):
        end = start + len(words)
        if all(word[:1].isupper() or word in (b"of", b"and") for word in view.text[start:end].split()):
            yield Claim(start, end, label, 0.85, "place")


class Employers:
    """The employers of one record, ready to be found."""

    def __init__(self, names: Iterable[str]) -> None:
        split = [
            [word for word in flatten(shadow(name)).split() if word not in (b"and", b"the")] for name in names
        ]
        self._words = [words for words in split if len(words) > 1 or (words and words[0] not in _GENERIC)]

    def find(self, view: View, tokens: set[bytes]) -> Iterator[Claim]:
        """Yield the record's employers."""
        for words in self._words:
            if words[0] in tokens:
                for start in occurrences(view, words[0]):
                    yield from _find_employer(view.text, start, words)


def _find_employer(text: bytes, start: int, words: list[bytes]) -> Iterator[Claim]:
    """Follow an employer's name word by word; claim it whole, without its generic end, or its first word."""
    end = start + len(words[0])
    matched, last_end, distinct = 1, end, words[0] not in _GENERIC
    capitals = text[start : start + 1].isupper()
    for word in words[1:]:
        following = _NEXT_WORD.match(text, end)
        if following is None:
            break
        written = following[1].lower()
        if written != word and not (len(written) > 2 and word.startswith(written)):
            break
        end, matched = following.end(), matched + 1
        capitals = capitals and (following[1][:1].isupper() or word in _LINKS)
        if word not in _LINKS:
            last_end = end
        distinct = distinct or word not in _GENERIC | _LINKS
    if matched == len(words) and matched > 1 and (distinct or capitals):
        yield Claim(start, end, "ORGANIZATION", 0.97 if capitals else 0.85, "employer")
    elif matched > 1 and last_end > start + len(words[0]) and capitals and distinct:
        yield Claim(start, last_end, "ORGANIZATION", 0.9, "employer")
    elif capitals and len(words[0]) > 4 and words[0] not in _GENERIC and not is_ordinary(words[0]):
        yield Claim(start, start + len(words[0]), "ORGANIZATION", 0.7 if len(words) > 1 else 0.9, "employer")
