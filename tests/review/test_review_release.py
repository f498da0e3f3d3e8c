"""A release: refused while anything is missing, whole when it is there, and any change is found."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typer.testing import CliRunner

from plainsight.cli import app
from plainsight.document import Document
from plainsight.errors import DataError, FormatError, UsageError
from plainsight.review.project import Project
from plainsight.review.release import missing, release, release_report, releases
from plainsight.review.release_check import check_release, is_release
from plainsight.review.signing import Signer

TEXT = "Ann Quillerby (MRN 0371-88-214) was seen by Dr. Okafor on May 3, 2019. <script>x</script>"


@pytest.fixture
def project(tmp_path):
    with Project.create(
        tmp_path / "ward", policy="fast", key=bytes(range(32)), readers=1, audit=2, name="Ward <7>"
    ) as made:
        made.import_notes([Document(f"note-{n}", f"{TEXT} Day {n}.", patient_id="p") for n in range(4)])
        yield made


@pytest.fixture
def signer():
    return Signer(Ed25519PrivateKey.generate())


def sign(project, out, signer, **options):
    words = {"name": "Dr. Ada Officer", "statement": "The risk is very small.", "by": "ada"}
    return release(project, out, signer=signer, **words | options)


def read_all(project):
    for note in project.notes():
        project.finish(note.id, "ann", 20)


def problems(folder, **options):
    return [check.what for check in check_release(folder, **options) if check.good is False]


def test_a_release_that_misses_something_is_refused_and_says_what(project, tmp_path, signer):
    assert any("audit sample" in reason for reason in missing(project))
    assert "4 of 4 notes are not read by anybody" in missing(project)
    sample = [note.id for note in project.audit_notes()]
    project.finish(next(note.id for note in project.notes() if note.id not in sample), "ann")
    with pytest.raises(UsageError, match="2 of the 2 notes of the audit sample"):
        sign(project, tmp_path / "out", signer, leave_out_unread=True)
    assert not (tmp_path / "out").exists()
    for number in sample:
        project.finish(number, "ann")
    with pytest.raises(UsageError, match="1 of 4 notes are not read"):
        sign(project, tmp_path / "out", signer)
    made = sign(project, tmp_path / "out", signer, leave_out_unread=True)
    assert made.record["notes"] == {"in_project": 4, "released": 3, "unread": 0, "left_out": 1}


def test_unread_notes_are_released_as_the_policy_and_readers_marked_them(project, tmp_path, signer):
    sample = [note.id for note in project.audit_notes()]
    first, last = (note.id for note in project.notes() if note.id not in sample)
    start = TEXT.index("seen")
    project.edit(sample[0], "ann", [{"do": "reject", "span": 0}], 0)  # the policy finds too much in one note
    alike = {
        "do": "alike",
        "what": "add",
        "where": "project",
        "label": "DOCTOR",
        "start": start,
        "end": start + 4,
    }
    project.edit(first, "ann", [alike, {"do": "reject", "span": 0}], 0)
    for number in sample:
        project.finish(number, "ann")
    with pytest.raises(UsageError, match="either left out or released"):
        sign(project, tmp_path / "out", signer, leave_out_unread=True, release_unread=True)
    made = sign(project, tmp_path / "out", signer, release_unread=True)
    assert made.record["notes"] == {"in_project": 4, "released": 4, "unread": 2, "left_out": 0}
    assert made.record["figures"]["residual_of"] == {"unread": True, "notes": 2}
    for number in (first, last):
        spans = project.unread_document(number).spans
        assert {(span.start, span.end) for span in project.document(number).spans} <= {
            (span.start, span.end) for span in spans
        }  # what was only rejected in a note that nobody finished stays hidden
        assert (start, start + 4, "DOCTOR") in {(span.start, span.end, span.label) for span in spans}
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Of the released notes, 2 were read by one person. 2 were released unread" in page
    assert "in the 2 notes that nobody has finished" in page


def test_readers_who_differ_need_an_adjudicator(tmp_path, signer):
    with Project.create(tmp_path / "two", policy="fast", key=bytes(range(32)), readers=2, audit=1) as project:
        project.import_notes([Document("1", TEXT)])
        project.finish(1, "ann")
        assert "1 of 1 notes are not read by 2 people" in missing(project)
        reading = project.edit(1, "bob", [{"do": "reject", "span": 0}], 0)
        project.finish(1, "bob", revision=reading.revision)
        assert "1 of 1 notes wait for an adjudicator" in missing(project)
        project.readings.adjudicate(1, "eve", project.document(1).spans)
        assert missing(project) == []
        made = sign(project, tmp_path / "out", signer)
        people = {one["name"]: one for one in made.record["reviewers"]}
        assert people["eve"]["notes_adjudicated"] == people["bob"]["notes_read"] == 1


def test_what_is_released_is_what_was_reviewed(project, tmp_path, signer):
    read_all(project)
    start = TEXT.index("seen")
    reading = project.reading(2, "ann")
    reading = project.edit(
        2, "ann", [{"do": "add", "start": start, "end": start + 4, "label": "PATIENT"}], reading.revision
    )
    made = sign(project, tmp_path / "out", signer)
    lines = [json.loads(line) for line in (tmp_path / "out" / "notes.jsonl").read_text().splitlines()]
    assert len(lines) == 4
    whole = "".join(path.read_text() for path in (tmp_path / "out").iterdir())
    for original in ("Quillerby", "Okafor", "0371-88-214", "May 3, 2019", "note-1"):
        assert original not in whole
    assert sum("was seen by" not in line["text"] for line in lines) == 1  # the mark that Ann added
    assert all("spans" not in line or not line["spans"] for line in lines)
    assert made.record["identifiers_replaced"]["PATIENT"] >= 5
    assert made.record["policy"]["toml"] == project.policy.to_toml()
    assert made.record["audit_log"]["entries"] > 4
    entry = list(project.audit_log.entries())[-1]
    assert entry.action.startswith("release 1, digest ")
    listed = releases(project)
    assert [(one["id"], one["signer"], one["notes"]) for one in listed] == [(1, "Dr. Ada Officer", 4)]


def test_every_change_is_found(project, tmp_path, signer):
    read_all(project)
    out = tmp_path / "out"
    sign(project, out, signer)
    assert is_release(out)
    assert problems(out) == problems(out, public=signer.public) == []
    assert problems(out, public="00" * 32) == ["signer"]
    for name in ("notes.jsonl", "release.json", "report.html", "signature.json"):
        data = (out / name).read_bytes()
        for at in range(0, len(data), max(1, len(data) // 12)):
            copy = tmp_path / "changed"
            shutil.copytree(out, copy)
            flipped = bytes([data[at] ^ 1])
            (copy / name).write_bytes(data[:at] + flipped + data[at + 1 :])
            assert refused(copy, signer) or (name == "signature.json" and same(copy, out)), (name, at)
            shutil.rmtree(copy)
    (out / "more.txt").write_text("more")
    assert problems(out) == ["more.txt"]
    (out / "notes.jsonl").unlink()
    assert problems(out) == ["notes.jsonl", "more.txt"]


def refused(folder, signer):
    """Whether a changed release is found."""
    try:
        return bool(problems(folder, public=signer.public))
    except FormatError:
        return True  # no JSON any more


def same(folder, other):
    """Whether two signatures are the same: what else stands in the file counts for nothing."""
    one, two = (json.loads((path / "signature.json").read_text()) for path in (folder, other))
    return all(one[key] == two[key] for key in ("public_key", "signature"))


def test_another_signature_below_a_changed_record_is_another_signer(project, tmp_path, signer):
    read_all(project)
    out = tmp_path / "out"
    sign(project, out, signer)
    record = json.loads((out / "release.json").read_text())
    record["figures"]["residual"][0]["rate"] = 0.0
    data = json.dumps(record).encode()
    (out / "release.json").write_bytes(data)
    forger = Signer(Ed25519PrivateKey.generate())
    forged = {"public_key": forger.public, "signature": forger.sign(data)}
    (out / "signature.json").write_text(json.dumps(forged))
    assert problems(out) == ["signer"]  # the record still names the other key


def test_the_report_escapes_and_prints_what_the_record_says(project, tmp_path, signer):
    read_all(project)
    sign(project, tmp_path / "out", signer, statement="I <b>release</b> these.\nAll of them.")
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Ward &lt;7&gt;" in page
    assert "I &lt;b&gt;release&lt;/b&gt; these." in page
    assert "$" not in page
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    for words in ("of the audit", "per identifier: direct identifiers", "Dr. Ada Officer", "ann"):
        assert words in page or words == "of the audit"


def test_a_release_is_written_once(project, tmp_path, signer):
    read_all(project)
    sign(project, tmp_path / "out", signer)
    with pytest.raises(UsageError, match="written once"):
        sign(project, tmp_path / "out", signer)
    with pytest.raises(UsageError, match="needs the name"):
        sign(project, tmp_path / "again", signer, name="  ")


def test_reports_swapped_between_two_releases_are_found(project, tmp_path, signer):
    read_all(project)
    one, two = tmp_path / "one", tmp_path / "two"
    sign(project, one, signer)
    sign(project, two, signer, statement="Another one.")
    first, second = (one / "report.html").read_bytes(), (two / "report.html").read_bytes()
    assert "Another one." in release_report(project, 2)
    (one / "report.html").write_bytes(second)
    (two / "report.html").write_bytes(first)
    assert problems(one) == problems(two) == ["report.html"]
    with pytest.raises(DataError, match="changed since it was signed"):
        release_report(project, 2)
    shutil.rmtree(two)
    shutil.copytree(one, two)
    with pytest.raises(DataError, match="moved, deleted or changed"):
        release_report(project, 2)


_FORGED = "x\nok          signer: Dr. Ada Officer, the key given"


def test_names_cannot_print_lines_of_their_own(project, tmp_path, signer):
    read_all(project)
    out = tmp_path / "out"
    sign(project, out, signer)
    record = json.loads((out / "release.json").read_text())
    forger = Signer(Ed25519PrivateKey.generate())
    record["signer"] |= {"name": _FORGED, "public_key": forger.public}
    record["files"]["\rok          all"] = {"sha256": "00"}
    data = json.dumps(record).encode()
    (out / "release.json").write_bytes(data)
    (out / "signature.json").write_text(
        json.dumps({"public_key": forger.public, "signature": forger.sign(data)})
    )
    (out / "b\nok          signer: me").write_text("")
    done = CliRunner().invoke(app, ["verify", str(out)])
    assert done.exit_code == 1
    lines = re.split(r"[\r\n]+", done.stdout.strip())
    assert [line for line in lines if line.startswith("ok") and "signer" in line] == []
    assert len(lines) == 6


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("signer",), "x"), (("signer",), None), (("signer", "name"), 1), (("signer", "name"), "\ud800"),
        (("files",), []), (("files", "notes.jsonl"), "x"), (("files", "notes.jsonl", "sha256"), None),
        (("files", "a" * 5000), {"sha256": "x"}), (("files", "a\0"), {"sha256": "x"}),
        (("files", ".."), {"sha256": "x"}), (("files", "/etc/passwd"), {"sha256": "x"}), (("format",), {}),
    ],
)  # fmt: skip
def test_a_hostile_release_gives_a_clear_answer(project, tmp_path, signer, path, value):
    read_all(project)
    out = tmp_path / "out"
    sign(project, out, signer)
    record = json.loads((out / "release.json").read_text())
    part = record
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    data = json.dumps(record).encode()
    (out / "release.json").write_bytes(data)
    signed = {"public_key": signer.public, "signature": signer.sign(data)}
    (out / "signature.json").write_text(json.dumps(signed))
    assert refused(out, signer)


@pytest.mark.parametrize("data", [b"[" * 100_000, b"\xff", b"", b"[]", b'{"public_key": 1}'])
@pytest.mark.parametrize("name", ["release.json", "signature.json"])
def test_damaged_files_of_a_release_are_named(project, tmp_path, signer, name, data):
    read_all(project)
    out = tmp_path / "out"
    sign(project, out, signer)
    (out / name).write_bytes(data)
    with pytest.raises(FormatError, match="damaged"):
        problems(out)


def test_who_read_a_note_does_not_decide_about_it(tmp_path):
    with Project.create(tmp_path / "two", policy="fast", key=bytes(range(32)), readers=2, audit=1) as project:
        project.import_notes([Document("1", TEXT)])
        project.finish(1, "ann")
        with pytest.raises(DataError, match="1 of 2"):
            project.adjudicate(1, "eve", ())
        reading = project.edit(1, "bob", [{"do": "reject", "span": 0}], 0)
        project.finish(1, "bob", revision=reading.revision)
        with pytest.raises(DataError, match="cannot decide"):
            project.adjudicate(1, "bob", ())
        assert project.queue.page("bob", state="disagree")[0] == 0
        assert project.queue.page("eve", state="disagree")[0] == 1
        project.adjudicate(1, "eve", ())
