"""``plainsight site sentences`` and ``safe``: store, learn, decide, scan again."""

from __future__ import annotations

import json
import stat

import pytest
from typer.testing import CliRunner

from plainsight.cli import app
from plainsight.errors import PlainsightError
from plainsight.site.folder import open_site
from plainsight.site.inclusion import Entry, load_inclusion, save_inclusion

KEY = bytes(range(32))
SAFE = "Hand hygiene was performed before the examination."
POISONED = "Please call Maria Okafor at 617-555-0199 with questions."


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key").write_text(KEY.hex())
    ran("init", "ward", "--policy", "fast", "--key-file", "key")
    with (tmp_path / "notes.jsonl").open("w") as file:
        for number in range(24):
            text = f"{SAFE}\n{POISONED}\nSeen on 3/{number + 1}/2019, item {'x' * number}.\n"
            file.write(json.dumps({"id": str(number), "text": text, "patient_id": str(number % 8)}) + "\n")
    return open_site(tmp_path / "ward", KEY)


def ran(*arguments, given=None):
    result = CliRunner().invoke(app, ["site", *arguments], input=given)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


def test_sentences_are_stored_settled_and_proposed(site):
    figures = json.loads(ran("sentences", "ward", "notes.jsonl", "--key-file", "key", "--json"))
    assert (figures["new"], figures["sentences"], figures["proposed"]) == (24, 72, 1)
    assert figures["settled"] >= 2
    assert stat.S_IMODE(site.sentences.stat().st_mode) == 0o600
    again = json.loads(ran("sentences", "ward", "notes.jsonl", "--key-file", "key", "--json"))
    assert (again["new"], again["known"], again["sentences"], again["proposed"]) == (0, 24, 72, 0)
    shown = ran("sentences", "ward", "notes.jsonl", "--key-file", "key")
    assert "Okafor" not in shown
    assert "24 known" in shown


def test_a_person_decides_and_a_new_scan_suspends_what_was_let_in(site):
    ran("sentences", "ward", "notes.jsonl", "--key-file", "key", "-q")
    shown = ran("safe", "ward", "--key-file", "key", "--who", "ana", given="?\ny\n")
    assert SAFE in shown
    assert "Okafor" not in shown
    entries = load_inclusion(site)
    [entry] = entries.entries("accepted")
    assert (entry.text, entry.who, entry.count) == (SAFE, "ana", 24)
    assert entry.when
    assert entry.models
    entries.propose([Entry(POISONED, 24, "frequent", state="accepted", settings=entry.settings)])
    save_inclusion(site, entries)
    shown = ran("safe", "ward", "--key-file", "key", "--rescan")
    assert "1 sentence suspended" in shown
    assert json.loads(ran("safe", "ward", "--key-file", "key", "--json")) == {"accepted": 1, "suspended": 1}
    assert "Hand hygiene" not in ran("safe", "ward", "--key-file", "key", "--list")
    assert "Hand hygiene" in ran("safe", "ward", "--key-file", "key", "--list", "--show-text")


def test_stopping_early_keeps_the_decisions(site):
    save_inclusion(site, _proposed(site, SAFE, "Gait was steady.", "Mood was fine."))
    ran("safe", "ward", "--key-file", "key", "--who", "ana", given="n\nq\n")
    assert [entry.text for entry in load_inclusion(site).entries("refused")] == ["Gait was steady."]


def _proposed(site, *texts):
    entries = load_inclusion(site)
    entries.propose(Entry(text, 9, "frequent") for text in texts)
    return entries


def test_refusals_come_before_any_work(site):
    assert "no input" in refused("sentences", "ward", "absent.jsonl", "--key-file", "key")
    site.sentences.write_text("Seen by Dr. Okafor. " * 300)
    before = site.sentences.read_bytes()
    assert "foreign" in refused("sentences", "ward", "notes.jsonl", "--key-file", "key")
    assert site.sentences.read_bytes() == before


def refused(*arguments):
    result = CliRunner().invoke(app, ["site", *arguments])
    assert isinstance(result.exception, PlainsightError)
    return str(result.exception)
