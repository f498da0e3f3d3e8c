"""The figures of a project, computed by hand from a few readings."""

from __future__ import annotations

import pytest

from plainsight.document import Document, Span
from plainsight.review.dashboard import dashboard, estimate, reviewers
from plainsight.review.project import Project

TEXT = "Ann Lee came on May 3 with her son."
LEE, MAY, SON = (
    Span(0, 7, "PATIENT", source="wide.x"),
    Span(16, 21, "DATE", source="conv"),
    Span(31, 34, "AGE"),
)


@pytest.fixture
def project(tmp_path):
    now = [1_700_000_000.0]

    def clock():
        now[0] += 60
        return now[0]

    with Project.create(tmp_path / "ward", policy="fast", key=bytes(range(32)), audit=2, clock=clock) as made:
        notes = [Document(str(n), TEXT, (LEE, SON), f"p{n // 2}") for n in range(4)]
        made.import_notes(notes, marked=True)
        yield made


def test_before_anybody_read_there_are_reasons_instead_of_figures(project):
    figures = dashboard(project)
    assert figures["progress"]["notes"] == 4
    assert figures["progress"]["audit"] == 2
    assert figures["agreement"] is None
    assert figures["seconds"] is None
    assert figures["residual"] == figures["sample"] == []
    assert "audit notes" in figures["why"]["residual"]


def test_figures_of_what_was_read(project):
    for note in project.notes():
        reading = project.edit(
            note.id,
            "ann",
            [{"do": "reject", "span": 1}, {"do": "add", "start": 16, "end": 21, "label": "DATE"}],
            0,
        )
        project.finish(note.id, "ann", 30.0 + note.id, revision=reading.revision)
    figures = dashboard(project)
    assert figures["progress"]["done"] == 4
    assert [day["done"] for day in figures["progress"]["by_day"]] == [4]
    by_label = {row.pop("label"): row for row in figures["corrections"]["by_label"]}
    assert by_label["PATIENT"] == {"kept": 4, "added": 0, "changed": 0, "rejected": 0}
    assert by_label["DATE"] == {"kept": 0, "added": 4, "changed": 0, "rejected": 0}
    assert by_label["AGE"]["rejected"] == 4
    by_detector = {row["detector"]: row for row in figures["corrections"]["by_detector"]}
    assert by_detector["wide"]["kept"] == 4
    assert by_detector[""]["added"] == 4
    assert figures["seconds"] == {"median": 32.5, "by_note": [31, 32, 33, 34]}
    rates = {(row["of"], row["kind"]): row for row in figures["residual"]}
    assert rates["identifier", "direct"]["rate"] == 0
    assert rates["identifier", "indirect"]["rate"] == 1
    assert rates["identifier", "all"]["rate"] == 0.5
    assert rates["note", "all"] == {**rates["note", "all"], "rate": 1, "seen": 2, "leaks": 2}
    assert rates["patient", "direct"]["high"] > 0
    assert estimate(project).population == 4
    assert figures["sample"][0]["rate"] == 0.1
    assert reviewers(project) == [
        {"name": "ann", "role": "", "notes_read": 4, "hours": 0.04, "notes_adjudicated": 0}
    ]


def test_agreement_of_two_blind_readers(tmp_path):
    with Project.create(tmp_path / "two", policy="fast", key=bytes(range(32)), readers=2) as project:
        project.import_notes([Document("1", TEXT, (LEE, MAY))], marked=True)
        project.finish(1, "ann")
        reading = project.edit(1, "bob", [{"do": "reject", "span": 1}], 0)
        assert dashboard(project)["agreement"] is None
        project.finish(1, "bob", revision=reading.revision)
        figures = dashboard(project)
        assert figures["progress"]["disagree"] == 1
        assert 0 < figures["agreement"]["kappa"] < 1
        assert figures["agreement"]["notes"] == 1
