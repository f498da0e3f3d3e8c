"""Who is a provider, by person."""

from dataclasses import replace

import pytest

from plainsight.combine.providers import name_labels
from plainsight.document import Document, Patient
from plainsight.formats.inline import parse


def labels(*marked: str, source: str = "cascade", patient: Patient | None = None) -> list[str]:
    """Return the labels that the names of one patient's notes should have, in order."""
    notes = []
    for number, one in enumerate(marked):
        text, spans = parse(one)
        found = tuple(replace(span, source=source) for span in spans)
        notes.append(Document(str(number), text, found, "p", patient))
    return [label for note in name_labels(notes) for _, label in sorted(note.items())]


@pytest.mark.parametrize(
    "marked",
    [
        "Seen by Dr. {{DOCTOR|Okafor}}.",
        "Attending: {{DOCTOR|LEE, ANNA}} MD",
        "{{DOCTOR|Shane Littlefield}}, DPT. {{DOCTOR|Shane}} will call.",
        "{{DOCTOR|K. Semple}}, RT. Tech {{DOCTOR|Semple}} notified, {{DOCTOR|KS}}",
        "{{DOCTOR|Amos Kettlewell}}, M.D.   {{DOCTOR|Bea Lund}} R.N.",
        "Worker: {{DOCTOR|Kofi Mensah}}, LISW-S. RT {{DOCTOR|Leland Yates}} left.",
        "Seen with med student {{DOCTOR|Emily So}} and case manager {{DOCTOR|Ana Poe}}",
        "{{DOCTOR|Paula Stine}}, MS, CEP",
        "Spoke with {{DOCTOR|Rana Lee}}, staff Arabic interpreter. QA review 4/11/24 {{DOCTOR|C. Mc Bride}}",
        "By PA {{DOCTOR|Rae Tolman}}; charge ({{DOCTOR|Nadine}}) and nurse Mrs. {{DOCTOR|Keough}} knew",
        "Her husband, Dr. {{DOCTOR|Lee}}, RN {{DOCTOR|Kim}}: all agreed.",  # a list, the label is believed
    ],
)
def test_providers(marked):
    assert set(labels(marked)) == {"DOCTOR"}


@pytest.mark.parametrize(
    "marked",
    [
        "Daughter {{DOCTOR|Anna Lee}}, RN, helps. {{DOCTOR|Anna Lee}} signed the form.",
        "{{DOCTOR|Anna Lee}}, RN, is her daughter. {{DOCTOR|A. Lee}} RN visits daily.",
        "Mother, Dr. {{PATIENT|Farooqi}}, came.",
        "Wife: {{DOCTOR|Eva Smith}}",
        "{{PATIENT|John Smith}} fell. {{DOCTOR|Smith}} was born in Ohio.",
        "{{PATIENT|Jose Maldonado}} fell. Vial reads {{DOCTOR|MALDANADO}}.",
        "{{PATIENT|Thuy Linh Do}} interprets; {{DOCTOR|Thuylinh}} left.",
        "{{PATIENT|Robert James}} came. {{DOCTOR|RJ}} walked.",
        "{{PATIENT|LOOMIS, ROSE JANE}} came. {{DOCTOR|RJ}} walked.",
        "{{PATIENT|Ana Vander Ploeg}} came. Called by {{DOCTOR|Karen Vander Ploeg}}.",
        "Ana Roe, formerly {{DOCTOR|Schroeder}}",
        "Her daughter, a med student, {{PATIENT|Anna Lee}}, came.",
        "Placed rt {{DOCTOR|Anna Lee}} after transfer. Pt {{DOCTOR|Anna Lee}} agreed.",
    ],
)
def test_a_relative_is_one_under_any_label(marked):
    assert set(labels(marked)) == {"PATIENT"}


def test_a_person_is_linked_through_all_notes():
    assert labels("Ms. {{PATIENT|Lee}}, her sister {{DOCTOR|Anna Lee}}", "Signed: {{DOCTOR|Anna Lee}}, RN")[
        1:
    ] == ["PATIENT", "PATIENT"]


def test_a_surname_that_both_sides_have_needs_a_title():
    family, doctor = "{{PATIENT|John Smith}}, 67.", "Dr. {{DOCTOR|Carl Smith}}, MD."
    assert labels(family, doctor, "{{DOCTOR|Smith}} agreed.") == ["PATIENT", "DOCTOR", "PATIENT"]
    assert labels(family, doctor, "Dr. {{DOCTOR|Smith}} agreed.") == ["PATIENT", "DOCTOR", "DOCTOR"]


def test_a_first_name_of_the_family_goes_in_spite_of_a_title():
    child = "{{PATIENT|Nora Quist}}, 9, is {{PATIENT|Nora Q.}} at school."
    assert labels(child, 'They call her "Doctor {{DOCTOR|Nora}}".')[-1] == "PATIENT"
    assert labels(child, "Dr. {{DOCTOR|Nora Falk}}, MD. Dr. {{DOCTOR|Nora}} agreed.")[-1] == "DOCTOR"


def test_a_form_that_a_relative_has_too_goes():
    nurse = "{{DOCTOR|Anna Lee Novak}}, RN, and his wife {{PATIENT|Anna Lee Quist}}."
    assert labels(nurse, "{{DOCTOR|Anna Lee}} came.")[-1] == "PATIENT"


def test_what_a_detector_takes_for_a_patient_goes():
    nurse = "{{DOCTOR|Julia Ferreira}}, RN. Saw {{DOCTOR|Julia}}."
    assert labels(nurse) == ["DOCTOR", "DOCTOR"]
    assert labels(f"{nurse} {{{{PATIENT|Julia}}}} sat up. {{{{PATIENT|Julia Ferreira}}}} left.") == [
        "DOCTOR",
        "PATIENT",
        "PATIENT",
        "PATIENT",
    ]


def test_a_word_that_holds_a_letter_and_a_surname_is_a_login():
    assert labels("{{DOCTOR|Marc Do}}, DO   {{DOCTOR|mdo}}") == ["DOCTOR", "USERNAME"]
    assert labels("{{DOCTOR|Kaylee Bishop}}, RN   {{DOCTOR|kbishop}}") == ["DOCTOR", "USERNAME"]


def test_marks_of_a_person_are_believed():
    family = "{{PATIENT|John Smith}}, 67. {{DOCTOR|Smith}} agreed, {{DOCTOR|JS}}."
    assert labels(family, source="") == ["PATIENT", "DOCTOR", "DOCTOR"]
    assert labels("Her son {{DOCTOR|Carl}} came.", source="") == ["PATIENT"]


def test_the_record_knows_best():
    known = Patient(id="p", names=("John Smith",), relatives=("Roe, Anna",), providers=("Carl Lee",))
    marked = "{{DOCTOR|Anna Roe}} and {{PATIENT|Carl Lee}} met."
    assert labels(marked, patient=known) == ["PATIENT", "DOCTOR"]
    assert labels(f"Per {marked}") == ["DOCTOR", "PATIENT"]


def test_a_label_alone_makes_no_provider():
    assert labels("{{DOCTOR|Anna Roe}} met her at the gate.") == ["PATIENT"]
    assert labels("{{DOCTOR|Anna Roe}} met her.", "Paged {{DOCTOR|Anna Roe}}.") == ["DOCTOR", "DOCTOR"]
    assert labels("Labs drawn.\n\n{{DOCTOR|Anna Roe}}\n") == ["DOCTOR"]


@pytest.mark.parametrize(
    "marked",
    [
        "Per Rev. {{DOCTOR|Anna Roe}}, she is well.",
        "Called her pastor, {{DOCTOR|Anna Roe}}.",
        "Spoke per {{DOCTOR|Anna Roe}}, a coworker.",
        "Called by his shift supervisor {{DOCTOR|Anna Roe}}.",
        "Called {{DOCTOR|Anna Roe}} from work.",
    ],
)
def test_clergy_and_people_at_work_are_no_providers(marked):
    assert labels(marked) == ["PATIENT"]


def test_repr_shows_no_name():
    assert name_labels([Document("1", "no name here")]) == [{}]
