"""Countries and nationalities: read every form, write a neighbouring country in the same form."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import Literal, NamedTuple

from plainsight import lists
from plainsight.locale import default_locale
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.places.towns import town_key
from plainsight.replace.surrogate.shape import match_case

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
def _forms() -> dict[str, tuple[str, Form]]:
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
                person = form.endswith(("man", "woman"))
                found.setdefault(
                    town_key(form), (known[0], "people" if plural else "person" if person else "adjective")
                )
    return found


@note_cache(256)
def _typo(key: str) -> str:
    close = get_close_matches(key, [form for form in _forms() if len(form) > 4], 1, 0.84)
    return close[0] if close and len(key) < 40 else ""


def read_country(text: str, *, forgiving: bool = True) -> tuple[str, Form] | None:
    """Return a country's code and which word for it was read; small misspellings may be forgiven."""
    key = town_key(text)
    known = _forms().get(key)
    return _forms().get(_typo(key)) if known is None and forgiving and len(key) > 5 else known


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
        return (
            short[0]
            if short
            else country.name
            if len(original) < 4 or "." in original
            else country.name.upper()
        )
    return match_case(original, country.name)
