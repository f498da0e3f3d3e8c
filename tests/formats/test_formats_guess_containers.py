"""A container given as plain text is refused, with the format to use; prose is not."""

import base64
import json
from pathlib import Path

import pytest

from plainsight.document import Document, SetAside
from plainsight.errors import FormatError
from plainsight.formats.csv import Csv
from plainsight.formats.inline import Inline
from plainsight.formats.jsonl import JsonLines
from plainsight.formats.plain import PlainText

SECRET = "Quillfeather"
FHIR = json.dumps({"resourceType": "Patient", "name": [{"family": SECRET}]}, indent=2)
RTF = r"{\rtf1\ansi Seen by Dr. Quill\'66eather}"
CCDA = f'<?xml version="1.0"?>\n<ClinicalDocument xmlns="urn:hl7-org:v3">{SECRET}</ClinicalDocument>'
BASE64 = base64.encodebytes(f"Patient: {SECRET}, seen 3/4/2019 by Dr. Okafor. ".encode() * 9).decode()

CONTAINERS = {
    "fhir": (FHIR, "FHIR JSON, not plain text: read it as format fhir"),
    "bundle": (f'[{{"resourceType": "Bundle", "id": "{SECRET}"}}]', "FHIR JSON"),
    "rtf": (RTF, "RTF, not plain text: convert"),
    "hl7": (f"MSH|^~\\&|LAB|A|B|C\nPID|1||7||{SECRET}^Ann", "HL7 v2, not plain text: read it as format hl7"),
    "ccda": (CCDA, "C-CDA XML, not plain text: read it as format ccda"),
    "element": (f"<note><patient>{SECRET}</patient></note>\n", "XML or HTML, not plain text: convert"),
    "base64": (BASE64, "base64, not plain text: convert"),
    "one-line": (BASE64.replace("\n", ""), "base64, not plain text: convert"),
    "mime": (f"Subject: letter\n\nSee below.\n{BASE64}", "base64 data in it"),
    "jsonl": ('{"id": "1", "text": "Seen by Dr. Okafor"}\n', "JSON, not plain text: read it as format jsonl"),
    "csv": ('note_id,patient_id,text\n1,7,"Seen"\n', "a table, not plain text: read it as format csv"),
    "tsv": ("note_id\ttext\n1\tSeen\n", "a table, not plain text: read it as format tsv"),
    "i2b2": ("<?xml version='1.0'?><deIdi2b2><TEXT>x</TEXT></deIdi2b2>", "read it as format i2b2-2014"),
    "records": ('<ROOT>\n<RECORD ID="1"><TEXT>x</TEXT></RECORD>\n</ROOT>', "read it as format i2b2-2006"),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_container_is_refused_and_not_repeated(tmp_path: Path, name: str) -> None:
    text, reason = CONTAINERS[name]
    (tmp_path / "note.txt").write_text(text)
    with pytest.raises(FormatError) as caught:
        list(PlainText().read(tmp_path / "note.txt"))
    assert reason in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "name"), [(b"%PDF-1.7\n%\xe2\xe3", "PDF"), (b"PK\x03\x04word/document.xml", "DOCX")]
)
def test_a_binary_container_is_named(tmp_path: Path, data: bytes, name: str) -> None:
    (tmp_path / "note.txt").write_bytes(data)
    with pytest.raises(FormatError, match=f"binary file.*{name}.*convert it to text first"):
        list(PlainText().read(tmp_path / "note.txt"))


@pytest.mark.parametrize("text", [RTF, BASE64])
def test_annotated_notes_are_refused_only_where_text_is_encoded(tmp_path: Path, text: str) -> None:
    (tmp_path / "note.txt").write_text(text)
    with pytest.raises(FormatError, match="convert it to text first"):
        list(Inline().read(tmp_path / "note.txt"))
    (tmp_path / "note.txt").write_text(FHIR)
    assert isinstance(next(Inline().read(tmp_path / "note.txt")), Document)


def test_a_container_in_a_folder_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(RTF)
    (tmp_path / "b.txt").write_text("Seen by Dr. Okafor.")
    first, second = PlainText().read(tmp_path)
    assert isinstance(first, SetAside)
    assert first.reason == "RTF, not plain text: convert it to text first"
    assert isinstance(second, Document)


@pytest.mark.parametrize("text", [RTF, BASE64])
def test_encoded_text_in_a_table_is_set_aside(tmp_path: Path, text: str) -> None:
    (tmp_path / "n.jsonl").write_text(json.dumps({"id": "1", "text": text}) + "\n")
    quoted = text.replace('"', '""')
    (tmp_path / "n.csv").write_text(f'id,text\n1,"{quoted}"\n')
    for items in (JsonLines().read(tmp_path / "n.jsonl"), Csv().read(tmp_path / "n.csv")):
        (item,) = items
        assert isinstance(item, SetAside)
        assert "convert it to text first" in item.reason


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Text, note by Dr. Ng\nSeen, text",
        "{ BP 120/80 }",
        "[x] seen <b>today</b>",
        "<5 ml> given </5 ml>",
        "0123456789" * 500,
        "ACGT" * 100,
        "Sequence ACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT seen",
        "Assessment\nPlan\nDiabetes2\n" * 9,
        "note|text",
    ],
)
def test_prose_is_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "note.txt").write_text(text)
    (note,) = PlainText().read(tmp_path / "note.txt")
    assert isinstance(note, Document)
    assert note.text == text
