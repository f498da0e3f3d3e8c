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
    """Return the states that can stand for one, itself among them: those of its country and its size."""
    country = home.partition("/")[0]
    mine = [state for state in states().values() if state.home.startswith(f"{country}/")]
    if home not in states():
        return tuple(state.home for state in mine if state.size)
    size = states()[home].size
    if size:
        return tuple(state.home for state in mine if state.size == size)
    if country == "US" and home != "US/DC":
        return home, *default_locale().words("states", "territory_surrogates")
    return home, *(state.home for state in mine if state.size == ("small" if country == "US" else "large"))


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
def area_codes() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return for each telephone area code its state and all codes of its area.

    >>> area_codes()["629"]
    ('US/TN', ('615', '629'))
    """
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for home, areas in default_locale().table("phones")["area_codes_of"].items():
        for codes in (tuple(area.split("/")) for area in areas.split()):
            found |= dict.fromkeys(codes, (home, codes))
    return found


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
    """Return the countries that can stand for one, itself among them.

    Nobody is given the United States, since most notes are at home there, nor Scotland and Wales, whose
    cities the tables do not tell from England's.
    """
    section = countries()[code].section
    alike = [other.code for other in countries().values() if other.section == section]
    return tuple(other for other in alike if other == code or other not in ("US", "SCT", "WLS"))


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
