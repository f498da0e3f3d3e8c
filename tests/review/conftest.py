"""Projects for the tests: rules alone find what is in their notes, so that they load at once."""

import argon2
import pytest

from plainsight.document import Document, Span
from plainsight.review.project import Project

POLICY = 'detectors = ["patterns"]\n[replace]\ndefault = "surrogate"\n'
KEY = b"a secret of at least thirty-two bytes"
PASSWORD = "a long enough password"
TEXTS = (
    "😀 Ann Lee came on 3/4/2019. Call 617-555-0199.",
    "Ann Lee came back on 4/5/2019.",
    "Bob Ray was seen on 5/6/2019; Ann Lee asked.",
)


class Clock:
    """A clock that tests set."""

    def __init__(self):
        self.now = 1_800_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture(autouse=True)
def cheap_passwords(request, monkeypatch):
    """Hash passwords at the least cost, unless a test is marked otherwise."""
    if "real_passwords" not in request.fixturenames:
        cheap = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        monkeypatch.setattr(argon2, "PasswordHasher", lambda: cheap)


@pytest.fixture
def real_passwords():
    """Let passwords cost what they cost."""


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def policy(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text(POLICY)
    return path


@pytest.fixture
def notes():
    patients = ("p1", "p1", "p2")
    return [
        Document(f"n{number}", text, patient_id=patient)
        for number, (text, patient) in enumerate(zip(TEXTS, patients, strict=True), start=1)
    ]


@pytest.fixture
def make(tmp_path, policy, clock):
    """Return a function that makes projects."""
    made = []

    def new(name="ward", **options):
        project = Project.create(tmp_path / name, policy=policy, key=KEY, clock=clock, **options)
        made.append(project)
        return project

    yield new
    for project in made:
        project.close()


@pytest.fixture
def project(make, notes):
    project = make(audit=0)
    project.import_notes(notes)
    return project


@pytest.fixture
def unsure(make):
    """Return a project of one note whose mark is uncertain."""
    project = make("unsure", audit=0)
    marked = Document("u", "Ann Lee was here.", (Span(0, 7, "PATIENT", 0.6, "conv"),))
    project.import_notes([marked], marked=True)
    return project


@pytest.fixture
def team(project):
    """Return the project with a person of each role."""
    for name, role in (("ann", "reviewer"), ("ben", "reviewer"), ("ada", "adjudicator"), ("amy", "admin")):
        project.users.add(name, role, PASSWORD, by="test")
    return project


@pytest.fixture
def app(team):
    from plainsight.serve.review_app import review_app

    return review_app(team, limits=None)


@pytest.fixture
def enter(app):
    """Return a function that logs a person in and gives a client whose changes carry the token."""
    from fastapi.testclient import TestClient

    def client(name, app=app):
        one = TestClient(app, base_url="http://127.0.0.1")
        assert one.post("/api/login", json={"name": name, "password": PASSWORD}).status_code == 200
        one.headers["X-CSRF-Token"] = one.get("/api/me").json()["csrf"]
        return one

    return client
