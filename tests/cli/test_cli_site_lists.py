from __future__ import annotations

import json

import pytest


@pytest.fixture
def key(tmp_path, plainsight):
    tmp_path.chmod(0o700)
    assert plainsight("key", "new", tmp_path / "a.key").code == 0
    return tmp_path / "a.key"


def test_lists_are_given_and_used(tmp_path, plainsight, key, jsonl) -> None:
    site = tmp_path / "site"
    assert plainsight("site", "init", site, "--policy", "fast", "--key-file", key).code == 0
    (tmp_path / "patients.csv").write_text(
        "patient_id,mrn,last_name,first_name\nP1,59/6098-r,Qi,Deborah\nP2,44/4665-w,Luca,Evaristo\n"
    )
    (tmp_path / "units.csv").write_text("unit\nGarden\n")
    given = plainsight(
        "site", "lists", site, "--patients", tmp_path / "patients.csv", "--units", tmp_path / "units.csv",
        "--key-file", key, "--json",
    )  # fmt: skip
    assert (given.code, given.json) == (0, {"patients": 6, "units": 1})
    text = "deborah up x2 overnight; moved to Garden, cf 44/4665-w."
    notes = jsonl(tmp_path / "notes.jsonl", {"id": "a", "text": text, "patient_id": "P1"})
    found = plainsight("detect", notes, "-o", tmp_path / "found.jsonl", "--site", site, "--key-file", key)
    assert found.code == 0
    note = json.loads((tmp_path / "found.jsonl").read_text())
    marked = {(text[span["start"] : span["end"]], span["label"]) for span in note["spans"]}
    assert {("deborah", "PATIENT"), ("Garden", "HOSPITAL"), ("44/4665-w", "MEDICALRECORD")} <= marked


def test_a_run_without_tables_or_key_is_refused(tmp_path, plainsight, key) -> None:
    site = tmp_path / "site"
    plainsight("site", "init", site, "--key-file", key)
    nothing = plainsight("site", "lists", site, "--key-file", key)
    assert nothing.code == 2
    assert "give at least one table: --patients" in nothing.err
    units = tmp_path / "units.csv"
    units.write_text("unit\nGarden\n")
    keyless = plainsight("site", "lists", site, "--units", units)
    assert keyless.code == 2
    assert "needs its key" in keyless.err
    missing = plainsight("site", "lists", site, "--units", tmp_path / "none.csv", "--key-file", key)
    assert missing.code == 2
    assert "no table at" in missing.err
