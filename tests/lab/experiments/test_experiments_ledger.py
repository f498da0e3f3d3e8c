import json

import pytest
from tiny_notes import notes

from plainsight.errors import DataError
from plainsight.lab.experiments.ledger import Ledger, key_of, summary


def test_a_run_that_is_there_is_not_repeated(tmp_path):
    calls = []

    def work():
        calls.append(1)
        return {"f": (1, 2)}

    first = Ledger(tmp_path).run({"size": 3, "seed": 0}, work)
    again = Ledger(tmp_path).run({"seed": 0, "size": 3}, work)
    assert first == again == {"f": [1, 2]}, "what is new and what is read back are the same"
    assert len(calls) == 1
    assert {"size": 3, "seed": 0} in Ledger(tmp_path)
    assert {"size": 4, "seed": 0} not in Ledger(tmp_path)


def test_a_line_that_was_cut_off_is_done_again(tmp_path):
    for size in (1, 2):
        Ledger(tmp_path).run({"size": size}, lambda size=size: {"made": size})
    path = tmp_path / "results.jsonl"
    whole = path.read_bytes()
    for end in range(whole.index(b"\n") + 1, len(whole)):
        path.write_bytes(whole[:end])
        assert Ledger(tmp_path).run({"size": 1}, dict) == {"made": 1}
        assert Ledger(tmp_path).run({"size": 2}, lambda: {"made": 2}) == {"made": 2}
        assert path.read_bytes() == whole


def test_a_failed_run_leaves_nothing(tmp_path):
    def work():
        raise KeyboardInterrupt

    ledger = Ledger(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        ledger.run({"size": 1}, work)
    assert {"size": 1} not in ledger
    assert not (tmp_path / "results.jsonl").exists()


@pytest.mark.parametrize("line", ["{}", "nonsense", "[1]"])
def test_a_file_that_is_no_ledger_is_refused_by_line(tmp_path, line):
    good = json.dumps({"key": "1", "result": {}})
    (tmp_path / "results.jsonl").write_text(f"{good}\n{line}\n")
    with pytest.raises(DataError, match="line 2"):
        Ledger(tmp_path).run({}, dict)


def test_notes_are_told_apart_without_their_text():
    one, two = notes(3), notes(3, "m")
    assert summary(one) == summary(notes(3))
    assert summary(one) != summary(two) != summary(one[:2])
    assert summary(one)["notes"] == 3
    assert "Lopez" not in json.dumps(summary(one))
    assert key_of({"a": [1]}) != key_of({"a": [2]})
