"""Search, dashboard, retraining and release over HTTP: who may, and what answers."""

from __future__ import annotations

import sys

import pytest
from fastapi.testclient import TestClient

from plainsight.review.learning import Learner
from plainsight.serve.review_app import review_app

PASSWORD = "a long enough password"
SIGN = {"signer": "Dr. Ada", "statement": "The risk is small.", "passphrase": "a very long phrase"}


@pytest.fixture
def project(make, notes):
    project = make(audit=2)
    project.import_notes(notes)
    return project


@pytest.fixture
def enter(project):
    for name, role in (("ann", "reviewer"), ("ada", "adjudicator"), ("eve", "admin")):
        project.users.add(name, role, PASSWORD, by="test")
    app = review_app(project)

    def client(name):
        one = TestClient(app, base_url="http://127.0.0.1")
        assert one.post("/api/login", json={"name": name, "password": PASSWORD}).status_code == 200
        one.headers["X-CSRF-Token"] = one.get("/api/me").json()["csrf"]
        return one

    return client


def test_roles(enter):
    ann, ada = enter("ann"), enter("ada")
    for path in (
        "/api/search?q=Lee",
        "/api/dashboard",
        "/api/learn",
        "/api/releases",
        "/api/releases/1/report",
    ):
        assert ann.get(path).status_code == 403
    for path in ("/api/learn", "/api/learn/accept", "/api/learn/cancel", "/api/release"):
        assert ada.post(path, json=SIGN).status_code == 403
    assert ada.get("/api/search?q=Lee").status_code == ada.get("/api/dashboard").status_code == 200


def test_search_finds_what_stays(enter, project):
    ada = enter("ada")
    answer = ada.get("/api/search", params={"q": "Ann Lee", "where": "outputs"}).json()
    assert answer["searched"] == 3
    assert answer["complete"]
    assert {hit["title"] for hit in answer["hits"]} == {"n1", "n2", "n3"}  # rules find no names
    hit = answer["hits"][0]
    assert (hit["note"], hit["text"], hit["how"], hit["before"]) == (1, "Ann Lee", "exact", "😀 ")
    inputs = ada.get("/api/search", params={"q": "3 April 2019", "where": "inputs"}).json()["hits"]
    outputs = ada.get("/api/search", params={"q": "3 April 2019", "where": "outputs"}).json()["hits"]
    assert [hit["text"] for hit in inputs] == ["3/4/2019"]
    assert outputs == []
    reading = project.edit(1, "ann", [{"do": "add", "start": 2, "end": 9, "label": "PATIENT"}], 0)
    project.finish(1, "ann", revision=reading.revision)
    left = ada.get("/api/search", params={"q": "Ann Lee"}).json()["hits"]
    assert {hit["title"] for hit in left} == {"n2", "n3"}
    assert ada.get("/api/search", params={"q": " "}).status_code == 422
    assert ada.get("/api/search", params={"q": "x", "where": "elsewhere"}).status_code == 422
    assert all("Lee" not in entry.action for entry in project.audit_log.entries())


def test_a_release_is_signed_with_the_persons_own_key(enter, project):
    eve = enter("eve")
    refused = eve.post("/api/release", json=SIGN)
    assert refused.status_code == 422
    assert "audit sample" in refused.json()["detail"]
    for note in project.notes():
        project.finish(note.id, "ann", 5)
    assert eve.post("/api/release", json=SIGN | {"passphrase": "wrong phrase"}).status_code == 422
    made = eve.post("/api/release", json=SIGN).json()
    assert (made["signer"], made["notes"], made["verified"]) == ("Dr. Ada", 3, True)
    assert eve.get("/api/releases").json()["releases"] == [made]
    page = eve.get(f"/api/releases/{made['id']}/report")
    assert "The risk is small." in page.text
    assert page.headers["content-security-policy"].endswith("sandbox")
    assert eve.get("/api/releases/99/report").status_code == 422
    file = project.folder.path / "releases" / "001" / "notes.jsonl"
    file.write_bytes(file.read_bytes().replace(b"came", b"went", 1))
    assert eve.get("/api/releases").json()["releases"][0]["verified"] is False
    again = eve.post("/api/release", json=SIGN).json()
    assert again["fingerprint"] == made["fingerprint"]


def test_learning_over_http(enter, project):
    eve = enter("eve")
    assert eve.get("/api/learn").json()["state"] == "none"
    assert "finish at least" in eve.post("/api/learn").json()["detail"]
    assert eve.post("/api/learn/accept").status_code == 422
    eve.app.state.learner = Learner(
        project, command=lambda site: [sys.executable, "-c", "import signal; signal.pause()"]
    )
    assert eve.post("/api/learn/cancel").status_code == 422


def test_the_dashboard_is_what_the_page_reads(enter):
    answer = enter("ada").get("/api/dashboard").json()
    assert answer["progress"] == {
        "notes": 3, "done": 0, "todo": 3, "disagree": 0, "audit": 2, "audit_done": 0, "by_day": [],
    }  # fmt: skip
    assert answer["why"]["residual"] == "None of the 2 audit notes is read."
