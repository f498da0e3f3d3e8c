"""Caches keyed by note text. They belong to one pipeline at a time and are emptied with it.

The same words, phone numbers and streets occur again and again, so functions of them are worth caching; but a
cache at module level outlives the notes. Decorate such a function with `note_cache` instead of `lru_cache`.
A pipeline claims all note caches before each batch (`claim`); they are emptied when another pipeline claims
them and when their owner is garbage-collected. Use `functools.cache` for what depends on shipped data alone.

An object that remembers words of notes in its own fields, such as a network's word vectors, dies with its
pipeline. It registers with `forgets_with` so that `forget` reaches it while its pipeline lives on.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")


class Forgetful(Protocol):
    """An object that remembers words of notes and can forget them."""

    def forget(self) -> None:
        """Drop everything that came from notes."""
        ...


_caches: list[Any] = []
_objects: weakref.WeakSet[Forgetful] = weakref.WeakSet()
_owner: weakref.ref[object] | None = None


def note_cache(size: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache up to ``size`` results of a function whose arguments come from notes."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        cached = lru_cache(size)(function)
        _caches.append(cached)
        return cast(Callable[P, T], cached)

    return decorate


def forgets_with(thing: Forgetful) -> None:
    """Let `forget` empty this object as well, for as long as it lives."""
    _objects.add(thing)


def claim(owner: object) -> None:
    """Make ``owner`` the owner of all note caches; empty them if another owner filled them."""
    global _owner
    if _owner is not None and _owner() is owner:
        return
    _clear()
    _owner = weakref.ref(owner)
    weakref.finalize(owner, _clear_for, _owner)


def forget() -> None:
    """Empty all note caches and all registered objects."""
    _clear()
    for thing in list(_objects):
        thing.forget()


def _clear_for(owner: weakref.ref[object]) -> None:
    if _owner is owner:
        _clear()


def _clear() -> None:
    for cached in _caches:
        cached.cache_clear()
