"""The table of the papers' items: complete, and every file, command and option it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from typer.main import get_command

from plainsight.cli import app

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "spec-coverage.md").read_text(encoding="utf-8")
ROWS = {
    item: (what, where, verdict)
    for item, what, where, verdict in re.findall(
        r"^\| (S\d+) \| (.+?) \| ?(.*?) ?\| ([a-z ]+) \|$", PAGE, re.MULTILINE
    )
}
VERDICTS = {"works", "partly", "background", "not built"}


def names_in(where):
    """Return the commands and the files that a cell names."""
    quoted = re.findall(r"`([^`]+)`", where)
    commands = [name for name in quoted if name.startswith("plainsight ")]
    files = [name for name in quoted if name not in commands and ("/" in name or re.search(r"\.\w+$", name))]
    return commands, files


def refused(command):
    """Return what the command line does not know of a command, if anything."""
    _, *words = command.split()
    known = get_command(app)
    while hasattr(known, "get_command") and words and not words[0].startswith("-"):
        name = words.pop(0)
        known = known.get_command(click.Context(click.Command("plainsight")), name)
        if known is None:
            return f"no command {name}"
    options = {option for parameter in known.params for option in parameter.opts + parameter.secondary_opts}
    return [word for word in words if re.match("--?[a-z]", word) and word not in options]


def test_every_item_is_there_once():
    items = [int(item) for item in re.findall(r"^\| S(\d+) \|", PAGE, re.MULTILINE)]
    assert items == list(range(1, 241))
    assert len(ROWS) == 240, "a row that cannot be read"
    assert {verdict for _, _, verdict in ROWS.values()} <= VERDICTS


@pytest.mark.parametrize("item", ROWS)
def test_what_a_row_names_exists(item):
    _, where, verdict = ROWS[item]
    commands, files = names_in(where)
    for file in files:
        assert (ROOT / file).exists() or (ROOT / "src" / "plainsight" / file).exists(), file
    for command in commands:
        assert not refused(command), command
    if verdict == "works":
        assert commands or files
    if verdict == "not built":
        assert where, "say what will be built, or why not"


@pytest.mark.parametrize("policy", sorted((ROOT / "examples").glob("*.toml")), ids=lambda path: path.stem)
def test_commands_in_the_heads_of_example_policies_are_known(policy):
    for command in re.findall(r"^#\s+(plainsight .+)$", policy.read_text(encoding="utf-8"), re.MULTILINE):
        assert not refused(command), command


def test_options_that_do_not_exist_are_noticed():
    assert refused("plainsight evaluate --no-such-option")
    assert refused("plainsight no-such-command")
    assert not refused("plainsight experiment ablation --train")
