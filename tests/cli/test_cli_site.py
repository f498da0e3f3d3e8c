"""``plainsight site`` and ``--site``."""

from __future__ import annotations

import json

import pytest
from site_notes import marked

NOTE = "Seen by Dr. Okafor on 3/4/2019."


@pytest.fixture
def key(tmp_path, plainsight):
    file = tmp_path / "project.key"
    assert plainsight("key", "new", file).code == 0
    return file


@pytest.fixture
def site(tmp_path, plainsight, key):
    folder = tmp_path / "ward"
    result = plainsight("site", "init", folder, "--policy", "fast", "--key-file", key)
    assert result.code == 0
    assert "a new site" in result.out
    return folder


def test_init_needs_a_key_and_a_new_folder(plainsight, tmp_path, site, key):
    assert plainsight("site", "init", tmp_path / "x").code == 2
    assert not (tmp_path / "x").exists()
    result = plainsight("site", "init", site, "--key-file", key)
    assert result.code == 2
    assert "site already" in result.err


def test_detect_and_deidentify_use_a_site(plainsight, site, key):
    plain = plainsight("detect", "--text", NOTE, "--policy", "fast")
    with_site = plainsight("detect", "--text", NOTE, "--site", site, "--key-file", key)
    assert json.loads(with_site.out)["spans"] == json.loads(plain.out)["spans"] != []
    assert plainsight("deidentify", "--text", NOTE, "--site", site, "--key-file", key).code == 0


def test_wrong_use_of_a_site_is_refused(plainsight, tmp_path, site, key):
    plainsight("key", "new", tmp_path / "other.key")
    for arguments in (
        ("--site", site),
        ("--site", site, "--key-file", tmp_path / "other.key"),
        ("--site", tmp_path / "none", "--key-file", key),
        ("--site", site, "--key-file", key, "--policy", "redact"),
    ):
        assert plainsight("deidentify", "--text", NOTE, *arguments).code == 2


def test_a_random_key_does_not_open_a_site(plainsight, site, key, monkeypatch):
    monkeypatch.setenv("PLAINSIGHT_KEY", key.read_text())
    result = plainsight("deidentify", "--text", NOTE, "--site", site, "--forget-key")
    assert result.code == 2
    assert "site" in result.err


def test_notes_are_chosen_corrected_and_reported(plainsight, tmp_path, site, key):
    notes = [marked(number) for number in range(8)]
    gold, pool, out = tmp_path / "gold.jsonl", tmp_path / "pool.jsonl", tmp_path / "read.jsonl"
    gold.write_text("".join(json.dumps(note.to_json()) + "\n" for note in notes))
    pool.write_text("".join(json.dumps({"id": note.id, "text": note.text}) + "\n" for note in notes))
    open_it = (site, "--key-file", key)
    assert plainsight("site", "correct", *open_it, gold).code == 2  # nothing was chosen yet
    chosen = plainsight("site", "doubt", site, pool, "-o", out, "-n", 4, "--audit", 2, "--key-file", key)
    assert chosen.code == 0
    assert "4 notes of 8, 2 drawn at random" in chosen.err
    assert len(out.read_text().splitlines()) == 4
    again = plainsight("site", "doubt", site, pool, "-o", tmp_path / "again.jsonl", "--key-file", key)
    assert again.code == 2
    assert "--anew" in again.err
    assert not (tmp_path / "again.jsonl").exists()
    assert plainsight("site", "correct", *open_it, gold).code == 2  # it holds notes that were not chosen
    corrected = plainsight("site", "correct", *open_it, gold, "--gold")
    assert corrected.code == 0
    assert "4 notes corrected, 2 of them drawn at random" in corrected.out
    refused = plainsight("site", "learn", *open_it)
    assert refused.code == 2
    assert "audit sample has 2" in refused.err
    assert "no round yet" in plainsight("site", "report", *open_it).out


def test_the_report_shows_each_round(plainsight, site, key):
    share = {"value": 0.05, "low": 0.01, "high": 0.1}
    figures = {"precision": 0.9, "recall": 0.8, "f": 0.85}
    side = {"strict": figures, "leaked": share, "leaking_notes": {**share, "low": None}}
    line = {"round": 1, "read": 200, "minutes": 250.5, "kept": False, "reason": "F is not higher"}
    (site / "rounds.jsonl").write_text(json.dumps({**line, "before": side, "after": side}) + "\n")
    shown = plainsight("site", "report", site, "--key-file", key)
    assert "5.00% (1.00% to 10.00%)" in shown.out
    assert "not used: F is not higher" in shown.out
    assert json.loads(plainsight("site", "report", site, "--json", "--key-file", key).out)[0]["read"] == 200
