"""The hooks of the documentation site: pages that are made while it is built (`mkdocs build --strict`).

- `reference/cli.md` is written from the commands themselves, so it cannot drift from them.
- `index.md`, `architecture.md` and others come from the Markdown files in the repository's root.
- Links that leave `docs/` lead to the page made from that file, or to the repository.
"""

from __future__ import annotations

import inspect
import posixpath
import re
from enum import Enum
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
REPOSITORY = "https://github.com/plainsight/plainsight/blob/main/"
RAW = "https://raw.githubusercontent.com/plainsight/plainsight/main/"
ROOT_PAGES = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "SECURITY.md": "security.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
_LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(?=\))")


# --- mkdocs hooks -----------------------------------------------------------------------------------------


def on_config(config: Any) -> Any:
    """List the pages of a folder that the navigation names as `folder/`."""
    config.nav = _listed(config.nav)
    return config


def _listed(entries: list[Any]) -> list[Any]:
    listed: list[Any] = []
    for entry in entries:
        ((title, value),) = entry.items()
        if isinstance(value, list):
            value = _listed(value)
        elif value.endswith("/"):
            names = sorted(path.name for path in (ROOT / "docs" / value).glob("*.md"))
            value = [value + name for name in sorted(names, key=lambda name: name != "README.md")]
        listed.append({title: value})
    return listed


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are not files in `docs/`."""
    from mkdocs.structure.files import File

    made = {page: (ROOT / name).read_text(encoding="utf-8") for name, page in ROOT_PAGES.items()}
    made["reference/cli.md"] = cli_page()
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links that leave `docs/` to their page on the site, or to the repository."""
    made_from = {made: name for name, made in ROOT_PAGES.items()}
    name = page.file.src_uri
    source = made_from.get(name, f"docs/{name}")
    return _LINK.sub(lambda link: f"{link[1]}{site_link(link[2], source, name)}{link[3] or ''}", markdown)


def site_link(target: str, source: str, page: str) -> str:
    """Return where a link of a file in the repository leads on the site.

    >>> site_link("../ARCHITECTURE.md", "docs/policies.md", "policies.md")
    'architecture.md'
    >>> site_link("docs/policies.md", "README.md", "index.md")
    'policies.md'
    """
    for prefix in (REPOSITORY, RAW):
        if target.startswith(prefix):
            path = target.removeprefix(prefix)
            break
    else:
        if ":" in target:
            return target
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    if path in ROOT_PAGES:
        path = ROOT_PAGES[path]
    elif path.startswith("docs/") and Path(path).suffix:
        path = path.removeprefix("docs/")
    else:
        return REPOSITORY + path
    return posixpath.relpath(path, posixpath.dirname(page) or ".")


# --- the command line -------------------------------------------------------------------------------------


def cli_page() -> str:
    """Return the reference of the command line, made from the commands."""
    from typer import Context
    from typer.main import get_command

    from plainsight.cli import app

    root: Any = get_command(app)
    context = Context(root, info_name="plainsight")
    lines = [
        "# Command line",
        "",
        "`plainsight COMMAND --help` says the same: this page is made from the commands.",
    ]
    lines += ["", "Exit codes: 0 done, 1 some notes were set aside, 2 wrong use.", ""]
    for name in root.list_commands(context):
        lines += _command(root.get_command(context, name), f"plainsight {name}", level=2)
    return "\n".join(lines)


def _command(command: Any, name: str, *, level: int) -> list[str]:
    lines = [f"{'#' * level} {name}", "", inspect.cleandoc(command.help or "").replace("\f", ""), ""]
    rows = [_row(parameter) for parameter in command.params if _is_shown(parameter)]
    if rows:
        lines += ["| argument or option | default | what it does |", "|---|---|---|", *rows, ""]
    for sub in getattr(command, "commands", {}).values():
        lines += _command(sub, f"{name} {sub.name}", level=level + 1)
    return lines


def _is_shown(parameter: Any) -> bool:
    hidden = parameter.name in ("help", "install_completion", "show_completion")
    return not hidden and not getattr(parameter, "hidden", False)


def _row(parameter: Any) -> str:
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    if parameter.opts == [parameter.name]:  # an argument
        names = f"`{parameter.metavar or parameter.name.upper()}`"
    elif parameter.metavar:
        names += f" {parameter.metavar}"
    default = getattr(parameter.default, "value", parameter.default)
    shown = "required" if parameter.required else "" if default in (None, False, ()) else f"`{default}`"
    text = " ".join((parameter.help or "").split())
    if parameter.multiple:
        text += " May be given several times."
    choices = _choices(parameter.default)
    if choices:
        text += f" One of {choices}."
    return f"| {names} | {shown} | " + text.replace("|", "\\|") + " |"


def _choices(default: object) -> str:
    kind = type(default)
    return ", ".join(f"`{choice.value}`" for choice in kind) if issubclass(kind, Enum) else ""


if __name__ == "__main__":
    print(cli_page())
