"""``plainsight policy``: list, show and check policies."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from plainsight.config import built_in_policies, load_policy

__all__ = ["app"]

app = typer.Typer(
    help="List, show and check policies: what is found, and what becomes of it.", no_args_is_help=True
)

Name = Annotated[str, typer.Argument(help="A built-in policy's name or a policy file.", show_default=False)]


@app.command("list")
def list_policies(as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False) -> None:
    """List the built-in policies."""
    policies = built_in_policies()
    if as_json:
        print(json.dumps(policies, indent=2))
        return
    table = Table(box=None, show_header=False)
    for name, description in policies.items():
        table.add_row(name, description)
    Console().print(table)


@app.command()
def show(policy: Name) -> None:
    """Print a policy whole, as TOML to start your own from.

    Example: plainsight policy show safe-harbor > my-policy.toml
    """
    print(load_policy(policy).to_toml(), end="")


@app.command()
def check(policy: Name) -> None:
    """Check a policy file; say what is wrong with it and where."""
    found = load_policy(policy)
    print(f"{found.name}: fine ({len(found.detectors)} detectors, {len(found.labels)} labels)")
