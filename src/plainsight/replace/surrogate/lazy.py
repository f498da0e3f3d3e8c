"""What is computed when it is first asked for, and kept: attributes of a scope, readings of written forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["RARELY_BACK", "REMEMBERED", "lazy"]

REMEMBERED = 16_384
"""So many words of names, days and hospitals are remembered with their reading, which no key has a part in.

They come back in other notes.
"""

RARELY_BACK = 4096
"""The same for street lines and telephone numbers: few of them are in the notes of more than one patient."""

Value = TypeVar("Value")


class lazy(Generic[Value]):  # noqa: N801 - a decorator, such as `property`
    """Do as `functools.cached_property` does, but without the lock that Python 3.11 takes each time.

    A note asks for some forty such attributes. They are pure, so that to compute one twice does no harm.

    >>> class Note:
    ...     @lazy
    ...     def words(self) -> list[str]:
    ...         return "seen today".split()
    >>> note = Note()
    >>> note.words is note.words
    True
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    def __get__(self, instance: object, owner: type | None = None) -> Value:
        # Not by way of the `__dict__`: once an instance has had one made, its attributes are slower to get.
        value = self._compute(instance)
        setattr(instance, self._name, value)
        return value
