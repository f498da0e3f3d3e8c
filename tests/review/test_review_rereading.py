"""Reading notes again with another policy: what changes, what people's work keeps, and where it goes on."""

from __future__ import annotations

import pytest

from plainsight.document import Document, Span
from plainsight.review import claims, rereading
from plainsight.review.dashboard import estimate
from plainsight.review.readings import StaleError
from plainsight.review.release import missing

TEXT = "Ann Lee came on 3/4/2019."
LEE = Span(0, 7, "PATIENT", 0.6, "conv")


@pytest.fixture
def project(make):
    """A project whose notes were marked by another policy, which finds one uncertain name and no date."""
    project = make(audit=1)
    project.import_notes([Document(f"n{n}", TEXT, (LEE,), "p") for n in range(4)], marked=True)
    return project


def again(project):
    rereading.begin(project)
    return list(rereading.read_again(project, limits=None))


def labels(spans):
    return [span.label for span in spans]


def test_a_note_that_nobody_worked_on_takes_the_new_marks(project):
    assert claims.waiting(project, "ann")[0] == 4
    assert again(project) == [(4, 4)]
    assert labels(project.document(1).spans) == labels(project.reading(1, "ann").spans) == ["DATE"]
    assert project.queue.page("ann", label="DATE")[0] == 4
    assert project.queue.page("ann", label="PATIENT")[0] == 0
    assert {item.marks for item in project.queue.page("ann")[1]} == {1}
    assert all(claim.label != "PATIENT" for claim in claims.waiting(project, "ann")[1])


def test_what_a_person_decided_stays_and_what_the_policy_finds_now_is_known(project):
    edited = project.edit(1, "ann", [{"do": "reject", "span": 0}], 0)
    project.finish(2, "ann")
    project.edit(3, "ann", [{"do": "add", "start": 8, "end": 12, "label": "PATIENT"}], 0)
    again(project)
    assert project.reading(1, "ann").marks == edited.marks
    assert project.reading(1, "ann").revision == edited.revision
    assert labels(project.final_spans(2)) == labels(project.document(2).spans) == ["PATIENT"]
    assert labels(project.spans_now(2)) == ["DATE"]
    assert labels(project.unread_document(1).spans) == ["DATE"]  # nobody finished it: the policy decides
    assert labels(project.unread_document(3).spans) == ["PATIENT", "DATE"]
    undone = project.undo(1, "ann", edited.revision)
    assert labels(undone.spans) == ["PATIENT"]


def test_a_page_that_shows_old_marks_cannot_change_new_ones(project):
    project.readings.show(1, "ann")
    assert project.reading(1, "ann").revision == 0
    [claim] = [one for one in claims.waiting(project, "ann")[1] if one.note == 2]
    again(project)
    for number in (1, 2):
        with pytest.raises(StaleError):
            project.edit(number, "ann", [{"do": "reject", "span": 0}], 0)
    with pytest.raises(StaleError):
        claims.decide(project, "ann", [(claim.note, claim.span, claim.times, False)])
    reading = project.reading(1, "ann")
    assert project.edit(1, "ann", [{"do": "reject", "span": 0}], reading.revision).spans == ()


def test_the_leaks_are_those_of_the_policy_in_use(project):
    [audit] = project.audit_notes()
    date = {"do": "add", "start": 16, "end": 24, "label": "DATE"}
    project.edit(audit.id, "ann", [date], 0)
    project.finish(audit.id, "ann")
    assert estimate(project).indirect.leaked == 1
    assert estimate(project).direct.leaked == 0
    again(project)
    assert estimate(project).indirect.leaked == 0
    assert estimate(project).direct.leaked == 1
    assert estimate(project).population == 3  # those that nobody has read


def test_nothing_is_released_before_all_notes_are_read_again(project, monkeypatch):
    monkeypatch.setattr(rereading, "_BATCH", 2)
    for note in project.notes():
        project.finish(note.id, "ann")
    assert missing(project) == []
    rereading.begin(project)
    assert missing(project) == ["notes are still to be read again with the new model"]
    steps = rereading.read_again(project, limits=None)
    assert next(steps) == (2, 4)
    steps.close()  # as when the server is stopped
    assert labels(project.spans_now(2)) == ["DATE"]
    assert labels(project.spans_now(3)) == ["PATIENT"]
    assert missing(project) != []
    assert list(rereading.read_again(project, limits=None)) == [(4, 4)]
    assert labels(project.spans_now(3)) == ["DATE"]
    assert missing(project) == []
