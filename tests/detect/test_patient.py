"""The patient detector as a whole: cases in inline markup, its contract, what it reaches on our patients."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.detect.patient import PatientRecord
from plainsight.document import Address, Document, Patient, Span
from plainsight.formats.inline import parse
from plainsight.testing import check_detector

ROOT = Path(__file__).parents[2]
CASES = json.loads((ROOT / "tests/cases/patient.json").read_text(encoding="utf-8"))
NOTES = [
    pytest.param(
        case["record"],
        note,
        id=f"{case['about']}-{number}",
        marks=pytest.mark.xfail(reason="known failure") if number in case.get("known_failures", ()) else (),
    )
    for case in CASES
    for number, note in enumerate(case["notes"])
]


def detect(patient: Patient | None, *texts: str) -> list[list[Span]]:
    notes = [Document(str(number), text, patient=patient) for number, text in enumerate(texts)]
    return PatientRecord().detect(notes)


@pytest.mark.parametrize(("record", "marked"), NOTES)
def test_case(record: dict[str, object], marked: str) -> None:
    text, expected = parse(marked)
    [found] = detect(Patient.from_json(record), text)
    assert [(text[s.start : s.end], s.label) for s in found] == [
        (text[s.start : s.end], s.label) for s in expected
    ]
    assert [(s.start, s.end) for s in found] == [(s.start, s.end) for s in expected]


def test_a_document_without_a_record_has_nothing() -> None:
    assert detect(None, "Ernestine Gaithers, 3/9/2021") == [[]]


def test_sources_say_which_part_of_the_record_spoke() -> None:
    patient = Patient(
        id="1",
        names=("Ada Obst",),
        relatives=("Hamza Roe-Lind",),
        providers=("Priya Raghunathan",),
        dates=("2021-03-09",),
        emails=("ada@example.com",),
        ids=(("MEDICALRECORD", "55-1234"),),
        employers=("Sunbreak",),
        addresses=(Address(city="Memphis"),),
    )
    text = (
        "Obst, with Hamza. Dr. Raghunathan, 3/9/2021, ada@example.com, 551234, Sunbreak, Memphis P.R. obsta"
    )
    [spans] = detect(patient, text)
    rules = {
        "name",
        "relative",
        "provider",
        "date",
        "email",
        "number",
        "employer",
        "place",
        "initials",
        "login",
    }
    assert {span.source for span in spans} == {f"patient.{rule}" for rule in rules}
    assert all(0 < span.score < 1 for span in spans)


def test_documents_of_one_patient_do_not_depend_on_each_other() -> None:
    patient = Patient(id="1", names=("Zainab Farooqi",))
    texts = ["Zianab came.", "Farooqi; Zianab; zianab", "", "Nobody. zianab"]
    together = detect(patient, *texts)
    assert together == [detect(patient, text)[0] for text in texts]


def test_equal_records_of_other_objects_are_the_same_patient() -> None:
    one, other = (Patient(id="1", names=("Ada Obst",)) for _ in range(2))
    first, second = PatientRecord().detect(
        [Document("1", "Obst", patient=one), Document("2", "Obst", patient=other)]
    )
    assert first == second != []


def test_contract_on_our_patients() -> None:
    check_detector(PatientRecord(), longitudinal())


def longitudinal() -> list[Document]:
    folder = ROOT / "corpus/longitudinal"
    documents = []
    for path in sorted(folder.glob("*.json")):
        patient = Patient.from_json(json.loads(path.read_text(encoding="utf-8")))
        for note in sorted(folder.glob(f"{path.stem}-*.txt")):
            text, spans = parse(note.read_text(encoding="utf-8"))
            documents.append(Document(note.stem, text, spans, patient.id, patient))
    return documents


def test_it_finds_our_patients_and_little_else() -> None:
    documents = longitudinal()
    assert len(documents) == 30
    wrong = right = missed = found = 0
    for document, claims in zip(documents, PatientRecord().detect(documents), strict=True):
        marked = {place for span in document.spans for place in range(span.start, span.end)}
        claimed = {place for span in claims for place in range(span.start, span.end)}
        right += len(claimed & marked)
        wrong += sum(document.text[place].isalnum() for place in claimed - marked)
        names = {
            place
            for span in document.spans
            if span.label in ("PATIENT", "DOCTOR", "SSN", "EMAIL")
            for place in range(span.start, span.end)
        }
        found += len(names & claimed)
        missed += len(names - claimed)
    assert right / (right + wrong) >= 0.98
    assert found / (found + missed) >= 0.94


TEXT = st.text(
    alphabet=st.one_of(st.sampled_from("Gg aithersE,.-'/0123456789\n\"xX(王é"), st.characters()), max_size=80
)
PART = st.one_of(
    st.sampled_from(["Gaithers", "Ernestine L. Gaithers", "O'Brien, Seán", "Will", "王小明"]), TEXT
)
MANY = st.lists(PART, max_size=3).map(tuple)
PATIENTS = st.builds(
    Patient,
    id=st.just("1"),
    names=MANY,
    relatives=MANY,
    providers=MANY,
    phones=MANY,
    emails=MANY,
    dates=MANY,
    employers=MANY,
    ids=st.lists(st.tuples(st.sampled_from(["SSN", "MEDICALRECORD", "?"]), PART), max_size=3).map(tuple),
    addresses=st.lists(st.builds(Address, PART, PART, PART, PART, PART), max_size=2).map(tuple),
)


@given(PATIENTS, st.one_of(TEXT, st.lists(PART, max_size=6).map(" ".join)))
@settings(max_examples=150, deadline=None)
def test_any_record_and_any_text_give_spans_inside_the_text(patient: Patient, text: str) -> None:
    [spans] = detect(patient, text)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(span.label in PatientRecord.labels and span.detector == "patient" for span in spans)
    assert spans == sorted(spans, key=lambda span: (span.start, -span.end))


@pytest.mark.parametrize("code", ["-000", "1-4410", "-", "0000-1234"])
def test_a_postal_code_without_its_first_part_finds_nothing(code: str) -> None:
    patient = Patient(id="1", addresses=(Address(zip=code),))
    assert detect(patient, "", "1 tablet, 44 of 0000 in room 1") == [[], []]


def test_the_order_of_sets_changes_nothing() -> None:
    script = (
        "import json, sys; from pathlib import Path; from plainsight.detect.patient import PatientRecord\n"
        "from plainsight.document import Document, Patient\n"
        "p = Patient.from_json(json.loads(Path('corpus/longitudinal/p3.json').read_text()))\n"
        "t = Path('corpus/longitudinal/p3-05_social_work.txt').read_text()\n"
        "print([s.to_json() for s in PatientRecord().detect([Document('a', t, patient=p)])[0]])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
