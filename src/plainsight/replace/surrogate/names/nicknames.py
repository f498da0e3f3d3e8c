"""Nicknames: the short forms that given names go by."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.pools import is_given

__all__ = ["formal", "nickname"]


def formal(name: str) -> str:
    """Return the given name that a nickname most often stands for, or the name itself.

    >>> formal("bill"), formal("xyz")
    ('william', 'xyz')
    """
    return _formal().get(name, name)


def nickname(name: str, keyed: Keyed) -> str | None:
    """Return a nickname of a given name, always the same one under the same key, or none."""
    forms = _forms().get(name)
    return forms[keyed.number(f"nickname {name}", len(forms))] if forms else None


@cache
def _forms() -> Mapping[str, tuple[str, ...]]:
    lines = (files("plainsight.data") / "patient" / "nicknames.txt").read_text(encoding="ascii").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return {name: tuple(forms) for name, *forms in rows}


@cache
def _formal() -> Mapping[str, str]:
    forms = _forms()
    found: dict[str, str] = {}
    for name in sorted(forms, key=is_given):
        found.update((form, name) for form in forms[name] if form not in forms)
    return found
