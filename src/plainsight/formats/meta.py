"""What formats keep in a document's ``meta``.

Plain keys hold what the input says beside the note: a table's other columns, a JSON line's other keys. They
are data and may identify somebody, so a policy decides which of them go on.

Keys with a leading underscore belong to the format that set them: how the note was stored (its encoding,
the table's header and quoting), never what it says. A pipeline carries them untouched, the same format
reads them when it writes, and no other format writes them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


def free_key(name: str, taken: Collection[str]) -> str:
    """Return a plain key for something the input calls ``name``, unlike those already taken.

    >>> free_key("unit", []), free_key("_unit", []), free_key("unit", ["unit"])
    ('unit', 'x_unit', 'x_unit')
    """
    if not name.startswith("_") and name not in taken:
        return name
    key = f"x_{name.lstrip('_')}"
    while key in taken:
        key = f"x_{key}"
    return key


def plain(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plain keys of a document's meta.

    >>> plain({"note_type": "letter", "_encoding": "cp1252"})
    {'note_type': 'letter'}
    """
    return {key: value for key, value in meta.items() if not key.startswith("_")}
