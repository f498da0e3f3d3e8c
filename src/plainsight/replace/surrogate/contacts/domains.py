"""Domains: names under the ones that are reserved for examples, each original its own."""

from __future__ import annotations

import re
from collections.abc import Mapping

from plainsight.locale import default_locale
from plainsight.replace.surrogate.keyed import Keyed

__all__ = ["domain", "made_up", "owners"]

_words = default_locale().words
_FIRST_HALVES, _SECOND_HALVES = _words("numbers", "first_halves"), _words("numbers", "second_halves")
_SERVERS = frozenset(_words("contacts", "servers"))
_SECOND_LEVELS = frozenset(_words("contacts", "second_levels"))
_RESERVED = re.compile(r"(?:example\.(?:com|org|net)|example|test|invalid|localhost)")
_KINDS = {"com": "example.com", "org": "example.org", "net": "example.net"}  # all others go under .example


def owners(host: str) -> list[str]:
    """Return the labels of a host that may say whose it is.

    >>> owners("mychart.bayview.org"), owners("www.example.com"), owners("cardio.bayview.nhs.uk")
    (['bayview'], [], ['cardio', 'bayview'])
    """
    return [label for label in _split(host.lower())[0] if label and label not in _SERVERS]


def made_up(keyed: Keyed, label: str, turn: int) -> str:
    """Return a label of two words for an owner, with a hyphen if the owner's has one."""
    first, second = divmod(
        keyed.number(f"domain {label} {turn}", len(_FIRST_HALVES) * len(_SECOND_HALVES)), len(_SECOND_HALVES)
    )
    return _FIRST_HALVES[first] + ("-" if "-" in label else "") + _SECOND_HALVES[second]


def domain(host: str, made: Mapping[str, str]) -> str:
    """Return a reserved host for a host, with the labels that say whose it is as ``made`` has them."""
    labels, suffix = _split(host)
    kept = [label if label.lower() in _SERVERS else made.get(label.lower(), "") for label in labels]
    name = ".".join([label for label in kept if label] + [suffix])
    return name.upper() if host.isupper() else name


def _split(host: str) -> tuple[list[str], str]:
    """Return the labels of a host before its suffix, and the reserved suffix of its kind."""
    labels = host.split(".")
    if len(labels) == 1:
        return labels, "example"
    for size in (2, 1):
        suffix = ".".join(labels[-size:]).lower()
        if _RESERVED.fullmatch(suffix):
            return labels[:-size], suffix
    if len(labels) > 2 and labels[-2].lower() in _SECOND_LEVELS and len(labels[-1]) == 2:
        return labels[:-2], _KINDS.get(labels[-2].lower(), "example")
    return labels[:-1], _KINDS.get(labels[-1].lower(), "example")
