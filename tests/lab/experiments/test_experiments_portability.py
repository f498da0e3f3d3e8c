import json

import pytest
from tiny_notes import notes

from plainsight.errors import UsageError
from plainsight.lab.experiments import portability as module
from plainsight.lab.experiments.bench import Found, Ledger
from plainsight.lab.experiments.portability import portability, run_fresh
from plainsight.lab.experiments.systems import System


def test_a_fresh_process_finds_the_same_and_tells_what_it_cost():
    system, whole = System.of_policy("fast"), notes(3)
    run = run_fresh(system, whole)
    here = [[(s.start, s.end, s.label) for s in spans] for spans in system.find(whole)]
    assert [[(s.start, s.end, s.label) for s in spans] for spans in run.spans] == here
    assert run.seconds["detect"] > 0
    assert run.seconds["load"] > 0
    assert run.peak_megabytes is None or 10 < run.peak_megabytes < 4000


def test_a_system_that_fails_says_why_and_no_more(tmp_path):
    with pytest.raises(UsageError, match="cannot be measured: unknown policy 'nowhere'"):
        run_fresh(System("lost", policy="nowhere"), notes(1))
    with pytest.raises(UsageError, match="no model at") as error:
        run_fresh(System("lost", detector="crf", model=str(tmp_path)), notes(1))
    assert "Lopez" not in str(error.value)


def test_the_other_side_of_the_probe_reads_lines():
    lines = [json.dumps(System.of_policy("fast").to_json()), json.dumps(["1", "Seen 3/4/2019.", None])]
    assert module._work(lines).to_json()["found"][0][0][:3] == (5, 13, "DATE")


def test_a_table_has_accuracy_speed_and_memory_and_is_resumed(tmp_path, monkeypatch):
    asked = []

    def run(system, documents):
        asked.append(system.name)
        half = documents[0].spans[:2] if system.name == "redact" else documents[0].spans
        spans = [list(half), *(list(d.spans) for d in documents[1:])]
        return Found(spans, {"load": 0.5, "detect": 2.0}, None if half else 9.0)

    monkeypatch.setattr(module, "run_fresh", run)
    corpora = {"a": notes(4, "a"), "b": notes(2, "b")}
    systems = [System.of_policy("fast"), System.of_policy("redact")]
    outcome = portability(Ledger(tmp_path), systems, corpora)
    assert asked == ["fast", "fast", "redact", "redact"]
    fast, redact = outcome.rows
    assert fast[-4:] == [0.0, "1.5", "0.50", None]
    assert redact[-4] > 0
    assert len(outcome.head) == len(fast)
    assert outcome.data[0]["notes_per_second"] == 2.0
    assert "redact" in outcome.svg
    portability(Ledger(tmp_path), systems, corpora)
    assert len(asked) == 4


def test_nothing_and_two_of_a_name_are_refused(tmp_path):
    fast = System.of_policy("fast")
    with pytest.raises(UsageError, match="a system and a corpus"):
        portability(Ledger(tmp_path), [], {"a": notes(1)})
    with pytest.raises(UsageError, match="same name"):
        portability(Ledger(tmp_path), [fast, fast], {"a": notes(1)})
