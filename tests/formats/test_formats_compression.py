import io
from pathlib import Path

import pytest

from plainsight.document import Document, SetAside
from plainsight.errors import UsageError
from plainsight.formats.base import write_all
from plainsight.formats.compression import COMPRESSIONS, compressing
from plainsight.formats.csv import Csv
from plainsight.formats.jsonl import JsonLines

NOTES = [Document(f"n{number}", f"Seen on day {number}.") for number in range(200)]


def needs(ending):
    if ending == ".zst":
        pytest.importorskip("zstandard")


@pytest.mark.parametrize("ending", COMPRESSIONS)
@pytest.mark.parametrize(("kind", "name"), [(JsonLines, "notes.jsonl"), (Csv, "notes.csv")])
def test_compressed_files_come_back(tmp_path, ending, kind, name):
    needs(ending)
    path = tmp_path / (name + ending)
    write_all(kind(), NOTES, path)
    assert b"Seen on" not in path.read_bytes()
    assert [(note.id, note.text) for note in kind().read(path)] == [(note.id, note.text) for note in NOTES]


@pytest.mark.parametrize("ending", COMPRESSIONS)
def test_the_same_notes_give_the_same_bytes(tmp_path, ending):
    needs(ending)
    first, second = tmp_path / f"a.jsonl{ending}", tmp_path / f"b.jsonl{ending}"
    write_all(JsonLines(), NOTES, first)
    write_all(JsonLines(), NOTES, second)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("ending", COMPRESSIONS)
def test_damage_keeps_the_notes_before_it_and_says_that_some_are_lost(tmp_path, ending):
    needs(ending)
    path = tmp_path / f"notes.jsonl{ending}"
    write_all(JsonLines(), NOTES, path)
    path.write_bytes(path.read_bytes()[:-9])
    items = list(JsonLines().read(path))
    assert isinstance(items[-1], SetAside)
    assert "cannot be read" in items[-1].reason
    assert all(isinstance(item, Document) for item in items[:-1])


def test_several_frames_are_read_to_the_end(tmp_path):
    zstandard = pytest.importorskip("zstandard")
    lines = [b'{"id": "1", "text": "One."}\n', b'{"id": "2", "text": "Two."}\n']
    path = tmp_path / "notes.jsonl.zst"
    path.write_bytes(b"".join(zstandard.ZstdCompressor().compress(line) for line in lines))
    assert [note.id for note in JsonLines().read(path)] == ["1", "2"]


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    with pytest.raises(UsageError, match=r'pip install "plainsight\[remote\]"'):
        compressing(io.BytesIO(), Path("x.zst").suffix)
