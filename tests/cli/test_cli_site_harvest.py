"""``plainsight site harvest`` writes rules that a site then uses, and leaves what it cannot read alone."""

import json
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plainsight.cli import app

NAMES = ("Ada Quill", "Bo Marsten", "Cy Dunmore", "Di Ferrand", "Ed Halloway")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "key").write_bytes(bytes(range(32)))
    assert run("site", "init", tmp_path / "site", "--policy", "fast", "--key-file", tmp_path / "key")[0] == 0
    return tmp_path / "site"


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return result.exit_code, result.output + str(result.exception or "")


def write_notes(path: Path, *, marks: bool = True) -> Path:
    lines = []
    for number, name in enumerate(NAMES):
        text = f"Chest clear.\nElectronically signed by {name}, MD\n"
        spans = [{"start": 38, "end": 38 + len(name), "label": "DOCTOR"}] if marks else []
        lines.append({"id": f"n{number}", "text": text, "patient_id": f"p{number}", "spans": spans})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def harvest(site: Path, *arguments: object) -> tuple[int, str]:
    return run("site", "harvest", site, *arguments, "--key-file", site.parent / "key", "--support", 4)


def test_rules_of_detected_notes_are_written_and_used(site: Path, tmp_path: Path) -> None:
    notes = write_notes(tmp_path / "notes.jsonl", marks=False)
    code, output = harvest(site, notes, "--gold", write_notes(tmp_path / "gold.jsonl"))
    assert code == 0, output
    assert "1 rule, 1 of them new" in output
    assert not any(word in output for name in NAMES for word in name.split())
    file = site / "templates.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    [rule] = json.loads(file.read_text())["rules"]
    assert rule["template"] == "Electronically signed by {{DOCTOR|W W}}, MD"
    code, output = harvest(site, notes)
    assert "harvested already" in output
    text = "Electronically signed by garrow linsk, MD"
    code, output = run("detect", "--text", text, "--site", site, "--key-file", tmp_path / "key", "--explain")
    assert code == 0, output
    assert '"templates.' in output


def test_checked_marks_are_taken_as_they_are(site: Path, tmp_path: Path) -> None:
    code, output = harvest(site, write_notes(tmp_path / "notes.jsonl"), "--marked", "--json")
    assert code == 0, output
    report = json.loads(output)
    assert (report["notes"], report["rules"], report["refused"]) == (5, 1, {})


def test_a_damaged_file_is_refused_and_not_overwritten(site: Path, tmp_path: Path) -> None:
    (site / "templates.json").write_text("{}")
    code, output = harvest(site, write_notes(tmp_path / "notes.jsonl"))
    assert code != 0
    assert "not a file of templates" in output
    assert (site / "templates.json").read_text() == "{}"


def test_missing_notes_and_keys_are_refused(site: Path, tmp_path: Path) -> None:
    assert "no input at" in harvest(site, tmp_path / "nothing.jsonl")[1]
    code, output = run("site", "harvest", site, write_notes(tmp_path / "notes.jsonl"))
    assert code != 0
    assert "key" in output
