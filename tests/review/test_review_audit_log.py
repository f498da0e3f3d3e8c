"""The audit log: whoever changes, removes or puts in an entry is found."""

import pytest
import sqlalchemy as sa

from plainsight.errors import DataError, PlainsightError
from plainsight.review import store


@pytest.fixture
def log(project):
    project.edit(1, "ann", [{"do": "reject", "span": 0}], 0)
    project.finish(1, "ann")
    return project.audit_log


def tampered(project, statement):
    """Change the table as somebody with the file would, without the triggers."""
    with project.store.write() as connection:
        for name in ("audit_log_no_update", "audit_log_no_delete"):
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name}")
        connection.exec_driver_sql(statement)


def test_it_says_who_did_what_to_which_note(log):
    said = [(entry.user, entry.action, entry.note) for entry in log.entries()][-2:]
    assert said == [("ann", "edit reject, 1 notes", 1), ("ann", "finish", 1)]
    assert log.check() == len(list(log.entries()))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_log SET user = 'ben' WHERE seq = 4", "UPDATE audit_log SET at = at + 1 WHERE seq = 2",
        "UPDATE audit_log SET note = 2 WHERE seq = 4", "DELETE FROM audit_log WHERE seq = 3",
        "DELETE FROM audit_log WHERE seq = 1", "DELETE FROM audit_log WHERE seq = 5", "DELETE FROM audit_log",
        "INSERT INTO audit_log SELECT 6, at, user, action, note, label, digest, digest FROM audit_log "
        "WHERE seq = 5",
        "UPDATE audit_log SET seq = seq + 10 WHERE seq >= 4",
        "UPDATE about SET value = '3' || substr(value, 2) WHERE name = 'audit log'",
        "DELETE FROM about WHERE name = 'audit log'",
    ],
)  # fmt: skip
def test_whoever_changes_it_is_found(project, log, statement):
    assert log.check() == 5
    tampered(project, statement)
    with pytest.raises(DataError, match="audit log"):
        log.check()


@pytest.mark.parametrize("change", [store.audit_log.delete(), store.audit_log.update().values(user="x")])
def test_the_database_itself_refuses_changes(project, log, change):
    with pytest.raises(PlainsightError), project.store.write() as connection:
        connection.execute(change)
    with project.store.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(store.audit_log)).scalar_one() == 5
    assert log.check() == 5
