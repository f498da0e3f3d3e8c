"""Values that look beyond one token: entries of word lists, and regular expressions over the text.

Both give each token the names of what it lies in, joined by ``|``. An entry of several words counts only as
a whole: ``New`` is no city, ``New York`` is one (S200).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import itemgetter

from plainsight import lists
from plainsight.lab.detect.crf.notes import Note
from plainsight.locale import default_locale
from plainsight.text.shadow import shadow

_RUN = re.compile(r"[a-z0-9]+")
_FIRST_NAMES = 2_000  # S198
_LAST_NAMES = 88_700  # S199


def _entries(name: str, *, where: Mapping[str, str] | None = None, columns: Sequence[str] = ()) -> list[str]:
    """Return a list's names, and the other forms in ``columns``, of rows that have these values."""
    table = lists.load(name)
    wanted = (where or {}).items()
    kept = [
        row for row in range(len(table["name"])) if all(table[key][row] == value for key, value in wanted)
    ]
    return [form for column in ("name", *columns) for row in kept for form in table[column][row].split(";")]


def _months() -> list[str]:
    months = default_locale().table("languages")["en"]["months"].split()
    return [*months, *(month[:3] for month in months), "Sept"]


def _english() -> list[str]:
    """Return the words of a dictionary, which has no names (S34)."""
    table = lists.load("words")
    return [word for word, listed in zip(table["word"], table["listed"], strict=True) if listed == "1"]


def _professions() -> list[str]:
    sectors = default_locale().table("sectors")["sectors"].values()
    titles = chain.from_iterable(" ".join(sector.get("roles", "").split()).split(", ") for sector in sectors)
    return [form for title in titles if title for form in (title, f"{title}s")]


def _holidays() -> list[str]:
    days = default_locale().table("holidays")["days"].values()
    return [
        name for rows in days for _, own, others in rows for name in (own.rstrip("*"), *others.split(", "))
    ]


LISTS: Mapping[str, Callable[[], Iterable[str]]] = {
    "us-state": lambda: _entries("states", where={"country": "US"}),
    "month": _months,
    "english": _english,
    "country": lambda: _entries("countries", columns=("forms",)),
    "city": lambda: [*_entries("us_cities"), *_entries("world_cities")],
    "first-name": lambda: _entries("first_names")[:_FIRST_NAMES],
    "last-name": lambda: _entries("surnames")[:_LAST_NAMES],
    "holiday": _holidays,
    "hospital": lambda: _entries("hospitals", where={"kind": "name"}),
    "hospital-acronym": lambda: _entries("hospitals", where={"kind": "acronym"}),
    "profession": _professions,
}
"""The lists that features may use, by name."""

Table = dict[str, list[tuple[tuple[str, ...], str]]]


def _runs(text: str) -> list[str]:
    return _RUN.findall(shadow(text).decode("ascii").lower())


@cache
def _table(names: tuple[str, ...]) -> Table:
    """Return by first word the other words of each entry and its list."""
    made: dict[str, dict[tuple[tuple[str, ...], str], None]] = {}
    for name in names:
        for entry in LISTS[name]():
            if runs := _runs(entry):
                made.setdefault(runs[0], {})[tuple(runs[1:]), name] = None
    return {first: list(entries) for first, entries in made.items()}


def in_lists(*names: str) -> Callable[[Note], Sequence[str]]:
    """Return a function that gives each token the lists of the entries it lies in, in any case.

    >>> from plainsight.document import Document
    >>> from plainsight.lab.detect.crf.notes import read_notes
    >>> in_lists("city", "us-state")(*read_notes([Document("1", "a new New York")], [[]]))
    ['', '', 'us-state', 'city|us-state']
    """

    def spotted(note: Note) -> Sequence[str]:
        table = _table(names)
        runs, owners = [], []
        for place, word in enumerate(note.words):
            for run in _runs(word):
                runs.append(run)
                owners.append(place)
        found: list[set[str]] = [set() for _ in note.words]
        for place, run in enumerate(runs):
            for rest, name in table.get(run, ()):
                last = place + 1 + len(rest)
                if not rest or tuple(runs[place + 1 : last]) == rest:
                    for token in range(owners[place], owners[last - 1] + 1):
                        found[token].add(name)
        return ["|".join(sorted(here)) for here in found]

    return spotted


def in_patterns(patterns: Mapping[str, str]) -> Callable[[Note], Sequence[str]]:
    """Return a function that gives each token the names of the patterns in whose matches it lies."""
    compiled = {name: re.compile(pattern) for name, pattern in patterns.items()}

    def spotted(note: Note) -> Sequence[str]:
        found: list[set[str]] = [set() for _ in note.words]
        if note.tokens:
            begin, end = note.tokens[0][0], note.tokens[-1][1]
            for name, pattern in compiled.items():
                for match in pattern.finditer(note.document.text, begin, end):
                    first = bisect_right(note.tokens, match.start(), key=itemgetter(1))
                    for token in range(first, bisect_left(note.tokens, match.end(), key=itemgetter(0))):
                        found[token].add(name)
        return ["|".join(sorted(here)) for here in found]

    return spotted
