"""Read plain data out of a pickle without running it.

Unpickling calls whatever the file names. Here only the instructions for strings, numbers, lists, tuples and
dictionaries are followed; NeuroNER's one object is the dictionary of its attributes, an ordered dictionary a
plain one. Anything else is refused.
"""

from __future__ import annotations

import pickletools
from pathlib import Path
from typing import Any

from plainsight.errors import FormatError

__all__ = ["read_pickled"]

_MARK = object()
_VALUES = {
    "BININT", "BININT1", "BININT2", "INT", "LONG1", "LONG", "BINFLOAT", "FLOAT",
    "BINUNICODE", "SHORT_BINUNICODE", "UNICODE",
}  # fmt: skip
_CLASSES = {"collections OrderedDict", "dataset Dataset", "neuroner.dataset Dataset"}
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}


def read_pickled(path: Path) -> dict[str, Any]:
    """Return the attributes of the object that a file holds."""
    try:
        found = _followed(path.read_bytes())
    except (ValueError, KeyError, IndexError, TypeError, UnicodeDecodeError):
        raise FormatError("not a pickle of plain data", str(path)) from None
    if not isinstance(found, dict):
        raise FormatError("not a pickled object with attributes", str(path))
    return found


def _followed(content: bytes) -> Any:
    stack: list[Any] = []
    memo: dict[Any, Any] = {}
    for code, argument, _ in pickletools.genops(content):
        name = code.name
        if name in _VALUES:
            stack.append(argument)
        elif name in _CONSTANTS:
            stack.append(_CONSTANTS[name])
        elif name == "GLOBAL" and argument not in _CLASSES:
            raise ValueError("an object of another class")
        elif name in ("EMPTY_DICT", "GLOBAL"):  # a class is named only to make an object of it
            stack.append({})
        elif name == "EMPTY_LIST":
            stack.append([])
        elif name == "EMPTY_TUPLE":
            stack.append(())
        elif name == "MARK":
            stack.append(_MARK)
        elif name in ("TUPLE1", "TUPLE2", "TUPLE3"):
            count = int(name[-1])
            stack[-count:] = [tuple(stack[-count:])]
        elif name == "TUPLE":
            stack.append(tuple(_since_mark(stack)))
        elif name in ("REDUCE", "NEWOBJ"):
            stack.pop()
            stack[-1] = {}
        elif name == "BUILD":
            stack[-2].update(stack.pop())
        elif name == "APPEND":
            stack[-2].append(stack.pop())
        elif name == "APPENDS":
            items = _since_mark(stack)
            stack[-1].extend(items)
        elif name == "SETITEM":
            value, key = stack.pop(), stack.pop()
            stack[-1][key] = value
        elif name == "SETITEMS":
            items = _since_mark(stack)
            stack[-1].update(zip(items[::2], items[1::2], strict=True))
        elif name in ("BINPUT", "LONG_BINPUT"):
            memo[argument] = stack[-1]
        elif name in ("BINGET", "LONG_BINGET"):
            stack.append(memo[argument])
        elif name == "STOP":
            return stack.pop()
        elif name not in ("PROTO", "FRAME"):
            raise ValueError(f"{name} is not followed")
    raise ValueError("no end")


def _since_mark(stack: list[Any]) -> list[Any]:
    place = len(stack) - 1 - stack[::-1].index(_MARK)
    items = stack[place + 1 :]
    del stack[place:]
    return items
