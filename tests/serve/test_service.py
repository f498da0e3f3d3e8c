import asyncio
import io
import json
import logging
import re
import threading

import pytest

import plainsight
from plainsight import Document

pytest.importorskip("fastapi")

from plainsight.run.processes import Limits
from plainsight.serve.limits import Admission, RefusedError, RequestLimits
from plainsight.serve.logs import JsonLine, log
from plainsight.serve.policies import Policies, Task, with_task
from plainsight.serve.tokens import Tokens, now

NOTE = "SSN 219-09-9999, call 617-555-0123, ward 4 on 3/4/2019."
SECRETS = ("219-09", "617-555", "3/4/2019")


def post(client, path, content, **headers):
    return client.post(path, json=content, headers=headers)


# --- notes ------------------------------------------------------------------------------------------------


def test_detect_finds_what_the_library_finds(client, rules_file):
    answer = post(client, "/v1/detect", {"notes": [{"id": "a", "text": NOTE}, {"text": "🙂 617-555-0123"}]})
    assert answer.status_code == 200
    found = answer.json()
    assert found["policy"] == "rules"
    assert [note["id"] for note in found["notes"]] == ["a", "2"]
    for note, text in zip(found["notes"], (NOTE, "🙂 617-555-0123"), strict=True):
        assert note["spans"] == [span.to_json() for span in plainsight.detect(text, policy=rules_file)]
        assert 0 < note["confidence"] <= 1
    assert found["notes"][1]["spans"][0]["start"] == 2  # code points, not UTF-16


def test_deidentify_does_what_the_library_does(client, rules_file, key):
    notes = [
        {"id": "a", "patient_id": "p1", "text": NOTE},
        {"id": "b", "text": "Call 617-555-0199."},
        {"id": "c", "patient_id": "p1", "text": "Call 617 555 0123 on 3/5/2019."},
    ]
    made = post(client, "/v1/deidentify", {"notes": notes, "with_spans": True}).json()
    documents = [Document(note["id"], note["text"], patient_id=note.get("patient_id")) for note in notes]
    together = [documents[0], documents[2], documents[1]]  # the notes of a patient, one after the other
    wanted = {note.id: note for note in plainsight.load(rules_file, key=key).deidentify(together)}
    assert [(note["id"], note["text"]) for note in made["notes"]] == [(n, wanted[n].text) for n in "abc"]
    assert made["notes"][0]["spans"] == [span.to_json() for span in wanted["a"].spans]
    assert not any(secret in str(made) for secret in SECRETS)


def test_a_patient_is_the_same_person_in_every_request(client):
    def one(**note):
        [made] = post(client, "/v1/deidentify", {"notes": [note]}).json()["notes"]
        return made["text"]

    first = one(patient_id="p9", text="Call 617-555-0123.")
    assert one(patient_id="p9", text="Call 617-555-0123.") == first
    assert one(patient_id="p8", text="Call 617-555-0123.") != first
    assert one(id="n1", text="Call 617-555-0123.") == one(id="n1", text="Call 617-555-0123.")
    # A note that is nobody's and has no id stands for itself.
    assert one(text="Call 617-555-0123.") != one(text="Call 617-555-0123.")


def test_what_the_record_knows_is_found(client):
    patient = {"id": "p1", "names": ["Zyxxen Quorvandel"]}
    found = post(client, "/v1/detect", {"notes": [{"text": "Quorvandel agrees.", "patient": patient}]}).json()
    assert [span["label"] for span in found["notes"][0]["spans"]] == ["PATIENT"]


def test_notes_of_many_requests_are_done_together_and_do_not_mix(client, rules_file, key):
    """Requests that speak of one patient must get what they would get alone."""
    pipeline = plainsight.load(rules_file, key=key)
    policies = Policies({"rules": pipeline})
    texts = ["Call 617-555-0123.", "Call 617-555-0188.", "Seen 3/4/2019.", "SSN 219-09-9999."]
    alone = [next(pipeline.deidentify([Document("x", text, patient_id="p")])).text for text in texts]
    batch = [
        with_task(Document("x", text, patient_id="p"), Task("rules", "deidentify", number))
        for number, text in enumerate(texts)
    ]
    assert [item.text for item in policies.answer(batch)] == alone
    known = [
        with_task(Document("x", "RXQ-7781 RXQ-7781", patient_id="p"), Task("rules", "detect", 1)),
        with_task(Document("y", "MRN: RXQ-7781", patient_id="p"), Task("rules", "detect", 2)),
    ]
    first, second = policies.answer(known)
    assert not first.spans  # what another request says of the patient is not spread
    assert second.spans
    assert "_task" not in first.meta


@pytest.mark.server
def test_a_note_that_fails_is_set_aside_without_its_text(service_client):
    """A time limit that every note breaks: the answer says so and gives nothing back."""
    client = service_client(note_limits=Limits(seconds=1e-6))
    answer = post(client, "/v1/deidentify", {"notes": [{"id": "a", "text": NOTE * 50}]})
    assert answer.json()["notes"] == []
    assert re.fullmatch(r"took longer than .* seconds", answer.json()["set_aside"][0]["reason"])
    assert not any(secret in answer.text for secret in SECRETS)
    line = json.dumps({"id": "a", "text": NOTE * 50})
    streamed = client.post("/v1/deidentify/stream", content=line).text
    assert json.loads(streamed.splitlines()[1]) == {"done": 0, "set_aside": 1}
    assert not any(secret in streamed for secret in SECRETS)
    anonymized = post(client, "/analyze", {"text": NOTE, "language": "en"})
    assert anonymized.status_code == 422
    assert not any(secret in anonymized.text for secret in SECRETS)


# --- streams ----------------------------------------------------------------------------------------------


def test_a_stream_answers_each_line_in_order(client, rules_file, key):
    notes = [{"id": f"n{n}", "patient_id": f"p{n // 7}", "text": f"Call 617-555-{n:04}."} for n in range(200)]
    lines = [json.dumps(note).encode() for note in notes]
    lines[50] = b'{"txt": "Call 617-555-0123"}'
    lines[51] = b"\xff"
    answer = client.post("/v1/deidentify/stream", content=b"\n".join([*lines, b""]))
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    *made, end = map(json.loads, answer.text.splitlines())
    assert end == {"done": 198, "set_aside": 2}
    assert [line.get("id", line.get("line")) for line in made] == [
        *(f"n{n}" for n in range(50)),
        51,
        52,
        *(f"n{n}" for n in range(52, 200)),
    ]
    assert "617-555-0123" not in answer.text
    group = [Document(n["id"], n["text"], patient_id=n["patient_id"]) for n in notes[:7]]
    wanted = [note.text for note in plainsight.load(rules_file, key=key).deidentify(group)]
    assert [line["text"] for line in made[:7]] == wanted


def test_a_stream_says_when_a_line_is_too_long(client, change):
    change(limits=RequestLimits(body_bytes=1000))
    lines = json.dumps({"text": "Call."}) + "\n" + json.dumps({"text": "x" * 2000})
    [*_, end] = client.post("/v1/detect/stream", content=lines).text.splitlines()
    assert json.loads(end)["error"] == "line 2 is too long"
    long = post(client, "/v1/detect", {"notes": [{"text": "x" * 2000}]})
    assert long.status_code == 413
    chunked = client.post("/v1/detect", content=iter([b"x" * 600, b"x" * 600]))
    assert chunked.status_code == 413


# --- FHIR -------------------------------------------------------------------------------------------------


def test_a_bundle_is_deidentified_whole(client):
    bundle = {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [
            {
                "resource": {
                    "resourceType": "Patient",
                    "id": "p1",
                    "name": [{"family": "Quorvandel", "given": ["Zyxxen"]}],
                    "birthDate": "1961-04-02",
                }
            },
            {
                "resource": {
                    "resourceType": "Observation",
                    "status": "final",
                    "code": {"text": "Temperature"},
                    "subject": {"reference": "Patient/p1"},
                    "note": [{"text": "Quorvandel called from 617-555-0123."}],
                    "valueQuantity": {"value": 36.60, "unit": "C"},
                }
            },
        ],
    }
    answer = client.post(
        "/fhir/$de-identify",
        content=json.dumps(bundle),
        headers={"content-type": "application/fhir+json"},
    )
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/fhir+json")
    for secret in ("Quorvandel", "Zyxxen", "617-555", "1961-04-02", '"p1"', "Patient/p1"):
        assert secret not in answer.text
    made = answer.json()
    patient, observation = (entry["resource"] for entry in made["entry"])
    assert observation["subject"]["reference"] == f"Patient/{patient['id']}"
    assert observation["valueQuantity"]["value"] == 36.6


@pytest.mark.parametrize("body", [b"", b"nonsense", b"[]", b'{"resourceType": "Nonsense"}', b"[" * 100_000])
def test_what_is_no_resource_gets_an_outcome(client, body):
    answer = client.post("/fhir/$de-identify", content=body)
    assert answer.status_code == 400
    assert answer.json()["resourceType"] == "OperationOutcome"


# --- what is wrong with requests --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"nonsense", 422),
        (b"[" * 200_000, (400, 422)),
        (b'{"notes": []}', 422),
        (b'{"notes": [{"text": 7}]}', 422),
        (b'{"notes": [{"text": "a \\ud800"}]}', (400, 422)),
        (b'{"notes": [{"text": "\xff"}]}', (400, 422)),
        (b'{"notes": [{"text": "a", "patientid": "p"}]}', 422),
        (b'{"notes": [{"text": "a", "id": ""}]}', 422),
        (b'{"notes": [{"text": "a", "id": "1"}, {"text": "a", "id": "1"}]}', 422),
        (b'{"notes": [{"text": "a", "patient_id": "p", "patient": {"id": "q"}}]}', 422),
        (b'{"notes": [{"text": "a"}], "policy": "../../etc/passwd"}', 422),
        (b'{"notes": [{"text": "a"}], "policy": 1e999}', 422),
    ],
)
def test_a_wrong_request_is_refused(client, body, status):
    answer = client.post("/v1/deidentify", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (status if isinstance(status, tuple) else (status,))
    assert set(answer.json()) <= {"error", "problems"}


def test_a_refusal_repeats_nothing_of_the_request(client):
    planted = {"Quorvandel": 1, "text": ["Quorvandel"], "patient": {"id": {"Quorvandel": 2}}}
    for path in ("/v1/detect", "/v1/deidentify", "/analyze", "/anonymize", "/fhir/$de-identify"):
        answer = post(client, path, {"notes": [planted], "Quorvandel": "Quorvandel", "text": planted})
        assert 400 <= answer.status_code < 500
        assert "Quorvandel" not in answer.text, path
    assert "Quorvandel" not in client.get("/v1/Quorvandel").text
    assert "Quorvandel" not in client.post("/v1/detect/stream", content='{"Quorvandel": "Quorvandel"}').text


def test_other_ways_to_send_are_refused(client):
    note = {"notes": [{"text": "a"}]}
    assert client.get("/v1/detect").status_code == 405
    assert client.get("/docs").status_code == 404
    assert client.get("/v1/../../etc/passwd").status_code == 404
    assert post(client, "/v1/detect", note, **{"Content-Encoding": "gzip"}).status_code == 415
    assert post(client, "/v1/detect/stream", note, **{"Content-Encoding": "gzip"}).status_code == 415
    assert client.post(
        "/v1/detect", content=json.dumps(note), headers={"content-type": "text/plain"}
    ).is_error
    many = {"notes": [{"text": "a"}] * 1001}
    assert post(client, "/v1/detect", many).status_code == 413


def test_a_page_of_another_site_cannot_ask_a_service_without_tokens(client):
    """Its browser names that site's host, even when its address is this machine's."""
    assert post(client, "/v1/detect", {"notes": [{"text": "a"}]}, host="evil.example").status_code == 421
    assert client.get("/v1/health", headers={"host": "evil.example"}).status_code == 421
    assert client.get("/v1/health", headers={"host": "[::1]:8765"}).status_code == 200


# --- tokens -----------------------------------------------------------------------------------------------


def test_every_route_but_health_needs_a_token(client, change, tmp_path):
    tokens = Tokens(tmp_path / "tokens.json")
    notes = tokens.new("ward", scope="notes", expires=None, now=now())
    metrics = tokens.new("prometheus", scope="metrics", expires=None, now=now())
    change(tokens=tokens)
    schema = client.get("/openapi.json", headers={"authorization": f"Bearer {notes}"}).json()
    open_routes = {path for path, item in schema["paths"].items() if client.get(path).status_code == 200}
    assert open_routes == {"/health", "/v1/health"}
    for path, operations in schema["paths"].items():
        for method in operations:
            for wrong in ("", "Bearer", "Bearer x", f"Bearer {notes}x", f"Basic {notes}"):
                answer = client.request(method, path, headers={"authorization": wrong})
                assert path in open_routes or answer.status_code == 401
            by_metrics = client.request(method, path, headers={"authorization": f"Bearer {metrics}"})
            assert path in open_routes or by_metrics.status_code == 403
    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers={"authorization": f"Bearer {metrics}"}).status_code == 200
    assert client.get("/openapi.json").status_code == 401
    good = {"authorization": f"Bearer {notes}", "host": "plainsight.example"}
    assert post(client, "/v1/detect", {"notes": [{"text": "a"}]}, **good).status_code == 200
    tokens.revoke(notes.split("_")[1])
    assert post(client, "/v1/detect", {"notes": [{"text": "a"}]}, **good).status_code == 401


def test_a_defect_says_nothing(client, monkeypatch):
    async def broken(*_, **__):
        raise ValueError(NOTE)

    monkeypatch.setattr(client.app.app.state.service, "run", broken)
    answer = post(client, "/v1/detect", {"notes": [{"text": "a"}]})
    assert (answer.status_code, answer.json()) == (500, {"error": "internal error"})


# --- limits -----------------------------------------------------------------------------------------------


def test_more_than_there_is_room_for_is_told_to_come_back():
    async def fill():
        admission = Admission(RequestLimits(requests=1, held_bytes=10))
        async with admission.request(3):
            with pytest.raises(RefusedError) as refused:
                async with admission.request(3):
                    pass
        async with admission.request(3):
            admission.hold(10, 3)
            with pytest.raises(RefusedError) as held:
                admission.hold(1, 3)
            admission.release(10)
        admission.stopping.set()
        with pytest.raises(RefusedError) as stopped:
            async with admission.request(3):
                pass
        return refused.value, held.value, stopped.value

    refused, held, stopped = asyncio.run(fill())
    assert (refused.status, held.status, stopped.status) == (429, 429, 503)
    assert refused.response().headers["retry-after"] == "3"


def test_a_request_that_takes_too_long_is_given_up(client, change):
    change(limits=RequestLimits(seconds=1e-4))
    answer = post(client, "/v1/detect", {"notes": [{"text": NOTE * 100}]})
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) >= 1


# --- what others see --------------------------------------------------------------------------------------


def test_the_openapi_has_examples_that_work(client):
    schema = client.get("/openapi.json").json()
    for path, operations in schema["paths"].items():
        for content_type, body in (
            operations.get("post", {}).get("requestBody", {}).get("content", {}).items()
        ):
            example = body.get("example")
            if example is None:
                name = body["schema"]["$ref"].rpartition("/")[2]
                [example] = schema["components"]["schemas"][name]["examples"]
            sent = example if isinstance(example, str) else json.dumps(example)
            answer = client.post(path, content=sent, headers={"content-type": content_type})
            assert answer.status_code == 200, (path, answer.text)


def test_policies_health_and_metrics(client):
    listed = client.get("/v1/policies").json()
    assert [(policy["name"], policy["default"]) for policy in listed["policies"]] == [("rules", True)]
    assert listed["key"].startswith("fingerprint ")
    assert client.get("/v1/health").json() == {"status": "ok", "version": plainsight.__version__}
    post(client, "/v1/detect", {"notes": [{"text": NOTE}]})
    page = client.get("/metrics").text
    assert 'plainsight_requests_total{route="/v1/detect",status="200"}' in page
    assert 'plainsight_notes_total{method="detect",policy="rules",result="done"}' in page
    headers = client.get("/v1/health").headers
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"


def test_logs_hold_nothing_of_a_note(client):
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLine())
    root = logging.getLogger()
    root.addHandler(handler)
    logging.getLogger("plainsight.serve").setLevel(logging.INFO)
    try:
        for path in ("/v1/detect", "/v1/deidentify", "/v1/Quorvandel"):
            post(client, path, {"notes": [{"id": "Quorvandel", "patient_id": "Quorvandel", "text": NOTE}]})
            client.post(path, content=b"Quorvandel")
        try:
            raise ValueError("Quorvandel")
        except ValueError as error:
            log("request", level=logging.ERROR, error=error)
            logging.getLogger("someone").exception("Quorvandel %s", "Quorvandel")
            logging.getLogger("uvicorn.error").error("a template %s", "Quorvandel")
    finally:
        root.removeHandler(handler)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert "Quorvandel" not in stream.getvalue()
    assert not any(secret in stream.getvalue() for secret in SECRETS)
    assert [line["route"] for line in lines if "route" in line][:4] == ["/v1/detect"] * 2 + [
        "/v1/deidentify"
    ] * 2
    assert any(line.get("error", "").startswith("ValueError at serve/test_service.py") for line in lines)


def test_a_worker_forgets_notes_when_it_is_idle(rules_file, monkeypatch):
    forgotten = threading.Event()
    monkeypatch.setattr("plainsight.serve.policies._IDLE_SECONDS", 0.01)
    monkeypatch.setattr("plainsight.note_cache.forget", forgotten.set)
    policies = Policies({"rules": plainsight.load(rules_file)})
    policies.answer([with_task(Document("x", NOTE), Task("rules", "detect", 1))])
    assert forgotten.wait(30)
