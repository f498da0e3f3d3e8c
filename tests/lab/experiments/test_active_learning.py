"""The replay of strategies: sound figures, each run once, and drawn against notes and minutes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from site_notes import marked

from plainsight.errors import UsageError
from plainsight.lab.experiments import active_learning as experiment
from plainsight.lab.experiments.bench import Ledger
from plainsight.lab.site_learning import shipped_replay
from plainsight.site.choose import Strategy

pytest.importorskip("scipy")

NOTES = [replace(marked(number), patient_id=f"p{number % 10}") for number in range(40)]


@pytest.fixture(autouse=True)
def _few(monkeypatch):
    """Replay a few notes, and learn after every sixth one that is read."""
    few = [part[:3] for part in shipped_replay()]
    monkeypatch.setattr(experiment, "shipped_replay", lambda: few)
    monkeypatch.setattr(experiment, "STEP", 6)


def run(folder, **settings):
    settings = {
        "sizes": (6, 12),
        "random_sizes": (15,),
        "strategies": (Strategy.RANDOM, Strategy.GAIN),
        **settings,
    }
    return experiment.active_learning(Ledger(folder), NOTES, policy="fast", **settings)


def test_reading_helps_and_costs_minutes(tmp_path, monkeypatch):
    outcome = run(tmp_path)
    none, *others = outcome.data
    assert (none["strategy"], none["minutes"]) == ("none", 0)
    assert [(each["strategy"], each["notes"]) for each in others] == [
        ("random", 6), ("random", 12), ("random", 15), ("gain", 6), ("gain", 12),
    ]  # fmt: skip
    assert all(each["strict_f"] > none["strict_f"] for each in others)
    assert all(0 < each["minutes"] < 60 for each in others)
    assert outcome.svg.count("<svg") == 5
    for axis in ("notes read", "estimated minutes of reading"):
        assert axis in outcome.svg
    assert "Okafor" not in (tmp_path / "results.jsonl").read_text()
    monkeypatch.setattr(experiment._Trial, "learned", lambda *_: pytest.fail("it was run before"))
    assert run(tmp_path).data == outcome.data


def test_wrong_sizes_are_refused_at_once(tmp_path):
    with pytest.raises(UsageError, match="pool has 28 notes"):
        run(tmp_path, sizes=(29,))
    with pytest.raises(UsageError, match="at least one note"):
        run(tmp_path, sizes=())
    assert not (tmp_path / "results.jsonl").exists()
