"""A project: its notes, readings, undo in many notes, the queue, the audit sample, agreement."""

import pytest

from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError, UsageError
from plainsight.review.agreement import agreements, versions
from plainsight.review.dashboard import dashboard
from plainsight.review.notes import MissingNoteError
from plainsight.review.project import Project
from plainsight.review.readings import StaleError

ADD_ANN = {"do": "add", "start": 2, "end": 9, "label": "PATIENT"}
KEY = b"a secret of at least thirty-two bytes"


def marked(project, note, reader="ann"):
    """Return the texts that count as marked."""
    text = project.document(note).text
    return [text[span.start : span.end] for span in project.reading(note, reader).spans]


def test_what_was_written_is_there_when_opened_again(make, notes):
    project = make()
    report = project.import_notes([*notes, SetAside("bad", "cannot be read")])
    assert (report.added, report.skipped, [item.id for item in report.set_aside]) == (3, 0, ["bad"])
    project.edit(1, "ann", [ADD_ANN], 0)
    project.finish(1, "ann", 12.5)
    project.close()
    with Project.open(project.folder.path, key=KEY) as again:
        assert marked(again, 1) == ["Ann Lee", "3/4/2019", "617-555-0199"]
        assert [document.id for document in again.final_documents()] == ["n1"]
        [final] = again.final_documents()
        assert (final.text, final.patient_id) == (notes[0].text, "p1")
        assert again.reading(1, "ann").seconds == 12.5


def test_notes_are_imported_once(project, notes):
    more = Document("n4", "Seen on 1/2/2020.")
    report = project.import_notes([*notes, more, more])
    assert (report.added, report.skipped) == (1, 4)


def test_an_import_that_was_killed_goes_on(make, notes):
    project = make(audit=2)

    def killed():
        yield from notes
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        project.import_notes(killed())
    report = project.import_notes(notes)
    assert (report.added + project.queue.page("ann")[0], report.audit) == (report.added + 3, 2)


def test_marks_of_a_stale_revision_are_refused(project):
    project.edit(1, "ann", [ADD_ANN], 0)
    with pytest.raises(StaleError) as error:
        project.edit(1, "ann", [{"do": "reject", "span": 0}], 0)
    assert error.value.revision == 1
    with pytest.raises(DataError):  # none of these is made
        project.edit(1, "ann", [{"do": "reject", "span": 0}, {"do": "reject", "span": 99}], 1)
    assert project.reading(1, "ann").revision == 1
    with pytest.raises(MissingNoteError):
        project.edit(9, "ann", [ADD_ANN], 0)


def test_readers_never_see_each_others_marks(project):
    project.edit(1, "ann", [ADD_ANN], 0)
    assert marked(project, 1, "ben") == ["3/4/2019", "617-555-0199"]


@pytest.mark.parametrize(("where", "notes_changed"), [("note", 1), ("patient", 2), ("project", 3)])
def test_all_alike_and_its_undo(project, where, notes_changed):
    alike = {**ADD_ANN, "do": "alike", "what": "add", "where": where}
    before = [project.reading(note, "ann").marks for note in (1, 2, 3)]
    reading = project.edit(1, "ann", [alike], 0)
    assert reading.notes_changed == notes_changed
    assert [("Ann Lee" in marked(project, note)) for note in (1, 2, 3)] == [
        notes_changed > number for number in range(3)
    ]
    assert project.undo(1, "ann", 1).notes_changed == notes_changed
    assert [project.reading(note, "ann").marks for note in (1, 2, 3)] == before
    assert project.redo(1, "ann", 2).notes_changed == notes_changed
    project.edit(1, "ann", [{"do": "reject", "span": 0}], 3)
    with pytest.raises(DataError):
        project.redo(1, "ann", 4)


def test_undo_leaves_a_note_alone_that_was_edited_since(project):
    project.edit(1, "ann", [{**ADD_ANN, "do": "alike", "what": "add", "where": "project"}], 0)
    project.edit(2, "ann", [{"do": "reject", "span": 0}], 1)
    assert project.undo(1, "ann", 1).notes_changed == 2
    assert marked(project, 2) == ["Ann Lee"]
    assert marked(project, 3) == ["5/6/2019"]


def test_alike_leaves_alone_what_others_have_finished(project):
    project.finish(2, "ben")
    alike = {**ADD_ANN, "do": "alike", "what": "add", "where": "project"}
    assert project.edit(1, "ann", [alike], 0).notes_changed == 2
    assert project.final_spans(2) == project.reading(2, "ben").spans


def test_alike_relabels_and_rejects_marks_of_the_same_text_and_label(make):
    project = make(audit=0)
    text = "May came in May"
    spans = (Span(0, 3, "PATIENT"), Span(12, 15, "DATE"))
    project.import_notes([Document(str(n), text, spans) for n in range(3)], marked=True)
    alike = {"do": "alike", "span": 0, "what": "reject", "where": "project"}
    assert project.edit(1, "ann", [alike], 0).notes_changed == 3
    assert [marked(project, note) for note in (1, 2, 3)] == [["May"]] * 3
    label = {"do": "alike", "span": 1, "what": "label", "where": "project", "label": "AGE"}
    project.edit(1, "ann", [label], 1)
    assert [span.label for span in project.reading(3, "ann").spans] == ["AGE"]


def test_the_audit_sample_is_hidden_in_the_queue_but_read_early(make):
    project = make(audit=10)
    notes = [Document(f"n{n}", f"Note {n}.", meta={"confidence": round(1 - n / 1000, 4)}) for n in range(400)]
    assert project.import_notes(notes, marked=True).audit == 10
    sample = {note.id for note in project.audit_notes()}
    assert len(sample) == 10
    total, items = project.queue.page("ann", limit=500)
    assert total == 400
    assert [item.doubt for item in items] == sorted((item.doubt for item in items), reverse=True)
    first = [item.id for item in items[:100]]  # ten drawn, ten others that look the same, among 80
    assert sample <= set(first)
    strangers = {note.id for note in project.notes() if note.id in first and note.doubt < 0.3}
    assert len(strangers - sample) >= 5  # who is out of place need not be of the sample
    assert not any(hasattr(item, "is_audit") for item in items)
    doubts = {note.id: note.doubt for note in project.notes()}
    average = sum(doubts[note] for note in sample) / 10
    assert 0.05 < average < 0.35  # a random sample, not the doubtful ones


def test_two_samples_of_the_same_notes_differ_by_seed_alone(make):
    notes = [Document(f"n{n}", "Note.") for n in range(100)]
    samples = []
    for name, seed in (("a", 1), ("b", 2)):
        project = make(name, audit=0.1, seed=seed)
        project.import_notes(notes, marked=True)
        samples.append({note.title for note in project.audit_notes()})
    assert [len(sample) for sample in samples] == [10, 10]
    assert samples[0] != samples[1]


def test_the_queue_gives_a_note_to_one_reader_and_takes_what_is_done(project, clock):
    first = project.queue.next("ann")
    project.readings.show(first, "ann")
    assert project.queue.next("ben") != first
    assert project.queue.next("ann") == first
    clock.now += 3600
    assert project.queue.next("ben") == first
    for note in (1, 2, 3):
        project.finish(note, "ann")
    assert project.queue.next("ben") is None
    assert project.queue.page("ben") == (0, [])
    assert project.queue.page("ann", state="done")[0] == 3
    project.finish(2, "ann", done=False)
    assert project.queue.next("ben", after=1) == 2


def test_orders_of_the_queue(project):
    position = [item.id for item in project.queue.page("ann", order="position")[1]]
    assert position == [1, 2, 3]
    assert project.queue.next("ann", order="position", after=2) == 3
    assert project.queue.next("ann", order="position", after=2, back=True) == 1
    chance = [item.id for item in project.queue.page("ann", order="random")[1]]
    assert sorted(chance) == position
    assert [item.id for item in project.queue.page("ann", label="PHONE")[1]] == [1]


def test_two_readers_who_agree_need_no_adjudication(make, notes):
    project = make(readers=2, audit=0)
    project.import_notes(notes)
    for reader in ("ann", "ben"):
        project.edit(1, reader, [ADD_ANN], 0)
        project.finish(1, reader)
    assert [span.label for span in project.final_spans(1)] == ["PATIENT", "DATE", "PHONE"]
    project.finish(2, "ann")
    project.edit(2, "ben", [{"do": "reject", "span": 0}], 0)
    project.finish(2, "ben")
    assert project.final_spans(2) is None
    [two] = agreements(project)
    assert (two.readers, two.notes) == (("ann", "ben"), 2)
    assert 0 < two.agreement.kappa < 1
    assert versions(project, 2).differences == ((21, 29),)
    project.adjudicate(2, "ada", [Span(0, 7, "PATIENT")])
    assert [span.label for span in project.final_spans(2)] == ["PATIENT"]
    assert {note.id for note in project.notes(state="done")} == {1, 2}


def test_kappa_of_readers_by_hand(make):
    """Four tokens; one reader marks two, the other one of these: observed 3/4, by chance 1/2, kappa 1/2."""
    project = make(readers=2, audit=0)
    project.import_notes([Document("a", "Ann Lee came here")], marked=True)
    project.edit(1, "ann", [{"do": "add", "start": 0, "end": 7, "label": "PATIENT"}], 0)
    project.edit(1, "ben", [{"do": "add", "start": 0, "end": 3, "label": "PATIENT"}], 0)
    for reader in ("ann", "ben"):
        project.finish(1, reader)
    assert agreements(project)[0].agreement.kappa == pytest.approx(0.5)
    assert dashboard(project)["agreement"] == {
        "kappa": 0.5,
        "kappa_marked": 0.5,
        "notes": 1,
    }  # the same figure


def test_a_folder_that_is_no_project_or_is_one_is_refused(project, tmp_path):
    with pytest.raises(UsageError, match="no project at"):
        Project.open(tmp_path / "nothing")
    with pytest.raises(UsageError, match="is a project already"):
        Project.create(project.folder.path, policy="fast")
    with pytest.raises(UsageError, match="PostgreSQL"):
        Project.create(tmp_path / "other", policy="fast", url="mysql://here/there")
    assert not (tmp_path / "other").exists()


def test_rows_cannot_be_moved_to_other_notes(project):
    with project.store.write() as connection:
        connection.exec_driver_sql(
            "UPDATE texts SET sealed = (SELECT sealed FROM texts WHERE note = 2) WHERE note = 1"
        )
    with pytest.raises(DataError, match="damaged"):
        project.document(1)
