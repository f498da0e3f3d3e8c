"""Whoever can write to the database but has no key cannot change what a release counts on."""

import pytest
from sqlalchemy import text

from plainsight.document import Document
from plainsight.errors import DataError
from plainsight.review import store
from plainsight.review.edits import Add
from plainsight.review.project import Project
from plainsight.review.rereading import begin, read_again

NOTES = [Document(str(number), f"Seen by Dr. Okafor, visit {number}.", patient_id="p") for number in range(6)]


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "ward", policy="fast", audit=2) as made:
        made.import_notes(NOTES)
        for note in (1, 2, 3):
            reading = made.edit(note, "ann", [Add(0, 4, "PATIENT")], made.reading(note, "ann").revision)
            made.finish(note, "ann", revision=reading.revision)
        made.adjudicate(1, "eve", ())
        made.seals.check()
        yield made


def tamper(project, *statements):
    with project.store.write() as connection:
        for statement in statements:
            connection.execute(text(statement))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE notes SET state = 'done', finished = 1 WHERE id = 5",
        "UPDATE notes SET is_audit = 0",
        "UPDATE notes SET is_audit = 1 - is_audit",
        "UPDATE notes SET patient = NULL WHERE id = 4",
        "UPDATE notes SET seal = NULL WHERE id = 4",
        "UPDATE notes SET confidence = 0.5 WHERE id = 4",
        "INSERT INTO readings SELECT 5, 'ben', 1, 'done', 0, 1.0, NULL, 1.0, NULL, seal FROM readings "
        "LIMIT 1",
        "UPDATE readings SET state = 'done', done_at = 1 WHERE note = 2 AND seconds = 0 AND state = 'done'",
        "UPDATE readings SET reader = 'ben' WHERE note = 2",
        "UPDATE readings SET sealed = NULL WHERE note = 2",
        "DELETE FROM readings WHERE note = 2",
        "DELETE FROM finals",
        "UPDATE found SET sealed = (SELECT sealed FROM found WHERE note = 4) WHERE note = 5",
        "DELETE FROM found WHERE note = 6",
        "UPDATE finals SET \"by\" = 'ann'",
        "UPDATE users SET role = 'admin', password_hash = 'x'",
        "INSERT INTO users SELECT 99, 'mallory', role, password_hash, 0, seal FROM users",
        "UPDATE about SET value = 'ab' WHERE name = 'sum of seals'",
        "DELETE FROM about WHERE name = 'sum of seals'",
    ],
)
def test_a_changed_row_is_found(project, statement):
    tamper(project, "PRAGMA foreign_keys=OFF", statement)
    with pytest.raises(DataError, match=r"changed from outside|sum of seals"):
        project.seals.check()


def test_an_older_row_in_the_place_of_its_own_is_found(project):
    tamper(project, "CREATE TABLE old AS SELECT * FROM readings WHERE note = 2")
    tamper(project, "CREATE TABLE old_notes AS SELECT * FROM notes WHERE id = 2")
    reading = project.finish(2, "ann", done=False)
    project.edit(2, "ann", [Add(8, 11, "DOCTOR")], reading.revision)
    project.seals.check()
    tamper(
        project,
        "DELETE FROM readings WHERE note = 2",
        "INSERT INTO readings SELECT * FROM old",
        "UPDATE notes SET (state, finished, seal) = (SELECT state, finished, seal FROM old_notes) "
        "WHERE id = 2",
    )
    assert project.final_spans(2) is not None  # each row by itself is right
    with pytest.raises(DataError, match="older ones"):
        project.seals.check()


def test_what_was_found_before_notes_were_read_again_cannot_come_back(project):
    tamper(project, "CREATE TABLE old AS SELECT * FROM found WHERE note = 5")
    begin(project)
    list(read_again(project, limits=None))
    project.seals.check()
    tamper(project, "DELETE FROM found WHERE note = 5", "INSERT INTO found SELECT * FROM old")
    with pytest.raises(DataError, match="older ones"):
        project.seals.check()


def test_a_changed_row_is_not_read_or_sealed_again(project):
    tamper(
        project,
        "UPDATE readings SET state = 'open' WHERE note = 2",
        "UPDATE notes SET words = 9 WHERE id = 3",
    )
    for use in (
        lambda: project.reading(2, "ann"),
        lambda: project.finish(2, "ann"),
        lambda: project.final_document(3),
        lambda: project.finish(3, "ann", done=False),
        lambda: list(project.notes()),
    ):
        with pytest.raises(DataError, match="changed from outside"):
            use()


def test_an_import_that_goes_on_keeps_the_seals(project):
    project.import_notes([Document("another", "Seen by Dr. Okafor."), *NOTES])
    project.users.add("ben", "reviewer", by="ann")
    project.seals.check()


def test_a_project_of_an_earlier_version_says_what_to_do(tmp_path, project):
    with project.store.write() as connection:
        connection.execute(store.about.update().where(store.about.c.name == "format").values(value="1"))
    with pytest.raises(DataError, match="make it anew"):
        Project.open(tmp_path / "ward")
