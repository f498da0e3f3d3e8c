"""Retraining: what is learned from, what is held back, and that nothing changes before a person accepts."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import pytest

from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.review import rereading
from plainsight.review.learning import Learner
from plainsight.review.project import Project
from plainsight.site.corrections import corrected_rounds
from plainsight.site.folder import open_site

AUDIT = {
    "notes": 10,
    "strict": {"recall": 0.5, "precision": 0.5, "f": 0.5},
    "token": {"missed": 7},
}


def says(code, *, kept=True, reason=""):
    """Return a command that does not learn, and prints what the real one would."""
    answer = json.dumps({"round": 1, "kept": kept, "reason": reason, "before": AUDIT, "after": AUDIT})
    program = f"import signal, sys\nprint('judging ...', file=sys.stderr)\n{code}\nprint({answer!r})"
    return lambda site: [sys.executable, "-c", program]


@pytest.fixture
def read(make):
    """A project of 60 notes of which all are read, 12 of them of the audit sample."""
    project = make(audit=12)
    project.import_notes(Document(f"n{n}", f"Seen by Dr. Lee on 3/4/2019. Note {n}.") for n in range(60))
    for note in project.notes():
        project.finish(note.id, "ann", 5)
    return project


def test_the_audit_sample_is_held_back(read):
    learner = Learner(read, command=says(""))
    learner.start(by="ann")
    learner.wait(30)
    site = open_site(read.folder.path / "learning" / "site", read.secret)
    [done] = corrected_rounds(site).values()
    sample = {note.title for note in read.audit_notes()}
    assert {one.document.id for one in done if one.is_audit} == sample
    assert len(done) == 60


def test_without_an_audit_sample_other_notes_are_held_back(make):
    project = make(audit=0)
    project.import_notes(Document(f"n{n}", f"Seen on 3/4/2019. Note {n}.") for n in range(30))
    for note in list(project.notes())[:19]:
        project.finish(note.id, "ann")
    with pytest.raises(UsageError, match="finish at least 20"):
        Learner(project, command=says("")).start(by="ann")
    project.finish(20, "ann")
    state = Learner(project, command=says("")).start(by="ann")
    assert (state["notes"], state["held_back"]) == (10, 10)


def test_a_model_that_is_no_better_cannot_be_accepted(read):
    before = read.policy.to_toml()
    learner = Learner(read, command=says("", kept=False, reason="it forgets"))
    learner.start(by="ann")
    state = learner.wait(30)
    assert state["state"] == "failed"
    assert "it forgets" in state["message"]
    assert state["before"] == {"recall": 0.5, "precision": 0.5, "f1": 0.5, "leaks": 7, "notes": 10}
    with pytest.raises(UsageError, match="no new model"):
        learner.accept(by="ann")
    assert read.policy.to_toml() == before


def test_a_failure_says_why(read):
    learner = Learner(read, command=says("sys.exit('plainsight: learning needs the extra train')"))
    learner.start(by="ann")
    state = learner.wait(30)
    assert (state["state"], state["message"]) == ("failed", "learning needs the extra train")


def test_it_is_one_at_a_time_and_can_be_stopped(read):
    learner = Learner(read, command=says("sys.stderr.flush(); signal.pause()"))
    learner.start(by="ann")
    assert learner.status()["state"] == "running"
    with pytest.raises(UsageError, match="already"):
        learner.start(by="ann")
    # another process, or this one after a restart, does not know the one that runs
    assert Learner(read).status()["state"] == "failed"
    state = learner.cancel(by="ann")
    assert state["state"] == "none"
    with pytest.raises(UsageError, match="nothing is learning"):
        learner.cancel(by="ann")
    assert [entry.action for entry in read.audit_log.entries()][-2:] == [
        "learn from 48 notes",
        "stop learning",
    ]


def makes_a_model(site):
    """Return a command that makes a model without learning; a policy without a network stays as it is."""
    [program] = says(f"import os; os.makedirs({str(site / 'models' / '001')!r})")(site)[2:]
    return [sys.executable, "-c", program]


def test_all_notes_are_read_again_with_the_model_that_is_accepted(make, notes):
    project = make(audit=0)
    project.import_notes([Document(f"n{n}", f"Seen on 3/4/2019. Note {n}.") for n in range(30)], marked=True)
    for note in list(project.notes())[:25]:
        project.finish(note.id, "ann")
    learner = Learner(project, command=makes_a_model, limits=None)
    learner.start(by="ann")
    assert learner.wait(30)["state"] == "ready"
    assert project.document(30).spans == ()
    learner.accept(by="ann")
    state = learner.wait(30)
    assert (state["state"], state["progress"]) == ("accepted", 1.0)
    assert [span.label for span in project.document(30).spans] == ["DATE"]
    assert project.final_spans(1) == ()  # a person decided so
    with pytest.raises(UsageError, match="no new model"):
        learner.accept(by="ann")


def test_reading_again_goes_on_where_it_stopped(make):
    project = make(audit=0)
    project.import_notes([Document(f"n{n}", f"Seen on 3/4/2019. Note {n}.") for n in range(30)], marked=True)
    for note in list(project.notes())[:25]:
        project.finish(note.id, "ann")
    learner = Learner(project, command=makes_a_model, limits=None)
    learner.start(by="ann")
    learner.wait(30)
    (project.folder.path / "models").mkdir()
    (project.folder.path / "models" / "current").mkdir()  # so that it stops after the policy was changed
    with pytest.raises(OSError, match="current"):
        learner.accept(by="ann")
    (project.folder.path / "models" / "current").rmdir()
    assert rereading.is_unfinished(project)
    again = Learner(project, command=makes_a_model, limits=None)
    with pytest.raises(UsageError, match="still to be read"):
        again.start(by="ann")
    again.accept(by="ann")
    assert again.wait(30)["state"] == "accepted"
    assert not rereading.is_unfinished(project)


def test_nothing_is_learned_at_first(read):
    assert Learner(read).status() == {"state": "none", "progress": 0.0}


@pytest.mark.server
def test_a_round_with_the_real_command(tmp_path):
    pytest.importorskip("torch")
    from plainsight.lab.synth.simulated_site import SimulatedSite

    notes = list(SimulatedSite(seed=5, patients=20, census=0).notes(90))
    with Project.create(tmp_path / "ward", policy="fast", key=bytes(range(32)), audit=25) as project:
        project.import_notes([replace(note, spans=()) for note in notes])
        gold = {note.id: note.spans for note in project.pipeline.choose(notes)}
        for note in project.notes():
            project.finish(note.id, "bob", 5)
            project.readings.adjudicate(note.id, "ann", gold[note.title])
        learner = Learner(project)
        learner.start(by="ann")
        state = learner.wait(300)
        assert state["state"] == "ready", state.get("message")
        assert state["after"]["f1"] > state["before"]["f1"]
        assert "corrected" not in policy_of(project)
        before = project.document(1)
        learner.accept(by="ann")
        assert learner.wait(120)["state"] == "accepted"
        assert any(project.spans_now(note.id) != project.document(note.id).spans for note in project.notes())
        assert 'kind = "corrected"' in policy_of(project)
        assert any(found.spans for found in project.pipeline.detect([replace(notes[0], spans=())]))
        assert project.document(1).spans == before.spans  # what readers decided about stays


def policy_of(project):
    """Return the policy as somebody else reads it who opens the project."""
    with Project.open(project.folder.path, key=project.secret) as again:
        return again.policy.to_toml()
