"""States and provinces: read every written form, write another state in the same form."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from plainsight import lists
from plainsight.locale import default_locale
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
def _forms() -> dict[str, str]:
    """Return the home of each written form, letters alone."""
    table = lists.load("states")
    further = {
        name: forms.split(";") for name, forms in zip(table["name"], table["forms"], strict=True) if forms
    }
    found: dict[str, str] = {}
    for state in states().values():
        for form in (state.name, state.code, state.short, *further.get(state.name, ())):
            found.setdefault(_letters(form), state.home)
    found |= {"usvirginislands": "US/VI", "quebec": "CA/QC", "washingtondc": "US/DC", "victoria": "AU/VIC"}
    found.pop("", None)
    return found


def _letters(text: str) -> str:
    folded = text.casefold()
    if folded.isascii():
        return folded if folded.isalpha() else "".join(_LETTERS.findall(folded))
    return "".join(_LETTERS.findall(folded)).translate(_ACCENTS)


def read_state(text: str) -> str | None:
    """Return the home of a state written in any form."""
    return _forms().get(_letters(text))


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
