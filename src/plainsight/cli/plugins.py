"""``plainsight plugins``: list detectors, operations, formats, feature sets and trainers."""

from __future__ import annotations

import inspect
import json
import re
import sys
from dataclasses import asdict
from typing import Annotated, get_args

from rich.console import Console
from rich.table import Table
from typer import Option

from plainsight import registry
from plainsight.errors import PluginError

_PAPERS = re.compile(r" \(S\d[^)]*\)")  # statements of papers, for readers of the code


def plugins(as_json: Annotated[bool, Option("--json", help="Print as JSON.")] = False) -> None:
    """List the detectors, operations, formats, feature sets and trainers that are installed."""
    found = [
        {**asdict(plugin), "about": _about(plugin)}
        for kind in get_args(registry.Kind)
        for plugin in registry.plugins(kind).values()
    ]
    for each in get_args(registry.Kind):
        for plugin in registry.shadowed(each):
            taken = f"{plugin.kind.removesuffix('s').replace('_', ' ')} {plugin.name!r} of {plugin.package}"
            print(f"{taken} is not used: the name is taken", file=sys.stderr)
    if as_json:
        print(json.dumps(found, indent=2))
        return
    table = Table("kind", "name", "from", "what it does", box=None)
    for entry in found:
        table.add_row(
            entry["kind"].removesuffix("s").replace("_", " "), entry["name"], entry["package"], entry["about"]
        )
    Console().print(table)


def _about(plugin: registry.Plugin) -> str:
    """Return the first line of a plugin's docstring, or why it cannot be loaded."""
    if plugin.kind == "trainers":  # not loaded: that would take seconds
        return f"Train a {plugin.name} model: plainsight train {plugin.name}."
    try:
        if plugin.kind == "feature_sets":
            return str(getattr(registry.load(plugin.kind, plugin.name), "about", ""))
        about = inspect.getdoc(registry.resolve(plugin.kind, plugin.name))
    except PluginError as error:
        return f"cannot be loaded: {error}"
    return _PAPERS.sub("", (about or "").partition("\n")[0]).replace("``", "`")
