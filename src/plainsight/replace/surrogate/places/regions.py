"""States and countries: read every written form, write another one in the same form.

The *home* of a town is its state, as ``US/TN``, or a country abroad, as ``FR``.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from typing import Literal, NamedTuple

from plainsight import lists
from plainsight.locale import default_locale
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.places.towns import town_key
from plainsight.replace.surrogate.shape import match_case

_LETTERS = re.compile(r"[^\W\d_]+")
_ACCENTS = str.maketrans("éèàç", "eeac")


class State(NamedTuple):
    """A state: ``country/code``, name, abbreviation, and the class of states that can stand for it."""

    home: str
    name: str
    short: str
    size: str

    @property
    def code(self) -> str:
        """The code in addresses; a foreign state that has none goes by its name."""
        return self.home.partition("/")[2]


@cache
def states() -> dict[str, State]:
    """Return the states by home, those of the United States first."""
    rows = default_locale().table("states")["states"]
    found = {home: State(home, *row) for home, row in rows.items()}
    table = lists.load("states")
    for name, country in zip(table["name"], table["country"], strict=True):
        if country not in ("US", "CA", "AU"):
            found[f"{country}/{name}"] = State(f"{country}/{name}", name, "", "large")
    return found


@cache
def group(home: str) -> tuple[str, ...]:
    """Return the states that can stand for one: of its country and, if there are enough, its size."""
    country = home.partition("/")[0]
    if home not in states() and country == "US":
        return tuple(state.home for state in states().values() if state.size and state.home[:3] == "US/")
    state = states()[home]
    if country == "US" and not state.size and home not in ("US/DE", "US/RI", "US/DC"):
        return default_locale().words("states", "territory_surrogates")
    size = state.size or ("small" if home in ("US/DE", "US/RI") else "large")
    return tuple(s.home for s in states().values() if s.home.startswith(f"{country}/") and s.size == size)


@cache
def _state_forms() -> dict[str, str]:
    """Return the home of each written form, letters alone."""
    table = lists.load("states")
    further = {name: forms.split(";") for name, forms in zip(table["name"], table["forms"], strict=True)}
    found: dict[str, str] = {}
    for state in states().values():
        for form in (state.name, state.code, state.short, *further.get(state.name, ())):
            found.setdefault(_letters(form), state.home)
    found |= {"usvirginislands": "US/VI", "quebec": "CA/QC", "washingtondc": "US/DC", "victoria": "AU/VIC"}
    found.pop("", None)
    return found


def _letters(text: str) -> str:
    return "".join(_LETTERS.findall(text.casefold())).translate(_ACCENTS)


def read_state(text: str) -> str | None:
    """Return the home of a state written in any form."""
    return _state_forms().get(_letters(text))


def write_state(home: str, original: str, original_home: str) -> str:
    """Write a state as another one was written: code, abbreviation or full name.

    >>> [write_state("US/OH", form, "US/TN") for form in ("TN", "tn", "Tenn.", "TENNESSEE")]
    ['OH', 'oh', 'Ohio', 'OHIO']
    """
    state, was = states()[home], states().get(original_home)
    letters = _letters(original)
    if was and letters == was.code.casefold() and "." not in original:
        code = " ".join(state.code) if re.search(r"\s", original.strip()) else state.code
        return code.lower() if original.islower() else code
    if was and letters == was.code.casefold() and not original.islower():
        return state.short or state.name  # N.J., Tenn.: capitals here are no sign of a line in capitals
    if state.short and was and len(letters) < len(_letters(was.name)):
        return match_case(original, state.short if "." in original else state.short.replace(".", ""))
    return match_case(original, state.name)


@cache
def area_codes() -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return the state of each telephone area code, and the codes of each state."""
    table = default_locale().table("phones")["area_codes_of"]
    codes = {home: tuple(found.split()) for home, found in table.items()}
    return {code: home for home, found in codes.items() for code in found}, codes


# --- countries --------------------------------------------------------------------------------------------

Form = Literal["name", "adjective", "person", "people"]


class Country(NamedTuple):
    """A country, the words for it and its people, and its neighbourhood."""

    code: str
    name: str
    adjective: str
    person: str
    people: str
    forms: tuple[str, ...]
    section: str


@cache
def countries() -> dict[str, Country]:
    """Return the countries by code."""
    found = {}
    for section, lines in default_locale().table("places")["countries"].items():
        for line in lines.splitlines():
            code, name, adjective, person, people, forms = line.split("|")
            people = people or f"{adjective}s"
            known = tuple(forms.split(";")) if forms else ()
            found[code] = Country(code, name, adjective, person or adjective, people, known, section)
    return found


@cache
def neighbours(code: str) -> tuple[str, ...]:
    """Return the countries that can stand for one.

    Nobody is given the United States, since most notes are at home there; who was American becomes British
    if that is free, because "the US" needs a country with an article and a short form. Nor Scotland and
    Wales, whose cities the tables do not tell from England's.
    """
    if code == "US":
        return ("GB", "CA", "AU", "IE", "NZ")
    section = countries()[code].section
    return tuple(
        c.code for c in countries().values() if c.section == section and c.code not in ("US", "SCT", "WLS")
    )


@cache
def _country_forms() -> dict[str, tuple[str, Form]]:
    found: dict[str, tuple[str, Form]] = {}
    for country in countries().values():
        for name in (country.name, *country.forms):
            found.setdefault(town_key(name), (country.code, "name"))
    for country in countries().values():
        found.setdefault(town_key(country.adjective), (country.code, "adjective"))
        found.setdefault(town_key(country.person), (country.code, "person"))
        found.setdefault(town_key(country.people), (country.code, "people"))
    table = lists.load("countries")
    for name, forms, people in zip(table["name"], table["forms"], table["people"], strict=True):
        if known := found.get(town_key(name)):
            for form in filter(None, forms.split(";")):
                found.setdefault(town_key(form), (known[0], "name"))
            for form in filter(None, people.split(";")):
                plural = form.endswith("s") and not form.endswith("ss")
                kind: Form = "person" if form.endswith(("man", "woman")) else "adjective"
                found.setdefault(town_key(form), (known[0], "people" if plural else kind))
    return found


@note_cache(256)
def _typo(key: str) -> str:
    close = get_close_matches(key, [form for form in _country_forms() if len(form) > 4], 1, 0.84)
    return close[0] if close and len(key) < 40 else ""


def read_country(text: str, *, forgiving: bool = True) -> tuple[str, Form] | None:
    """Return a country's code and which word for it was read; small misspellings may be forgiven."""
    key = town_key(text)
    known = _country_forms().get(key)
    return _country_forms().get(_typo(key)) if known is None and forgiving and len(key) > 5 else known


def write_country(code: str, form: Form, original: str) -> str:
    """Write a country in the form in which another one was written.

    >>> write_country("UZ", "adjective", "KAZAKHSTANI"), write_country("GB", "name", "U.S.")
    ('UZBEK', 'U.K.')
    """
    country = countries()[code]
    if form != "name":
        return match_case(original, str(getattr(country, form)))
    if original.isupper() and len(original) <= 6:  # US, U.S.A., UAE
        short = [name for name in country.forms if name.isupper() and ("." in name) == ("." in original)]
        if short or len(original) < 4 or "." in original:
            return short[0] if short else country.name
    return match_case(original, country.name)
