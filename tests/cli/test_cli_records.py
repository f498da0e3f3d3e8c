"""Commands over records with fields: FHIR, HL7 v2 and C-CDA."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plainsight.cli import app
from plainsight.errors import UsageError

EXAMPLES = Path(__file__).parents[2] / "examples" / "clinical"
KEY = bytes(range(32)).hex()
POLICY = Path(__file__).parent / "records_policy.toml"
QUICK = ("--policy", POLICY, "--note-seconds", "0", "--note-memory", "0")


def run(*arguments, code=0):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"PLAINSIGHT_KEY": KEY})
    assert done.exit_code == code, done.output
    return done


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """De-identify each example once, with the same key."""
    out = tmp_path_factory.mktemp("out")
    for name in ("bundle.json", "message.hl7", "ccda.xml"):
        run("deidentify", EXAMPLES / name, "-o", out / name, *QUICK, "--ids", "numbered")
    return out


@pytest.mark.parametrize("name", ["bundle.json", "message.hl7", "ccda.xml"])
def test_records_are_deidentified_and_their_fields_are_counted(folder, name):
    text = (folder / name).read_text()
    assert "Okonkwo" not in text
    assert "Ngozi" not in text
    manifest = json.loads((folder / f"{name}.manifest.json").read_text())
    assert manifest["fields_by_label"]["PATIENT"] > 1
    assert manifest["notes"] == 1
    dropped = {"bundle.json": "Patient.extension", "message.hl7": "ZPI", "ccda.xml": "no such field"}[name]
    assert manifest["fields_dropped"].get(dropped, 0) == (name != "ccda.xml")


def test_the_same_patient_is_the_same_person_in_a_message_and_a_document(folder):
    pid = next(line for line in (folder / "message.hl7").read_text().splitlines() if line.startswith("PID"))
    family, given = pid.split("|")[5].split("^")[:2]
    assert f"<given>{given}</given>" in (folder / "ccda.xml").read_text()
    assert f"<family>{family}</family>" in (folder / "ccda.xml").read_text()


def test_detect_finds_identifiers_in_all_texts_of_a_record(tmp_path):
    run("detect", EXAMPLES / "bundle.json", "-o", tmp_path / "found.jsonl", "--policy", POLICY)
    found = json.loads((tmp_path / "found.jsonl").read_text())
    marked = [found["text"][span["start"] : span["end"]] for span in found["spans"]]
    assert {"Baumgartner", "3/4/2019"} <= set(marked)
    assert "meta" not in found or not any(key.startswith("_") for key in found["meta"])


def test_a_record_cannot_be_written_from_a_plain_note(tmp_path):
    (tmp_path / "a.txt").write_text("Mrs. Okonkwo came.")
    to_hl7 = ("-o", tmp_path / "b.hl7", "--output-format", "hl7")
    done = run("deidentify", tmp_path / "a.txt", *to_hl7, *QUICK, code=1)
    assert "Okonkwo" not in done.output


def test_a_wrong_field_policy_is_refused_at_once(tmp_path):
    fields = tmp_path / "fields.toml"
    fields.write_text('[fhir.elements]\n"Patient.gender" = "hide"\n')
    with pytest.raises(UsageError, match="no action 'hide'"):
        app(
            [
                "deidentify",
                str(EXAMPLES / "bundle.json"),
                "-o",
                str(tmp_path / "b.json"),
                "--fields",
                str(fields),
            ],
            standalone_mode=False,
        )


@pytest.mark.parametrize("name", ["bundle.json", "message.hl7", "ccda.xml"])
def test_texts_in_another_format_have_no_number_of_the_patient(tmp_path, name):
    run("deidentify", EXAMPLES / name, "-o", tmp_path / "out.jsonl", *QUICK)
    text = (tmp_path / "out.jsonl").read_text()
    note = json.loads(text)
    assert len(note["patient_id"]) >= 20
    assert "Okonkwo" not in text
    assert "0371-88-214" not in text
    assert "0b6f5d8e" not in text
