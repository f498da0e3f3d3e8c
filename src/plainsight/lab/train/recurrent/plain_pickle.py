"""Read plain data out of a pickle.

Unpickling calls whatever the file names. Here it may name only an ordered dictionary, which becomes a plain
one, and NeuroNER's one class, which becomes an object without methods. Anything else is refused.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from plainsight.errors import FormatError


class _Attributes:
    """Stands for NeuroNER's data set: an object that only has attributes."""


_CLASSES: dict[tuple[str, str], type] = {
    ("collections", "OrderedDict"): dict,
    ("dataset", "Dataset"): _Attributes,
    ("neuroner.dataset", "Dataset"): _Attributes,
}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _CLASSES:
            raise pickle.UnpicklingError("an object of another class")
        return _CLASSES[module, name]


def read_plain_pickle(path: Path) -> dict[str, Any]:
    """Return the attributes of the object that a file holds."""
    try:
        with path.open("rb") as file:
            found = _Unpickler(file).load()
    except FileNotFoundError:
        raise
    except Exception:  # a damaged pickle raises anything
        raise FormatError("not a pickle of plain data", str(path)) from None
    if not isinstance(found, _Attributes):
        raise FormatError("not a pickled object with attributes", str(path))
    return vars(found)
