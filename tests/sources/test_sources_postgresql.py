"""What only a real server shows: cursors, restarts, types, and that a password is never shown."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from database_notes import CANARIES, NOTES, POLICY, fill, rows_of
from postgres_server import PASSWORD, postgres, programs

from plainsight.document import Document
from plainsight.errors import FormatError
from plainsight.formats.base import write_all
from plainsight.sources.places import place
from plainsight.sources.sql import Sql

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(programs() is None, reason="needs PostgreSQL"),
]
sa = pytest.importorskip("sqlalchemy")
pytest.importorskip("psycopg")

MANY = 3600


@pytest.fixture(scope="module")
def server():
    with postgres() as started:
        fill(started.url)
        rows = (
            {**NOTES[number % 9], "note_id": number, "person_id": number // 3 if number % 50 else None}
            for number in range(MANY)
        )
        fill(started.url, "many", rows)
        yield started


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.toml").write_text(POLICY)
    (tmp_path / "key").write_text("11" * 32)
    (tmp_path / "key").chmod(0o600)
    return tmp_path


def start(server, table, output, *words):
    """Start the command as a user does."""
    given = [f"{server.url}#{table}", "-o", f"{server.url}#{output}", *words]
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "plainsight",
            "deidentify",
            *given,
            "--policy",
            "rules.toml",
            "--key-file",
            "key",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def deidentify(server, table, output, *words):
    process = start(server, table, output, *words)
    said = process.communicate()[0].decode()
    assert PASSWORD not in said
    return process.returncode, said


def wait_for(condition, process):
    until = time.monotonic() + 120
    while not condition():
        assert process.poll() is None, process.communicate()[0].decode()
        assert time.monotonic() < until
        time.sleep(0.01)


def parts(folder):
    return list(folder.glob("*.ledger/*.part"))


def tables(server):
    engine = sa.create_engine(server.url)
    found = sa.inspect(engine).get_table_names()
    engine.dispose()
    return found


def texts(server, table):
    return {row["note_id"]: (row["person_id"], row["note_text"]) for row in rows_of(server.url, table)}


def test_a_table_goes_through_and_nothing_shows_the_password(server, folder):
    code, said = deidentify(server, "notes", "public.clean")
    assert code == 0, said
    rows = rows_of(server.url, "clean")
    assert len(rows) == 9
    for canary in CANARIES:
        assert canary not in str(rows)
    for file in folder.rglob("*"):
        if file.is_file():
            assert PASSWORD.encode() not in file.read_bytes()
            assert b"hunter2" not in file.read_bytes()
    manifest = json.loads((folder / "postgres.public.clean.manifest.json").read_text())
    assert f"postgresql+psycopg://tester@127.0.0.1:{server.port}/postgres#notes" in manifest["command"]


def test_a_wrong_password_is_said_without_it(server, folder):
    wrong = place(server.url.replace("hunter2", "wr0ng") + "#notes")
    with pytest.raises(Exception, match="password authentication failed") as raised:
        Sql().read(wrong)
    assert "wr0ng" not in f"{raised.value!r}"


def test_types_come_back(server):
    write_all(Sql(), Sql().read(place(f"{server.url}#notes")), place(f"{server.url}#copy"))
    copy = sorted(rows_of(server.url, "copy"), key=lambda row: row["note_id"])
    assert copy == NOTES


def test_characters_that_the_server_cannot_hold_are_refused_by_the_note(server):
    with Sql().open(place(f"{server.url}#odd")) as sink:
        sink.write(Document("1", "Fine \N{GRINNING FACE}."))
        for text, reason in (("a\0b", "NUL"), ("a\ud800b", "lone surrogate")):
            with pytest.raises(FormatError, match=reason):
                sink.write(Document("2", text))
        sink.write(Document("3", "Fine, too."))
    assert [row["note_id"] for row in rows_of(server.url, "odd")] == ["1", "3"]


def test_a_killed_run_continues_and_nothing_is_left_of_it(server, folder):
    code, said = deidentify(server, "many", "undisturbed")
    assert code == 0, said
    process = start(server, "many", "killed")
    wait_for(lambda: len(parts(folder)) >= 2, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert "killed" not in tables(server)
    code, said = deidentify(server, "many", "killed")
    assert code == 0, said
    assert "notes are done, continuing" in said
    assert texts(server, "killed") == texts(server, "undisturbed")
    assert not [name for name in tables(server) if "unfinished" in name]


def test_a_restart_of_the_server_in_the_middle_costs_no_note(server, folder):
    if "undisturbed" not in tables(server):
        assert deidentify(server, "many", "undisturbed")[0] == 0
    process = start(server, "many", "restarted")
    for number in (1, 2):
        wait_for(lambda number=number: len(parts(folder)) >= number, process)
        server.control("restart", "-m", "immediate")
    said = process.communicate()[0].decode()
    assert process.returncode == 0, said
    assert PASSWORD not in said
    assert len(texts(server, "restarted")) == MANY
    assert texts(server, "restarted") == texts(server, "undisturbed")


def test_a_server_that_stays_away_ends_the_run_which_continues_later(server, folder, monkeypatch):
    if "undisturbed" not in tables(server):
        assert deidentify(server, "many", "undisturbed")[0] == 0
    monkeypatch.setenv("PLAINSIGHT_DATABASE_PATIENCE", "2")
    process = start(server, "many", "later")
    wait_for(lambda: len(parts(folder)) >= 1, process)
    server.control("stop", "-m", "immediate")
    try:
        said = process.communicate()[0].decode()
    finally:
        server.control("start")
    assert process.returncode == 3, said
    assert "the same command continues" in said
    assert PASSWORD not in said
    code, said = deidentify(server, "many", "later")
    assert code == 0, said
    assert texts(server, "later") == texts(server, "undisturbed")


MEASURE = """
import resource, sys
from plainsight.sources.places import place
from plainsight.sources.sql import Sql
count = sum(1 for _ in Sql().read(place(sys.argv[1])))
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_table(server):
    def peak(table):
        command = [sys.executable, "-c", MEASURE, f"{server.url}#{table}"]
        count, size = subprocess.run(command, check=True, capture_output=True).stdout.split()
        return int(count), int(size) / 1024

    for name, number in (("small", 2_000), ("large", 30_000)):
        rows = ({**NOTES[0], "note_id": key, "note_text": "word " * 600} for key in range(number))
        fill(server.url, name, rows)
    few, many = peak("small"), peak("large")
    assert (few[0], many[0]) == (2_000, 30_000)
    assert many[1] - few[1] < 15  # MB, for 84 MB more of text
