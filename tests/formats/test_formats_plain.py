from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, SetAside
from plainsight.errors import FormatError
from plainsight.formats.base import write_all
from plainsight.formats.plain import PlainText

any_text = st.text(st.characters(exclude_categories=()))


def _documents(path: Path, **options: str) -> list[Document]:
    items = list(PlainText(**options).read(path))
    assert all(isinstance(item, Document) for item in items)
    return [item for item in items if isinstance(item, Document)]


@given(st.lists(any_text, min_size=1, max_size=4), st.sampled_from([None, "cp1252", "utf-16-le", "utf-8"]))
def test_any_text_survives_a_folder(texts: list[str], encoding: str | None) -> None:
    meta = {"_encoding": encoding, "_bom": True} if encoding else {}
    # a mark of its own in front is taken for the byte-order mark it looks like
    notes = [Document(f"n{place}", text.lstrip("\ufeff"), meta=meta) for place, text in enumerate(texts)]
    with tempfile.TemporaryDirectory() as folder:
        write_all(PlainText(), notes, Path(folder) / "notes")
        back = list(PlainText().read(Path(folder) / "notes"))
    for note, item in zip(notes, back, strict=True):
        if isinstance(item, SetAside):  # looks like no text, or like damaged text
            assert item.reason.startswith(("binary file", "not valid"))
        elif encoding != "utf-16-le" and not note.text.startswith("\ufeff"):
            assert item.id == note.id
            assert item.text == note.text or (encoding == "cp1252" and item.text == _as_utf8(note.text))


def _as_utf8(text: str) -> str | None:
    """What a text in cp1252 says to a reader of UTF-8, if its bytes are valid there, too: nobody can tell."""
    try:
        return text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"one\r\ntwo\rthree\n",
        b"\xef\xbb\xbfmarked\r\n",
        "Größe: 1,80 m – „gut“".encode("cp1252"),
        "пульс 80".encode("utf-16"),
        "ünï😀 עברית".encode(),
        b"nul \0 inside\n",
        b"no newline at the end",
    ],
)
def test_files_come_back_byte_for_byte(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "in.txt").write_bytes(data)
    write_all(PlainText(), _documents(tmp_path / "in.txt"), tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_bytes() == data


def test_a_folder_comes_back_with_its_names(tmp_path: Path) -> None:
    for name in ("a.txt", "p1/2.txt", "p1/2.text", "p1/3.TXT"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(name)
    notes = _documents(tmp_path / "in")
    assert [note.id for note in notes] == ["a", "p1/2.text", "p1/2", "p1/3.TXT"]
    write_all(PlainText(), notes, tmp_path / "out")
    assert {
        p.relative_to(tmp_path / "out").as_posix(): p.read_text() for p in (tmp_path / "out").rglob("*.*")
    } == {name: name for name in ("a.txt", "p1/2.txt", "p1/2.text", "p1/3.TXT")}


def test_the_encoding_stays_when_the_text_changes_and_widens_when_it_must(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_bytes(b"Ren\xe9e")
    [note] = _documents(tmp_path / "in.txt")
    write_all(PlainText(), [replace(note, text="André")], tmp_path / "same.txt")
    write_all(PlainText(), [replace(note, text="Šimůnek")], tmp_path / "wider.txt")
    assert (tmp_path / "same.txt").read_bytes() == b"Andr\xe9"
    assert (tmp_path / "wider.txt").read_bytes() == b"\xef\xbb\xbf" + "Šimůnek".encode()


def test_bad_files_of_a_folder_are_set_aside(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"%PDF-1.4 scan")
    (tmp_path / "b.txt").write_bytes("é".encode() * 9 + b"\xff")
    (tmp_path / "c.txt").write_bytes(b"fine")
    assert list(PlainText().read(tmp_path)) == [
        SetAside("a", "binary file (PDF): convert it to text first", str(tmp_path / "a.txt")),
        SetAside("b", "not valid utf-8 at byte 18, line 1", str(tmp_path / "b.txt")),
        Document("c", "fine"),
    ]
    with pytest.raises(FormatError, match=r"a\.txt: binary file"):
        list(PlainText().read(tmp_path / "a.txt"))


def test_a_declared_encoding_is_taken_at_its_word(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_bytes("Łódź".encode("cp1250"))
    [note] = _documents(tmp_path / "in.txt", encoding="cp1250")
    assert (note.text, note.meta) == ("Łódź", {"_encoding": "cp1250"})


def test_a_suffix_can_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "a.note").write_text("x")
    (tmp_path / "b.txt").write_text("y")
    assert [note.id for note in _documents(tmp_path, suffix=".note")] == ["a"]
    assert [note.id for note in _documents(tmp_path, suffix="")] == ["a.note", "b.txt"]


@pytest.mark.server  # takes long
def test_a_50_mb_note_and_a_1_mb_line(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_bytes(b"abcdefg \n" * (50 << 20 >> 3) + b"x" * (1 << 20))
    write_all(PlainText(), _documents(tmp_path / "in.txt"), tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_bytes() == (tmp_path / "in.txt").read_bytes()
