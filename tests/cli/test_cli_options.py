"""Options that commands share, and what the shell completes."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plainsight.cli import app
from plainsight.cli.options import (
    complete_format,
    complete_group,
    complete_loss,
    complete_model,
    complete_policy,
    complete_scheme,
    complete_system,
)
from plainsight.errors import UsageError


def test_policies_by_name_and_by_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "besides.toml").touch()
    (tmp_path / "best-notes.txt").touch()
    (tmp_path / "bench").mkdir()
    assert complete_policy("be") == ["best", "bench/", "besides.toml"]
    assert "safe-harbor" in complete_policy("")


def test_formats_by_name():
    assert complete_format("i2b2") == ["i2b2-2006", "i2b2-2014"]


def test_models_by_name_and_by_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gte-ours").mkdir()
    (tmp_path / ".hidden").mkdir()
    assert complete_model("gte") == ["gte-en", "gte-ours/"]
    assert ".hidden/" not in complete_model("")


def test_paths_further_down(tmp_path):
    (tmp_path / "ward").mkdir()
    (tmp_path / "ward" / "ours.toml").touch()
    assert complete_policy(f"{tmp_path}/ward/o") == [f"{tmp_path}/ward/ours.toml"]


def test_a_folder_that_is_not_there():
    assert complete_model("no/such/folder/") == []


def test_the_shell_asks_and_gets_names():
    asked = {
        "_PLAINSIGHT_COMPLETE": "complete_bash",
        "COMP_WORDS": "plainsight detect notes --policy safe",
        "COMP_CWORD": "4",
    }
    result = CliRunner().invoke(app, [], prog_name="plainsight", env=asked)
    assert result.output.split() == ["safe-harbor"]


def test_help_names_no_papers():
    result = CliRunner().invoke(app, ["plugins", "--json"])
    assert not re.search(r"\bS\d+", result.output)


def test_groups_schemes_losses_and_systems(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "philter-out").mkdir()
    assert complete_group("i2b2") == ["i2b2-hipaa", "i2b2-2006", "i2b2-2014"]
    assert complete_scheme("p") == ["philter", "physionet", "presidio"]
    assert complete_loss("spans,s") == ["spans,spans", "spans,scores"]
    assert complete_system("phil") == ["philter", "philter:", "philter-out/"]
    assert "policy:fast" in complete_system("policy:")


def test_processes_and_limits_change_nothing_for_good_notes(plainsight, jsonl, tmp_path):
    notes = [{"id": str(number), "text": f"Seen on 3/{number}/2019."} for number in range(1, 4)]
    source = jsonl(tmp_path / "notes.jsonl", *notes)
    limits = ["--processes", "auto", "--note-seconds", "20", "--note-memory", "2000"]
    for name, options in {"plain": [], "limited": limits}.items():
        target = tmp_path / f"{name}.jsonl"
        assert plainsight("deidentify", source, "-o", target, "--policy", "redact", *options).code == 0
    assert (tmp_path / "limited.jsonl").read_bytes() == (tmp_path / "plain.jsonl").read_bytes()


def test_processes_are_a_number_or_auto(plainsight, tmp_path):
    (tmp_path / "note.txt").write_text("Well.")
    for wrong in ("none", "0"):
        result = plainsight("deidentify", tmp_path / "note.txt", "-o", tmp_path / "o", "--processes", wrong)
        assert result.code == 2
        assert "auto for one per core" in result.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--master", "spark://head:7077"], "--master is for --engine spark"),
        (["--engine", "spark", "--processes", "2"], "takes the cores of the cluster"),
        (["--engine", "spark", "--state", "s", "--key-file", "k"], "--engine spark cannot share it"),
    ],
)
def test_options_of_the_other_engine_are_refused(tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("Seen 3/4/2019.")
    Path("k").write_bytes(b"k" * 32)
    command = ["deidentify", "notes.txt", "-o", "clean.txt", "--policy", "redact", *words]
    with pytest.raises(UsageError, match=message):
        CliRunner().invoke(app, command, catch_exceptions=False)
