"""Values beside a note: replaced with the note, as the policy says, in their form and type."""

from datetime import date, datetime
from uuid import UUID

import pytest

import plainsight
from plainsight.document import Document, Field, Patient, SetAside, Span
from plainsight.replace.surrogate.operation import SHARED

KEY = b"a secret of at least thirty-two bytes"
TEXT = "Mrs. Okonkwo was seen on 2019-03-04. Ngozi Okonkwo lives in Dayton."
FIELDS = (
    Field("family", "PATIENT", "Okonkwo"),
    Field("given", "PATIENT", "Ngozi"),
    Field("born", "BIRTHDATE", "1951-08-09"),
    Field("seen", "DATE", "2019-03-04T10:30:00Z"),
    Field("city", "CITY", "Dayton"),
    Field("state", "STATE", "OH"),
    Field("zip", "ZIP", "45402"),
    Field("mrn", "MEDICALRECORD", "0371-88-214"),
    Field("id", "KEY", "patient-17"),
)
RECORD = Patient(id="17", names=("Ngozi Okonkwo",))


@pytest.fixture(scope="module")
def pipeline():
    return plainsight.load("fast", key=KEY)


@pytest.fixture
def with_policy(tmp_path):
    def make(settings):
        path = tmp_path / "p.toml"
        path.write_text(settings)
        return plainsight.load(path, key=KEY)

    return make


def values(pipeline, *fields, patient_id="17"):
    return [field.value for field in pipeline.replace_fields(fields, patient_id=patient_id)]


def released(pipeline, patient_id="17"):
    [note] = pipeline.deidentify(
        [Document("n", TEXT, patient_id=patient_id, patient=RECORD if patient_id else None, fields=FIELDS)]
    )
    return note, {field.name: field.value for field in note.fields}


def days(text):
    return date.fromisoformat(text[:10])


@pytest.mark.parametrize("patient_id", ["17", None])
def test_a_person_and_a_date_are_the_same_in_fields_and_text(pipeline, patient_id):
    note, new = released(pipeline, patient_id)
    assert f"{new['given']} {new['family']}" in note.text
    assert note.text.startswith(f"Mrs. {new['family']} was seen on {new['seen'][:10]}")
    assert new["seen"].endswith("T10:30:00Z")
    assert new["city"] in note.text
    assert days(new["seen"]) - days(new["born"]) == date(2019, 3, 4) - date(1951, 8, 9)
    for field in FIELDS:
        if field.label not in SHARED:  # what many share may stay by chance
            assert new[field.name] != field.value


def test_fields_alone_agree_with_fields_beside_a_note(pipeline):
    _, new = released(pipeline)
    assert values(pipeline, *FIELDS[:4]) == [new[name] for name in ("family", "given", "born", "seen")]


def test_two_patients_have_other_surrogates_but_ids_still_fit(pipeline):
    one, two = (values(pipeline, FIELDS[0], FIELDS[8], patient_id=name) for name in ("17", "18"))
    assert one[0] != two[0]
    assert one[1] == two[1]


def test_redaction_leaves_tags_in_texts_and_nothing_in_dates():
    made = values(plainsight.load("redact"), *FIELDS)
    assert made[:2] == ["[PATIENT]", "[PATIENT]"]
    assert made[2:4] == [None, None]
    assert made[8] != "patient-17"


def test_safe_harbor_keeps_years_states_and_providers():
    pipeline = plainsight.load("safe-harbor", key=KEY)
    doctor = Field("by", "DOCTOR", "Baumgartner")
    made = dict(zip([*(f.name for f in FIELDS), "by"], values(pipeline, *FIELDS, doctor), strict=True))
    assert (made["born"], made["seen"], made["state"], made["zip"]) == ("1951", "2019", "OH", "454**")
    assert made["by"] == "Baumgartner"
    assert made["city"] == "[CITY]"
    assert made["family"] not in ("Okonkwo", "")


def test_safe_harbor_hides_a_birth_over_89_years_ago():
    pipeline = plainsight.load("safe-harbor", key=KEY)
    born, seen = Field("born", "BIRTHDATE", "1921-05-06"), Field("seen", "DATE", "2019-03-04")
    assert values(pipeline, born, seen) == [None, "2019"]


def test_labels_that_the_policy_does_not_name_stay(with_policy):
    pipeline = with_policy('extends = "fast"\nlabels = ["PATIENT"]\n')
    assert values(pipeline, FIELDS[7], FIELDS[3]) == ["0371-88-214", "2019-03-04T10:30:00Z"]
    assert values(pipeline, FIELDS[0]) != ["Okonkwo"]


def test_times_of_day_go_where_the_policy_names_them(with_policy):
    pipeline = with_policy('extends = "fast"\nlabels = "all+time"\n')
    [seen] = values(pipeline, FIELDS[3])
    assert len(seen) == 10


def test_dates_keep_form_and_type(pipeline):
    forms = ["2019-03-04", "20190304", "201903041030", "20190304103000.12-0500", "2019-03-04 10:30:00"]
    made = values(pipeline, *(Field("d", "DATE", form) for form in forms))
    day = made[0]
    compact = day.replace("-", "")
    assert made == [day, compact, f"{compact}1030", f"{compact}103000.12-0500", f"{day} 10:30:00"]
    types = [date(2019, 3, 4), datetime(2019, 3, 4, 10, 30), 20190304]
    assert values(pipeline, *(Field("d", "DATE", form) for form in types)) == [
        days(day),
        datetime.combine(days(day), datetime(1, 1, 1, 10, 30).time()),
        int(compact),
    ]


@pytest.mark.parametrize("form", ["2019-03", "201903", "2019"])
def test_partial_dates_stay_partial(pipeline, form):
    [made] = values(pipeline, Field("d", "DATE", form))
    assert len(made) == len(form)
    assert made.count("-") == form.count("-")


@pytest.mark.parametrize(
    "bad", ["last spring", "2019-13-45", "Jane was here", "2019-03-04T Jane", "9999-12-31"]
)
def test_what_is_no_date_is_none(pipeline, bad):
    [made] = values(pipeline, Field("d", "DATE", bad))
    assert made is None or (bad == "9999-12-31" and made != bad)


def test_empty_values_stay(pipeline):
    assert values(pipeline, Field("a", "PATIENT", None), Field("b", "DATE", ""), Field("c", "KEY", "")) == [
        None,
        "",
        "",
    ]


def test_codes_have_the_type_of_the_id(pipeline):
    uuid = "0b6f5d8e-3d0c-4a8e-9a53-3f5ad4ad0a11"
    number, large, code, text = values(
        pipeline, *(Field("id", "KEY", value) for value in (17, 1 << 40, uuid, "abc"))
    )
    assert 0 <= number < 1 << 31 <= large < 1 << 63
    assert str(UUID(code)) == code != uuid
    assert len(text) == 20


def test_numbers_that_become_no_numbers_are_none():
    assert values(plainsight.load("safe-harbor", key=KEY), Field("age", "AGE", 93)) == [None]
    assert values(plainsight.load("safe-harbor", key=KEY), Field("age", "AGE", 45)) == [45]


def test_an_unknown_label_sets_the_note_aside(pipeline):
    [item] = pipeline.deidentify([Document("n", "Fine.", fields=(Field("x", "NAME", "Okonkwo"),))])
    assert isinstance(item, SetAside)
    assert "Okonkwo" not in item.reason


def test_fields_are_the_same_under_a_state(tmp_path):
    first = plainsight.load("fast", key=KEY, state=tmp_path / "state")
    note, new = released(first)
    again, same = released(first)
    assert (note.text, new) == (again.text, same)
    assert new["family"] in note.text


def test_cuts_move_with_the_text_and_no_span_crosses_one(pipeline):
    text = "Ngozi\nOkonkwo came.\nSeen 2019-03-04."
    spans = (Span(0, 13, "PATIENT"), Span(25, 35, "DATE"))
    [note] = pipeline.replace([Document("n", text, spans, "17", cuts=(6, 20))])
    first, second, third = (
        note.text[a:b] for a, b in zip((0, *note.cuts), (*note.cuts, len(note.text)), strict=True)
    )
    assert first.endswith("\n")
    assert second.endswith(" came.\n")
    assert third.startswith("Seen ")


def test_no_value_is_shown():
    assert "Okonkwo" not in repr(FIELDS[0])
