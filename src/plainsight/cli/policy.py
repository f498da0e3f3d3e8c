"""``plainsight policy``: list, show and check policies."""

from __future__ import annotations

import json
import sys
from typing import Annotated

from rich.console import Console
from rich.table import Table
from typer import Argument, Option, Typer

from plainsight.cli.options import complete_policy
from plainsight.config import built_in_policies, differences, load_policy, parent_of
from plainsight.errors import plural
from plainsight.models import sources_of

app = Typer(
    add_completion=False,
    help="List, show and check policies: what is found, and what becomes of it.",
    no_args_is_help=True,
)

Name = Annotated[
    str,
    Argument(
        help="A built-in policy's name or a policy file.", show_default=False, autocompletion=complete_policy
    ),
]


@app.command("list")
def list_policies(as_json: Annotated[bool, Option("--json", help="Print as JSON.")] = False) -> None:
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
    """Check a policy file: say what is wrong with it, or what it changes in the policy that it extends.

    Warns when no learned detector is left: rules alone miss most identifiers.

    Example: plainsight policy check our-policy.toml
    """
    found, parent = load_policy(policy), parent_of(policy)
    size = f"{plural(len(found.detectors), 'detector')}, {plural(len(found.labels), 'label')}"
    print(f"{found.name}: valid ({size})")
    if parent:
        changed = differences(parent, found)
        print(f"differs from {parent.name}:" if changed else f"the same as {parent.name}")
        for line in changed:
            print(f"  {line}")
    if not any(map(sources_of, found.detectors)):
        warning = "warning: no learned detector is left; rules alone miss most identifiers"
        if found.thresholds:
            warning += ", the more so with thresholds that were set for use beside a network"
        print(warning, file=sys.stderr)
