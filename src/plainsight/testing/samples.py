"""Notes to check plugins with."""

from __future__ import annotations

from dataclasses import replace

from plainsight.document import Address, Document, Patient, Span
from plainsight.labels import LABELS

_NOTE = """Memphis Bluff Clinic  MRN 0371-88-214
Patient: {{PATIENT}}  DOB {{DATE}}  Age {{AGE}}
Seen 3/4/2019 by Dr. {{DOCTOR}}, pager 4471; lives at {{STREET}}, {{CITY}}, {{STATE}} {{ZIP}}.
Call {{PHONE}} or write to {{EMAIL}}. BP 120/80, pain 6/10.
"""
_VALUES = {
    "PATIENT": "Theodora Quist",
    "DATE": "02/26/1985",
    "AGE": "67",
    "DOCTOR": "Okafor",
    "STREET": "128 Williams Ct\nApt 4",
    "CITY": "Memphis",
    "STATE": "TN",
    "ZIP": "38114-1702",
    "PHONE": "(901) 555-0123",
    "EMAIL": "t.quist@example.org",
}


def sample_documents() -> list[Document]:
    """Return easy notes, notes with every label, and strange texts."""
    patient = Patient(
        id="p1",
        names=("Theodora Quist",),
        providers=("Okafor",),
        addresses=(Address(street="128 Williams Ct", city="Memphis", state="TN", zip="38114"),),
        phones=("901-555-0123",),
        ids=(("MEDICALRECORD", "0371-88-214"),),
        dates=("1985-02-26",),
    )
    note = _filled("easy", _NOTE, _VALUES)
    strange = {
        "empty": "",
        "blank": " \n\t \n",
        "no-newline": "Seen by Dr. Okafor",
        "crlf": "Seen by Dr. Okafor\r\non 3/4/2019\r\n\r\nold Mac\rend",
        "nul": "Dr. Okafor\x00 saw \x00\x01\x1b[31m Ms. Quist on 3/4\x7f",
        "surrogate": "Dr. Okafor \ud83d saw \udc00 Ms. Quist",
        "right-to-left": "ראתה את Dr. כהן ב-3/4/2019 \u202eabc\u202c مريض ٦٧",
        "emoji": "👩🏽‍⚕️ Dr. Okafor 🙂 saw Zoë Q\u0301uist 👨‍👩‍👧 on 3/4/2019",
        "wide": "Ｄｒ．Ｏｋａｆｏｒ　on ２０１９／３／４ İstanbul ﬁne ½",
        "spaces": "Dr.\u00a0Okafor\u2003saw\u2028Ms.\u0085Quist\u200b on\u00ad 3/4\ufeff",
        "markup": '<PHI TYPE="DATE">3/4</PHI> & {{DATE|x}} ]]> <!-- --> "a,b",\t\'c\' \\n T1\tDATE 0 3\tabc',
        "long-line": "Dr. Okafor saw Ms. Quist on 3/4/2019; " * 3000,
        "digits": "0123456789" * 500,
        "one": "x",
    }
    documents = [
        replace(note, patient_id="p1", patient=patient),
        replace(note, id="easy-again", patient_id="p1", patient=patient),
        replace(note, id="other-patient", patient_id="p2", meta={"note_type": "letter", "beds": [1, 2]}),
        _filled("labels", " ".join(f"{{{{{label}}}}}" for label in (*LABELS, "BADGE")), _any_value()),
        _filled("touching", "{{PATIENT}}{{DATE}}{{AGE}}", _VALUES),
    ]
    for name, text in strange.items():
        documents.append(Document(f"strange-{name}", text))
        if text.strip():
            documents.append(replace(documents[-1], id=f"marked-{name}", spans=(_first_words(text),)))
    return documents


def training_documents() -> list[Document]:
    """Return two dozen short notes in which names, dates and record numbers are easy to learn."""
    people = (
        "Theodora Quist",
        "Lars Bjornstad",
        "Mei Tanaka",
        "Rosa Villareal",
        "Ian Pettibone",
        "Uma Okafor",
    )
    return [
        _filled(
            f"train-{number:02}",
            "Patient {{PATIENT}} came on {{DATE}}.\nMRN {{MEDICALRECORD}}. Pulse 80, no fever.\n",
            {
                "PATIENT": people[number % 6],
                "DATE": f"{number % 12 + 1}/{number % 27 + 1}/2019",
                "MEDICALRECORD": f"0{371 + 7 * number}-88-{200 + 13 * number}",
            },
        )
        for number in range(24)
    ]


def _any_value() -> dict[str, str]:
    return {label: _VALUES.get(label, f"{label.title()} 77") for label in (*LABELS, "BADGE")}


def _first_words(text: str) -> Span:
    """Mark about ten characters at the beginning of a text, without white space at the edges."""
    start = len(text) - len(text.lstrip())
    return Span(start, start + len(text[start : start + 10].rstrip()), "PATIENT")


def _filled(name: str, template: str, values: dict[str, str]) -> Document:
    """Fill values into a template and mark them."""
    pieces: list[str] = []
    spans: list[Span] = []
    length = 0
    for index, part in enumerate(piece for chunk in template.split("{{") for piece in chunk.split("}}")):
        text = values[part] if index % 2 else part
        if index % 2:
            spans.append(Span(length, length + len(text), part))
        pieces.append(text)
        length += len(text)
    return Document(name, "".join(pieces), tuple(spans))
