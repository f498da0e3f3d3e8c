"""Caches keyed by note text. They belong to one pipeline at a time and are emptied with it.

Words, phone numbers and streets come again and again, so functions of them are worth caching; but a cache at
module level outlives the notes. Decorate such a function with `note_cache` instead of `functools.lru_cache`.
A pipeline claims all note caches before each batch (`claim`); they are emptied when another pipeline claims
them and when their owner is garbage-collected. `functools.cache` is for what depends on shipped data alone.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ParamSpec, TypeVar, cast

__all__ = ["claim", "forget", "note_cache"]

P = ParamSpec("P")
T = TypeVar("T")

_caches: list[Any] = []
_owner: weakref.ref[object] | None = None


def note_cache(size: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache up to ``size`` results of a function whose arguments come from notes."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        cached = lru_cache(size)(function)
        _caches.append(cached)
        return cast(Callable[P, T], cached)

    return decorate


def claim(owner: object) -> None:
    """Make ``owner`` the owner of all note caches; forget what any other owner left in them."""
    global _owner
    if _owner is not None and _owner() is owner:
        return
    forget()
    _owner = weakref.ref(owner)
    weakref.finalize(owner, _forget_of, _owner)


def _forget_of(owner: weakref.ref[object]) -> None:
    if _owner is owner:
        forget()


def forget() -> None:
    """Empty all note caches."""
    for cached in _caches:
        cached.cache_clear()
