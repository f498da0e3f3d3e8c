"""The commands deidentify and detect: their fixed contracts, and what they do with bad input."""

import json
import os
import stat
import subprocess
import sys
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import pytest
from arro3.core import Array, DataType, Table
from arro3.io import read_parquet, write_parquet

from plainsight.errors import FormatError
from plainsight.run.patients import read_patients

NOTE = "Dr. Anna Whitcombe saw Mr. John Q. Smith on 03/04/2019."
SECRET = "Zqxvary"


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_detect_writes_one_line_per_line_with_spans(plainsight, jsonl, tmp_path):
    source = jsonl(tmp_path / "in.jsonl", {"id": "b", "text": NOTE}, {"id": "a", "text": "Nothing here."})
    result = plainsight("detect", source, "-o", tmp_path / "out.jsonl", "--policy", "fast")
    assert result.code == 0, result.err
    found = lines(tmp_path / "out.jsonl")
    assert [record["id"] for record in found] == ["b", "a"]
    assert {"start": 44, "end": 54, "label": "DATE"}.items() <= found[0]["spans"][-1].items()
    assert found[1]["spans"] == []
    assert found[0]["text"] == NOTE


def test_deidentify_writes_the_same_ids_and_no_original(plainsight, jsonl, tmp_path):
    record = {
        "id": 7,
        "text": NOTE,
        "patient_id": "p",
        "meta": {"author": "Anna Whitcombe"},
        "extra": "Smith",
    }
    source = jsonl(tmp_path / "in.jsonl", record)
    key = tmp_path / "key"
    key.write_bytes(b"k" * 32)
    out = tmp_path / "out.jsonl"
    result = plainsight("deidentify", source, "-o", out, "--key-file", key, "--policy", "redact", "--json")
    assert result.code == 0, result.err
    (note,) = lines(out)
    assert (note["id"], note["text"]) == (7, "Dr. [DOCTOR] saw Mr. [PATIENT] on [DATE].")
    for word in ("Whitcombe", "Smith", "John", "2019"):
        assert word not in out.read_text()
        assert word not in (tmp_path / "out.jsonl.manifest.json").read_text()
        assert word not in result.out + result.err
    assert result.json["identifiers_by_label"] == {"DATE": 1, "DOCTOR": 1, "PATIENT": 1}
    assert not (tmp_path / "out.jsonl.quarantine.jsonl").exists()


def test_replacements_are_marked_only_when_asked(plainsight, jsonl, tmp_path):
    source = jsonl(tmp_path / "in.jsonl", {"id": "1", "text": NOTE})
    plainsight("deidentify", source, "-o", tmp_path / "a.jsonl")
    plainsight("deidentify", source, "-o", tmp_path / "b.jsonl", "--with-spans")
    assert not lines(tmp_path / "a.jsonl")[0].get("spans")
    assert [s["label"] for s in lines(tmp_path / "b.jsonl")[0]["spans"]] == ["DOCTOR", "PATIENT", "DATE"]


def test_explain_writes_the_claims(plainsight, jsonl, tmp_path):
    record = {"id": "1", "text": NOTE, "patient": {"patient_id": "p", "names": ["John Q. Smith"]}}
    source = jsonl(tmp_path / "in.jsonl", record)
    assert plainsight("detect", source, "-o", tmp_path / "out.jsonl", "--explain").code == 0
    spans = lines(tmp_path / "out.jsonl")[0]["spans"]
    assert {claim["source"].partition(".")[0] for claim in spans[1]["claims"]} >= {"patient", "cascade"}


def test_a_folder_of_notes_keeps_its_shape(plainsight, tmp_path):
    (tmp_path / "in" / "ward").mkdir(parents=True)
    (tmp_path / "in" / "ward" / "smith.txt").write_bytes(NOTE.encode() + b"\r\n")
    (tmp_path / "in" / "latin.txt").write_bytes("Naïve, 5 µg, on 3/4/2019\n".encode("cp1252"))
    assert plainsight("deidentify", tmp_path / "in", "-o", tmp_path / "out", "-p", "redact").code == 0
    assert (
        tmp_path / "out" / "ward" / "smith.txt"
    ).read_bytes() == b"Dr. [DOCTOR] saw Mr. [PATIENT] on [DATE].\r\n"
    assert (tmp_path / "out" / "latin.txt").read_bytes() == "Naïve, 5 µg, on [DATE]\n".encode("cp1252")


def test_numbers_for_ids_hide_the_inputs_names(plainsight, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / f"{SECRET}.txt").write_text(NOTE)
    (tmp_path / "in" / f"{SECRET}2.txt").write_bytes(b"\x00\x01\x02\x03" * 50)
    result = plainsight("deidentify", tmp_path / "in", "-o", tmp_path / "out", "--ids", "numbered")
    assert result.code == 1
    written = [path for path in tmp_path.rglob("*") if "in" not in path.relative_to(tmp_path).parts]
    assert {path.name for path in written} == {
        "out",
        "out.manifest.json",
        "out.quarantine.jsonl",
        "note-0000001.txt",
    }
    for path in written:
        assert SECRET not in path.name
        assert path.is_dir() or SECRET not in path.read_text()


def test_an_annotation_format_can_be_asked_for(plainsight, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "one.txt").write_text(NOTE)
    result = plainsight("detect", tmp_path / "in", "-o", tmp_path / "out", "--output-format", "inline")
    assert result.code == 0, result.err
    assert "{{DATE|03/04/2019}}" in (tmp_path / "out" / "one.txt").read_text()


def test_spans_under_the_labels_of_another_scheme(plainsight, tmp_path):
    (tmp_path / "a.txt").write_text("Seen by Dr. Okafor on 3/4/2019, SSN 219-09-9999.")
    command = ("detect", tmp_path / "a.txt", "-p", "redact", "--output-format", "i2b2-2006")
    assert plainsight(*command, "-o", tmp_path / "out.xml", "--output-labels", "i2b2-2006").code == 0
    written = (tmp_path / "out.xml").read_text()
    assert '<PHI TYPE="DATE">3/4</PHI>/2019' in written
    assert '<PHI TYPE="ID">219-09-9999</PHI>' in written
    wrong = plainsight(*command, "-o", tmp_path / "x.xml", "--output-labels", "i2b2-2007")
    assert wrong.code == 2
    assert "did you mean 'i2b2-2006'" in wrong.err
    bare = ("deidentify", tmp_path / "a.txt", "-p", "redact", "-o", tmp_path / "b.txt")
    assert "--with-spans" in plainsight(*bare, "--output-labels", "mimic").err


def test_a_table_keeps_only_what_the_policy_keeps(plainsight, tmp_path):
    source = tmp_path / "notes.csv"
    source.write_text(f'NOTE_ID,SUBJECT,KIND,AUTHOR,BODY\n1,p1,ED,Anna Whitcombe,"{NOTE}"\n')
    columns = [
        "--text-column",
        "BODY",
        "--id-column",
        "NOTE_ID",
        "--patient-column",
        "SUBJECT",
        "--type-column",
        "KIND",
    ]
    result = plainsight("deidentify", source, "-o", tmp_path / "clean.csv", *columns, "-p", "redact")
    assert result.code == 0, result.err
    assert (tmp_path / "clean.csv").read_text() == (
        'NOTE_ID,SUBJECT,KIND,BODY\n1,p1,ED,"Dr. [DOCTOR] saw Mr. [PATIENT] on [DATE]."\n'
    )


def test_parquet_to_json_lines_by_the_outputs_name(plainsight, tmp_path):
    ids, texts = Array(["1", "2"], DataType.utf8()), Array([NOTE, None], DataType.utf8())
    write_parquet(Table.from_pydict({"note_id": ids, "text": texts}), tmp_path / "in.parquet")
    result = plainsight("deidentify", tmp_path / "in.parquet", "-o", tmp_path / "out.jsonl")
    assert result.code == 1
    assert [note["id"] for note in lines(tmp_path / "out.jsonl")] == ["1"]
    (aside,) = lines(tmp_path / "out.jsonl.quarantine.jsonl")
    assert "row 2" in aside["where"] + aside["reason"]


def test_patients_are_matched_by_their_record(plainsight, jsonl, tmp_path):
    source = jsonl(tmp_path / "in.jsonl", {"id": "1", "text": "saw zqx vwyk again", "patient_id": "p"})
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "p.json").write_text('{"patient_id": "p", "names": ["Zqx Vwyk"]}')
    out = tmp_path / "out.jsonl"
    arguments = ["--patients", tmp_path / "records", "--policy", "redact"]
    assert plainsight("deidentify", source, "-o", out, *arguments).code == 0
    assert lines(out)[0]["text"] == "saw [PATIENT] again"


# --- wrong use --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.jsonl", "-o", "out.jsonl"], "no file or folder at the input path"),
        (["in.jsonl", "-o", "in.jsonl", "--force"], "would overwrite the input"),
        (["in.jsonl", "-o", "out.jsonl", "--quarantine", "in.jsonl", "--force"], "would overwrite the input"),
        (["in.jsonl", "-o", "out.jsonl", "--quarantine", "out.jsonl"], "or another output"),
        (["folder", "-o", "folder/out"], "lies inside the input"),
        (["in.jsonl", "-o", "there.jsonl"], "--force"),
        (["in.jsonl", "-o", "no/such/out.jsonl"], "no folder at"),
        (["in.jsonl", "-o", "out.jsonl", "--policy", "fats"], "did you mean 'fast'"),
        (["in.jsonl", "-o", "out.jsonl", "--format", "jsonlines"], "did you mean 'jsonl'"),
        (["in.jsonl", "-o", "out.jsonl", "--text-column", "x"], "no option 'text'"),
        (["in.jsonl", "-o", "out.jsonl", "--key-file", "nokey"], "no key file"),
        (["in.jsonl", "-o", "out.jsonl", "--key-file", "there.jsonl"], "at least 32 bytes"),
        (["in.jsonl", "-o", "out.jsonl", "--patients", "there.jsonl"], "no patient records"),
        (["in.csv", "-o", "out.csv", "--text-column", "BODI"], "did you mean 'BODY'"),
        (["in.xyz", "-o", "out.xyz"], "format"),
    ],
)
def test_wrong_use_is_told_and_leaves_nothing(plainsight, jsonl, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    jsonl(tmp_path / "in.jsonl", {"id": "1", "text": "x"})
    (tmp_path / "in.csv").write_text("id,BODY\n1,x\n")
    (tmp_path / "in.xyz").write_bytes(b"\x00\x01\x02" * 99)
    (tmp_path / "there.jsonl").touch()
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    result = plainsight("deidentify", *arguments)
    assert result.code == 2, result.err
    assert message in result.err
    assert "Traceback" not in result.err
    assert sorted(tmp_path.iterdir()) == before


def test_the_outputs_name_chooses_the_format(plainsight, tmp_path):
    (tmp_path / "in.csv").write_text(f'id,text\n1,"{NOTE}"\n')
    assert plainsight("detect", tmp_path / "in.csv", "-o", tmp_path / "found.csv").code == 0
    assert (tmp_path / "found.csv").read_text().startswith("id,text,spans,confidence\n1,")
    marked = plainsight("deidentify", tmp_path / "in.csv", "-o", tmp_path / "clean.csv", "--with-spans")
    assert marked.code == 0, marked.err
    assert "DOCTOR" in (tmp_path / "clean.csv").read_text().partition("spans")[2]


def test_parquets_own_metadata_does_not_pass(plainsight, tmp_path):
    table = Table.from_pydict({"id": Array(["1"], DataType.utf8()), "text": Array([NOTE], DataType.utf8())})
    schema = table.schema.with_metadata({"source": SECRET})
    write_parquet(table.with_schema(schema), tmp_path / "in.parquet")
    assert read_parquet(tmp_path / "in.parquet").schema.metadata_str == {"source": SECRET}
    assert plainsight("deidentify", tmp_path / "in.parquet", "-o", tmp_path / "out.parquet").code == 0
    assert read_parquet(tmp_path / "out.parquet").schema.metadata_str == {}


def test_a_patients_folder_hides_behind_a_code(plainsight, tmp_path):
    for name in ("a", "b"):
        (tmp_path / "in" / f"{SECRET}").mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / f"{SECRET}" / f"{name}.txt").write_text(NOTE)
    arguments = ["--patient-folders", "--ids", "numbered", "--output-format", "jsonl"]
    assert plainsight("deidentify", tmp_path / "in", "-o", tmp_path / "out.jsonl", *arguments).code == 0
    first, second = lines(tmp_path / "out.jsonl")
    assert first["patient_id"] == second["patient_id"]
    assert SECRET not in (tmp_path / "out.jsonl").read_text()


def test_records_that_match_no_note_are_told(plainsight, jsonl, tmp_path):
    source = jsonl(tmp_path / "in.jsonl", {"id": "1", "text": "x", "patient_id": "p"})
    records = jsonl(tmp_path / "records.jsonl", {"patient_id": "q", "names": ["Zqx Vwyk"]})
    result = plainsight("deidentify", source, "-o", tmp_path / "out.jsonl", "--patients", records)
    assert "no note's patient_id" in result.err


def test_a_note_that_the_output_cannot_hold_is_set_aside(plainsight, jsonl, tmp_path):
    source = jsonl(tmp_path / "in.jsonl", {"id": "1", "text": NOTE}, {"id": "2", "text": "a \x0c b"})
    result = plainsight("detect", source, "-o", tmp_path / "out", "--output-format", "i2b2-2014")
    assert result.code == 1
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["1.xml"]


def test_force_overwrites(plainsight, jsonl, tmp_path):
    source = jsonl(tmp_path / "in.jsonl", {"id": "1", "text": NOTE})
    (tmp_path / "out.jsonl").write_text("old")
    assert plainsight("deidentify", source, "-o", tmp_path / "out.jsonl", "--force").code == 0
    assert "old" not in (tmp_path / "out.jsonl").read_text()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", "[1]"),
        ("b.json", "{"),
        ("c.jsonl", '{"names": []}'),
        ("d.json", '{"patient_id": "p", "addresses": [3]}'),
    ],
)
def test_bad_patient_records_are_named(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    with pytest.raises(FormatError, match=name):
        read_patients(tmp_path / name)


# --- bad input: told by place, nothing lost, the others done ----------------------------------------------


def bad_lines() -> list[str]:
    return [
        json.dumps({"id": "good1", "text": NOTE}) + "\n",
        '{"id": "cut", "text": "' + SECRET + "\n",
        json.dumps({"id": "notext"}) + "\n",
        json.dumps(["a", "list", SECRET]) + "\n",
        json.dumps({"id": "good1", "text": SECRET}) + "\n",
        json.dumps({"id": "surrogate", "text": "on 3/4/2019 \ud800 \u202efever 😀 \x00"}) + "\n",
        json.dumps({"id": "empty", "text": ""}) + "\n",
        json.dumps({"id": "span", "text": SECRET, "spans": [{"start": 5, "end": 99, "label": "DATE"}]})
        + "\n",
        "\n",
        json.dumps({"id": "good2", "text": "at 12:30"}) + "\n",
    ]


def test_bad_lines_are_set_aside_and_the_rest_is_done(plainsight, jsonl, tmp_path):
    source = jsonl(tmp_path / "in.jsonl", *bad_lines())
    with source.open("ab") as more:
        more.write(b'{"id": "latin", "text": "caf\xe9 ' + SECRET.encode() + b'"}\n')
    result = plainsight("deidentify", source, "-o", tmp_path / "out.jsonl", "--policy", "redact")
    assert result.code == 1
    done = {note["id"]: note["text"] for note in lines(tmp_path / "out.jsonl")}
    assert list(done) == ["good1", "surrogate", "empty", "good2"]
    assert done["surrogate"] == "on [DATE] \ud800 \u202efever 😀 \x00"
    aside = lines(tmp_path / "out.jsonl.quarantine.jsonl")
    places = [item["where"].rpartition(":")[2] for item in aside]
    assert places == ["2", "3", "4", "note 5 of the input", "8", "11"]
    for told in (result.err, result.out, (tmp_path / "out.jsonl.quarantine.jsonl").read_text()):
        assert SECRET not in told
        assert "Traceback" not in told


def test_bad_files_are_set_aside_and_the_rest_is_done(plainsight, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "binary.txt").write_bytes(bytes(range(256)) * 40)
    (folder / "empty.txt").touch()
    (folder / "good.txt").write_text(NOTE)
    (folder / "nul.txt").write_bytes(b"on 3/4/2019\x00 he said\n" + b"word " * 50)
    (folder / "line.txt").write_text("BP 120/80 on 3/4/2019 " * 45_000)
    policy = tmp_path / "rules.toml"  # a network would take its time over a line of a megabyte
    policy.write_text('extends = "redact"\nwithout = ["patient", "cascade"]\n')
    result = plainsight("deidentify", folder, "-o", tmp_path / "out", "--policy", policy)
    assert result.code == 1
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "empty.txt",
        "good.txt",
        "line.txt",
        "nul.txt",
    ]
    assert (tmp_path / "out" / "nul.txt").read_bytes().startswith(b"on [DATE]\x00 he said\n")
    assert (tmp_path / "out" / "line.txt").read_text() == "BP 120/80 on [DATE] " * 45_000
    (aside,) = lines(tmp_path / "out.quarantine.jsonl")
    assert "binary" in aside["reason"]


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    "<deIdi2b2><TEXT>&b;</TEXT></deIdi2b2>"
)
DEEP = "<deIdi2b2>" + "<a>" * 100_000 + "</a>" * 100_000 + "</deIdi2b2>"
FINE = f"<deIdi2b2><TEXT><![CDATA[{NOTE}]]></TEXT><TAGS></TAGS></deIdi2b2>"


def test_dangerous_xml_is_refused_safely(plainsight, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for name, content in (("bomb", BOMB), ("deep", DEEP), ("fine", FINE)):
        (folder / f"{name}.xml").write_text(content)
    result = plainsight("detect", folder, "-o", tmp_path / "out.jsonl", "--format", "i2b2-2014")
    assert result.code == 1, result.err
    assert [note["id"] for note in lines(tmp_path / "out.jsonl")] == ["fine"]
    assert [item["id"] for item in lines(tmp_path / "out.jsonl.quarantine.jsonl")] == ["bomb", "deep"]


def test_a_failure_inside_leaves_no_output_and_no_traceback(plainsight, jsonl, tmp_path, monkeypatch):
    source = jsonl(tmp_path / "in.jsonl", {"id": "1", "text": SECRET})

    def broken(document, *, explain):
        raise RuntimeError(SECRET)

    monkeypatch.setattr("plainsight.formats.jsonl._line", broken)
    result = plainsight("deidentify", source, "-o", tmp_path / "out.jsonl")
    assert result.code == 3
    assert "internal error: RuntimeError" in result.err
    assert SECRET not in result.err
    assert "Traceback" not in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_output_is_private(plainsight, jsonl, tmp_path):
    source = jsonl(tmp_path / "in.jsonl", {"id": "1", "text": NOTE})
    plainsight("detect", source, "-o", tmp_path / "out.jsonl")
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "out.jsonl").stat().st_mode) == 0o600


def test_it_runs_as_a_program(jsonl, tmp_path):
    source = jsonl(tmp_path / "in.jsonl", {"id": "1", "text": NOTE})
    command = [
        sys.executable,
        "-m",
        "plainsight",
        "deidentify",
        str(source),
        "-o",
        str(tmp_path / "out.jsonl"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "1 note, 3 identifiers" in done.stderr
    assert done.stdout == ""


def test_the_manifest_says_when_how_and_with_what(plainsight, jsonl, tmp_path):
    source = jsonl(tmp_path / "in.jsonl", {"id": "1", "text": NOTE})
    assert plainsight("deidentify", source, "-o", tmp_path / "out.jsonl", "--policy", "redact").code == 0
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())
    assert datetime.fromisoformat(manifest["began"]) <= datetime.fromisoformat(manifest["ended"])
    assert manifest["ended"].endswith("+00:00")
    assert manifest["command"][0] == "plainsight"
    assert {"plainsight", "python", "numpy", "onnxruntime", "platform"} <= set(manifest["versions"])
    assert manifest["input_sha256"] == {str(source): sha256(source.read_bytes()).hexdigest()}
    assert manifest["output_sha256"] == sha256((tmp_path / "out.jsonl").read_bytes()).hexdigest()


def test_keyed_ids_agree_between_runs_and_hide_the_input(plainsight, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / f"{SECRET}.txt").write_text(NOTE)
    plainsight("key", "new", tmp_path / "key")
    names = []
    for out in ("one", "two"):
        arguments = ["--ids", "keyed", "--key-file", tmp_path / "key"]
        assert plainsight("deidentify", tmp_path / "in", "-o", tmp_path / out, *arguments).code == 0
        names.append([path.name for path in (tmp_path / out).iterdir()])
        assert SECRET not in (tmp_path / f"{out}.manifest.json").read_text()
    assert names[0] == names[1]
    assert SECRET not in names[0][0]


def test_keyed_ids_need_a_key_that_is_kept(plainsight, jsonl, tmp_path):
    source = jsonl(tmp_path / "in.jsonl", {"id": "1", "text": NOTE})
    result = plainsight("deidentify", source, "-o", tmp_path / "out.jsonl", "--ids", "keyed")
    assert result.code == 2
    assert "--key-file" in result.err


def test_a_run_counts_ids_that_identify(plainsight, jsonl, tmp_path):
    source = jsonl(
        tmp_path / "in.jsonl",
        {"id": "okafor-7", "text": "Seen by Dr. Okafor."},
        {"id": "8", "text": "Seen by Dr. Okafor."},
        {"id": "9", "text": "MRN: 4471882", "patient_id": "4471882"},
    )
    result = plainsight("deidentify", source, "-o", tmp_path / "out.jsonl", "--policy", "redact")
    assert "the id or file name of 2 notes looks like an identifier" in result.err
    assert "okafor" not in result.err.lower()
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())
    assert manifest["notes_with_identifying_id"] == 2


def test_a_run_counts_events_that_betray_the_offset_and_strict_leaves_none(plainsight, jsonl, tmp_path):
    text = "Seen 3/20/2024. A leap-day baby, lost power in Hurricane Ian."
    source = jsonl(
        tmp_path / "in.jsonl",
        {"id": "1", "text": text},
    )
    policy = tmp_path / "policy.toml"
    left = []
    for offset in ("standard", "strict"):
        policy.write_text(
            'labels = "all"\ndetectors = ["patterns"]\n'
            f'[replace]\ndefault = {{ operation = "surrogate", offset = "{offset}" }}\n'
        )
        result = plainsight(
            "deidentify", source, "-o", tmp_path / f"{offset}.jsonl", "--policy", policy, "--forget-key"
        )
        manifest = json.loads((tmp_path / f"{offset}.jsonl.manifest.json").read_text())
        left.append(manifest["events_left"])
        assert ("2 events outside the dates may betray" in result.err) == (offset == "standard")
        assert "Ian" not in result.err
    assert left == [{"leap day": 1, "named storm": 1}, {}]
