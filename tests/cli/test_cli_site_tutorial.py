"""The page about the site loop, command by command, on a smaller hospital with the smaller network."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "site.md"
SMALLER = {
    "--notes 1500": "--notes 200 --patients 20 --census 50",
    "--policy balanced": "--policy fast",
    "site doubt": "site doubt -n 80 --audit 20",
}


@pytest.mark.server
def test_every_command_of_the_page_runs(plainsight, tmp_path, monkeypatch):
    pytest.importorskip("scipy")
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^\$ plainsight (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) == 8
    out = {}
    for command in commands:
        for long, short in SMALLER.items():
            command = command.replace(long, short)
        result = plainsight(*shlex.split(command))
        assert result.code == 0, (command, result.err)
        out[command.split()[1]] = result.out
    assert "the new model is used" in out["learn"]
    assert "used" in out["report"]
    assert (tmp_path / "clean.jsonl").is_file()
