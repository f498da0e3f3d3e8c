"""Scramble: a surrogate for text that nothing else can read, of the same shape."""

from __future__ import annotations

from plainsight.replace.surrogate.keyed import Keyed

__all__ = ["scramble"]


def scramble(keyed: Keyed, text: str, turn: int = 0) -> str:
    """Return a text of the same shape: digits for digits, letters for letters of the same case and script.

    Everything else stays where it is. Never the text itself, unless there is nothing in it to change.
    """
    raise NotImplementedError
