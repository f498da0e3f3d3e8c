"""A real server that is killed, and a real PostgreSQL."""

import re
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import pytest
from postgres_server import postgres, programs

from plainsight.document import Document
from plainsight.errors import PlainsightError
from plainsight.review.dashboard import dashboard
from plainsight.review.leak_search import search_project
from plainsight.review.project import Project
from plainsight.review.readings import StaleError
from plainsight.review.release import missing, release, releases
from plainsight.review.signing import new_signing_key

pytestmark = pytest.mark.server
KEY = b"a secret of at least thirty-two bytes"
PASSWORD = "a long enough password"
ADD_ANN = {"do": "add", "start": 2, "end": 9, "label": "PATIENT"}


def started(folder, tmp_path):
    """Start the command as a person does; return the process and a client that is logged in."""
    (tmp_path / "key").write_bytes(KEY)
    options = ["--no-browser", "--port", "0", "--key-file", tmp_path / "key"]
    command = [sys.executable, "-m", "plainsight", "review", folder, *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    link = re.search(r"http://\S+", process.stdout.readline())[0]
    client = httpx.Client(base_url=link.partition("/start")[0], follow_redirects=True, timeout=60)
    assert client.get(link).status_code == 200
    client.headers["X-CSRF-Token"] = client.get("/api/me").json()["csrf"]
    return process, client


def test_a_server_that_is_killed_loses_nothing_that_it_answered(project, tmp_path):
    project.close()
    folder = project.folder.path
    process, client = started(folder, tmp_path)
    try:
        answered = []

        def work():
            revision = 0
            while True:
                edits = [ADD_ANN] if revision % 2 == 0 else [{"do": "remove", "span": 2}]
                try:
                    answer = client.post("/api/notes/1/edits", json={"revision": revision, "edits": edits})
                except httpx.TransportError:
                    return
                assert answer.status_code == 200
                revision = answer.json()["revision"]
                answered.append((revision, answer.json()["spans"]))
                if revision == 7:
                    killing.set()

        killing = threading.Event()
        writer = threading.Thread(target=work)
        writer.start()
        assert killing.wait(60)
        process.send_signal(signal.SIGKILL)
        process.wait()
        writer.join()
        csrf, cookies = client.headers["X-CSRF-Token"], client.cookies
        process.stdout.close()
        process, client = started(folder, tmp_path)
        client.cookies = cookies  # who was logged in still is
        client.headers["X-CSRF-Token"] = csrf
        note = client.get("/api/notes/1").json()
        last, spans = answered[-1]
        assert last >= 7
        assert note["revision"] in (last, last + 1)  # one more may be written whose answer was lost
        if note["revision"] == last:
            assert note["spans"] == spans
        for revision in range(note["revision"], 2 * note["revision"]):
            undone = client.post("/api/notes/1/undo", json={"revision": revision})
            assert undone.status_code == 200
        assert not undone.json()["can_undo"]
        assert [span["status"] for span in undone.json()["spans"]] == ["found", "found"]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    with Project.open(folder, key=KEY) as again:
        assert again.audit_log.check() > 7


@pytest.fixture(scope="module")
def server():
    if programs() is None:
        pytest.fail("no PostgreSQL server is installed: apt-get install postgresql")
    with postgres() as running:
        yield running


def test_a_project_in_postgresql(server, make, notes, tmp_path):
    project = make(url=server.url, audit=1)
    assert oct((project.folder.path / "database.url").stat().st_mode)[-3:] == "600"
    assert not (project.folder.path / "review.sqlite").exists()
    assert project.import_notes(notes).added == 3
    assert project.import_notes(notes).skipped == 3
    assert len(list(project.audit_notes())) == 1
    project.users.add("ann", "reviewer", PASSWORD, by="test")
    assert project.users.check("ann", PASSWORD).name == "ann"
    token = project.users.begin_session(project.users.find("ann"))
    assert project.users.session(token).user.name == "ann"
    alike = {**ADD_ANN, "do": "alike", "what": "add", "where": "project"}
    assert project.edit(1, "ann", [alike], 0).notes_changed == 3
    assert project.undo(1, "ann", 1).notes_changed == 3
    assert project.redo(1, "ann", 2).notes_changed == 3
    with pytest.raises(StaleError):
        project.edit(1, "ann", [ADD_ANN], 1)
    text, surrogates = project.preview(1, "ann")
    assert ("Ann Lee" in text, len(surrogates)) == (False, 3)
    assert project.queue.page("ann", order="position")[0] == 3
    assert project.queue.page("ann", label="PHONE")[0] == 1
    assert project.queue.next("ann", order="position", after=1) == 2
    project.finish(1, "ann", 3.0)
    assert [document.id for document in project.final_documents()] == ["n1"]
    count = project.audit_log.check()
    with pytest.raises(PlainsightError), project.store.write() as connection:
        connection.exec_driver_sql("DELETE FROM audit_log")
    assert project.audit_log.check() == count
    project.close()
    with Project.open(project.folder.path, key=KEY) as again:
        assert again.reading(1, "ann").revision == 4
        assert again.audit_log.check() == count
    with pytest.raises(PlainsightError):
        make("second", url=server.url)  # the database holds a project already


def test_figures_search_and_release_in_postgresql(server, make, notes, tmp_path):
    with postgres_database(server, "evidence") as url:
        project = make("evidence", url=url, audit=2)
        project.import_notes(notes)
        assert "not read by anybody" in " ".join(missing(project))
        for note in project.notes():
            project.finish(note.id, "ann", 5)
        figures = dashboard(project)
        assert (figures["progress"]["done"], figures["progress"]["audit_done"]) == (3, 2)
        assert {row["leaks"] for row in figures["residual"]} == {0}  # nothing that is marked leaks
        assert search_project(project, "Ann Lee").searched == 3
        signer = new_signing_key(tmp_path / "key", PASSWORD)
        made = release(project, tmp_path / "out", signer=signer, name="Ada", statement="Fine.", by="ada")
        assert made.record["notes"]["released"] == 3
        assert [one["notes"] for one in releases(project)] == [3]
        project.close()


def test_writers_of_several_processes_lose_nothing(server, make, notes):
    """Three threads on connections of their own edit one note each and one together."""
    with postgres_database(server, "many") as url:
        project = make("many", url=url, audit=0)
        project.import_notes([Document(f"m{n}", f"Note {n} of 3/4/2019") for n in range(3)])
        others = [Project.open(project.folder.path, key=KEY) for _ in range(3)]

        def work(number):
            mine, together = others[number], 0
            for turn in range(4):
                edit = [{"do": ("reject", "restore")[turn % 2], "span": 0}]
                mine.edit(number + 1, "ann", edit, turn)
                while True:
                    revision = mine.reading(1, "all").revision
                    try:
                        mine.edit(1, "all", [{"do": "accept", "span": 0}], revision)
                    except StaleError:
                        continue
                    together += 1
                    break
            return together

        with ThreadPoolExecutor(3) as pool:
            assert sum(pool.map(work, range(3))) == 12
        assert project.reading(1, "all").revision == 12
        assert {project.reading(note, "ann").revision for note in range(1, 4)} == {4}
        assert project.audit_log.check() == len(list(project.audit_log.entries())) >= 24
        for other in others:
            other.close()
        project.close()


@contextmanager
def postgres_database(server, name):
    """Make a database of its own on a running server; give its URL."""
    import psycopg

    url = server.url.replace("postgresql+psycopg", "postgresql")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield server.url.rpartition("/")[0] + f"/{name}"
