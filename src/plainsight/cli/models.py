"""``plainsight models``: list the bundled models, show a model's card."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from plainsight.cli.card import card
from plainsight.model import bundled_models, load_model, read_manifest

__all__ = ["models"]


def models(
    model: Annotated[
        str | None, typer.Argument(help="A bundled model's name or a model folder.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """List the models that come with plainsight; or show one's card, having checked that its files are whole.

    Examples:

        plainsight models

        plainsight models our-ward/
    """
    if model is None:
        _list(as_json)
        return
    manifest = read_manifest(model)
    load_model(model, kind=manifest["kind"])
    if as_json:
        print(json.dumps(manifest, indent=2, ensure_ascii=False))
    else:
        Console().print(*card(model, manifest))


def _list(as_json: bool) -> None:
    found: dict[str, dict[str, Any]] = {name: read_manifest(name) for name in bundled_models()}
    if as_json:
        print(json.dumps(found, indent=2, ensure_ascii=False))
        return
    if not found:
        print("no model is bundled; `plainsight train` makes one")
        return
    table = Table(box=None, show_header=False)
    for name, manifest in found.items():
        table.add_row(name, manifest["kind"], str(manifest.get("description", "")))
    Console().print(table)
