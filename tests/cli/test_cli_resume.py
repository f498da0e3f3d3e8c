"""deidentify after a kill, a full disk or Ctrl-C: the same command continues, and the bytes are the same."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plainsight.run import ledger

RULES = Path(__file__).parents[2] / "examples" / "rules-only.toml"
NOTES = 60
MANY = 3500


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(ledger, "PART_NOTES", 5)
    monkeypatch.setattr("plainsight.pipeline._BATCH_CHARACTERS", 60)
    monkeypatch.setattr("plainsight.pipeline.batches.__kwdefaults__", {"characters": 60})


@pytest.fixture
def command(tmp_path):
    """Write notes and a key; return the command line to de-identify them."""
    with (tmp_path / "in.jsonl").open("w") as file:
        for number in range(NOTES):
            text = f"Seen 3/{number % 28 + 1}/2019, MRN 0371-88-{number:04}."
            note = {"id": f"n{number}", "text": text, "patient_id": f"p{number // 3}"}
            file.write("not json\n" if number == 7 else json.dumps(note) + "\n")
    (tmp_path / "key").write_bytes(b"k" * 32)
    (tmp_path / "key").chmod(0o600)
    out = tmp_path / "work" / "out.jsonl"
    out.parent.mkdir()
    return ["deidentify", tmp_path / "in.jsonl", "-o", out, "--key-file", tmp_path / "key", "-p", RULES]


def fail_at(monkeypatch, number, error):
    """Let writing the note of a number fail."""
    from plainsight.formats import jsonl

    line, count = jsonl._line, iter(range(10**6))

    def failing(document, *, explain):
        if next(count) == number:
            raise error
        return line(document, explain=explain)

    monkeypatch.setattr(jsonl, "_line", failing)


def outputs(folder):
    """Return all that a run wrote, without what differs between any two runs."""
    found = {}
    for file in sorted(folder.iterdir()):
        if file.name.endswith(".manifest.json"):
            record = json.loads(file.read_text())
            found[file.name] = {
                k: record[k] for k in ("notes", "set_aside", "identifiers_by_label", "output_sha256")
            }
        else:
            found[file.name] = file.read_bytes()
    return found


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyboardInterrupt(), "stopped; "),
        (OSError(28, "No space left on device"), "No space left on device; "),
        (MemoryError(), "out of memory; "),
        (RuntimeError("x"), "internal error: RuntimeError"),
    ],
)
def test_a_run_that_fails_says_so_and_continues(plainsight, command, monkeypatch, tmp_path, error, said):
    assert plainsight(*command).code == 1
    whole = outputs(tmp_path / "work")
    for file in (tmp_path / "work").iterdir():
        file.unlink()
    with monkeypatch.context() as patch:
        fail_at(patch, 33, error)
        failed = plainsight(*command)
    assert failed.code == 3
    assert said in failed.err
    assert "the same command continues" in failed.err
    assert [file.name for file in (tmp_path / "work").iterdir()] == ["out.jsonl.ledger"]
    result = plainsight(*command)
    assert result.code == 1
    assert "notes are done, continuing" in result.err
    assert outputs(tmp_path / "work") == whole


def test_everything_beside_the_output_survives(plainsight, command, monkeypatch, tmp_path):
    more = ("--mapping", tmp_path / "work" / "map", "--ids", "keyed", "--state", tmp_path / "state")
    with monkeypatch.context() as patch:
        fail_at(patch, 33, KeyboardInterrupt())
        assert plainsight(*command, *more).code == 3
    assert not (tmp_path / "work" / "map").exists()
    assert plainsight(*command, *more).code == 1
    notes = [json.loads(line) for line in (tmp_path / "work" / "out.jsonl").read_text().splitlines()]
    assert len({note["id"] for note in notes}) == NOTES - 1
    assert len((tmp_path / "work" / "out.jsonl.quarantine.jsonl").read_text().splitlines()) == 1
    from plainsight.run.mapping import read_mapping

    assert [entry.id for entry in read_mapping(tmp_path / "work" / "map", b"k" * 32)] == [
        n["id"] for n in notes
    ]


def test_other_settings_and_inputs_are_refused(plainsight, command, monkeypatch, tmp_path):
    with monkeypatch.context() as patch:
        fail_at(patch, 33, KeyboardInterrupt())
        plainsight(*command)
    refused = plainsight(*command, "--with-spans")
    assert refused.code == 2
    assert "--with-spans (was none, is yes)" in refused.err
    forgotten = [word for word in command if word != "--key-file" and word != tmp_path / "key"]
    assert plainsight(*forgotten).code == 2
    lines = (tmp_path / "in.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "in.jsonl").write_text("".join(lines[1:]))
    changed = plainsight(*command)
    assert changed.code == 2
    assert "the input has changed" in changed.err
    assert not (tmp_path / "work" / "out.jsonl").exists()
    assert plainsight(*command, "--restart").code == 1
    assert len((tmp_path / "work" / "out.jsonl").read_text().splitlines()) == NOTES - 2


def test_without_a_kept_key_nothing_is_kept(plainsight, command, monkeypatch, tmp_path):
    forgotten = [word for word in command if word != "--key-file" and word != tmp_path / "key"]
    with monkeypatch.context() as patch:
        fail_at(patch, 33, KeyboardInterrupt())
        result = plainsight(*forgotten)
    assert (result.code, "nothing is kept" in result.err) == (3, True)
    assert not [*(tmp_path / "work").iterdir()]


def test_a_ledger_left_after_the_output_was_named_goes(plainsight, command, monkeypatch, tmp_path):
    monkeypatch.setattr(ledger.Ledger, "__exit__", lambda self, *error: self._close())
    assert plainsight(*command).code == 1
    assert (tmp_path / "work" / "out.jsonl.ledger").exists()
    monkeypatch.undo()
    result = plainsight(*command)
    assert (result.code, "exists" in result.err) == (2, True)
    assert not (tmp_path / "work" / "out.jsonl.ledger").exists()


def test_what_a_killed_run_left_is_removed(plainsight, command, tmp_path):
    left = tmp_path / "work" / ".plainsight-0123.tmp"
    left.mkdir()
    (left / "out.jsonl").write_text("half")
    assert plainsight(*command).code == 1
    assert not left.exists()


def test_a_folder_is_replaced_whole(plainsight, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("A.")
    (tmp_path / "in" / "b.txt").write_text("B.")
    command = ("deidentify", tmp_path / "in", "-o", tmp_path / "out", "-p", RULES)
    assert plainsight(*command).code == 0
    (tmp_path / "in" / "a.txt").unlink()
    assert plainsight(*command, "--force").code == 0
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["b.txt"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("Precious.")
    refused = plainsight("deidentify", tmp_path / "in", "-o", tmp_path / "mine", "-p", RULES, "--force")
    assert (refused.code, (tmp_path / "mine" / "thesis.txt").exists()) == (2, True)


def write_many(path):
    """Write notes for some parts of the usual size."""
    with path.open("w") as file:
        for index in range(MANY):
            text = f"Seen 3/{index % 28 + 1}/2019, MRN 0371-88-{index:04}."
            file.write(json.dumps({"id": f"n{index}", "text": text, "patient_id": f"p{index // 3}"}) + "\n")


def start(command, *more):
    """Start the command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "plainsight", *map(str, command), *more],
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(path, process):
    while not path.exists() and process.poll() is None:
        time.sleep(0.005)


def test_ctrl_c_twice_stops_at_once(command, tmp_path):
    script = (
        "import time\nfrom plainsight import cli\nimport plainsight.cli.options as options\n"
        "def slow(*_, **__):\n"
        "    try:\n        open('ready', 'w').close(); time.sleep(60)\n        yield\n"
        "    finally:\n        open('stopping', 'w').close(); time.sleep(60)\n"
        "options.spread = slow\ncli.main()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, command)], stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    wait_for(tmp_path / "ready", process)
    process.send_signal(signal.SIGINT)
    wait_for(tmp_path / "stopping", process)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert (process.returncode, "stopped at once" in said) == (3, True)


@pytest.mark.server
@pytest.mark.parametrize(
    ("number", "processes"),
    [(signal.SIGKILL, 1), (signal.SIGKILL, 2), (signal.SIGINT, 2), (signal.SIGTERM, 1)],
)
def test_a_killed_process_continues(command, tmp_path, number, processes):
    write_many(tmp_path / "in.jsonl")
    more = ("--processes", str(processes))
    process = start(command, *more)
    part = tmp_path / "work" / "out.jsonl.ledger" / "000001.part"  # the first one is entered, then
    wait_for(part, process)
    process.send_signal(number)
    process.communicate()
    assert process.returncode == (-9 if number == signal.SIGKILL else 3)
    again = start(command, *more)
    _, said = again.communicate()
    assert (again.returncode, "continuing" in said) == (0, True), said
    out = (tmp_path / "work" / "out.jsonl").read_bytes()
    command[command.index("-o") + 1] = tmp_path / "whole.jsonl"
    assert start(command).wait() == 0
    assert out == (tmp_path / "whole.jsonl").read_bytes()
    assert sorted(file.name for file in (tmp_path / "work").iterdir()) == [
        "out.jsonl",
        "out.jsonl.manifest.json",
    ]


@pytest.mark.server
def test_a_full_disk(command, tmp_path):
    write_many(tmp_path / "in.jsonl")
    limited = ["bash", "-c", 'ulimit -f 250; exec "$0" -m plainsight "$@"', sys.executable]
    done = subprocess.run([*limited, *map(str, command)], stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "File too large" in done.stderr
    assert "the same command continues" in done.stderr
    assert not (tmp_path / "work" / "out.jsonl").exists()
    assert start(command).wait() == 0
    assert len((tmp_path / "work" / "out.jsonl").read_text().splitlines()) == MANY
