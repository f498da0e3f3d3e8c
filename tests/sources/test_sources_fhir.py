"""FHIR R4: no original in any element, valid results, references that fit, bad records set aside."""

import base64
import copy
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight import registry
from plainsight.document import Document, Patient, SetAside
from plainsight.errors import FormatError, UsageError
from plainsight.formats.base import write_all
from plainsight.formats.files import MemoryFile
from plainsight.formats.guess import guess
from plainsight.sources.fhir import Fhir
from plainsight.sources.fhir_walk import types

EXAMPLES = Path(__file__).parents[2] / "examples" / "clinical"
BUNDLE = json.loads((EXAMPLES / "bundle.json").read_text())
CANARIES = [
    *(
        "Okonkwo",
        "Ngozi",
        "Adaeze",
        "Chidiebere",
        "Baumgartner",
        "Lena",
        "1951-08-09",
        "8/9/1951",
        "0371-88-214",
    ),
    *(
        "123-45-6789",
        "555-0187",
        "555-0144",
        "Quarrystone",
        "2019-03-04",
        "3/4/2019",
        "March 4, 2019",
        "o-5512",
    ),
    *("zephyrhill", "0b6f5d8e-3d0c-4a8e-9a53-3f5ad4ad0a11", "bundle-77812", "77-Baum", "race", "d-8831"),
]


def read(*records, name="a.ndjson", **options):
    file = MemoryFile(name)
    file.data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    return list(Fhir(**options).read(file))


def written(*notes):
    file = MemoryFile("out.ndjson")
    write_all(Fhir(), notes, file)
    return [json.loads(line) for line in file.data.splitlines()]


def texts(tree):
    """Return a record as text, with attachments decoded."""
    whole = json.dumps(tree, ensure_ascii=False)
    found = re.findall(r'"data": "([A-Za-z0-9+/=]+)"', whole)
    return whole + "".join(base64.b64decode(one).decode() for one in found)


@pytest.fixture(scope="module")
def released(pipeline):
    [bundle] = written(*pipeline.deidentify(read(BUNDLE)))
    return bundle


def resource(bundle, kind):
    return next(entry["resource"] for entry in bundle["entry"] if entry["resource"]["resourceType"] == kind)


def validate(record):
    model = pytest.importorskip("fhir.resources.R4B").get_fhir_model_class(record["resourceType"])
    model.model_validate(record)


def test_the_example_is_valid_before_and_after(released):
    validate(BUNDLE)
    validate(released)


def test_no_original_is_left(released):
    text = texts(released)
    assert [word for word in CANARIES if word.lower() in text.lower()] == []
    assert [word for word in CANARIES if word.lower() not in texts(BUNDLE).lower()] == []


def test_redaction_and_safe_harbor_are_valid(load):
    for policy in ("redact", "safe-harbor"):
        notes = load(policy).deidentify(read(BUNDLE))
        [bundle] = written(*notes)
        validate(bundle)
        text = texts(bundle)
        own = {"Baumgartner", "Lena", "zephyrhill", "555-0144"} if policy == "safe-harbor" else set()
        assert [word for word in CANARIES if word.lower() in text.lower() and word not in own] == []
        if policy == "safe-harbor":
            assert resource(bundle, "Patient")["birthDate"] == "1951"
            assert "lastUpdated" not in resource(bundle, "Patient").get("meta", {})


def test_text_narrative_attachment_and_fields_tell_of_one_person(released):
    patient, observation = resource(released, "Patient"), resource(released, "Observation")
    name = patient["name"][0]
    family, given = name["family"], name["given"][0]
    doctor = resource(released, "Practitioner")["name"][0]["family"]
    letter = resource(released, "DocumentReference")["content"][0]["attachment"]
    text = base64.b64decode(letter["data"]).decode()
    mrn = patient["identifier"][0]["value"]
    assert text.startswith(f"Mrs. {family} was seen by Dr. {doctor} on ")
    assert text.endswith(f".\n{given} is well. MRN {mrn}.\n")
    assert letter["title"] == f"Letter to {given} {family}"
    assert f"<b>{given}</b> {family}, born" in patient["text"]["div"]
    assert f"<td>{mrn}</td>" in patient["text"]["div"]
    assert observation["subject"]["display"] == f"{given} {family}"
    assert observation["code"]["text"] == f"Glucose of Mrs. {family}"
    assert "hash" not in letter


def test_dates_shift_alike_in_text_and_fields(released):
    observation = resource(released, "Observation")
    year, month, day = observation["effectiveDateTime"][:10].split("-")
    attached = resource(released, "DocumentReference")["content"][0]["attachment"]["data"]
    assert f"{int(month)}/{int(day)}/{year}" in base64.b64decode(attached).decode()
    assert released["timestamp"].startswith(f"{year}-{month}-{day}T10:30:00Z")
    born = resource(released, "Patient")["birthDate"].split("-")
    assert f"born {int(born[1])}/{int(born[2])}/{born[0]}" in resource(released, "Patient")["text"]["div"]


def test_references_still_fit(released):
    urls = {entry["fullUrl"] for entry in released["entry"] if "fullUrl" in entry}
    observation = resource(released, "Observation")
    assert observation["subject"]["reference"] in urls
    assert f"https://fhir.example/{observation['performer'][0]['reference']}" in urls
    assert (
        f"https://fhir.example/{resource(released, 'Patient')['managingOrganization']['reference']}" in urls
    )
    patient = resource(released, "Patient")["id"]
    assert resource(released, "DocumentReference")["subject"]["reference"] == f"Patient/{patient}"


def test_codes_values_and_units_stay(released):
    before, after = resource(BUNDLE, "Observation"), resource(released, "Observation")
    assert after["valueQuantity"] == before["valueQuantity"]
    assert after["code"]["coding"] == before["code"]["coding"]


def test_decimals_keep_their_digits(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"resourceType":"Observation","status":"final","valueQuantity":{"value":1.00}}')
    write_all(Fhir(), Fhir().read(path), tmp_path / "b.json")
    assert '"value": 1.00' in (tmp_path / "b.json").read_text()


@pytest.mark.parametrize("unknown", [{"shoeSize": "Okonkwo"}, {"_birthDate": {"id": "Okonkwo"}}, {"extension": [{"url": "x", "valueString": "Okonkwo"}]}, {"gender": {"x": "Okonkwo"}}, {"active": "Okonkwo"}, {"name": "Okonkwo"}, {"photo": [{"data": "T2tvbmt3bw=="}]}])  # fmt: skip  # noqa: E501
def test_unknown_elements_are_dropped_and_counted_or_refuse_the_record(unknown, tmp_path):
    record = {"resourceType": "Patient", "id": "1", **unknown}
    [note] = read(record)
    assert sum(note.meta["_dropped_fields"].values()) == 1
    assert "Okonkwo" not in texts(written(note))
    policy = tmp_path / "fields.toml"
    policy.write_text('[fhir]\nunknown = "refuse"\n')
    if "photo" not in unknown:  # which the policy names
        [aside] = read(record, fields=policy)
        assert isinstance(aside, SetAside)
        assert "Okonkwo" not in aside.reason


def test_a_modifier_extension_refuses_the_record():
    [aside] = read({"resourceType": "Patient", "modifierExtension": [{"url": "x"}]})
    assert isinstance(aside, SetAside)


def test_a_field_policy_of_the_user(tmp_path, pipeline):
    policy = tmp_path / "fields.toml"
    policy.write_text(
        '[fhir.elements]\n"Patient.gender" = "drop"\n"Observation.note" = "drop"\n'
        '[fhir.extensions]\n"http://x.org/race" = "PATIENT"\n"http://x.org/kept" = "keep"\n'
    )
    changed = copy.deepcopy(BUNDLE)
    changed["entry"][0]["resource"]["extension"].append({"url": "http://x.org/kept", "valueBoolean": True})
    [bundle] = written(*pipeline.deidentify(read(changed, fields=policy)))
    patient = resource(bundle, "Patient")
    assert "gender" not in patient
    assert patient["extension"][1]["valueBoolean"] is True
    assert patient["extension"][0]["valueString"] == patient["name"][0]["family"]
    assert "note" not in resource(bundle, "Observation")
    policy.write_text('[fhir.elements]\n"Patient.gender" = "hide"\n')
    with pytest.raises(UsageError):
        read(BUNDLE, fields=policy)


def test_every_kind_of_identifier_and_text(pipeline):
    """A canary in each string, date and number of a type, whatever its name."""
    for kind in (
        "Patient",
        "Practitioner",
        "Encounter",
        "DiagnosticReport",
        "Coverage",
        "Device",
        "Location",
    ):
        record = {"resourceType": kind, "id": "canary-1"}
        for name, element in types()[kind].items():
            if element in ("string", "markdown"):
                record[name] = "Mrs. Ngozi Okonkwo"
            elif element in ("date", "dateTime", "instant"):
                record[name] = "2019-03-04T10:00:00Z"
        record["identifier"] = [{"system": "http://x.org/Okonkwo", "value": "0371-88-214"}]
        [note] = read(record)
        known = replace(note, patient=Patient(id="1", names=("Ngozi Okonkwo",)))
        [made] = written(*pipeline.deidentify([known]))
        text = json.dumps(made)
        assert [
            word for word in ("Okonkwo", "Ngozi", "2019-03-04", "0371-88-214", "canary-1") if word in text
        ] == []


@pytest.mark.parametrize(
    ("media", "content", "stays"),
    [
        ("text/plain; charset=iso-8859-1", "38 °C, says Mrs. Okonkwo.".encode("latin-1"), True),
        (
            "text/html",
            b"<html><head><title>Okonkwo</title></head><body><p>Mrs. Okonkwo came.</p></body></html>",
            True,
        ),
        ("application/xml", (EXAMPLES / "ccda.xml").read_bytes(), True),
        ("text/html", b"<p>Okonkwo<br>", False),
        ("image/png", b"Okonkwo", False),
        ("text/plain", b"{\\rtf1 Okonkwo}", False),
        ("text/plain", b'{"resourceType": "Patient", "name": "Okonkwo"}', False),
    ],
)
def test_attachments(pipeline, media, content, stays):
    record = {
        "resourceType": "DocumentReference", "status": "current", "subject": {"reference": "Patient/1"},
        "content": [{"attachment": {"contentType": media, "data": base64.b64encode(content).decode()}}],
    }  # fmt: skip
    patient = Patient(id="1", names=("Ngozi Okonkwo",))
    [note] = read(record)
    [made] = written(*pipeline.deidentify([replace(note, patient=patient)]))
    attachment = made["content"][0]["attachment"] if "content" in made else {}
    assert ("data" in attachment) is stays
    assert "Okonkwo" not in texts(made)
    if "charset" in media:
        assert attachment["contentType"] == "text/plain; charset=utf-8"
        assert "38 °C" in texts(made)


def test_a_bulk_export_finds_the_patients_of_its_notes(tmp_path, pipeline):
    patient = resource(BUNDLE, "Patient") | {"id": "p1"}
    text = base64.b64encode(b"OKONKWO, N. seen. Chidiebere called.").decode()
    report = {
        "resourceType": "DiagnosticReport", "id": "r1", "status": "final", "code": {"text": "x"},
        "subject": {"reference": "Patient/p1"},
        "presentedForm": [{"contentType": "text/plain", "data": text}],
    }  # fmt: skip
    (tmp_path / "DiagnosticReport.ndjson").write_text(json.dumps(report) + "\n")
    (tmp_path / "Patient.ndjson").write_text(json.dumps(patient) + "\n")
    assert guess(tmp_path) == "fhir"
    notes = list(Fhir().read(tmp_path))
    assert [note.patient_id for note in notes] == ["p1", "p1"]
    made = written(*pipeline.deidentify(notes))
    assert "OKONKWO" not in texts(made)
    assert made[0]["subject"]["reference"] == f"Patient/{made[1]['id']}"


def test_a_bundle_of_several_patients_is_set_aside():
    two = copy.deepcopy(BUNDLE)
    two["entry"].append({"resource": {"resourceType": "Patient", "id": "other"}})
    [aside] = read(two)
    assert isinstance(aside, SetAside)
    assert "several patients" in aside.reason


BAD = [
    *(b"{", b"[]", b"null", b'{"resourceType": "Cat"}', b'{"resourceType": ["Patient"]}', b'{"a": ' * 3000),
    *(
        b"\xff\xfe{",
        b'{"resourceType": "Bundle", "entry": [{"resource": 1}]}',
        b'{"resourceType": "HumanName"}',
    ),
]


@pytest.mark.parametrize("bad", BAD)
def test_bad_records_are_set_aside_and_the_run_goes_on(bad):
    file = MemoryFile("a.ndjson")
    file.data = bad + b"\n" + json.dumps({"resourceType": "Patient", "id": "1"}).encode()
    aside, good = Fhir().read(file)
    assert isinstance(aside, SetAside)
    assert isinstance(good, Document)


STRANGE = [None, "a word", 3, True, [], {}, [["x"]], {"x": {"y": 1}}]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_damage_never_stops_a_run_and_nothing_strange_is_kept(data):
    record = copy.deepcopy(BUNDLE)
    for _ in range(data.draw(st.integers(1, 4))):
        node = record
        while isinstance(node, dict | list) and node:
            key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
            if not isinstance(node[key], dict | list) or data.draw(st.booleans()):
                node[key] = data.draw(
                    st.sampled_from([None, "canary word", 3, True, [], {}, [["x"]], {"x": {"y": 1}}])
                )
                break
            node = node[key]
    for item in read(record):
        if isinstance(item, Document):
            write_all(Fhir(), [item], MemoryFile("out.ndjson"))


def test_a_note_of_another_format_is_refused():
    with pytest.raises(FormatError):
        written(Document("n", "Seen."))


@pytest.mark.parametrize("source", ["ccda", "hl7", "fhir"])
@pytest.mark.parametrize("target", ["ccda", "hl7", "fhir"])
def test_a_record_is_written_only_as_what_it_was_read_from(source, target, tmp_path):
    name = {"ccda": "ccda.xml", "hl7": "message.hl7", "fhir": "bundle.json"}[source]
    examples = Path(__file__).parents[2] / "examples" / "clinical"
    note, *_ = registry.create("formats", source).read(examples / name)
    output = tmp_path / "out"
    if source == target:
        write_all(registry.create("formats", target), [note], output)
        return
    with pytest.raises(FormatError, match=f"not read from {target}|not those of its record"):
        write_all(registry.create("formats", target), [note], output)


def test_json_is_no_sign_of_fhir_by_its_name_alone(tmp_path):
    from plainsight.formats.guess import by_suffix

    assert by_suffix(tmp_path / "found.json", "jsonl") == "jsonl"
    assert guess(EXAMPLES / "bundle.json") == "fhir"


def test_a_line_longer_than_a_note_may_be_is_set_aside(monkeypatch):
    monkeypatch.setenv("PLAINSIGHT_MAX_NOTE_MB", "1")
    long = {"resourceType": "Patient", "id": "1" * (1 << 20)}
    aside, good = read(long, {"resourceType": "Patient", "id": "2"})
    assert isinstance(aside, SetAside)
    assert isinstance(good, Document)


_NAME = "Ngozi Okonkwo"


@pytest.mark.parametrize(
    "element",
    [
        {"code": {"coding": [{"system": "http://loinc.org", "code": "1", "display": _NAME}]}},
        {"code": {"coding": [{"system": "http://loinc.org", "code": _NAME}]}},
        {"code": {"coding": [{"system": f"http://loinc.org/{_NAME}", "code": "1"}]}},
        {"code": {"coding": [{"system": f"urn:oid:2.16.840.1.113883.{_NAME}"}]}},
        {"valueQuantity": {"value": 1, "unit": _NAME, "code": "mg"}},
        {"valueSampledData": {"period": 1, "data": _NAME}},
        {"valueTime": _NAME},
        {"status": _NAME},
        {"meta": {"versionId": _NAME}},
        {"text": {"status": "generated", "div": f'<div xmlns="{_NAME}">x</div>'}},
        {"text": {"status": "generated", "div": f'<div xmlnsx="{_NAME}"><p class="Ngozi">x</p></div>'}},
        {"text": {"status": "generated", "div": f"<div><!-- {_NAME} --><p title='{_NAME}'>x</p></div>"}},
        {"contained": [{"resourceType": "Organization", "contact": [{"purpose": {"text": _NAME}}]}]},
        {"extension": [{"url": "http://x.org", "valueString": _NAME}]},
        {
            "extension": [
                {
                    "url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason",
                    "valueCode": _NAME,
                    "extension": [{"url": _NAME, "valueString": _NAME}],
                }
            ]
        },
    ],
)
def test_no_words_stay_unread(element):
    [note] = read({"resourceType": "Observation", "status": "final", **element})
    assert "Ngozi" not in repr(note.meta["_record"])


def test_codes_units_and_public_addresses_stay():
    concept = {"coding": [{"system": "http://loinc.org", "code": "18842-5"}]}
    quantity = {"value": 1, "unit": "mg/dL", "system": "http://unitsofmeasure.org", "code": "mg/dL"}
    absent = {"url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason", "valueCode": "unknown"}
    record = {
        "resourceType": "Observation",
        "extension": [absent],
        "status": "final",
        "code": concept,
        "valueQuantity": quantity,
    }
    [note] = read(record)
    assert written(note) == [record]
