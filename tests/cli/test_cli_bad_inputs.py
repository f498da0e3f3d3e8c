"""Nothing vanishes and nothing hangs: one bad record or file never stops the others."""

import json
import os
import threading
import time

import pytest

NOTE = {"id": "ok", "text": "Seen by Dr. Okafor on 3/4/2019."}
REDACT = ("-p", "redact", "--force")


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("name", ["notes.jsonl", "notes"])
def test_a_pipe_is_read_once_and_whole(plainsight, tmp_path, name):
    os.mkfifo(pipe := tmp_path / name)
    data = "".join(json.dumps({**NOTE, "id": str(number)}) + "\n" for number in range(3000))
    writer = threading.Thread(target=pipe.write_text, args=(data,))
    writer.start()
    result = plainsight("deidentify", pipe, "-o", tmp_path / "out.jsonl", *REDACT)
    writer.join(10)
    assert result.code == 0
    assert "3000 notes" in result.out + result.err
    assert [note["id"] for note in lines(tmp_path / "out.jsonl")] == [str(number) for number in range(3000)]


def test_a_dead_link_is_set_aside(plainsight, tmp_path):
    (notes := tmp_path / "notes").mkdir()
    (notes / "a.txt").write_text(NOTE["text"])
    (notes / "b.txt").symlink_to(tmp_path / "gone.txt")
    assert plainsight("deidentify", notes, "-o", tmp_path / "out", *REDACT).code == 1
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.txt"]
    [aside] = lines(tmp_path / "out.quarantine.jsonl")
    assert "cannot be read" in aside["reason"]


def test_a_score_of_400_digits_is_set_aside(plainsight, tmp_path):
    span = '{"start": 0, "end": 4, "label": "DATE", "score": ' + 400 * "9" + "}"
    bad = '{"id": "bad", "text": "Seen.", "spans": [' + span + "]}\n"
    (tmp_path / "in.jsonl").write_text(bad + json.dumps(NOTE) + "\n")
    assert plainsight("deidentify", tmp_path / "in.jsonl", "-o", tmp_path / "out.jsonl", *REDACT).code == 1
    assert [note["id"] for note in lines(tmp_path / "out.jsonl")] == ["ok"]


def test_a_policy_nested_too_deeply_is_refused(plainsight, tmp_path):
    (tmp_path / "deep.toml").write_text(f"labels = {5000 * '['}{5000 * ']'}\n")
    result = plainsight("deidentify", "--text", "Seen.", "-p", tmp_path / "deep.toml")
    assert result.code == 2
    assert "nested too deeply" in result.err


def test_many_columns_take_linear_time(plainsight, tmp_path):
    seconds = []
    for count in (5_000, 20_000):
        names = ",".join(f"c{number}" for number in range(count))
        (tmp_path / "in.csv").write_text(f"{names},id,text\n{count * '1,'}1,Seen by Dr. Okafor.\n")
        began = time.process_time()
        assert plainsight("deidentify", tmp_path / "in.csv", "-o", tmp_path / "out.csv", *REDACT).code == 0
        seconds.append(time.process_time() - began)
    assert seconds[1] < 8 * max(seconds[0], 0.2)  # quadratic code would take sixteen times as long
