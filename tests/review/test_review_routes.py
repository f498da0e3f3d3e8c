"""The review app over HTTP: reading, editing, the team."""

import io
import json
import zipfile

import pytest


@pytest.fixture
def ann(enter):
    return enter("ann")


def test_me_says_who_asks_and_what_the_project_is(ann):
    me = ann.get("/api/me").json()
    assert (me["name"], me["role"]) == ("ann", "reviewer")
    assert (me["project"]["notes"], me["project"]["done"]) == (3, 0)
    assert {"name": "DATE", "category": "DATE", "color": "#99e9f2"} in me["labels"]


def test_a_note_is_read_edited_undone_and_done(ann, project):
    queue = ann.get("/api/queue", params={"order": "position"}).json()
    assert queue["total"] == 3
    assert [note["title"] for note in queue["notes"]] == ["n1", "n2", "n3"]
    note = ann.get("/api/notes/1", params={"order": "position"}).json()
    assert (note["patient"], note["previous"], note["next"]) == ("p1", None, 2)
    text = note["text"]
    assert [text[s["start"] : s["end"]] for s in note["spans"]] == ["3/4/2019", "617-555-0199"]
    edits = [{"do": "add", "start": 2, "end": 9, "label": "PATIENT"}]
    answer = ann.post("/api/notes/1/edits", json={"revision": 0, "edits": edits, "seconds": 2.5}).json()
    assert (answer["revision"], answer["can_undo"], answer["notes_changed"]) == (1, True, 1)
    assert answer["spans"][0] == {
        "id": 2, "start": 2, "end": 9, "label": "PATIENT", "score": 1.0, "source": "reviewer",
        "claims": [], "status": "added",
    }  # fmt: skip
    preview = ann.get("/api/notes/1/preview").json()
    assert [span["of"] for span in preview["spans"]] == [2, 0, 1]
    assert "Ann Lee" not in preview["text"]
    assert preview["text"].startswith("😀 ")
    stale = ann.post("/api/notes/1/edits", json={"revision": 0, "edits": edits})
    assert (stale.status_code, stale.json()["revision"]) == (409, 1)
    undone = ann.post("/api/notes/1/undo", json={"revision": 1}).json()
    assert [span["status"] for span in undone["spans"]] == ["found", "found"]
    redone = ann.post("/api/notes/1/redo", json={"revision": 2}).json()
    assert redone["spans"] == answer["spans"]
    done = ann.post("/api/notes/1/done", json={"revision": 3, "done": True, "seconds": 4}).json()
    assert done == {"revision": 4, "state": "done", "next": 2}
    assert [span.label for span in project.final_spans(1)] == ["PATIENT", "DATE", "PHONE"]
    assert project.reading(1, "ann").seconds == 6.5
    assert ann.get("/api/queue").json()["total"] == 2
    assert ann.get("/api/next").json() == {"id": 2}
    assert ann.get("/api/me").json()["project"]["done"] == 1


def test_what_is_not_there_or_malformed_is_refused(ann):
    assert ann.get("/api/notes/99").status_code == 404
    assert ann.get("/api/notes/x").status_code == 422
    assert ann.get("/api/notes/99999999999999999999").status_code == 422
    assert ann.post("/api/notes/1/edits", json={"revision": 0, "edits": [{"do": "fly"}]}).status_code == 422
    wrong = [{"do": "add", "start": 0, "end": 10**6, "label": "DATE"}]
    assert ann.post("/api/notes/1/edits", json={"revision": 0, "edits": wrong}).status_code == 422
    assert ann.get("/api/queue", params={"order": "size"}).status_code == 422
    assert ann.get("/api/queue", params={"limit": 10**6}).status_code == 422


def test_two_blind_readers_and_an_adjudicator(make, notes, enter):
    from plainsight.serve.review_app import review_app

    project = make("twice", readers=2, audit=0)
    project.import_notes(notes)
    for name, role in (("ann", "reviewer"), ("ben", "reviewer"), ("ada", "adjudicator")):
        project.users.add(name, role, "a long enough password", by="test")
    app = review_app(project)
    ann, ben, ada = (enter(name, app) for name in ("ann", "ben", "ada"))
    edits = [{"do": "add", "start": 2, "end": 9, "label": "PATIENT"}]
    assert ann.post("/api/notes/1/edits", json={"revision": 0, "edits": edits}).status_code == 200
    assert ann.post("/api/notes/1/done", json={"revision": 1}).json()["state"] == "done"
    assert [s["label"] for s in ben.get("/api/notes/1").json()["spans"]] == ["DATE", "PHONE"]
    assert ada.get("/api/notes/1/versions").json()["versions"] == []  # one reader is not done
    assert project.final_spans(1) is None
    assert ben.post("/api/notes/1/done", json={"revision": 0}).json()["state"] == "done"
    assert ann.get("/api/notes/1/versions").status_code == 403
    assert ann.get("/api/queue", params={"state": "disagree"}).status_code == 403
    assert [n["id"] for n in ada.get("/api/queue", params={"state": "disagree"}).json()["notes"]] == [1]
    both = ada.get("/api/notes/1/versions").json()
    assert [version["reader"] for version in both["versions"]] == ["ann", "ben"]
    assert both["differences"] == [{"start": 2, "end": 9}]
    assert project.final_spans(1) is None
    overlapping = [{"start": 2, "end": 9, "label": "PATIENT"}, {"start": 5, "end": 12, "label": "DATE"}]
    assert ada.post("/api/notes/1/adjudicate", json={"spans": overlapping}).status_code == 422
    spans = both["versions"][0]["spans"]
    assert ada.post("/api/notes/1/adjudicate", json={"spans": spans}).json() == {
        "state": "done",
        "next": None,
    }
    assert [span.label for span in project.final_spans(1)] == ["PATIENT", "DATE", "PHONE"]
    assert ann.post("/api/notes/1/undo", json={"revision": 2}).status_code == 422  # it is decided
    assert ada.get("/api/notes/1/versions").json()["final"] == spans


def test_claims_wait_until_they_are_decided(unsure, enter):
    from plainsight.serve.review_app import review_app

    unsure.users.add("ann", "reviewer", "a long enough password", by="test")
    ann = enter("ann", review_app(unsure))
    answer = ann.get("/api/claims").json()
    assert answer == {
        "total": 1,
        "claims": [
            {
                "note": 1, "title": "u", "span": 0, "label": "PATIENT", "score": 0.6, "source": "conv",
                "before": "", "text": "Ann Lee", "after": " was here.", "times": 0,
            }
        ],
    }  # fmt: skip
    assert ann.get("/api/claims", params={"label": "DATE"}).json()["total"] == 0
    wrong = ann.post("/api/claims", json={"decisions": [{"note": 1, "span": "m7", "accept": True}]})
    assert wrong.status_code == 422
    decided = ann.post("/api/claims", json={"decisions": [{"note": 1, "span": 0, "accept": False}]})
    assert decided.json() == {"decided": 1}
    assert ann.get("/api/claims").json()["total"] == 0
    note = ann.get("/api/notes/1").json()
    assert note["spans"][0]["status"] == "rejected"
    ann.post("/api/notes/1/undo", json={"revision": note["revision"]})
    assert ann.get("/api/claims").json()["total"] == 1


def _zip(**entries):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name.replace("__", "/"), data)
    return packed.getvalue()


def test_notes_come_in_and_go_out_as_they_were_read(enter, team):
    amy = enter("amy")
    lines = "".join(json.dumps({"id": i, "text": f"😀 seen 3/4/2019 {i}"}) + "\n" for i in ("x", "y"))
    sent = amy.post("/api/import", files={"file": ("more.jsonl", lines)})
    assert sent.json() == {"imported": 2, "skipped": 0, "set_aside": 0}
    assert amy.post("/api/import", files={"file": ("more.jsonl", lines)}).json()["skipped"] == 2
    archive = _zip(a__1=b"", **{"a__1.txt": b"Seen 1/2/2020.", "b__1.txt": b"Seen 2/2/2020."})
    sent = amy.post("/api/import", files={"file": ("notes.zip", archive)}, data={"format": "text"}).json()
    assert sent["imported"] >= 2
    assert {"a/1", "b/1"} <= {note.title for note in team.notes()}
    assert amy.get("/api/export").text == ""
    for note in (4, 5):
        amy.post(f"/api/notes/{note}/done", json={"revision": 0})
    out = [json.loads(line) for line in amy.get("/api/export").text.splitlines()]
    assert [(note["id"], note["text"][2:15]) for note in out] == [
        ("x", "seen 3/4/2019"), ("y", "seen 3/4/2019"),
    ]  # fmt: skip
    assert [(span["start"], span["end"], span["label"]) for span in out[0]["spans"]] == [(7, 15, "DATE")]
    assert "seen 3/4/2019 y" in amy.get("/api/export", params={"format": "csv"}).text


def test_people_are_added_changed_and_locked_out(enter):
    amy, ann = enter("amy"), enter("ann")
    people = {user["name"]: user for user in amy.get("/api/users").json()["users"]}
    assert people["ann"]["role"] == "reviewer"
    short = amy.post("/api/users", json={"name": "zoe", "role": "reviewer", "password": "short"})
    assert short.status_code == 422
    new = {"name": "zoe", "role": "reviewer", "password": "another long password"}
    assert amy.post("/api/users", json=new).status_code == 200
    assert amy.post("/api/users", json=new).status_code == 422
    ann_id = people["ann"]["id"]
    assert amy.patch(f"/api/users/{ann_id}", json={"disabled": True}).json()["disabled"]
    assert ann.get("/api/me").status_code == 401  # at once
    wrong = ann.post("/api/login", json={"name": "ann", "password": "a long enough password"})
    assert wrong.status_code == 401
