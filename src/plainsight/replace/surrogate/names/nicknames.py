"""Nicknames: the short forms that given names go by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import files

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.buckets import find
from plainsight.replace.surrogate.names.pools import is_given

__all__ = ["formal", "nickname"]


def formal(name: str) -> str:
    """Return the given name that a nickname most often stands for, or the name itself.

    >>> formal("bill"), formal("xyz")
    ('william', 'xyz')
    """
    return _formal().get(name, name)


def nickname(name: str, keyed: Keyed) -> str | None:
    """Return one of the two most usual nicknames of a given name, or none; the same under the same key."""
    forms = _forms().get(name, ())[:2]
    return forms[keyed.number(f"nickname {name}", len(forms))] if forms else None


@cache
def _forms() -> Mapping[str, tuple[str, ...]]:
    lines = (files("plainsight.data") / "patient" / "nicknames.txt").read_text(encoding="ascii").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return {name: tuple(forms) for name, *forms in rows}


@cache
def _formal() -> Mapping[str, str]:
    forms = _forms()
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name in forms:
        for form in forms[name]:
            if form not in forms:
                found[form].append(name)
    return {form: max(names, key=partial(_likely, form)) for form, names in found.items()}


def _likely(form: str, name: str) -> tuple[bool, bool, float]:
    """Return what speaks for a name that a form may stand for: census group, sex, how common it is."""
    own, other = find("first_names", form), find("first_names", name)
    if own is None or other is None:
        return False, False, is_given(name)
    return own.group == other.group, own.sex.lower() == other.sex.lower(), is_given(name)
