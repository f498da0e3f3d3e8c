"""The pools that surrogate names are drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from plainsight.lists import load
from plainsight.replace.surrogate.keyed import Keyed

__all__ = ["Sex", "display", "given", "is_given", "is_surname", "sex_of", "surname"]

Sex = Literal["M", "F", ""]


def surname(keyed: Keyed, original: str, turn: int = 0) -> str:
    """Return a surrogate for a surname, both in small letters without punctuation; never the original."""
    return _draw(keyed, load("surnames")["name"][:20_000], original, turn)


def given(keyed: Keyed, original: str, sex: Sex, turn: int = 0) -> str:
    """Return a surrogate for a given name that reads as the sex; never the original."""
    return _draw(keyed, _givens(sex), original, turn)


def sex_of(name: str) -> Sex:
    """Return the sex of nearly all who bear a given name, or nothing where it is unknown or both do."""
    female = _females().get(name, 50)
    return "F" if female >= 95 else "M" if female <= 5 else ""


def is_given(name: str) -> float:
    """Return how many people have this given name."""
    return _counts("first_names").get(name, 0)


def is_surname(name: str) -> float:
    """Return how many people have this surname."""
    return _counts("surnames").get(name, 0)


def display(name: str) -> str:
    """Return a name as it is usually written.

    >>> display("mcdonald")
    'McDonald'
    """
    return "Mc" + name[2:].capitalize() if name.startswith("mc") and len(name) > 4 else name.capitalize()


def _draw(keyed: Keyed, pool: tuple[str, ...], original: str, turn: int) -> str:
    choice = pool[keyed.number(f"{original} {turn}", len(pool))]
    return choice if choice != original else _draw(keyed, pool, original, turn + 1000)


@cache
def _givens(sex: Sex) -> tuple[str, ...]:
    return tuple(name for name in load("first_names")["name"][:20_000] if sex_of(name) == sex)


@cache
def _females() -> Mapping[str, int]:
    table = load("first_names")
    return dict(zip(table["name"], map(int, table["female"]), strict=True))


@cache
def _counts(name: str) -> Mapping[str, int]:
    table = load(name)
    return dict(zip(table["name"], map(int, table["count"]), strict=True))
