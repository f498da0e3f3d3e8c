"""Standard input and output, a note on the command line, and the page that shows notes."""

import io
import json
import os
import sys

import pytest

SECRET = "Zqxvwyk"
NOTE = f"Seen by Dr. {SECRET} on 3/4/2019."
MASKED = "Seen by Dr. [DOCTOR] on [DATE]."


@pytest.fixture
def stdin(monkeypatch):
    def give(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return give


@pytest.fixture(autouse=True)
def nothing_on_disk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_note_comes_through_a_pipe(plainsight, stdin, tmp_path):
    stdin(f"{NOTE}\r\n".encode())
    result = plainsight("deidentify", "-", "--policy", "redact")
    assert (result.code, result.out) == (0, f"{MASKED}\r\n")
    assert SECRET not in result.err
    assert list(tmp_path.iterdir()) == []


def test_json_lines_come_through_a_pipe(plainsight, stdin, tmp_path):
    stdin(b"".join(json.dumps({"id": str(n), "text": NOTE}).encode() + b"\n" for n in range(3)))
    result = plainsight("deidentify", "-", "--format", "jsonl", "--policy", "redact")
    assert [json.loads(line) for line in result.out.splitlines()] == [
        {"id": str(n), "text": MASKED, "spans": []} for n in range(3)
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_table_comes_through_a_pipe(plainsight, stdin):
    stdin(f'note_id,text\n1,"{NOTE}"\n'.encode())
    result = plainsight("deidentify", "-", "--format", "csv", "--policy", "redact")
    assert result.out == f'note_id,text\n1,"{MASKED}"\n'


def test_notes_set_aside_are_told_on_stderr_and_in_the_exit_code(plainsight, stdin, tmp_path):
    stdin(json.dumps({"id": "1", "text": NOTE}).encode() + b'\n{"id": "2"}\n')
    result = plainsight("deidentify", "-", "--format", "jsonl", "--policy", "redact")
    assert result.code == 1
    assert len(result.out.splitlines()) == 1
    assert "1 note set aside" in result.err
    assert "stdin:2: no text" in result.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_can_go_to_standard_output(plainsight, tmp_path):
    file = tmp_path / "in.txt"
    file.write_text(NOTE)
    result = plainsight("deidentify", file, "-o", "-", "--policy", "redact")
    assert (result.code, result.out) == (0, MASKED)
    assert list(tmp_path.iterdir()) == [file]


def test_standard_input_can_go_to_a_file(plainsight, stdin, tmp_path):
    stdin(NOTE.encode())
    assert plainsight("deidentify", "-", "-o", "out.txt", "--policy", "redact").code == 0
    assert (tmp_path / "out.txt").read_text() == MASKED
    assert json.loads((tmp_path / "out.txt.manifest.json").read_text())["input_sha256"] == {}


def test_a_note_on_the_command_line_is_printed(plainsight, tmp_path):
    result = plainsight("deidentify", "--text", NOTE, "--policy", "redact")
    assert (result.code, result.out) == (0, f"{MASKED}\n")
    assert list(tmp_path.iterdir()) == []


def test_a_note_on_the_command_line_is_not_in_the_manifest(plainsight, tmp_path):
    for words in (["--text", NOTE], [f"--text={NOTE}"]):
        result = plainsight("deidentify", *words, "-o", "out.txt", "--policy", "redact", "--force")
        assert result.code == 0
        assert SECRET not in (tmp_path / "out.txt.manifest.json").read_text()


def test_detect_prints_json_lines(plainsight):
    result = plainsight("detect", "--text", NOTE, "--policy", "fast")
    assert {span["label"] for span in json.loads(result.out)["spans"]} == {"DOCTOR", "DATE"}


@pytest.mark.parametrize("pasted", [NOTE, NOTE * 40])
@pytest.mark.parametrize("verb", ["deidentify", "detect"])
def test_a_note_pasted_as_the_input_is_not_repeated(plainsight, verb, pasted):
    result = plainsight(verb, pasted, "-o", "out.txt")
    assert result.code == 2
    assert SECRET not in result.err + result.out
    assert "--text" in result.err


def test_a_note_pasted_without_quotes_is_not_repeated(plainsight):
    result = plainsight("deidentify", *NOTE.split(), "-o", "out.txt")
    assert result.code == 2
    assert SECRET not in result.err + result.out
    assert "--text" in result.err


@pytest.mark.parametrize(
    "arguments",
    [[], ["-", "--text", "x"], ["--text", "x", "--json"], ["--text", "x", "--output-format", "brat"]],
)
def test_wrong_use_is_told(plainsight, stdin, tmp_path, arguments):
    stdin(b"")
    assert plainsight("deidentify", *arguments, "--policy", "redact").code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_file_needs_an_output(plainsight, tmp_path):
    (tmp_path / "in.txt").write_text(NOTE)
    result = plainsight("deidentify", "in.txt")
    assert result.code == 2
    assert "--output" in result.err


def test_a_page_shows_notes_before_and_after(plainsight, tmp_path):
    (tmp_path / "in.txt").write_text(f"{NOTE} <script>alert(1)</script>")
    result = plainsight("show", "in.txt", "--html", "look.html", "--policy", "redact")
    assert result.code == 0
    assert result.out == ""
    page = (tmp_path / "look.html").read_text()
    assert f">{SECRET}</mark>" in page
    assert ">[DOCTOR]</mark>" in page
    assert "<script" not in page
    assert "http" not in page
    assert "2 identifiers in 1 note" in page
    if os.name == "posix":
        assert (tmp_path / "look.html").stat().st_mode & 0o777 == 0o600
    assert plainsight("show", "in.txt", "--html", "look.html").code == 2


def test_a_page_leaves_out_what_cannot_be_read(plainsight, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(NOTE)
    (tmp_path / "in" / "b.txt").write_text("{\\rtf1 x}")
    result = plainsight("show", "in", "--html", "look.html", "--policy", "redact")
    assert result.code == 1
    assert "b set aside: RTF" in result.err


def test_detect_draws_a_page(plainsight, tmp_path):
    (tmp_path / "in.txt").write_text(NOTE)
    assert plainsight("detect", "in.txt", "-o", "found.html", "--policy", "fast").code == 0
    assert f">{SECRET}</mark>" in (tmp_path / "found.html").read_text()
