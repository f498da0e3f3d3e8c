"""``plainsight convert``: other formats, other labels."""

import json

import pytest

NOTES = {
    "a": "Dr. {{DOCTOR|Ng}} saw {{PATIENT|Ann Roe}} on {{DATE|3/4/2019}} in {{CITY|Yuma}}.",
    "b": "No {{PROFESSION|cook}} here.",
}


@pytest.fixture
def gold(tmp_path):
    (tmp_path / "gold").mkdir()
    for name, text in NOTES.items():
        (tmp_path / "gold" / f"{name}.txt").write_text(text)
    return tmp_path / "gold"


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_formats_are_guessed_from_names(plainsight, gold, tmp_path):
    result = plainsight("convert", gold, tmp_path / "gold.jsonl")
    assert result.code == 0, result.err
    assert [len(note["spans"]) for note in read(tmp_path / "gold.jsonl")] == [4, 1]
    assert (
        plainsight("convert", tmp_path / "gold.jsonl", tmp_path / "back", "--to-format", "inline").code == 0
    )
    assert (tmp_path / "back" / "a.txt").read_text() == NOTES["a"]


def test_the_challenge_format_becomes_muc_for_lingpipe(plainsight, tmp_path):
    (tmp_path / "train.xml").write_text(
        '<RECORD ID="1"><TEXT>Dr. <PHI TYPE="DOCTOR">Ng</PHI> & <PHI TYPE="DATE">3/4</PHI></TEXT></RECORD>'
    )
    assert plainsight("convert", tmp_path / "train.xml", tmp_path / "train.muc").code == 0
    written = (tmp_path / "train.muc").read_text()
    assert '<ENAMEX TYPE="DOCTOR">Ng</ENAMEX> &amp; <TIMEX TYPE="DATE">3/4</TIMEX>' in written
    command = ("convert", tmp_path / "train.muc", tmp_path / "back.xml", "--to-format", "i2b2-2006")
    assert plainsight(*command).code == 0
    assert (
        'Dr. <PHI TYPE="DOCTOR">Ng</PHI> &amp; <PHI TYPE="DATE">3/4</PHI>'
        in (tmp_path / "back.xml").read_text()
    )


def test_a_loss_must_be_allowed(plainsight, gold, tmp_path):
    command = ("convert", gold, tmp_path / "out.xml", "--to-format", "i2b2-2006", "--to-labels", "i2b2-2006")
    refused = plainsight(*command)
    assert refused.code == 2
    assert not (tmp_path / "out.xml").exists()
    assert "CITY -> LOCATION (1)" in refused.err
    assert "no label for PROFESSION (1)" in refused.err
    assert "--allow-loss edges,labels,spans" in refused.err
    part = plainsight(*command, "--allow-loss", "edges,labels")
    assert part.code == 2
    assert "CITY" not in part.err
    done = plainsight(*command, "--allow-loss", "edges,labels,spans")
    assert done.code == 0, done.err
    assert "lost, as allowed: edges: i2b2-2006 marks only a part of DATE (1)" in done.err
    assert (
        '<PHI TYPE="DATE">3/4</PHI>/2019 in <PHI TYPE="LOCATION">Yuma</PHI>'
        in (tmp_path / "out.xml").read_text()
    )
    assert "Roe" not in done.err + refused.err


def test_the_losses_are_in_the_summary(plainsight, gold, tmp_path):
    told = plainsight(
        "convert", gold, tmp_path / "out", "--to-format", "text", "--allow-loss", "all", "--json"
    )
    assert told.json["lost"] == {"spans": {"text wrote none": 5}}
    assert (tmp_path / "out" / "b.txt").read_text() == "No cook here."


def test_pipes(plainsight, gold, tmp_path):
    result = plainsight("convert", gold, "-", "--to-format", "jsonl")
    assert (result.code, len(result.out.splitlines())) == (0, 2)
    assert "--to-format" in plainsight("convert", gold, "-").err


def test_a_note_that_cannot_be_written_is_set_aside(plainsight, jsonl, tmp_path):
    notes = ({"id": "1", "text": "\x01"}, {"id": "2", "text": "Ann"})
    source = jsonl(tmp_path / "in.jsonl", *notes)
    result = plainsight("convert", source, tmp_path / "out.xml", "--to-format", "i2b2-2006")
    assert result.code == 1
    assert "1 note set aside" in result.err
    assert 'ID="2"' in (tmp_path / "out.xml").read_text()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["gold", "out.xml"], "may be ccda or i2b2-2006 or i2b2-2014 or meddocan; name one of"),
        (["gold", "out"], "--to-format"),
        (["gold", "o.jsonl", "--to-labels", "i2b2-206"], "did you mean 'i2b2-2006'"),
        (["gold", "o.jsonl", "--allow-loss", "span"], "no kind of loss is called 'span': all, spans"),
        (["gold", "o.jsonl", "--from-labels", "mask"], "unknown mask label 'DOCTOR'"),
        (["none", "o.jsonl"], "no file or folder"),
    ],
)
def test_wrong_use(plainsight, gold, tmp_path, monkeypatch, arguments, reason):
    monkeypatch.chdir(tmp_path)
    result = plainsight("convert", *arguments)
    assert result.code == 2
    assert reason in result.err
    assert not (tmp_path / "o.jsonl").exists()


def test_a_table_of_commas_becomes_one_of_tabs(plainsight, tmp_path):
    (tmp_path / "in.csv").write_text("note_id,text\n1,Ann\n")
    assert plainsight("convert", tmp_path / "in.csv", tmp_path / "out.tsv").code == 0
    assert (tmp_path / "out.tsv").read_text().splitlines()[1].split("\t")[:2] == ["1", "Ann"]
