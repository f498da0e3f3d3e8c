"""`plainsight project` and `plainsight review`: what a terminal is enough for."""

import json

import pytest
from typer.testing import CliRunner

from plainsight.cli import app
from plainsight.errors import DataError, UsageError
from plainsight.review.project import Project

PASSWORD = "a long enough password"
HERE = ["--note-seconds", "0", "--note-memory", "0"]  # no worker processes


@pytest.fixture
def run(tmp_path, policy, monkeypatch):
    """Return a function that runs a command in a folder with notes and a policy."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PLAINSIGHT_KEY", raising=False)
    lines = [{"id": f"n{n}", "text": f"😀 Ann Lee came on {n}/4/2019", "patient_id": "p"} for n in (1, 2, 3)]
    (tmp_path / "notes.jsonl").write_text("\n".join(map(json.dumps, lines)))

    def command(*words, **options):
        return CliRunner().invoke(app, ["project", *map(str, words)], **options)

    return command


def test_a_project_without_a_browser(run, tmp_path, policy):
    assert run("new", "ward", "--policy", policy, "--readers", 2, "--audit", 1).exit_code == 0
    result = run("import", "ward", "notes.jsonl", *HERE)
    assert (result.exit_code, "3 notes imported" in result.output) == (0, True)
    assert "3 were there" in run("import", "ward", "notes.jsonl", *HERE).output
    for name in ("ann", "ben"):
        assert run("users", "add", "ward", name, input=PASSWORD + "\n").exit_code == 0
    assert run("users", "change", "ward", "ben", "--role", "adjudicator").exit_code == 0
    listed = run("users", "list", "ward").output
    assert "adjudicator" in listed
    assert "no note was read by two people" in run("agreement", "ward").output
    with Project.open("ward") as project:
        assert project.users.check("ann", PASSWORD).role == "reviewer"
        assert len(list(project.audit_notes())) == 1
        for reader in ("ann", "ben"):
            project.edit(1, reader, [{"do": "add", "start": 2, "end": 9, "label": "PATIENT"}], 0)
            project.finish(1, reader)
    assert "ann" in run("agreement", "ward").output
    assert run("export", "ward", "-o", "read.jsonl").exit_code == 0
    [note] = map(json.loads, (tmp_path / "read.jsonl").read_text().splitlines())
    assert [(s["start"], s["end"], s["label"]) for s in note["spans"]] == [
        (2, 9, "PATIENT"),
        (18, 26, "DATE"),
    ]
    assert isinstance(run("export", "ward", "-o", "read.jsonl").exception, UsageError)  # it exists
    assert "none changed or missing" in run("log", "check", "ward").output
    assert "import 3 notes" in run("log", "show", "ward").output


def test_a_changed_log_is_said(run, policy):
    run("new", "ward", "--policy", policy)
    with Project.open("ward") as project, project.store.write() as connection:
        connection.exec_driver_sql("DROP TRIGGER audit_log_no_update")
        connection.exec_driver_sql("UPDATE audit_log SET user = 'nobody' WHERE seq = 1")
    assert isinstance(run("log", "check", "ward").exception, DataError)


@pytest.mark.parametrize("audit", ["many", "-1", "101%", "1.5"])
def test_a_sample_that_is_none_is_refused(run, policy, audit):
    assert isinstance(run("new", "ward", "--policy", policy, "--audit", audit).exception, UsageError)


def test_the_app_is_not_opened_to_others_in_the_clear_or_without_a_project(run):
    def review(*words):
        return CliRunner().invoke(app, ["review", *words]).exception

    open_ = review("ward", "--host", "0.0.0.0", "--port", "0")
    assert "in the clear" in str(open_)
    assert "no project at ward" in str(review("ward", "--port", "0"))
