"""`deidentify --state`: a second night agrees with the first."""

import json

import pytest

FIRST = {"id": "1", "text": "Pt: Caroline Whitfield, DOB 3/4/1950. Dr. Okafor.", "patient_id": "p"}
SECOND = {"id": "2", "text": "Pt: CW. Caroline is well. Seen by Dr. Okafor.", "patient_id": "p"}


@pytest.fixture
def night(plainsight, jsonl, tmp_path, monkeypatch):
    """Release notes in a run of its own; return their texts."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PLAINSIGHT_KEY", raising=False)
    assert plainsight("key", "new", "key").code == 0

    def release(*notes, processes="1", name="out.jsonl"):
        jsonl(tmp_path / "in.jsonl", *notes)
        more = ["--key-file", "key", "--state", "state", "-p", "fast", "--processes", processes, "--force"]
        result = plainsight("deidentify", "in.jsonl", "-o", name, *more)
        assert result.code == 0, result.err
        return {note["id"]: note["text"] for note in map(json.loads, (tmp_path / name).open())}

    return release


def test_nights_agree_in_every_arrangement(night, tmp_path):
    released = night(FIRST) | night(SECOND)
    assert night(FIRST, SECOND) == released
    assert night(SECOND, FIRST, processes="2") == released
    assert "Whitfield" not in json.dumps(released)
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())
    assert manifest["state"] == "state"


def test_a_state_needs_a_kept_key_and_its_own(night, plainsight, tmp_path):
    night(FIRST)
    result = plainsight("deidentify", "in.jsonl", "-o", "x.jsonl", "--forget-key", "--state", "state")
    assert result.code == 2
    assert "needs a key that is kept" in result.err
    assert plainsight("key", "new", "other").code == 0
    result = plainsight("deidentify", "in.jsonl", "-o", "x.jsonl", "--key-file", "other", "--state", "state")
    assert result.code == 2
    assert "another key" in result.err
    assert not (tmp_path / "x.jsonl").exists()
