"""A file made to exhaust memory is read up to a limit, and what is lost is said."""

import gzip
import subprocess
import sys

import pytest

from plainsight.document import Document, SetAside
from plainsight.errors import FormatError, UsageError
from plainsight.formats import limits
from plainsight.formats.csv import Csv
from plainsight.formats.jsonl import JsonLines
from plainsight.formats.plain import PlainText

NOTE = b'{"id": "1", "text": "Seen by Dr. Ng."}\n'


@pytest.fixture
def small(monkeypatch):
    """Let a note have 1 MB and a compressed file grow twenty times from there on."""
    monkeypatch.setenv("PLAINSIGHT_MAX_NOTE_MB", "1")
    monkeypatch.setenv("PLAINSIGHT_MAX_EXPANSION", "20")
    monkeypatch.setattr(limits, "_FREE", 1 << 20)


def test_a_file_that_grows_too_much_is_read_to_the_limit(tmp_path, small):
    (path := tmp_path / "notes.jsonl.gz").write_bytes(gzip.compress(NOTE * 99_999))
    *notes, last = JsonLines().read(path)
    assert 1 <= len(notes) < 99_999
    assert all(isinstance(note, Document) for note in notes)
    assert isinstance(last, SetAside)
    assert "grows to over 20 times its size; PLAINSIGHT_MAX_EXPANSION allows more" in last.reason


def test_a_table_that_grows_too_much_says_that_rows_are_missing(tmp_path, small):
    (path := tmp_path / "notes.csv.gz").write_bytes(
        gzip.compress(b"id,text\n" + b"1,Seen by Dr. Ng.\n" * 99_999)
    )
    *_, last = Csv().read(path)
    assert isinstance(last, SetAside)
    assert "PLAINSIGHT_MAX_EXPANSION" in last.reason


def test_ordinary_compression_is_far_from_the_limit(tmp_path):
    (path := tmp_path / "notes.jsonl.gz").write_bytes(gzip.compress(NOTE * 9_999))
    assert sum(isinstance(note, Document) for note in JsonLines().read(path)) == 9_999


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_line_that_is_too_long_costs_no_other_line(tmp_path, small, encoding):
    lines = (
        '{"id": "1", "text": "a"}\n',
        '{"id": "2", "text": "' + (1 << 21) * "x" + '"}\n',
        '{"id": "3", "text": "b"}',
    )
    (path := tmp_path / "notes.jsonl").write_text("".join(lines), encoding=encoding)
    first, long, last = JsonLines().read(path)
    assert (first.id, last.id) == ("1", "3")
    assert isinstance(long, SetAside)
    assert long.reason == "longer than 1 MB; PLAINSIGHT_MAX_NOTE_MB allows more"
    assert long.where == f"{path}:2"


def test_a_row_that_is_too_long_costs_no_other_row(tmp_path, small):
    (path := tmp_path / "notes.csv").write_text(f"id,text\n1,a\n2,{(1 << 21) * 'x'}\n3,b\n")
    first, long, last = Csv().read(path)
    assert (first.id, last.id) == ("1", "3")
    assert isinstance(long, SetAside)
    assert "longer than 1 MB" in long.reason


def test_a_file_with_one_note_is_not_read_when_it_is_too_long(tmp_path, small):
    (tmp_path / "a.txt").write_text("Seen.")
    (tmp_path / "b.txt").write_text((1 << 21) * "x ")
    note, long = PlainText().read(tmp_path)
    assert note.id == "a"
    assert isinstance(long, SetAside)
    assert "longer than 1 MB" in long.reason
    with pytest.raises(FormatError, match="longer than 1 MB"):
        list(PlainText().read(tmp_path / "b.txt"))


def test_a_character_across_two_chunks_is_still_utf8(tmp_path):
    for shift in range(4):
        (path := tmp_path / "a.txt").write_text(
            (shift * "x" + (1 << 19) * "é€𝒳") + "\nSeen.", encoding="utf-8"
        )
        [note] = PlainText().read(path)
        assert note.text.startswith(shift * "x" + "é€𝒳")
        assert "_encoding" not in note.meta


@pytest.mark.parametrize("value", ["0", "-1", "many", "1.5"])
def test_a_limit_is_a_whole_number(monkeypatch, value):
    monkeypatch.setenv("PLAINSIGHT_MAX_NOTE_MB", value)
    with pytest.raises(UsageError, match="PLAINSIGHT_MAX_NOTE_MB is not a whole number above 0"):
        limits.longest_note()


def test_a_bomb_takes_little_memory(tmp_path):
    """Three megabytes that hold one line of three gigabytes."""
    block = gzip.compress((1 << 24) * b"x", 9)
    (path := tmp_path / "bomb.jsonl.gz").write_bytes(gzip.compress(NOTE) + 180 * block)
    code = (
        "import resource, sys; from pathlib import Path; from plainsight.formats.jsonl import JsonLines\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))  # more than that ends it\n"
        "for item in JsonLines().read(Path(sys.argv[1])): print(getattr(item, 'reason', item.id))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, timeout=60, check=False
    )
    assert result.stdout.splitlines()[0] == "1"
    assert "allows more" in result.stdout.splitlines()[1]
