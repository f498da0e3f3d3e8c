"""Check whether city, state and ZIP code beside each other agree, and the area codes of telephones nearby.

ZIP codes are checked by their first three digits, which the post gives to states and regions; cities by the
bundled lists. A place that neither knows is not counted.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from plainsight import lists
from plainsight.document import Span
from plainsight.evaluate.surrogates.pairs import Count, Note, Pair
from plainsight.locale import default_locale

_table = default_locale().table("states")
_RANGES = re.findall(r"(\d{3})\s([A-Z]{2})", _table["zip_prefixes"])
_SHARED = {prefix: set(states.split()) for prefix, states in _table["shared_prefixes"].items()}
_ZIP = re.compile(r"\d{5}(?:-?\d{4})?")
_LABELS = ("CITY", "STATE", "ZIP")
_NEAR = 120  # characters between a place and a telephone that belongs to it
_EXTENSION = re.compile(r"\s*(?:x|ext\.?|extension)\s*\d+$", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,.]{0,4}")


def state_of_zip(zip_code: str) -> set[str]:
    """Return the states that a US ZIP code may lie in; nothing for other post codes.

    >>> state_of_zip("04401"), state_of_zip("WF14 9AB")
    ({'ME'}, set())
    """
    if not _ZIP.fullmatch(zip_code.strip()):
        return set()
    prefix = zip_code.strip()[:3]
    if prefix in _SHARED:
        return _SHARED[prefix]
    below = [state for first, state in _RANGES if first <= prefix]
    return set(below[-1:])


@cache
def _states() -> dict[str, str]:
    table = lists.load("states")
    columns = (table[key] for key in ("name", "code", "country", "forms"))
    found = {}
    for name, code, country, forms in zip(*columns, strict=True):
        if country == "US":
            for form in (name, code, *filter(None, forms.split(";"))):
                found[form.casefold().replace(".", "")] = code
    return found


def state_code(text: str) -> str:
    """Return the code of a US state, however it is written, else nothing."""
    return _states().get(" ".join(text.casefold().replace(".", "").split()), "")


@cache
def _cities() -> dict[str, frozenset[str]]:
    table = lists.load("us_cities")
    found: dict[str, set[str]] = defaultdict(set)
    for name, state in zip(table["name"], table["state"], strict=True):
        found[name.casefold()].add(state)
    for line in lists.read_lines("surrogates/places/towns.tsv.gz"):
        home, name = line.split("\t", 2)[:2]
        if home.startswith("US/"):
            found[name.casefold()].add(home.removeprefix("US/"))
    return {name: frozenset(states) for name, states in found.items()}


@cache
def _zips() -> dict[tuple[str, str], frozenset[str]]:
    """Return the first three digits of the ZIP codes of each town, by state and name."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for line in lists.read_lines("surrogates/places/towns.tsv.gz"):
        home, name, _, codes = line.split("\t", 4)[:4]
        if home.startswith("US/"):
            found[home.removeprefix("US/"), name.casefold()] |= {code[:3] for code in codes.split()}
    return {town: frozenset(codes) for town, codes in found.items() if codes}


def agrees(city: str, state: str, zip_code: str) -> bool | None:
    """Whether the given parts of a US place agree; None when nothing can be compared."""
    claims = _claims(city, state, zip_code)
    if len(claims) < 2:
        return None
    states = set.intersection(*claims)
    regions = {zip3 for home in states for zip3 in _zips().get((home, _plain(city)), ())}
    return bool(states) and not (
        regions and _ZIP.fullmatch(zip_code.strip()) and zip_code.strip()[:3] not in regions
    )


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())


def _claims(city: str, state: str, zip_code: str) -> list[set[str]]:
    """Return the states that each part of a place may lie in, of those parts that say something."""
    code = state_code(state)
    claims = [{code} if code else set(), state_of_zip(zip_code), set(_cities().get(_plain(city), ()))]
    return [claim for claim in claims if claim]


def _states_of(city: str, state: str, zip_code: str) -> set[str]:
    """Return the states that all parts of a place may lie in; nothing if the parts disagree."""
    claims = _claims(city, state, zip_code)
    return set.intersection(*claims) if claims else set()


def disagreeing(notes: Iterable[Note]) -> Count:
    """Count the places whose parts agreed before and do not agree now."""
    errors, of = [], 0
    for note in notes:
        for place in _places(note):
            before, after = agrees(*place.before), agrees(*place.after)
            if before is not False and after is not None:
                of += 1
                errors += [] if after else [f"{' '.join(place.before)} → {' '.join(place.after)}"]
    return Count(len(errors), of, tuple(errors))


def wrong_area_codes(notes: Iterable[Note]) -> Count:
    """Count the telephones near a place whose area code was of that place's state and is no longer."""
    errors, of = [], 0
    for note in notes:
        places = list(_places(note))
        for pair in note.pairs:
            if pair.label in ("PHONE", "FAX") and (was := area_code(pair.original)):
                near = min(places, key=lambda place: place.away(pair.span), default=None)
                if not near or near.away(pair.span) > _NEAR or was not in _states_of(*near.before):
                    continue
                if now := _states_of(*near.after):
                    of += 1
                    fits = area_code(pair.surrogate) in now
                    errors += [] if fits else [f"{' '.join(near.after)}: {pair.surrogate}"]
    return Count(len(errors), of, tuple(errors))


def area_code(phone: str) -> str:
    """Return the state of a telephone number's area code, else nothing.

    >>> area_code("(207) 555-0142"), area_code("555-0142")
    ('ME', '')
    """
    digits = re.sub(r"\D", "", _EXTENSION.sub("", phone)).removeprefix("1")
    return _area_codes().get(digits[:3], "") if len(digits) == 10 else ""


@cache
def _area_codes() -> dict[str, str]:
    table = default_locale().table("phones")["area_codes_of"]
    return {
        code: home.removeprefix("US/")
        for home, codes in table.items()
        for code in re.findall(r"\d{3}", codes)
    }


@dataclass(frozen=True, slots=True, repr=False)
class Place:
    """City, state and ZIP code beside each other, each as it was and as it is, and where they stand."""

    before: tuple[str, str, str]
    after: tuple[str, str, str]
    start: int
    end: int

    def away(self, span: Span) -> int:
        """Return how many characters lie between the place and a span."""
        return max(self.start - span.end, span.start - self.end, 0)


def _places(note: Note) -> Iterable[Place]:
    for pairs in _groups(note):
        parts = {pair.label: pair for pair in pairs}
        city, state, zip_code = [
            (parts[label].original, parts[label].surrogate) if label in parts else ("", "")
            for label in _LABELS
        ]
        before, after = (city[0], state[0], zip_code[0]), (city[1], state[1], zip_code[1])
        yield Place(before, after, pairs[0].span.start, pairs[-1].span.end)


def _groups(note: Note) -> Iterable[list[Pair]]:
    """Yield the adjacent parts of each place.

    A city, or a part that the place has already, begins another place: ``Bangor, ME, Toledo, OH``.
    """
    group: list[Pair] = []
    for index, pair in enumerate(note.pairs):
        goes_on = pair.label in ("STATE", "ZIP") and pair.label not in {part.label for part in group}
        if group and not (goes_on and _BETWEEN.fullmatch(note.gap(index - 1))):
            yield group
            group = []
        if pair.label in _LABELS:
            group.append(pair)
    if group:
        yield group
