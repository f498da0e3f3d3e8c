import json

import pytest
from tiny_notes import notes

from plainsight.errors import UsageError
from plainsight.lab.experiments import portability as module
from plainsight.lab.experiments import probe as probing
from plainsight.lab.experiments.finder import Finder
from plainsight.lab.experiments.ledger import Ledger
from plainsight.lab.experiments.portability import portability
from plainsight.lab.experiments.probe import Probed, probe


def test_a_fresh_process_finds_the_same_and_tells_what_it_cost():
    finder, whole = Finder.of_policy("fast"), notes(3)
    probed = probe(finder, whole)
    here = [[(s.start, s.end, s.label) for s in spans] for spans in finder.find(whole)]
    assert [[(s.start, s.end, s.label) for s in spans] for spans in probed.found] == here
    assert probed.seconds > 0
    assert probed.load_seconds > 0
    assert probed.peak_megabytes is None or 10 < probed.peak_megabytes < 4000


def test_a_system_that_fails_says_why_and_no_more(tmp_path):
    with pytest.raises(UsageError, match="cannot be measured: unknown policy 'nowhere'"):
        probe(Finder("lost", policy="nowhere"), notes(1))
    with pytest.raises(UsageError, match="no model at") as error:
        probe(Finder("lost", detector="crf", model=str(tmp_path)), notes(1))
    assert "Lopez" not in str(error.value)


def test_the_other_side_of_the_probe_reads_lines():
    lines = [json.dumps(Finder.of_policy("fast").to_json()), json.dumps(["1", "Seen 3/4/2019.", None])]
    result = probing._work(lines)
    assert result["found"] == [[(5, 13, "DATE")]]


def test_a_table_has_accuracy_speed_and_memory_and_is_resumed(tmp_path, monkeypatch):
    asked = []

    def probed(finder, documents):
        asked.append(finder.name)
        half = documents[0].spans[:2] if finder.name == "redact" else documents[0].spans
        return Probed([list(half), *(list(d.spans) for d in documents[1:])], 0.5, 2.0, None if half else 9.0)

    monkeypatch.setattr(module, "probe", probed)
    corpora = {"a": notes(4, "a"), "b": notes(2, "b")}
    finders = [Finder.of_policy("fast"), Finder.of_policy("redact")]
    outcome = portability(Ledger(tmp_path), finders, corpora)
    assert asked == ["fast", "fast", "redact", "redact"]
    fast, redact = outcome.rows
    assert fast[-4:] == [0.0, "1.5", "0.50", None]
    assert redact[-4] > 0
    assert len(outcome.head) == len(fast)
    assert outcome.data[0]["notes_per_second"] == 2.0
    assert "redact" in outcome.svg
    portability(Ledger(tmp_path), finders, corpora)
    assert len(asked) == 4


def test_nothing_and_two_of_a_name_are_refused(tmp_path):
    fast = Finder.of_policy("fast")
    with pytest.raises(UsageError, match="a system and a corpus"):
        portability(Ledger(tmp_path), [], {"a": notes(1)})
    with pytest.raises(UsageError, match="same name"):
        portability(Ledger(tmp_path), [fast, fast], {"a": notes(1)})
