"""Find trainers by name, built-in or of another package, and check the options that a user gives them."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from typing import Any

from plainsight import registry
from plainsight.detect.base import Trainable
from plainsight.errors import PluginError, UsageError, suggest

_TYPES: Mapping[str, type] = {
    "bool": bool,
    "int": int,
    "float": float,
    "str": str,
    "Literal": str,
    "Scheme": str,
    "Path": str,
    "Sequence[str]": list,
    "Sequence[Path]": list,
}
"""The types that an option may have, by their names in annotations."""


def find_trainer(name: str) -> Trainable:
    """Return a trainer by name; say what to install if a library is missing."""
    try:
        found: Trainable = registry.load("trainers", name)
    except PluginError as error:
        missing = error.__cause__
        if isinstance(missing, ModuleNotFoundError) and not (missing.name or "").startswith("plainsight"):
            raise UsageError(
                f"training {name} needs {missing.name}: pip install 'plainsight[train]'"
            ) from None
        if name not in registry.names("trainers"):
            known = suggest(name, registry.names("trainers"))
            raise UsageError(f"no detector {name!r} that could be trained{known}") from None
        raise
    if not inspect.isfunction(found):
        raise PluginError(f"trainer {name!r} is not a function")
    return found


def options_of(name: str) -> dict[str, tuple[type, ...]]:
    """Return the options of a trainer with their types; parameters of other types are not options."""
    parameters = inspect.signature(find_trainer(name)).parameters
    return {key: types for key, parameter in parameters.items() if (types := _types(parameter))}


def check_options(name: str, given: Mapping[str, Any]) -> None:
    """Refuse options that a trainer does not have, or that have another type."""
    known = options_of(name)
    for key, value in given.items():
        if key not in known:
            raise UsageError(f"training {name} has no setting {key!r}{suggest(key, known)}")
        if type(value) not in known[key] and not (float in known[key] and type(value) is int):
            types = " or ".join(dict.fromkeys(kind.__name__ for kind in known[key]))
            raise UsageError(f"training {name}: {key} is of type {types}")


def missing_options(name: str, given: Collection[str]) -> list[str]:
    """Return the options of a trainer that have no default and were not given."""
    parameters = inspect.signature(find_trainer(name)).parameters.values()
    wanted = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    return [option for option in wanted if option not in given]


def complete(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options; with a model to continue from (``init``), those that are missing are None."""
    missing = missing_options(name, given)
    if missing and given.get("init") is None:
        raise UsageError(f"training {name} needs {missing[0]}")
    return {**given, **dict.fromkeys(missing)}


def trainers_with(option: str) -> list[str]:
    """Return the names of the installed trainers that have an option."""
    able = []
    for name in registry.names("trainers"):
        try:
            if option in inspect.signature(find_trainer(name)).parameters:
                able.append(name)
        except UsageError:  # it cannot be loaded here
            continue
    return able


def _types(parameter: inspect.Parameter) -> tuple[type, ...]:
    """Return the types that an option takes, by its default or else its annotation."""
    if parameter.kind is not parameter.KEYWORD_ONLY:
        return ()
    if isinstance(parameter.default, bool | int | float | str):
        return (type(parameter.default),)
    annotation = parameter.annotation
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    parts = [part if part.startswith("Sequence") else part.partition("[")[0] for part in text.split(" | ")]
    return tuple(dict.fromkeys(_TYPES[part] for part in parts if part in _TYPES))
