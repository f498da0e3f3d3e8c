"""deidentify --update into a table: the second night replaces and adds rows, and leaves the others alone."""

import json

import pytest
from database_notes import CANARIES, NOTES, POLICY, fill, rows_of
from postgres_server import postgres, programs

from plainsight.cli import notes as cli_notes

sa = pytest.importorskip("sqlalchemy")


def change(url, statement):
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text(statement))
    engine.dispose()


class Hospital:
    """A database with notes, and nights over them into a table of another one, or of the same."""

    def __init__(self, plainsight, folder, source, target):
        (folder / "rules.toml").write_text(POLICY)
        (folder / "key").write_text("11" * 32)
        (folder / "key").chmod(0o600)
        self.plainsight, self.folder = plainsight, folder
        self.source, self.target = source, target
        fill(self.source)

    def run(self, *options, code=0, source=None, out="clean"):
        given = ["deidentify", f"{self.source}#notes", "-o", f"{self.target}#{out}", *options]
        result = self.plainsight(*given, "-p", self.folder / "rules.toml", "--key-file", self.folder / "key")
        assert result.code == code, result.err
        return result

    def rows(self, table="clean"):
        return {row["note_id"]: row for row in rows_of(self.target, table)}

    def counts(self):
        [manifest] = self.folder.glob("*.clean.manifest.json")
        return json.loads(manifest.read_text())["update"]

    def tables(self):
        engine = sa.create_engine(self.target)
        names = sa.inspect(engine).get_table_names()
        engine.dispose()
        return names


SERVERS = [pytest.param(name, marks=pytest.mark.server) for name in ("duckdb", "postgresql")]


@pytest.fixture(scope="module")
def server():
    if programs() is None:
        pytest.skip("needs PostgreSQL")
    with postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", *SERVERS])
def hospital(request, plainsight, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if request.param == "postgresql":
        url = request.getfixturevalue("server").url
        yield Hospital(plainsight, tmp_path, url, url)
        change(url, "DROP TABLE IF EXISTS notes, clean, whole")
        return
    pytest.importorskip("duckdb_engine")
    yield Hospital(
        plainsight, tmp_path, *(f"{request.param}:///{tmp_path}/{name}.db" for name in ("source", "target"))
    )


def test_a_second_night_changes_adds_and_keeps_rows(hospital):
    hospital.run("--update")
    first = hospital.rows()
    assert hospital.run("--update").code == 0
    assert hospital.rows() == first
    change(hospital.source, "UPDATE notes SET note_text = 'Seen 3/9/2019.' WHERE note_id = 2")
    change(hospital.source, "DELETE FROM notes WHERE note_id = 5")
    change(
        hospital.source,
        "INSERT INTO notes SELECT 70, person_id, ward, seen, doctor, note_text FROM notes WHERE note_id = 3",
    )
    result = hospital.run("--update")
    assert "1 new, 1 changed, 7 notes as before, 1 no longer in the input" in result.err
    expected = {"night": 3, "new": 1, "changed": 1, "unchanged": 7, "no_longer_in_the_input": 1}
    assert hospital.counts() == expected
    after = hospital.rows()
    assert after.keys() == {*first, 70}
    assert {name for name in first if after[name] != first[name]} == {2}
    assert after[2]["note_text"].startswith("Seen ")

    hospital.run("--force", out="whole")  # in one go, without the note that is no longer there
    whole = hospital.rows("whole")
    assert whole == {name: row for name, row in after.items() if name != 5}
    everything = str([*after.values()])
    assert not any(canary in everything for canary in CANARIES)
    assert {"clean", "whole"} <= {*hospital.tables()} <= {"clean", "whole", "notes"}


@pytest.mark.parametrize("night", [1, 2])
def test_a_night_that_is_killed_behind_its_last_row_is_done_again(hospital, monkeypatch, night):
    if night == 2:
        hospital.run("--update")
        change(hospital.source, "UPDATE notes SET note_text = 'Seen 3/9/2019.' WHERE note_id < 3")

    def killed(*_, **__):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(cli_notes, "write_manifest", killed)
        hospital.run("--update", code=3)
    hospital.run("--update")
    rows = rows_of(hospital.target, "clean")
    assert sorted(row["note_id"] for row in rows) == [note["note_id"] for note in NOTES]
    assert hospital.counts()["night"] == night
    hospital.run("--force", out="whole")
    assert hospital.rows() == hospital.rows("whole")


def test_a_table_that_others_made_is_not_updated(hospital):
    fill(hospital.target, "clean")
    before = hospital.rows()
    assert "was not made with --update" in hospital.run("--update", code=2).err
    assert hospital.rows() == before


def test_an_update_needs_the_name_of_a_table(hospital):
    given = ["deidentify", f"{hospital.source}#notes", "-o", hospital.target, "--update"]
    key = ["--key-file", hospital.folder / "key"]
    result = hospital.plainsight(*given, "-p", hospital.folder / "rules.toml", *key)
    assert result.code == 2
    assert "needs the name of the table" in result.err
