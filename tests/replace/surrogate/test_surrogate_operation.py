"""The operation: the same key makes the same surrogates, in every process and in every order of notes."""

import os
import subprocess
import sys
from itertools import groupby, permutations
from pathlib import Path

import pytest

from plainsight.document import Document, Span
from plainsight.formats.inline import parse
from plainsight.replace.surrogate.operation import Surrogate

KEY = bytes(range(32))
LONGITUDINAL = Path(__file__).parents[3] / "corpus" / "longitudinal"
NOTES = (
    "{{PATIENT|Ann Lee}}, {{CITY|Memphis}}, {{STATE|TN}} {{ZIP|38114}}, works at {{HOSPITAL|Baptist East}}. "
    "{{PHONE|901-555-0142}} {{PHONE|901-555-0143}} {{PHONE|415-555-0142}} {{PHONE|212-555-0190}} "
    "{{PHONE|312-555-0111}} {{PHONE|505-555-0111}} {{PHONE|702-555-0161}} {{PHONE|406-555-0117}}",
    "{{DOCTOR|Dr. Bob Roe}} of {{HOSPITAL|Mercy Hospital}} saw the {{PROFESSION|welder}} from "
    "{{STREET|12 Ohio St}} and {{STREET|14 Iowa Ave}} on {{DATE|3/14/2019}}: MRN {{MEDICALRECORD|0371-88}}, "
    "{{EMAIL|alee@mail.com}}, {{PHONE|303-555-0121}} {{PHONE|404-555-0121}} {{PHONE|503-555-0121}}",
)
PRINT = f"""
import sys
from pathlib import Path
sys.path[:0] = {sys.path!r}
from test_surrogate_operation import made
print(made())
"""


def documents(notes=NOTES):
    read = (parse(note) for note in notes)
    return [Document(str(n), text, spans, patient_id="1") for n, (text, spans) in enumerate(read)]


def longitudinal():
    """The notes of all patients of the corpus, patient by patient."""
    notes = ((path, parse(path.read_text("utf-8"))) for path in sorted(LONGITUDINAL.glob("p*.txt")))
    return [
        Document(path.stem, text, spans, patient_id=path.stem.partition("-")[0])
        for path, (text, spans) in notes
    ]


def by_note(documents, operation=Surrogate(key=KEY)):  # noqa: B008 - it has no state
    made = operation.replace(documents)
    return {document.id: surrogates for document, surrogates in zip(documents, made, strict=True)}


def made():
    return Surrogate(key=KEY).replace(documents())


def test_every_process_makes_the_same_surrogates():
    for seed in ("1", "2"):  # another order of sets
        other = subprocess.run(
            [sys.executable, "-c", PRINT],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        )
        assert other.stdout.strip() == repr(made())


def test_the_order_of_notes_does_not_matter():
    assert Surrogate(key=KEY).replace(documents()[::-1]) == made()[::-1]


@pytest.mark.parametrize(
    "notes",
    [
        (  # whom J. Smith stands for
            "{{PATIENT|John Smith}}, {{PATIENT|J. Smith}}",
            "{{PATIENT|James Smith}}, {{PATIENT|J. Smith}}",
            "{{PATIENT|J. Smith}} came, {{PATIENT|JS}} left",
        ),
        (  # whether Bushra is a given name
            "his wife {{PATIENT|Jennifer Bushra}} and",
            "we saw {{PATIENT|Jennifer Bushra}} and",
            "today {{PATIENT|Bushra}} came",
        ),
        (  # which form of a place an organisation follows
            "in {{LOCATION_OTHER|ORANGE MOUND}}",
            "in {{LOCATION_OTHER|orange mound}} and {{LOCATION_OTHER|Orange Mound}}",
            "{{ORGANIZATION|Orange Mound Foundation}}, {{HOSPITAL|orange mound clinic}}",
        ),
        (  # where a town is, and whose post code
            "{{CITY|Portland}}, {{STATE|OR}} {{ZIP|97201}}",
            "{{CITY|Portland}}, {{STATE|ME}} {{ZIP|04101}}",
            "from {{CITY|Portland}}, {{ZIP|97201}}, {{PHONE|207-234-5678}}",
        ),
    ],
)
def test_no_order_of_notes_tells_what_is_meant(notes):
    expected = by_note(documents(notes))
    for order in permutations(documents(notes)):
        assert by_note(list(order)) == expected


def test_orders_batches_and_earlier_calls_change_nothing():
    notes = longitudinal()
    expected = by_note(notes)
    assert by_note(notes[::-1]) == expected
    assert by_note(sorted(notes, key=lambda note: note.id[::-1])) == expected  # patients among each other
    for _, own in groupby(notes, key=lambda note: note.patient_id):
        own = list(own)
        assert by_note(own) == {note.id: expected[note.id] for note in own}


def test_dates_and_numbers_need_no_other_notes():
    notes = longitudinal()
    expected = by_note(notes)
    for note in notes:
        alone = by_note([note])[note.id]
        for span, here, there in zip(note.spans, alone, expected[note.id], strict=True):
            if span.label in ("DATE", "MEDICALRECORD", "IDNUM", "PHONE", "FAX", "AGE"):
                assert here == there


def alone(label, text, *, number, operation):
    """The surrogate of one identifier in the only note of a patient."""
    note = Document("1", text, (Span(0, len(text), label),), patient_id=str(number))
    return operation.replace([note])[0][0]


@pytest.mark.parametrize(("label", "text"), [("DOCTOR", "Okonkwo"), ("CITY", "Memphis"), ("STATE", "TN")])
def test_a_site_shares_its_surrogates_if_asked(label, text):
    by_patient, by_site = Surrogate(key=KEY), Surrogate(key=KEY, consistency="site")
    assert len({alone(label, text, number=n, operation=by_patient) for n in range(30)}) > 1
    assert len({alone(label, text, number=n, operation=by_site) for n in range(30)}) == 1


def test_a_site_shares_no_date_shift():
    by_site = Surrogate(key=KEY, consistency="site")
    assert len({alone("DATE", "3/14/2019", number=n, operation=by_site) for n in range(30)}) > 1


@pytest.mark.parametrize(("label", "text"), [("STATE", "TN"), ("ORGANIZATION", "Marine Corps")])
def test_what_patients_share_may_become_itself(label, text):
    made = [alone(label, text, number=n, operation=Surrogate(key=KEY)) for n in range(200)]
    assert 0 < made.count(text) < 100


@pytest.mark.parametrize(("label", "text"), [("PATIENT", "Okonkwo"), ("MEDICALRECORD", "7"), ("PHONE", "x5")])
def test_what_is_the_patients_own_never_stays(label, text):
    assert text not in [alone(label, text, number=n, operation=Surrogate(key=KEY)) for n in range(200)]


def test_no_documents_no_surrogates():
    assert Surrogate().replace([]) == []
