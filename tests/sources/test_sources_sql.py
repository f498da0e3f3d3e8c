import json
import sqlite3
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from database_notes import CANARIES, NOTES, POLICY, fill, rows_of
from typer.testing import CliRunner

from plainsight.cli import app
from plainsight.document import Document, SetAside
from plainsight.errors import FormatError, PlainsightError, UsageError
from plainsight.formats.base import write_all
from plainsight.formats.jsonl import JsonLines
from plainsight.sources.places import place
from plainsight.sources.sql import Sql

pytest.importorskip("sqlalchemy")


@pytest.fixture(params=["sqlite", "duckdb"])
def kind(request):
    if request.param == "duckdb":
        pytest.importorskip("duckdb_engine")
    return request.param


@pytest.fixture
def hospital(tmp_path, kind):
    url = f"{kind}:///{tmp_path}/hospital.{kind}"
    fill(url)
    return url


@pytest.fixture
def small(tmp_path):
    """A hospital in SQLite, for what does not depend on the kind of database."""
    fill(f"sqlite:///{tmp_path}/hospital.sqlite")
    return f"sqlite:///{tmp_path}/hospital.sqlite"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.toml").write_text(POLICY)
    (tmp_path / "key").write_text("11" * 32)
    (tmp_path / "key").chmod(0o600)
    return tmp_path


def run(*words):
    return CliRunner().invoke(app, [*words, "--policy", "rules.toml", "--key-file", "key"])


def deidentify(*words):
    return run("deidentify", *words)


# --- reading ----------------------------------------------------------------------------------------------


def test_rows_come_by_patient_and_id_and_those_without_patient_last(hospital):
    notes = list(Sql().read(place(f"{hospital}#notes")))
    assert [(note.patient_id, note.id) for note in notes] == [
        ("1", "0"), ("1", "3"), ("1", "6"), ("2", "1"), ("2", "4"), ("3", "2"), ("3", "5"), ("3", "8"),
        (None, "7"),
    ]  # fmt: skip
    assert notes[0].text == NOTES[0]["note_text"]
    assert notes[0].meta["ward"] == "Ward 0"


def test_the_only_table_needs_no_name_and_several_are_listed(hospital):
    assert len(list(Sql().read(place(hospital)))) == 9
    fill(hospital, "further")
    with pytest.raises(UsageError, match="name a table after a #; there are 2: further, notes"):
        Sql().read(place(hospital))


def test_a_query_is_read_like_a_table(hospital):
    query = "SELECT note_id id, note_text text, 'a:b' AS \"x:y\" FROM notes WHERE note_text LIKE '%:11%';"
    [note] = Sql(query=query).read(place(hospital))
    assert (note.id, note.meta["x:y"]) == ("1", "a:b")


def test_a_reader_cannot_write(hospital):
    with pytest.raises((UsageError, FormatError)):
        list(Sql(query="DELETE FROM notes RETURNING note_id, note_text").read(place(hospital)))
    assert len(rows_of(hospital)) == 9


@pytest.mark.parametrize(
    ("options", "table", "message"),
    [
        ({}, "nosuch", "nosuch"),
        ({"text": "nosuch"}, "notes", "no column 'nosuch'"),
        ({"query": "SELECT note_text FROM notes"}, "notes", "hold the id: name it with --id-column"),
        ({"query": "SELECT 1 WRONG WRONG"}, "notes", "(?i)syntax error"),
    ],
)
def test_what_cannot_be_read_is_refused_at_once(hospital, options, table, message):
    with pytest.raises((UsageError, FormatError), match=message):
        Sql(**options).read(place(f"{hospital}#{table}"))


def test_a_missing_file_is_not_created(tmp_path, kind):
    path = place(f"{kind}:///{tmp_path}/nosuch.db#notes")
    with pytest.raises(UsageError, match="no such file"):
        Sql().read(path)
    assert not list(tmp_path.iterdir())


def test_rows_that_are_no_notes_are_set_aside(tmp_path):
    with sqlite3.connect(tmp_path / "x.db") as connection:
        connection.execute("CREATE TABLE notes (id, text)")
        connection.executemany(
            "INSERT INTO notes VALUES (?, ?)", [(1, "Fine."), (2, None), (3, b"\x00bytes"), (None, "No id.")]
        )
    items = list(Sql().read(tmp_path / "x.db"))
    reasons = sorted(item.reason for item in items if isinstance(item, SetAside))
    assert reasons == ["no id", "the text is not text", "the text is null"]
    assert [item.id for item in items if isinstance(item, Document)] == ["1"]


def test_reading_goes_on_behind_the_last_row_when_the_connection_is_lost(tmp_path, monkeypatch):
    from sqlalchemy.exc import OperationalError

    from plainsight.sources import sql

    with sqlite3.connect(tmp_path / "x.db") as connection:
        connection.execute("CREATE TABLE notes (id, patient_id, text)")
        rows = [(number // 2, "p" if number < 10 else None, f"Note {number}.") for number in range(20)]
        connection.executemany("INSERT INTO notes VALUES (?, ?, ?)", rows)
    whole = [(note.id, note.text) for note in Sql().read(tmp_path / "x.db")]
    ask = sql._Rows._rows
    asked = []

    def lose(self, keys, last, condition):
        asked.append(last)
        for number, row in enumerate(ask(self, keys, last, condition)):
            if number == 3 and len(asked) % 2:
                raise OperationalError("SELECT", {}, Exception("gone"), connection_invalidated=True)
            yield row

    monkeypatch.setattr(sql._Rows, "_rows", lose)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    assert [(note.id, note.text) for note in Sql().read(tmp_path / "x.db")] == whole
    assert len(asked) > 3
    assert len(whole) == 20


# --- writing ----------------------------------------------------------------------------------------------


def test_a_table_appears_whole_or_not_at_all(tmp_path, hospital):
    def breaking():
        yield Document("1", "One.")
        raise RuntimeError

    path = place(f"{hospital}#clean")
    with pytest.raises(RuntimeError):
        write_all(Sql(), breaking(), path)
    with pytest.raises(UsageError, match="clean"):
        Sql().read(path)
    fresh = place(f"sqlite:///{tmp_path}/fresh.db#notes")
    with pytest.raises(RuntimeError):
        write_all(Sql(), breaking(), fresh)
    assert not (tmp_path / "fresh.db").exists()
    write_all(Sql(), [Document("1", "One.")], fresh)
    assert (tmp_path / "fresh.db").stat().st_mode & 0o077 == 0


def test_types_of_columns_are_kept(tmp_path, hospital, kind):
    notes = [replace(note, meta=dict(note.meta)) for note in Sql().read(place(f"{hospital}#notes"))]
    write_all(Sql(), notes, place(f"{kind}:///{tmp_path}/copy.db#copy"))
    copy = sorted(rows_of(f"{kind}:///{tmp_path}/copy.db", "copy"), key=lambda row: row["note_id"])
    assert [row["note_id"] for row in copy] == list(range(9))
    assert copy[7]["person_id"] is None
    assert copy[2]["seen"] in (date(2019, 3, 3), "2019-03-03")  # SQLite has no dates


def test_rows_that_were_there_are_replaced(hospital):
    write_all(Sql(), Sql().read(place(f"{hospital}#notes")), place(f"{hospital}#copy"))
    write_all(Sql(), [next(iter(Sql().read(place(f"{hospital}#notes"))))], place(f"{hospital}#copy"))
    assert [row["note_id"] for row in rows_of(hospital, "copy")] == [0]


def test_a_table_without_a_needed_column_is_refused(tmp_path):
    with sqlite3.connect(tmp_path / "x.db") as connection:
        connection.execute("CREATE TABLE notes (note_id, text)")
    with pytest.raises(UsageError, match="table notes has no column 'patient_id'"):
        write_all(Sql(), [Document("1", "One.")], place(f"sqlite:///{tmp_path}/x.db#notes"))


def test_a_batch_that_got_through_is_not_written_twice(tmp_path, monkeypatch):
    from sqlalchemy.exc import OperationalError

    from plainsight.sources.sql_sink import Table

    insert = Table._insert
    failures = [2]

    def fail_after(self):
        insert(self)
        if failures[0]:
            failures[0] -= 1
            raise OperationalError("INSERT", {}, Exception("gone"), connection_invalidated=True)

    monkeypatch.setattr(Table, "_insert", fail_after)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    notes = [Document(str(number), f"Note {number}.") for number in range(5)]
    write_all(Sql(), notes, place(f"sqlite:///{tmp_path}/x.db#notes"))
    assert not failures[0]
    assert sorted(row["note_id"] for row in rows_of(f"sqlite:///{tmp_path}/x.db")) == list("01234")


def test_errors_hold_no_values(tmp_path, monkeypatch):
    from plainsight.sources.sql_sink import Table

    monkeypatch.setattr(Table, "drop", lambda self, connection: None)
    with sqlite3.connect(tmp_path / "x.db") as connection:
        connection.execute("CREATE TABLE notes (note_id, patient_id, note_type, note_date, text, meta)")
        connection.execute("CREATE TRIGGER t BEFORE INSERT ON notes BEGIN SELECT RAISE(ABORT, 'no'); END")
    with pytest.raises(PlainsightError) as raised:
        write_all(Sql(), [Document("1", "Quillfeather Obadiah")], place(f"sqlite:///{tmp_path}/x.db#notes"))
    assert "Quillfeather" not in f"{raised.value} {raised.value.__cause__}"
    assert raised.value.__suppress_context__


# --- the command ------------------------------------------------------------------------------------------


def test_no_original_reaches_the_output(folder, hospital, kind):
    result = deidentify(f"{hospital}#notes", "-o", f"{kind}:///clean.db#notes")
    assert result.exit_code == 0, result.output
    rows = rows_of(f"{kind}:///{folder}/clean.db")
    assert len(rows) == 9
    assert rows[0].keys() == {"note_id", "person_id", "note_text"}
    for canary in CANARIES:
        assert canary not in str(rows)
        assert canary.encode() not in (folder / "clean.db").read_bytes()
    manifest = json.loads((folder / "clean.db.notes.manifest.json").read_text())
    assert manifest["notes"] == 9


def test_rows_are_those_of_a_file_with_the_same_notes(folder, small):
    write_all(JsonLines(), Sql().read(place(f"{small}#notes")), folder / "notes.jsonl")
    assert deidentify("notes.jsonl", "-o", "clean.jsonl").exit_code == 0
    assert deidentify(f"{small}#notes", "-o", "sqlite:///clean.db#notes").exit_code == 0
    rows = {str(row["note_id"]): row["note_text"] for row in rows_of(f"sqlite:///{folder}/clean.db")}
    assert rows == {note.id: note.text for note in JsonLines().read(folder / "clean.jsonl")}


def test_an_existing_table_needs_force_and_keyed_ids_are_text(folder, small):
    words = (f"{small}#notes", "-o", "sqlite:///clean.db#notes")
    assert deidentify(*words).exit_code == 0
    result = deidentify(*words)
    assert isinstance(result.exception, UsageError)
    assert "exists; --force overwrites it" in str(result.exception)
    assert deidentify(*words[:2], "sqlite:///clean.db#coded", "--ids", "keyed").exit_code == 0
    assert all(row["note_id"].startswith("note-") for row in rows_of(f"sqlite:///{folder}/clean.db", "coded"))
    assert deidentify(*words, "--force").exit_code == 0
    assert len(rows_of(f"sqlite:///{folder}/clean.db")) == 9


def test_rows_of_a_table_that_nobody_named_are_not_overwritten(folder, small):
    fill(f"sqlite:///{folder}/other.db")
    result = deidentify(f"{small}#notes", "-o", "sqlite:///other.db", "--force")
    assert "the table notes has rows: name a table after a #" in str(result.exception)
    assert rows_of(f"sqlite:///{folder}/other.db")[0]["doctor"] == "Dr. Ngozi Quillfeather"


def test_reading_and_writing_one_file_is_refused(folder, small):
    result = deidentify(f"{small}#notes", "-o", f"{small}#clean")
    assert "its file is read, so it cannot be written" in str(result.exception)


def test_detect_and_convert_take_databases_too(folder, small):
    result = CliRunner().invoke(
        app, ["detect", f"{small}#notes", "-o", "found.jsonl", "--policy", "rules.toml"]
    )
    assert result.exit_code == 0, result.output
    assert all(note.spans for note in JsonLines().read(Path("found.jsonl")))
    result = CliRunner().invoke(
        app, ["convert", "found.jsonl", "sqlite:///gold.db#gold", "--allow-loss", "all"]
    )
    assert result.exit_code == 0, result.output
    [first, *_] = Sql().read(place("sqlite:///gold.db#gold"))
    assert first.spans


def test_neither_password_nor_query_is_in_manifest_or_errors(folder, monkeypatch, small):
    query = "SELECT note_id, note_text FROM notes WHERE doctor LIKE '%Quillfeather'"
    words = [
        "deidentify",
        small,
        "--query",
        query,
        "-o",
        "sqlite:///clean.db#t",
        "--policy",
        "rules.toml",
    ]
    monkeypatch.setattr("sys.argv", ["plainsight", *words, "--x=postgresql://a:hunter2@db/x"])
    result = CliRunner().invoke(app, [*words, "--key-file", "key"])
    assert result.exit_code == 0, result.output
    written = (folder / "clean.db.t.manifest.json").read_text()
    assert "hunter2" not in written
    assert "Quillfeather" not in written
    result = deidentify("postgresql://a:hunter2@127.0.0.1:1/x#notes", "-o", "out.jsonl")
    assert isinstance(result.exception, UsageError)
    assert "hunter2" not in f"{result.exception} {result.output}"
    assert "cannot be opened" in str(result.exception)


# --- columns beside the text ------------------------------------------------------------------------------


def test_columns_become_what_the_field_policy_says(folder, small):
    (folder / "fields.toml").write_text(
        '[sql.columns]\ndoctor = "DOCTOR"\nseen = "DATE"\nward = "keep"\nperson_id = "KEY"\n'
    )
    words = (f"{small}#notes", "--fields", "fields.toml")
    result = deidentify(*words, "-o", "sqlite:///clean.db#notes")
    assert result.exit_code == 0, result.output
    rows = {row["note_id"]: row for row in rows_of(f"sqlite:///{folder}/clean.db")}
    for old in NOTES:
        new = rows[old["note_id"]]
        assert new["ward"] == old["ward"]
        assert new["doctor"] not in (None, old["doctor"])
        month, day, year = map(int, new["note_text"][:10].split("/"))
        assert new["seen"] == date(year, month, day).isoformat()
        assert (new["person_id"] is None) == (old["person_id"] is None)
        assert new["person_id"] is None or new["person_id"] > 1000
    for canary in CANARIES:
        assert canary not in str(rows)
    assert deidentify(*words, "-o", "clean.csv").exit_code == 0
    assert (folder / "clean.csv").read_text().startswith("note_id,person_id,ward,seen,doctor,note_text\n")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ('[sql.columns]\nnosuch = "keep"', "no column 'nosuch'"),
        ('[sql.columns]\nward = "text"', "only the column of the note"),
        ('[sql.columns]\nward = "DOCTER"', "did you mean 'DOCTOR'"),
        ('[sql]\nunknown = "refuse"', "refuses the column 'ward'"),
        ('[sql.columns]\nward = "refuse"', "refuses the column 'ward'"),
    ],
)
def test_wrong_field_policies_are_refused(folder, small, fields, message):
    (folder / "fields.toml").write_text(fields)
    with pytest.raises(UsageError, match=message):
        Sql(fields="fields.toml").read(place(f"{small}#notes"))
