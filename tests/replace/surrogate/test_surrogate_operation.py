"""The operation: the same key makes the same surrogates, in every process and in every order of notes."""

import os
import subprocess
import sys
from pathlib import Path

from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.replace.surrogate.operation import Surrogate

KEY = bytes(range(32))
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


def documents():
    read = (parse(note) for note in NOTES)
    return [Document(str(n), text, spans, patient_id="1") for n, (text, spans) in enumerate(read)]


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


def test_no_documents_no_surrogates():
    assert Surrogate().replace([]) == []
