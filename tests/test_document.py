import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Address, Document, Patient, Span
from plainsight.errors import DataError, SpanError

spans = st.builds(
    lambda start, length, label, score, source: Span(start, start + length, label, score, source),
    st.integers(0, 100),
    st.integers(1, 20),
    st.sampled_from(["PATIENT", "DATE"]),
    st.sampled_from([0.25, 0.5, 1.0]),
    st.sampled_from(["", "patterns", "crf.title"]),
)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, 3, "DATE"), "from 3 to 3"),
        ((-1, 3, "DATE"), "from -1 to 3"),
        ((5, 3, "DATE"), "from 5 to 3"),
        ((0, 3, ""), "no label"),
        ((0, 3, "DATE", 1.5), "outside 0..1"),
        ((0, 3, "DATE", float("nan")), "outside 0..1"),
    ],
)
def test_a_span_checks_itself(arguments, message):
    with pytest.raises(SpanError, match=message):
        Span(*arguments)


@given(spans)
def test_a_span_survives_json(span):
    assert Span.from_json(span.to_json()) == span


def test_claims_travel_only_when_asked():
    span = Span(0, 4, "DATE", 0.9, "patterns.numeric", (Span(0, 4, "DATE", 0.9, "patterns.numeric"),))
    assert "claims" not in span.to_json()
    assert Span.from_json(span.to_json(explain=True)).claims == span.claims
    assert span.detector == "patterns"


@pytest.mark.parametrize(
    "record",
    [
        {},
        None,
        7,
        {"start": 0, "end": 1},
        {"start": "0", "end": 1, "label": "DATE"},
        {"start": True, "end": 2, "label": "DATE"},
        {"start": 0, "end": 1.0, "label": "DATE"},
        {"start": 0, "end": 1, "label": None},
        {"start": 0, "end": 1, "label": "DATE", "score": "high"},
        {"start": 0, "end": 1, "label": "DATE", "source": 3},
    ],
)
def test_a_bad_span_record_is_refused(record):
    with pytest.raises(SpanError):
        Span.from_json(record)


def test_a_document_refuses_spans_that_do_not_fit():
    with pytest.raises(SpanError, match="span ends at 9, text at 5"):
        Document("7", "short", (Span(0, 9, "DATE"),))
    with pytest.raises(SpanError, match="spans overlap or are out of order at 2"):
        Document("7", "shorter", (Span(0, 3, "DATE"), Span(2, 4, "DATE")))


def test_repr_shows_no_text_and_no_patient():
    patient = Patient(id="MRN 4711", names=("Ada Quill",))
    document = Document("n1", "Ada Quill was here", patient=patient)
    assert "Quill" not in repr(document)
    assert "Quill" not in repr(patient)
    assert "4711" not in repr(patient)


def test_the_interchange_form_leaves_out_what_is_not_there():
    assert Document("1", "x").to_json() == {"id": "1", "text": "x", "spans": []}
    full = Document("1", "x", (Span(0, 1, "DATE"),), patient_id="p", meta={"note_type": "ED"})
    assert full.to_json() == {
        "id": "1",
        "text": "x",
        "patient_id": "p",
        "meta": {"note_type": "ED"},
        "spans": [{"start": 0, "end": 1, "label": "DATE"}],
    }


def test_a_patient_record_is_read_from_its_structured_form():
    patient = Patient.from_json(
        {
            "patient_id": 12,
            "mrn": "0-11",
            "ssn": "900-12-3456",
            "names": {"first": "Ada", "last": "Quill", "nicknames": ["Addie"], "maiden": "Rook"},
            "relatives": [{"name": "Bo Quill", "relation": "son"}, "Cy Quill"],
            "providers": ["D. Marsh"],
            "addresses": [{"street": "1 Elm", "city": "Oro", "zip": "00001"}],
            "phones": "555-0100",
            "health_plan_ids": ["Z1"],
            "ids": [["ACCOUNT", "77"]],
            "birth_date": "1960-01-02",
            "encounters": ["2020-02-03"],
            "employer": "Mill",
            "sex": "F",
        }
    )
    assert patient == Patient(
        id="12",
        names=("Ada Quill", "Addie", "Rook"),
        relatives=("Bo Quill", "Cy Quill"),
        providers=("D. Marsh",),
        addresses=(Address("1 Elm", "Oro", "", "00001"),),
        phones=("555-0100",),
        ids=(("MEDICALRECORD", "0-11"), ("SSN", "900-12-3456"), ("HEALTHPLAN", "Z1"), ("ACCOUNT", "77")),
        dates=("1960-01-02", "2020-02-03"),
        employers=("Mill",),
        sex="F",
    )


def test_a_patient_record_takes_one_or_many():
    patient = Patient.from_json(
        {"patient_id": 0, "names": [{"first": "Ada", "last": "Quill"}, "Addie"], "relatives": "Bo Quill"}
    )
    assert (patient.id, patient.names, patient.relatives) == ("0", ("Ada Quill", "Addie"), ("Bo Quill",))


def test_a_patient_needs_an_id():
    with pytest.raises(DataError, match="patient_id"):
        Patient.from_json({"names": ["Ada Quill"]})
    with pytest.raises(DataError, match="object"):
        Patient.from_json(["Ada Quill"])  # type: ignore[arg-type]


def test_the_entity_of_a_span_travels_in_json_and_does_not_count_in_comparisons():
    span = Span(0, 4, "PATIENT", entity="anna")
    assert Span.from_json(span.to_json()).entity == "anna"
    assert span == Span(0, 4, "PATIENT")
    assert "anna" not in repr(span)
    with pytest.raises(SpanError):
        Span.from_json({"start": 0, "end": 4, "label": "PATIENT", "entity": 7})


def test_released_notes_name_no_entity():
    from plainsight.config import load_policy
    from plainsight.pipeline import Pipeline

    note = Document("1", "Wife Anna", (Span(5, 9, "PATIENT", entity="anna"),))
    [released] = Pipeline(load_policy("redact")).replace([note])
    assert [span.entity for span in released.spans] == [""]


def test_a_pickled_span_is_the_same_with_all_its_fields():
    claim = Span(1, 3, "DATE", 0.5, "patterns.date")
    span = Span(1, 4, "DATE", 0.9, "convolution", (claim,), "anna")
    back = pickle.loads(pickle.dumps(span))
    assert (back, back.claims, back.entity) == (span, (claim,), "anna")
