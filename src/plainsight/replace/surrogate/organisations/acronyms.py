"""Acronyms: which name they stand for, and what they become when that name has become another."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import assign
from plainsight.replace.surrogate.shape import scramble

# What part of a name a word is (``small``, ``kind``, ``core``), its first letter, and its surrogate's.
Initials = tuple[str, str, str]

# How acronyms of hospitals end when the name at hand does not say so: Proctor Valley Lab, PVMC.
_ENDS = re.compile(r"(?:r|c|u|g)?m?[chg]|mc|hs|hc|mg|vamc|va|ch|snf")
_KIND_END = re.compile(r"(?:mc|rmc|mh|gh|ch|h|va|hs|pd|fd)$")


def letters_of(acronym: str, names: Sequence[Sequence[Initials]]) -> tuple[str, int]:
    """Return the acronym of the surrogate of the first name it can stand for, and which one; '' if none.

    >>> letters_of("bgh", [[("core", "b", "c"), ("kind", "g", "g"), ("kind", "h", "h")]])
    ('cgh', 0)
    """
    # The ways are slow: look first which names have a word with its first letter.
    likely = [(place, name) for place, name in enumerate(names) if acronym[:1] in [old for _, old, _ in name]]
    for way in (_whole, _with_small, _beginning, _with_end):
        for place, name in likely:
            if made := way(acronym, name):
                return made, place
    return "", -1


def _whole(acronym: str, name: Sequence[Initials]) -> str:
    return _joined(acronym, [word for word in name if word[0] != "small"])


def _with_small(acronym: str, name: Sequence[Initials]) -> str:
    return _joined(acronym, name)


def _beginning(acronym: str, name: Sequence[Initials]) -> str:
    """Read the first words; if they are only words for the kind, add the core words that follow."""
    words = [word for word in name if word[0] != "small"]
    made = _joined(acronym, words[: len(acronym)])
    if len(acronym) < 3 or made != acronym:
        return made if len(acronym) > 2 else ""
    return made + "".join(new for kind, _, new in words[len(acronym) :] if kind == "core")


def _with_end(acronym: str, name: Sequence[Initials]) -> str:
    """Read the core words, then letters for the kind."""
    own = [word for word in name if word[0] == "core"]
    rest = acronym[len(own) :]
    if not own or len(own) + len(rest) < 3 or not _ENDS.fullmatch(rest):
        return ""
    made = _joined(acronym[: len(own)], own)
    return made + rest if made else ""


def _joined(acronym: str, words: Sequence[Initials]) -> str:
    if len(words) < 2 or len(words) != len(acronym) or acronym != "".join([old for _, old, _ in words]):
        return ""
    return "".join([new for _, _, new in words])


def lettered(acronyms: Sequence[str], *, keyed: Keyed, refused: Callable[[str], bool]) -> dict[str, str]:
    """Return letters for acronyms that stand for no known name; an ending for the kind stays."""

    def candidate(acronym: str, turn: int) -> str:
        end = _KIND_END.search(acronym)
        kept = end[0] if end and len(acronym) - len(end[0]) >= 2 else ""
        return scramble(keyed, acronym.removesuffix(kept), turn) + kept

    return assign(acronyms, candidate, keyed=keyed, refused=refused)
