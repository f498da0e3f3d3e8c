"""Nothing vanishes and nothing hangs: one bad record or file never stops the others."""

import json
import os
import threading
import time

import pytest

from plainsight.formats.parquet import Parquet

NOTE = {"id": "ok", "text": "Seen by Dr. Okafor on 3/4/2019."}
REDACT = ("-p", "redact", "--force")


RULES = 'labels = "all"\ndetectors = ["patterns"]\n[output]\nkeep_meta = ["m"]\n'


@pytest.fixture
def rules(tmp_path):
    """A policy without networks, which loads in no time."""
    (path := tmp_path / "rules.toml").write_text(RULES)
    return "-p", path, "--force"


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("name", ["notes.jsonl", "notes"])
def test_a_pipe_is_read_once_and_whole(plainsight, tmp_path, name):
    os.mkfifo(pipe := tmp_path / name)
    data = "".join(json.dumps({**NOTE, "id": str(number)}) + "\n" for number in range(3000))
    writer = threading.Thread(target=pipe.write_text, args=(data,))
    writer.start()
    result = plainsight("deidentify", pipe, "-o", tmp_path / "out.jsonl", *REDACT)
    writer.join(10)
    assert result.code == 0
    assert "3000 notes" in result.out + result.err
    assert [note["id"] for note in lines(tmp_path / "out.jsonl")] == [str(number) for number in range(3000)]


def test_a_dead_link_is_set_aside(plainsight, tmp_path):
    (notes := tmp_path / "notes").mkdir()
    (notes / "a.txt").write_text(NOTE["text"])
    (notes / "b.txt").symlink_to(tmp_path / "gone.txt")
    assert plainsight("deidentify", notes, "-o", tmp_path / "out", *REDACT).code == 1
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.txt"]
    [aside] = lines(tmp_path / "out.quarantine.jsonl")
    assert "cannot be read" in aside["reason"]


def test_a_score_of_400_digits_is_set_aside(plainsight, tmp_path):
    span = '{"start": 0, "end": 4, "label": "DATE", "score": ' + 400 * "9" + "}"
    bad = '{"id": "bad", "text": "Seen.", "spans": [' + span + "]}\n"
    (tmp_path / "in.jsonl").write_text(bad + json.dumps(NOTE) + "\n")
    assert plainsight("deidentify", tmp_path / "in.jsonl", "-o", tmp_path / "out.jsonl", *REDACT).code == 1
    assert [note["id"] for note in lines(tmp_path / "out.jsonl")] == ["ok"]


def test_a_policy_nested_too_deeply_is_refused(plainsight, tmp_path):
    (tmp_path / "deep.toml").write_text(f"labels = {5000 * '['}{5000 * ']'}\n")
    result = plainsight("deidentify", "--text", "Seen.", "-p", tmp_path / "deep.toml")
    assert result.code == 2
    assert "nested too deeply" in result.err


def test_many_columns_take_linear_time(plainsight, tmp_path):
    seconds = []
    for count in (5_000, 20_000):
        names = ",".join(f"c{number}" for number in range(count))
        (tmp_path / "in.csv").write_text(f"{names},id,text\n{count * '1,'}1,Seen by Dr. Okafor.\n")
        began = time.process_time()
        assert plainsight("deidentify", tmp_path / "in.csv", "-o", tmp_path / "out.csv", *REDACT).code == 0
        seconds.append(time.process_time() - began)
    assert seconds[1] < 8 * max(seconds[0], 0.2)  # quadratic code would take sixteen times as long


def test_ids_that_are_no_file_names_cost_no_other_note(plainsight, jsonl, rules, tmp_path):
    ids = ["a", "a.txt", "../x", "ok"]
    source = jsonl(tmp_path / "in.jsonl", *({**NOTE, "id": id} for id in ids))  # noqa: A001
    for name, kept in (("text", ["a", "ok"]), ("i2b2-2014", ["a", "a.txt", "ok"]), ("brat", ["a", "ok"])):
        result = plainsight("deidentify", source, "-o", tmp_path / name, "--output-format", name, *rules)
        assert result.code == 1
        assert sorted({path.stem for path in (tmp_path / name).iterdir()}) == sorted(kept)
        aside = [note["id"] for note in lines(tmp_path / f"{name}.quarantine.jsonl")]
        assert sorted(aside + kept) == sorted(ids)


@pytest.mark.parametrize("nested", ["meta", "patient"])
def test_data_nested_without_end_is_set_aside(plainsight, rules, tmp_path, nested):
    deep = 700 * "[" + 700 * "]"
    value = f'{{"m": {deep}}}' if nested == "meta" else f'{{"patient_id": "1", "names": {deep}}}'
    bad = f'{{"id": "bad", "text": "Seen.", "{nested}": {value}}}\n'
    (tmp_path / "in.jsonl").write_text(bad + json.dumps(NOTE) + "\n")
    for ending in (".jsonl", ".csv", ".parquet"):
        out = tmp_path / f"out{ending}"
        assert plainsight("deidentify", tmp_path / "in.jsonl", "-o", out, *rules).code == 1
        assert out.exists()
        [aside] = lines(tmp_path / f"out{ending}.quarantine.jsonl")
        assert aside["reason"] in ("data nested more than 64 deep", "the patient is not a patient record")


def test_patient_records_nested_without_end_are_refused(plainsight, jsonl, rules, tmp_path):
    (tmp_path / "p.json").write_text(f'{{"patient_id": "1", "names": {900 * "["}{900 * "]"}}}')
    source = jsonl(tmp_path / "in.jsonl", NOTE)
    result = plainsight("deidentify", source, "-o", tmp_path / "o", "--patients", tmp_path / "p.json", *rules)
    assert (result.code, result.err) == (
        2,
        f"plainsight: {tmp_path}/p.json, record 1: not a patient record\n",
    )


def test_a_lone_surrogate_does_not_stop_parquet(plainsight, jsonl, rules, tmp_path):
    wrong = {"a\ud800": {}, "b": {"text": "\udfff."}, "c": {"patient_id": "\ud800"}}
    bad = [{**NOTE, "id": id, **other} for id, other in wrong.items()]  # noqa: A001 - the domain's word
    source = jsonl(tmp_path / "in.jsonl", *bad, NOTE)
    result = plainsight("deidentify", source, "-o", tmp_path / "out.parquet", *rules)
    assert result.code == 1
    assert [note["id"] for note in lines(tmp_path / "out.parquet.quarantine.jsonl")] == ["a\ud800", "b", "c"]
    [note] = Parquet().read(tmp_path / "out.parquet")
    assert note.id == "ok"


@pytest.mark.parametrize(
    "encoding", ["idna", "punycode", "unicode_escape", "rot13", "undefined", "mbcs", "x-mine"]
)
def test_an_odd_declared_encoding_sets_one_file_aside(plainsight, rules, tmp_path, encoding):
    (notes := tmp_path / "notes").mkdir()
    for name, declared in (("bad", encoding), ("good", "utf-8")):
        (notes / f"{name}.xml").write_text(
            f'<?xml version="1.0" encoding="{declared}"?>\n<deIdi2b2>\n<TEXT><![CDATA[Seen.]]></TEXT>\n'
            "<TAGS></TAGS></deIdi2b2>"
        )
    assert plainsight("deidentify", notes, "-o", tmp_path / "out", *rules).code == 1
    [aside] = lines(tmp_path / "out.quarantine.jsonl")
    assert (aside["id"], aside["reason"]) == ("bad", "declares an unknown encoding")
    (tmp_path / "in.csv").write_text("id,text\n1,Seen.\n")
    result = plainsight(
        "deidentify", tmp_path / "in.csv", "-o", tmp_path / "o", "--encoding", encoding, *rules
    )
    assert (result.code, result.err) == (2, f"plainsight: unknown encoding '{encoding}'\n")


def test_control_characters_in_names_and_ids_are_shown_escaped(plainsight, rules, tmp_path):
    (notes := tmp_path / "notes").mkdir()
    (notes / "a\x1b[2J\nplainsight: all is well.txt").write_bytes(b"%PDF-1.7")
    (notes / "b.txt").write_text("Seen.")
    result = plainsight("deidentify", notes, "-o", tmp_path / "out", *rules)
    assert result.code == 1
    assert "a\\x1b[2J\\nplainsight: all is well" in result.err
    assert "\x1b" not in result.err
    result = plainsight("deidentify", tmp_path / "no\x1b[31m.jsonl", "-o", tmp_path / "o\x07.jsonl", *rules)
    assert "\x1b" not in result.err


def test_a_table_without_header_does_not_show_its_first_row(plainsight, rules, tmp_path):
    (tmp_path / "in.csv").write_text("Okafor,Adaeze\nSmith,John\n")
    for extra in ((), ("--text-column", "Okafo"), ("--id-column", "Adaez")):
        result = plainsight("deidentify", tmp_path / "in.csv", "-o", tmp_path / "o.csv", *extra, *rules)
        assert result.code == 2
        assert "Okafor" not in result.err
        assert "Adaeze" not in result.err


def test_formulas_of_cells_can_be_neutralised(plainsight, rules, tmp_path):
    rows = '1,=HYPERLINK(A1)\n2,- denies pain\n"@3",-2.5\n4,"+a, b"\n5,Seen.\n'
    (tmp_path / "in.csv").write_text(f"id,text\n{rows}")
    out = tmp_path / "out.csv"
    assert plainsight("deidentify", tmp_path / "in.csv", "-o", out, *rules).code == 0
    assert out.read_text() == f"id,text\n{rows}"
    assert plainsight("deidentify", tmp_path / "in.csv", "-o", out, "--neutralise-formulas", *rules).code == 0
    inert = "1,'=HYPERLINK(A1)\n2,'- denies pain\n\"'@3\",-2.5\n4,\"'+a, b\"\n5,Seen.\n"
    assert out.read_text() == f"id,text\n{inert}"
    out = tmp_path / "out.jsonl"
    result = plainsight("deidentify", tmp_path / "in.csv", "-o", out, "--neutralise-formulas", *rules)
    assert result.code == 2
    assert "--neutralise-formulas is for CSV and TSV, and the output is jsonl" in result.err
