from __future__ import annotations

import csv
import json

from plainsight.document import Patient


def test_the_command_writes_notes_and_tables(tmp_path, plainsight) -> None:
    out = tmp_path / "site"
    command = ["experiment", "simulated-site", out, "--notes", 5, "--patients", 3, "--census", 4]
    assert plainsight(*command).code == 0
    assert len((out / "notes.jsonl").read_text().splitlines()) == 5
    with (out / "patients.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 7
    records = [json.loads(line) for line in (out / "patients.jsonl").read_text().splitlines()]
    assert [Patient.from_json(record).id for record in records] == ["P000000", "P000001", "P000002"]
    again = plainsight(*command)
    assert again.code == 2
    assert "exists" in again.err
