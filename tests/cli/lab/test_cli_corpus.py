"""``plainsight corpus`` and ``plainsight synth``."""

import json

import pytest
import typer
from typer.testing import CliRunner

from plainsight.cli.lab import corpus, synth
from plainsight.errors import DataError, FormatError, UsageError
from plainsight.formats.jsonl import JsonLines

app = typer.Typer()
app.add_typer(corpus.app, name="corpus")
app.command()(synth.synth)

GOOD = "{{PATIENT|Maria Delgado}} seen {{DATE|3/14/2019}} by Dr. {{DOCTOR|Okafor}}.\n\nNo {{IDNUM|0371-88}}\n"


def run(*arguments):
    result = CliRunner().invoke(app, [*map(str, arguments)], env={"COLUMNS": "120"})
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "notes"
    (folder / "letters").mkdir(parents=True)
    (folder / "letters" / "good.txt").write_text(GOOD)
    return folder


def test_a_good_corpus_has_no_findings(notes):
    result = run("corpus", "check", notes)
    assert result.exit_code == 0
    assert result.stdout == "1 notes: 0 findings, 0 more accepted\n"


def test_findings_are_told_without_text_unless_asked(notes):
    bad = notes / "letters" / "bad.txt"
    bad.write_text("{{PATIENT|Hargrove}}\nslept. Hargrove ate.\n")
    (notes / "letters" / "broken.txt").write_text("{{PATIENT|Hargrove")
    (notes / "empty.txt").write_text("")
    result = run("corpus", "check", notes)
    assert result.exit_code == 1
    assert f"{bad}:2: repeat\n" in result.stdout
    assert "broken.txt:1: unreadable (mark that is never closed" in result.stdout
    assert "empty.txt:1: empty" in result.stdout
    assert "Hargrove" not in result.stdout
    assert "Hargrove" in run("corpus", "check", notes, "--show-text").stdout
    record = json.loads(run("corpus", "check", notes, "--json").stdout)
    assert record["kinds"]["repeat"] == record["kinds"]["unreadable"] == 1
    assert "Hargrove" not in json.dumps(record)


def test_one_file_and_several_paths(notes):
    broken = notes / "letters" / "broken.txt"
    broken.write_text("{{PATIENT|}}")
    result = run("corpus", "check", broken, notes / "letters" / "good.txt")
    assert result.exit_code == 1
    assert "unreadable (empty or nested mark" in result.stdout
    assert "1 notes: 1 findings" in result.stdout


def test_accepted_findings(notes, tmp_path):
    (notes / "letters" / "bad.txt").write_text("{{PATIENT|Hargrove}}\nslept. Hargrove ate.\n")
    known = tmp_path / "accepted.lst"
    known.write_text(run("corpus", "check", notes).stdout)
    result = run("corpus", "check", notes, "--accepted", known)
    assert result.exit_code == 0
    assert "0 findings, 1 more accepted" in result.stdout


def test_scraps_are_read_by_paragraph(notes):
    folder = notes / "fragments"
    folder.mkdir()
    (folder / "names.txt").write_text("{{PATIENT|Hargrove}} slept.\n\nHargrove.\n")
    assert run("corpus", "check", notes).exit_code == 0
    assert run("corpus", "check", notes, "--scraps", "none").exit_code == 1


def test_wrong_use(notes, tmp_path):
    with pytest.raises(UsageError, match="no input"):
        run("corpus", "check", tmp_path / "none")
    with pytest.raises(UsageError, match="accepted"):
        run("corpus", "check", notes, "--accepted", tmp_path / "none")


def test_notes_in_other_formats(notes, tmp_path):
    made = tmp_path / "gold.jsonl"
    made.write_text('{"id": "a", "text": "Ng came. Call 212-555-0123", "spans": []}\n')
    result = run("corpus", "check", made, "--format", "jsonl")
    assert result.exit_code == 1
    assert "shape (PHONE)" in result.stdout


def test_stats(notes):
    shown = run("corpus", "stats", notes).stdout
    assert "1 notes, 0 of them without identifiers" in shown
    assert "9/99/9999" in shown
    assert "Delgado" not in shown
    record = json.loads(run("corpus", "stats", notes, "--json").stdout)
    assert record["identifiers"] == 4


def test_clusters_are_printed_and_as_json(notes):
    lines = run("corpus", "clusters", notes, "--format", "inline", "--least", 1, "--clusters", 3).stdout
    assert "places" in lines
    found = json.loads(run("corpus", "clusters", notes, "--format", "inline", "--least", 1, "--json").stdout)
    assert all(set(cluster) == {"label", "share", "words"} for cluster in found)


def test_synth_writes_notes_that_read_back(notes, tmp_path):
    out = tmp_path / "train.jsonl"
    result = run("synth", notes, "-o", out, "--notes", 25, "--seed", 3, "--json")
    assert json.loads(result.stdout)["notes"] == 25
    made = list(JsonLines().read(out))
    assert len(made) == 25
    assert {span.label for note in made for span in note.spans} == {"PATIENT", "DATE", "DOCTOR", "IDNUM"}
    first = out.read_bytes()
    run("synth", notes, "-o", out, "--notes", 25, "--seed", 3, "--force")
    assert out.read_bytes() == first
    run("synth", notes, "-o", out, "--notes", 25, "--seed", 4, "--force")
    assert out.read_bytes() != first


def test_synth_with_text_and_stats(notes, tmp_path):
    texts = tmp_path / "texts.jsonl"
    text = "The patient was seen by Dr. X on MM/DD/YYYY. The lungs were clear and the abdomen was soft."
    texts.write_text(json.dumps({"id": "t1", "text": text}) + "\n")
    out = tmp_path / "train.jsonl"
    result = run("synth", notes, "-o", out, "-n", 20, "--text", texts, "--stats", "--json")
    assert json.loads(result.stdout)["notes"] == 20
    assert any(note.id.startswith("t1~") for note in JsonLines().read(out))


def test_synth_puts_patients_into_private_notes(notes, tmp_path):
    out, patients = tmp_path / "made.jsonl", tmp_path / "patients.jsonl"
    patients.write_text('{"patient_id": "1", "names": ["Xiomara Quispe"]}')
    run("synth", notes, "-o", out, "-n", 20, "--noise", 0, "--patients", patients)
    assert out.stat().st_mode & 0o777 == 0o600
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert any(
        "Quispe" in note["text"][span["start"] : span["end"]] for note in found for span in note["spans"]
    )
    patients.write_text("{}")
    with pytest.raises(FormatError, match="patient_id"):
        run("synth", notes, "-o", out, "-n", 20, "--patients", patients, "--force")


def test_synth_leaves_kinds_out(notes, tmp_path):
    out = tmp_path / "a.jsonl"
    run("synth", notes, "-o", out, "-n", 30, "--noise", 1, "--without", "lower")
    assert any(note.text.isupper() for note in JsonLines().read(out))
    with pytest.raises(UsageError, match="unknown kind of noise 'uper'; did you mean 'upper'"):
        run("synth", notes, "-o", tmp_path / "b.jsonl", "--without", "uper")


def test_synth_refuses(notes, tmp_path):
    out = tmp_path / "train.jsonl"
    out.write_text("mine")
    with pytest.raises(UsageError, match="exists"):
        run("synth", notes, "-o", out)
    with pytest.raises(UsageError, match="no input"):
        run("synth", notes, "-o", tmp_path / "b.jsonl", "--text", tmp_path / "none")
    (notes / "letters" / "good.txt").write_text("No marks.")
    with pytest.raises(DataError, match="nothing to make"):
        run("synth", notes, "-o", tmp_path / "b.jsonl", "--format", "inline")
    assert not (tmp_path / "b.jsonl").exists()


def test_sentences_are_annotated_once_and_carried_back(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text("Seen by Dr. Ng. Stable today.\n")
    (notes / "b.txt").write_text("Stable today.\nSeen by Dr. Ng.\nSeen by Dr. Ng.\n")
    unique, places = tmp_path / "unique.jsonl", tmp_path / "map.jsonl"
    result = run("corpus", "sentences", notes, "--format", "text", "-o", unique, "--map", places)
    assert result.stdout == "2 notes, 5 sentences, 2 different\n"
    assert {path.stat().st_mode & 0o777 for path in (unique, places)} == {0o600}
    assert "Ng" not in places.read_text()
    lines = [json.loads(line) for line in unique.read_text().splitlines()]
    lines[0]["spans"] = [{"start": 12, "end": 14, "label": "DOCTOR"}]
    marked = tmp_path / "marked.jsonl"
    marked.write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = (
        "corpus",
        "spread",
        marked,
        notes,
        "--format",
        "text",
        "--map",
        places,
        "-o",
        tmp_path / "gold.jsonl",
    )
    assert run(*command, "--counts", tmp_path / "counts.csv").stdout == "2 notes, 3 identifiers\n"
    gold = [json.loads(line) for line in (tmp_path / "gold.jsonl").read_text().splitlines()]
    assert [[note["text"][s["start"] : s["end"]] for s in note["spans"]] for note in gold] == [
        ["Ng"],
        ["Ng", "Ng"],
    ]
    assert (tmp_path / "counts.csv").read_text().splitlines() == [
        "note,label,identifiers", "a,all,1", "a,DOCTOR,1", "b,all,2", "b,DOCTOR,2",
    ]  # fmt: skip


def test_sentences_of_other_notes_write_nothing(tmp_path, notes):
    unique, places = tmp_path / "unique.jsonl", tmp_path / "map.jsonl"
    run("corpus", "sentences", notes, "--format", "text", "-o", unique, "--map", places)
    (notes / "letters" / "good.txt").write_text("Other.")
    with pytest.raises(DataError, match="does not stand at"):
        run(
            "corpus",
            "spread",
            unique,
            notes,
            "--format",
            "text",
            "--map",
            places,
            "-o",
            tmp_path / "gold.jsonl",
        )
    assert not (tmp_path / "gold.jsonl").exists()
    with pytest.raises(UsageError, match="no map of sentences"):
        run("corpus", "spread", unique, notes, "--map", tmp_path / "none", "-o", tmp_path / "gold.jsonl")
