"""Check whether city, state and ZIP code beside each other agree.

ZIP codes are checked by their first three digits, which the post gives to states; cities by the bundled
lists. A place that neither knows is not counted.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from plainsight import lists
from plainsight.evaluate.surrogates.pairs import Count, Note
from plainsight.locale import default_locale

_table = default_locale().table("states")
_RANGES = re.findall(r"(\d{3})\s([A-Z]{2})", _table["zip_prefixes"])
_SHARED = {prefix: set(states.split()) for prefix, states in _table["shared_prefixes"].items()}
_ZIP = re.compile(r"\d{5}(?:-?\d{4})?")
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


def agrees(city: str, state: str, zip_code: str) -> bool | None:
    """Whether the given parts of a US place agree; None when nothing can be compared."""
    claims = [
        {code} if (code := state_code(state)) else set(),
        state_of_zip(zip_code),
        set(_cities().get(" ".join(city.casefold().split()), ())),
    ]
    known = [claim for claim in claims if claim]
    return bool(set.intersection(*known)) if len(known) > 1 else None


def disagreeing(notes: Iterable[Note]) -> Count:
    """Count the places whose parts agreed before and do not agree now."""
    count = of = 0
    for note in notes:
        for group in _groups(note):
            before = agrees(*(group.get(label, ("", ""))[0] for label in ("CITY", "STATE", "ZIP")))
            after = agrees(*(group.get(label, ("", ""))[1] for label in ("CITY", "STATE", "ZIP")))
            if before is not False and after is not None:
                of += 1
                count += not after
    return Count(count, of)


def _groups(note: Note) -> Iterable[dict[str, tuple[str, str]]]:
    """Yield the adjacent parts of each place, before and after.

    A city, or a part that the place has already, begins another place: ``Bangor, ME, Toledo, OH``.
    """
    group: dict[str, tuple[str, str]] = {}
    for index, pair in enumerate(note.pairs):
        goes_on = pair.label in ("STATE", "ZIP") and pair.label not in group
        if group and not (goes_on and _BETWEEN.fullmatch(note.gap(index - 1))):
            yield group
            group = {}
        if pair.label in ("CITY", "STATE", "ZIP"):
            group[pair.label] = (pair.original, pair.surrogate)
    if group:
        yield group
