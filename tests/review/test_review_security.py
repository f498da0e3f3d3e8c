"""Who may ask for what, and what an attacker gets."""

import io
import json
import logging
import stat
import zipfile

import pytest
from fastapi.testclient import TestClient

from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.review.project import Project
from plainsight.review.users import ABSOLUTE, IDLE
from plainsight.serve.logs import JsonLine
from plainsight.serve.review_app import PAGES, PUBLIC, review_app
from plainsight.serve.sessions import COOKIE, POLICY, Guesses

PASSWORD = "a long enough password"
KEY = b"a secret of at least thirty-two bytes"
SCRIPT = "<script>alert(1)</script>"
UNSAFE = {"POST", "PATCH", "PUT", "DELETE"}
ROLE_ROUTES = {
    "adjudicator": (
        "/api/notes/{note}/versions", "/api/notes/{note}/adjudicate", "/api/search", "/api/dashboard",
    ),
    "admin": (
        "/api/users", "/api/users/{number}", "/api/import", "/api/export", "/api/learn", "/api/release",
    ),
}  # fmt: skip


def routes(app):
    """Return every method and path of an application."""
    found = []
    waiting = list(app.routes)
    while waiting:
        route = waiting.pop()
        if hasattr(route, "methods") and hasattr(route, "path"):
            found += [(method, route.path) for method in sorted(route.methods or ())]
        elif hasattr(route, "effective_candidates"):
            waiting += list(route.effective_candidates())
        else:
            waiting += list(getattr(route, "routes", ()) or ())
    return sorted(set(found))


def filled(path):
    for name in ("note", "number", "release", "id"):
        path = path.replace(f"{{{name}}}", "1")
    return path.split("{")[0]


@pytest.fixture
def nobody(app):
    return TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)


def test_every_route_is_known_to_the_tests(app):
    paths = {path for _, path in routes(app)}
    assert {"/api/me", "/api/notes/{note}/edits", "/api/users", *PUBLIC} <= paths
    for wanted in ROLE_ROUTES.values():
        assert paths.intersection(wanted)


def test_no_route_answers_without_a_session_where_one_is_needed(app, nobody):
    asked = 0
    for method, path in routes(app):
        if path not in PUBLIC:
            answer = nobody.request(method, filled(path), json={})
            assert answer.status_code == 401, (method, path)
            asked += 1
    assert asked > 18
    assert nobody.get("/start").status_code == 403
    assert nobody.post("/api/login", json={}).status_code == 422


def test_pages_without_a_session_hold_no_data(nobody):
    for page in PAGES:
        answer = nobody.get(page)
        assert (answer.status_code, "Ann" in answer.text) == (200, False)


@pytest.mark.parametrize(("name", "rank"), [("ann", 0), ("ada", 1), ("amy", 2)])
def test_roles(app, enter, name, rank):
    client = enter(name)
    for needed, paths in (("adjudicator", ROLE_ROUTES["adjudicator"]), ("admin", ROLE_ROUTES["admin"])):
        allowed = rank >= ("reviewer", "adjudicator", "admin").index(needed)
        for method, path in routes(app):
            if path not in paths or (allowed and path in ("/api/learn", "/api/release")):
                continue
            status = client.request(method, filled(path), json={}).status_code
            assert (status != 403) == allowed, (method, path, status)


def test_every_change_needs_the_word_of_the_session(app, enter):
    client = enter("amy")
    right = client.headers.pop("X-CSRF-Token")
    other = enter("ann").headers["X-CSRF-Token"]
    for method, path in routes(app):
        if method in UNSAFE and path not in PUBLIC:
            for wrong in ({}, {"X-CSRF-Token": other}, {"X-CSRF-Token": right[:-1]}, {"X-CSRF-Token": "é"}):
                headers = {key: value.encode() for key, value in wrong.items()}
                answer = client.request(method, filled(path), json={}, headers=headers)
                assert answer.status_code == 403, (method, path)
    assert client.get("/api/me").status_code == 200


def test_cookies_and_headers_protect_the_page(app, nobody):
    answer = nobody.post("/api/login", json={"name": "ann", "password": PASSWORD})
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    app.state.secure = True
    assert (
        "Secure"
        in nobody.post("/api/login", json={"name": "ann", "password": PASSWORD}).headers["set-cookie"]
    )
    for path in ("/", "/api/me", "/nothing", "/assets/api.js"):
        headers = nobody.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")
    assert "unsafe" not in POLICY
    assert nobody.get("/api/me").headers["cache-control"] == "no-store"


def test_other_hosts_are_refused_on_this_machine(team):
    app = review_app(team, hosts=["127.0.0.1", "localhost"])
    client = TestClient(app, base_url="http://127.0.0.1")
    assert client.get("/").status_code == 200
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400


def test_a_link_logs_in_once(team, clock):
    app = review_app(team)
    client = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
    assert client.get("/start", params={"token": "é" * 43}).status_code == 403
    answer = client.get("/start", params={"token": app.state.link.token})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert client.get("/api/me").json()["role"] == "admin"
    assert client.get("/start", params={"token": app.state.link.token}).status_code == 403
    late = review_app(team)
    clock.now += 3600
    answer = TestClient(late, base_url="http://127.0.0.1").get(
        "/start", params={"token": late.state.link.token}
    )
    assert answer.status_code == 403


def test_sessions_end(enter, clock):
    ann = enter("ann")
    for _ in range(3):  # used again and again
        clock.now += IDLE - 60
        assert ann.get("/api/me").status_code == 200
    clock.now += IDLE + 60
    assert ann.get("/api/me").status_code == 401
    ben = enter("ben")
    for _ in range(int(ABSOLUTE / (IDLE - 60))):
        clock.now += IDLE - 60
        assert ben.get("/api/me").status_code == 200
    clock.now += IDLE - 60
    assert ben.get("/api/me").status_code == 401
    amy = enter("amy")
    cookie = amy.cookies[COOKIE]
    assert amy.post("/api/logout").status_code == 200
    assert amy.get("/api/me", cookies={COOKIE: cookie}).status_code == 401


def test_a_cookie_is_not_in_the_database(enter, team):
    cookie = enter("ann").cookies[COOKIE]
    data = b"".join(file.read_bytes() for file in team.folder.path.glob("review.sqlite*"))
    assert cookie.encode() not in data
    assert PASSWORD.encode() not in data


def test_guessing_is_slowed(nobody, clock):
    def tried(name, password="wrong password"):
        return nobody.post("/api/login", json={"name": name, "password": password})

    assert [tried("ann").status_code for _ in range(6)] == [401] * 5 + [429]
    assert tried("ann", PASSWORD).status_code == 429  # even with the right one
    assert int(tried("ann").headers["retry-after"]) > 60
    assert [tried("nobody").status_code for _ in range(6)] == [401] * 5 + [429]  # no sign of who exists
    assert tried("ben", PASSWORD).status_code == 200
    for number in range(10):
        tried(f"n{number}")
    assert tried("ben", PASSWORD).status_code == 429  # so many from one address
    clock.now += 16 * 60
    assert tried("ann", PASSWORD).status_code == 200


def test_guesses_at_the_same_time_all_count(clock):
    guesses = Guesses(clock)
    waits = [guesses.begin("ann", "10.0.0.1") for _ in range(6)]  # none of them is answered yet
    assert [wait > 0 for wait in waits] == [False] * 5 + [True]
    guesses = Guesses(clock)
    for _ in range(100):
        assert guesses.begin("ben", "10.0.0.1") == 0
        guesses.right("ben", "10.0.0.1")


def test_a_login_under_way_ends_with_the_old_password(team):
    ann = team.users.check("ann", PASSWORD)
    old = team.users.begin_session(ann)
    team.users.change(ann.id, password=PASSWORD + "!", by="amy")
    assert team.users.session(old) is None
    with pytest.raises(UsageError, match="log in again"):
        team.users.begin_session(ann)


def test_a_name_that_nobody_has_costs_the_same_work(real_passwords, project, monkeypatch):
    team = project
    team.users.add("ann", "reviewer", PASSWORD, by="test")
    checked = []
    real = type(team.users._hasher).verify

    def verify(self, hashed, password):
        checked.append(hashed)
        return real(self, hashed, password)

    monkeypatch.setattr(type(team.users._hasher), "verify", verify)
    for name, password in (("ann", "wrong"), ("nobody", "wrong"), ("ann", PASSWORD)):
        team.users.check(name, password)
    assert len(checked) == 3
    assert all(one.startswith("$argon2id$") for one in checked)
    assert checked[0].split("$")[3] == checked[1].split("$")[3]  # the same cost


def test_scripts_in_notes_ids_and_questions_stay_words(enter, team):
    team.import_notes([Document(f"id{SCRIPT}", f"Hello {SCRIPT} of 3/4/2019", patient_id=SCRIPT)])
    amy = enter("amy")
    amy.post("/api/users", json={"name": SCRIPT, "role": "reviewer", "password": PASSWORD})
    answers = [
        amy.get("/api/notes/4"), amy.get("/api/queue"), amy.get("/api/users"),
        amy.get("/api/notes/4/preview"),
        amy.get("/api/queue", params={"order": SCRIPT}), amy.get(f"/api/notes/{SCRIPT}"),
        amy.post("/api/notes/4/edits", json={"revision": 0, "edits": [{SCRIPT: 1}]}),
        amy.post("/api/notes/4/edits", json={SCRIPT: 1}), amy.get(f"/{SCRIPT}"), amy.get(f"/assets/{SCRIPT}"),
        amy.get("/start", params={"token": SCRIPT}), amy.get("/login", params={"then": SCRIPT}),
    ]  # fmt: skip
    for answer in answers:
        kind = answer.headers["content-type"]
        assert kind.startswith("application/json") or SCRIPT not in answer.text
        assert answer.status_code < 500
        assert answer.headers["x-content-type-options"] == "nosniff"
    for answer in answers[4:8]:
        assert SCRIPT not in answer.text  # an error never repeats what was sent


@pytest.mark.parametrize(
    "path",
    ["/assets/../sessions.py", "/assets/..%2fsessions.py", "/assets/%2e%2e/sessions.py",
     "/assets/..\\sessions.py", "/assets//etc/passwd", "/assets/api.js%00",
     "/assets/.hidden", "/assets/__init__.py"],
)  # fmt: skip
def test_no_file_but_those_of_the_pages_is_given(nobody, path):
    assert nobody.get(path).status_code == 404


def _zip(name, data=b"Seen on 3/4/2019.", mode=0o644):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        entry = zipfile.ZipInfo(name)
        entry.external_attr = mode << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, data)
    return packed.getvalue()


@pytest.mark.parametrize(
    "archive",
    [
        _zip("../../evil.txt"), _zip("/etc/evil.txt"), _zip("a/../../evil.txt"), _zip("C:evil.txt"),
        _zip("link.txt", b"/etc/passwd", stat.S_IFLNK | 0o777), _zip("bomb.txt", bytes(100 << 20)),
        b"PK\x03\x04 not an archive", _zip("x.txt")[:-20],
    ],
    ids=["up", "root", "inside", "drive", "link", "bomb", "broken", "short"],
)  # fmt: skip
def test_archives_that_leave_their_folder_or_explode_are_refused(enter, team, archive):
    answer = enter("amy").post("/api/import", files={"file": ("notes.zip", archive)})
    assert answer.status_code == 422
    assert team.queue.counts()[0] == 3
    assert not list(team.folder.path.parent.rglob("*evil*"))


def test_an_upload_leaves_no_file_and_its_name_is_only_a_hint(enter, team, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    line = json.dumps({"id": "../../x", "text": "Seen on 3/4/2019 by nobody."})
    sent = enter("amy").post("/api/import", files={"file": ("../../../etc/x.jsonl", line)})
    assert sent.json()["imported"] == 1
    assert sorted(path for path in tmp_path.rglob("*") if "sqlite" not in path.name) == [
        path for path in before if "sqlite" not in path.name
    ]


def test_bodies_have_a_limit(enter):
    ann = enter("ann")
    long = ann.post(
        "/api/notes/1/edits", content=b" " * (5 << 20), headers={"Content-Type": "application/json"}
    )
    assert long.status_code == 413

    def streamed():
        for _ in range(6):
            yield b" " * (1 << 20)

    assert ann.post("/api/notes/1/edits", content=streamed()).status_code == 413


HOSTILE = [
    b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"revision": 1e999}', b'{"revision": NaN, "edits": []}',
    b'{"revision": 0, "edits": [null]}', b'{"revision": 0, "edits": [{"do": "add", "start": 1e400}]}',
    b'{"revision": 99999999999999999999999, "edits": [{"do": "accept", "span": 0}]}',
    b'{"revision": 0, "edits": [{"do": "accept", "span": 99999999999999999999999}]}',
    b'{"revision": 0, "edits": [{"do": "add", "start": -9999999999999999999, "end": 1, "label": ""}]}',
    b'{"revision": 0, "edits": [{"do": "alike", "what": "add", "where": "note", "label": "DATE"}]}',
    b'{"revision": 0, "edits": [{"do": "dismiss", "miss": 99999}]}', b"[" * 100_000,
    b'{"revision": 0, "edits": [{"do": "add", "start": 0, "end": 3, "label": "\\ud800"}]}',
]  # fmt: skip


@pytest.mark.parametrize("path", ["edits", "undo", "done", "adjudicate"])
def test_hostile_bodies_get_an_answer_of_400(enter, team, path):
    client = enter("amy")
    headers = {"Content-Type": "application/json"}
    for body in HOSTILE:
        answer = client.post(f"/api/notes/1/{path}", content=body, headers=headers)
        assert 400 <= answer.status_code < 500, body[:60]
    assert team.reading(1, "amy").marks == team.reading(1, "nobody").marks


def test_no_note_text_in_any_log_error_or_file(enter, team, caplog, monkeypatch):
    caplog.set_level(logging.DEBUG)
    amy = enter("amy")
    text = team.document(1).text

    def fails(*_, **__):
        raise ValueError(f"cannot read {text}")

    monkeypatch.setattr(type(team), "preview", fails)
    answer = amy.get("/api/notes/1/preview")
    assert (answer.status_code, "Ann" in answer.text) == (500, False)
    amy.post("/api/notes/1/edits", json={"revision": 0, "edits": [{"do": "Ann Lee"}]})
    amy.post(
        "/api/notes/1/edits",
        json={"revision": 0, "edits": [{"do": "add", "start": 2, "end": 9, "label": "PATIENT"}]},
    )
    log = "\n".join(f"{entry}" for entry in team.audit_log.entries())
    lines = [JsonLine().format(record) for record in caplog.records if record.name != "httpx"]
    said = "\n".join(lines) + log
    assert '"error":"ValueError at ' in said
    assert not any(word in said for word in ("Ann", "617-555", "3/4/2019", "n1", "p1"))
    team.store.close()
    for file in team.folder.path.iterdir():
        data = file.read_bytes()
        assert not any(word in data for word in (b"Ann", b"617-555", b"3/4/2019", b'"n1"', b'"p1"'))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(team.folder.path.stat().st_mode) == 0o700


def test_another_key_opens_nothing(team):
    from plainsight.errors import UsageError

    with pytest.raises(UsageError):
        Project.open(team.folder.path, key=b"another secret of thirty-two bytes!!")
    with pytest.raises(UsageError):
        Project.open(team.folder.path)  # the key is not in the folder
    with Project.open(team.folder.path, key=KEY) as again:
        assert again.document(1).id == "n1"
