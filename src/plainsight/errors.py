"""Every exception that plainsight raises, one tree.

    PlainsightError
    ├── UsageError            the caller asked for something that cannot be: exit code 2
    │   ├── PolicyError       a policy does not read or does not validate
    │   └── PluginError       a detector, operation or format is unknown or unusable
    ├── RunError              a run stopped before its end: exit code 3
    └── DataError             the input is at fault; says where, never what it says
        ├── FormatError       bytes that do not follow their format
        └── SpanError         offsets that leave the text, overlap or run backwards

No message ever holds note text: an error names the note, the file, the line or the offset.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "DataError",
    "FormatError",
    "PlainsightError",
    "PluginError",
    "PolicyError",
    "RunError",
    "SpanError",
    "UsageError",
    "suggest",
]


class PlainsightError(Exception):
    """Base of everything plainsight raises on purpose."""


class UsageError(PlainsightError):
    """The caller asked for something that cannot be done."""


class PolicyError(UsageError):
    """A policy cannot be read or is not valid."""


class PluginError(UsageError):
    """A detector, operation or format is unknown or cannot be built."""


class RunError(PlainsightError):
    """A run stopped before its end, by no fault of its settings: a full disk, a lost process, Ctrl-C."""


class DataError(PlainsightError):
    """Input data is at fault."""


class FormatError(DataError):
    """Bytes do not follow the format they were read as."""

    def __init__(self, reason: str, where: str = "") -> None:
        super().__init__(f"{where}: {reason}" if where else reason)
        self.reason = reason
        self.where = where


class SpanError(DataError):
    """A span does not fit its text."""


def suggest(wrong: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest known name, or the list of them.

    >>> suggest("redcat", ["redact", "mask"])
    "; did you mean 'redact'?"
    """
    names = sorted(known)
    near = difflib.get_close_matches(wrong, names, n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; known: {', '.join(names)}" if names else ""


def printable(text: object) -> str:
    r"""Escape control characters, so that a file name or an id cannot steer the terminal it is shown on.

    >>> print(printable("a\x1b[2J\n"))
    a\x1b[2J\n
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))


def plural(count: int, noun: str) -> str:
    """Return a count with its noun, for messages.

    >>> plural(1, "note"), plural(1200, "note")
    ('1 note', '1200 notes')
    """
    return f"{count} {noun}{'s' * (count != 1)}"
