"""A project and its people: import, a killed server, two readers, adjudication, claims, export, users."""

import base64
import json
import subprocess
import sys
import threading
import tomllib
from dataclasses import replace

import pytest
from reviewing import PASSWORD, Server, answer, keys, marks, note, saved

from plainsight.review.project import Project
from plainsight.run.keys import VARIABLE

pytestmark = pytest.mark.server

TEXT = "{{PATIENT|Ann Lee}} 😀 saw {{DOCTOR|Dr. Okafor}} on {{DATE|3/4/2019}}. Bob Ray waits."


@pytest.fixture(scope="module")
def pair(serve):
    """A project that two people read, blind to each other."""
    notes = [note("both", TEXT), note("same", TEXT)]
    people = [("ada", "reviewer"), ("grace", "reviewer"), ("edith", "adjudicator")]
    return serve(notes, people, readers=2)


def test_import_review_and_export(serve, visit, tmp_path):
    server = serve()
    page = visit(server, f"/start?token={server.token}")
    assert page.get_by_text("Nothing left to read here.").is_visible()
    keys(page, "g", "e")
    page.wait_for_url("**/releases")
    page.wait_for_selector("#file")
    lines = [
        {"id": "a 😀", "text": "😀 Call 617-555-0199 on 3/4/2019 about Okonkwo."},
        {"id": "b", "text": "Seen 5/6/2019."},
    ]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    page.set_input_files("#file", tmp_path / "notes.jsonl")
    page.get_by_role("button", name="Import").click()
    page.wait_for_selector(".toast:has-text('2 imported')")
    page.goto("/?note=1")
    page.wait_for_selector("mark.miss.rare")
    page.locator("mark.miss", has_text="Okonkwo").click()
    keys(page, "a")
    page.keyboard.type("patient")
    keys(page, "Enter")
    saved(page)
    reviewed = marks(page, 1)
    assert ("Okonkwo", "PATIENT", "added") in reviewed
    keys(page, "d")
    page.wait_for_selector(".toast:has-text('is done')")
    keys(page, "ArrowRight", "x")
    saved(page)
    keys(page, "d")
    page.get_by_text("All notes of this list are done.").wait_for()
    assert page.locator(".progress-words").text_content() == "2 of 2 done"
    exported = [
        json.loads(line) for line in page.context.request.get("/api/export?format=jsonl").text().splitlines()
    ]
    found = {
        line["id"]: [(line["text"][span["start"] : span["end"]], span["label"]) for span in line["spans"]]
        for line in exported
    }
    assert found == {"a 😀": [(text, label) for text, label, _ in reviewed], "b": []}


def test_nothing_is_lost_when_the_server_is_killed(serve, visit):
    server = serve([note("killed", TEXT)], [("ada", "reviewer")])
    gone = "ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)"
    page = visit(server, as_="ada", allowed=gone)
    page.wait_for_selector("mark.span")
    keys(page, "ArrowRight", "a", "ArrowRight", "x")
    saved(page)
    server.kill()
    keys(page, "ArrowRight", "1")  # while nobody listens
    page.wait_for_selector(".saved[data-state=waiting]")
    assert page.locator(".saved").text_content() == "Not saved yet. Trying again…"
    server.start(server.port)
    saved(page)
    wanted = [
        ("Ann Lee", "PATIENT", "accepted"),
        ("Dr. Okafor", "DOCTOR", "rejected"),
        ("3/4/2019", "PATIENT", "changed"),
    ]
    assert marks(page, 1) == wanted
    server.kill()
    server.start(server.port)
    page.reload()
    page.wait_for_selector("mark.rejected")
    assert marks(page, 1) == wanted
    keys(page, "u")
    saved(page)
    assert marks(page, 1) == [*wanted[:2], ("3/4/2019", "DATE", "found")]


def test_an_answer_that_is_lost_is_not_an_edit_that_is_lost(serve, visit):
    server = serve([note("lost", TEXT)], [("ada", "reviewer")])
    page = visit(server, as_="ada", allowed="ERR_FAILED|409")
    page.wait_for_selector("mark.span")
    lose = threading.Event()

    def lost(route):
        if lose.is_set():
            route.continue_()
            return
        lose.set()
        route.fetch()  # the server has done it
        route.abort()

    page.route("**/edits", lost)
    keys(page, "ArrowRight", "a", "ArrowRight", "x")
    saved(page)
    assert [status for _, _, status in marks(page, 1)] == ["accepted", "rejected", "found"]


def test_two_readers_and_adjudication(pair, visit):
    for reader, label in (("ada", "patient"), ("grace", "doctor")):
        page = visit(pair, as_=reader)
        page.wait_for_selector("mark.span")
        for number in (1, 2):
            page.goto(f"/?note={number}")
            page.wait_for_selector("mark.span")
            assert "rejected" not in [
                status for _, _, status in marks(page, number)
            ]  # sees nothing of the other
            if number == 1:
                keys(page, "ArrowRight", "x") if reader == "ada" else keys(page, "ArrowRight", "a")
                page.locator("mark.span", has_text="3/4/2019").click()
                keys(page, "t")
                page.keyboard.type(label)
                keys(page, "Enter")
            saved(page)
            keys(page, "d")
            page.wait_for_selector(".toast:has-text('is done')")
    page = visit(pair, "/adjudicate", as_="edith")
    assert page.locator(".version h2").all_text_contents() == ["ada", "grace"]
    assert page.locator(".difference").count() == 2
    keys(page, "2", "1")  # grace's name, ada's label
    keys(page, "d")
    page.wait_for_selector(".toast:has-text('both is settled')")
    page.get_by_text("No note waits for you").wait_for()
    with Project.open(pair.folder) as project:
        final = project.final_document(1)
    assert [(final.text[span.start : span.end], span.label) for span in final.spans] == [
        ("Ann Lee", "PATIENT"), ("Dr. Okafor", "DOCTOR"), ("3/4/2019", "PATIENT"),
    ]  # fmt: skip


def test_confirm_and_reject_claims_by_keys(serve, visit):
    server = serve([note("claims", TEXT, scores=(0.4, 0.5, 0.6))], [("ada", "reviewer")])
    page = visit(server, "/claims", as_="ada")
    claims = answer(page, "/api/claims")["claims"]
    for key in "ax":
        with page.expect_response(lambda response: response.request.method == "POST"):
            keys(page, key)
    assert page.locator(".claim.rejected").count() == 1
    status = {text: status for text, _, status in marks(page, 1)}
    assert [status[claim["text"]] for claim in claims[:2]] == ["accepted", "rejected"]


def test_sign_in_and_people(serve, visit):
    server = serve([note("people", TEXT)], [("ada", "admin"), ("grace", "reviewer")])
    page = visit(server, "/login", allowed="401")
    page.fill("#name", "ada")
    page.fill("#password", "a wrong password")
    page.keyboard.press("Enter")
    page.get_by_text("Name or password is wrong.").wait_for()
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector("mark.span")
    keys(page, "g", "u")
    page.wait_for_url("**/users")
    page.fill("#new-name", "edith")
    page.fill("#new-password", PASSWORD)
    page.select_option("#new-role", "adjudicator")
    page.get_by_role("button", name="Add").click()
    page.get_by_role("button", name="Lock out edith").wait_for()
    page.get_by_role("button", name="Lock out grace").click()
    page.get_by_role("button", name="Let in grace").wait_for()
    people = {one["name"]: (one["role"], one["disabled"]) for one in answer(page, "/api/users")["users"]}
    assert people["edith"] == ("adjudicator", False)
    assert people["grace"] == ("reviewer", True)
    page.locator(".who summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/login")
    page = visit(server, "/", as_="edith")
    assert page.locator("#top nav a").all_text_contents() == [
        "Review",
        "Claims",
        "Adjudicate",
        "Search",
        "Dashboard",
    ]


def test_release_is_signed_and_a_changed_byte_is_found(serve, visit):
    server = serve([note("signed", TEXT)], [("ada", "admin")], sample=1)
    page = visit(server, as_="ada", allowed="422")  # there is too little to learn from
    page.wait_for_selector("mark.span")
    keys(page, "d")
    page.get_by_text("All notes of this list are done.").wait_for()
    page.goto("/dashboard")
    page.get_by_text("notes done").first.wait_for()
    assert page.locator(".tile strong").first.text_content() == "1 / 1"
    chart = page.locator("section", has=page.get_by_role("heading", name="Corrections by label")).locator(
        "svg"
    )
    assert chart.locator("text.strong").count() == 3
    assert all(float(bar.get_attribute("width")) > 0 for bar in chart.locator("rect.bar-fill").all())
    page.goto("/learning")
    page.get_by_role("button", name="Learn now").click()
    page.wait_for_selector(".toast:has-text('finish at least 20')")
    page.goto("/releases")
    page.fill("#passphrase", PASSWORD)
    page.get_by_role("button", name="Freeze and sign").click()
    page.locator(".wrong:not(:empty), .badge:text('as it was signed')").first.wait_for()
    assert page.locator(".wrong").text_content() == ""
    folder = server.folder / "releases" / "001"
    assert (
        subprocess.run([sys.executable, "-m", "plainsight", "verify", folder], capture_output=True).returncode
        == 0
    )
    file = next(path for path in sorted(folder.rglob("*")) if path.is_file() and "jsonl" in path.name)
    changed = bytearray(file.read_bytes())
    changed[len(changed) // 2] ^= 1
    file.chmod(0o600)
    file.write_bytes(changed)
    page.reload()
    page.get_by_text("changed since").wait_for()
    assert (
        subprocess.run([sys.executable, "-m", "plainsight", "verify", folder], capture_output=True).returncode
        != 0
    )


def test_a_retraining_round(tmp_path, visit, monkeypatch):
    """Learn from what was read, look at before and after, take the model, and see that it marks the notes."""
    pytest.importorskip("torch")
    from plainsight.lab.synth.simulated_site import SimulatedSite

    site = list(SimulatedSite(seed=5, patients=20, census=0).notes(80))
    with Project.create(tmp_path / "ward", policy="fast", key=bytes(range(32)), audit=20) as project:
        project.import_notes([replace(one, spans=()) for one in site])
        right = {one.id: one.spans for one in project.pipeline.choose(site)}
        others = [one.id for one in project.notes() if not one.is_audit]
        unread, read_last = others[-5:], others[-6]
        for one in project.notes():
            if one.id not in unread:
                project.finish(one.id, "bob", 5)
                project.readings.adjudicate(one.id, "eve", right[one.title])
        project.users.add("ada", "admin", PASSWORD, by="test")
        decided, before = project.final_spans(read_last), [project.document(one).spans for one in unread]
    monkeypatch.setenv(VARIABLE, base64.b64encode(bytes(range(32))).decode())
    server = Server(tmp_path / "ward")
    try:
        page = visit(server, "/learning", as_="ada")
        page.get_by_role("heading", name="Nothing learned yet").wait_for()
        page.get_by_role("button", name="Learn now").click()
        page.get_by_role("progressbar", name="Learning").wait_for()
        page.get_by_text("55 notes").wait_for()
        page.get_by_role("heading", name="Before and after, on notes that were held back").wait_for()
        assert page.locator("table td").first.text_content() == "Found"
        assert page.locator("tr", has_text="F1").locator(".badge").text_content() == "better"
        assert policy(tmp_path) == "fast"  # nothing changes before somebody accepts
        page.get_by_role("button", name="Take the new model").click()
        page.get_by_role("heading", name="The new model is in use").wait_for()
        page.get_by_role("button", name="Learn again").wait_for()  # all notes are read again
        assert policy(tmp_path) == "policy.toml"
        page.goto(f"/?note={unread[0]}")
        page.wait_for_selector("mark.span")
        page.close()  # before the server ends, which it would ask again
    finally:
        server.stop()
    with Project.open(tmp_path / "ward", key=bytes(range(32))) as project:
        assert [project.document(one).spans for one in unread] != before
        assert project.final_spans(read_last) == decided


def policy(folder):
    """Return the policy that a project names in its settings."""
    return tomllib.loads((folder / "ward" / "project.toml").read_text())["project"]["policy"]
