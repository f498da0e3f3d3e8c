from __future__ import annotations

import gzip
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, SetAside
from plainsight.errors import DataError, FormatError, SpanError, UsageError
from plainsight.formats.files import (
    atomic_bytes,
    atomic_file,
    atomic_folder,
    create,
    file_name,
    file_per_note,
    note_files,
    note_id,
    open_bytes,
    read_bytes,
    read_files,
    read_notes,
    safe_path,
    set_aside,
)
from plainsight.formats.plain import PlainText

TXT = (".txt", ".text")
names = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "d/", "d.txt/"]), st.text("ab.", min_size=1), st.sampled_from([*TXT, ".TXT"])
    ),
).filter(lambda name: not name.rpartition("/")[2].startswith("."))


def _write(documents: list[Document], path: Path) -> None:
    with file_per_note(path, TXT, _render) as sink:
        for document in documents:
            sink.write(document)


def _names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def _put(folder: Path, *relative: str) -> None:
    for name in relative:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(name.encode())


# --- which files, which ids


def test_a_folder_is_walked_in_order_without_hidden_and_foreign_files(tmp_path: Path) -> None:
    _put(
        tmp_path, "b.txt", "a/2.txt", "a/10.TXT", "c.text", ".hidden.txt", ".git/x.txt", "readme.md", "a/.txt"
    )
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "link.txt").symlink_to(tmp_path / "b.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    assert [note for _, note in note_files(tmp_path, TXT)] == ["a/10.TXT", "a/2", "b", "c.text", "link"]


def test_an_empty_suffix_takes_every_visible_file(tmp_path: Path) -> None:
    _put(tmp_path, "a", "b.md", ".c")
    assert [note for _, note in note_files(tmp_path, ("",))] == ["a", "b.md"]


def test_a_single_file_is_a_note_whatever_its_name(tmp_path: Path) -> None:
    _put(tmp_path, "note.md")
    assert list(note_files(tmp_path / "note.md", TXT)) == [(tmp_path / "note.md", "note.md")]


def test_a_missing_path_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        list(note_files(tmp_path / "nothing", TXT))


@given(names, names)
def test_ids_are_unique_and_lead_back_to_the_file(one: str, two: str) -> None:
    assert file_name(note_id(one, TXT), TXT) == one
    assert (note_id(one, TXT) == note_id(two, TXT)) == (one == two)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_folder_that_cannot_be_listed_is_not_passed_over(tmp_path: Path) -> None:
    _put(tmp_path, "a/1.txt", "b/2.txt")
    (tmp_path / "a").chmod(0)
    try:
        items = list(read_notes(tmp_path, TXT, _parse))
    finally:
        (tmp_path / "a").chmod(0o700)
    assert [item.id for item in items] == ["a", "b/2"]
    assert isinstance(items[0], SetAside)


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "..",
        "../x",
        "a/../x",
        "/etc/passwd",
        "a//b",
        "a/",
        ".",
        "./a",
        "a\0b",
        ".x",
        "x" * 300,
        "a/" + "é" * 200,
    ],
)
def test_ids_never_leave_the_folder(tmp_path: Path, bad: str) -> None:
    with pytest.raises(FormatError, match="cannot be a file name"):
        safe_path(tmp_path, bad)


@pytest.mark.parametrize("bad", ["NUL", "con.txt", "a/lpt1", "a\\b", "c:x", "a?"])
def test_names_that_windows_reserves_are_refused_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bad: str
) -> None:
    assert safe_path(tmp_path, bad) == tmp_path / bad
    monkeypatch.setattr("plainsight.formats.files.os.name", "nt")
    with pytest.raises(FormatError, match="cannot be a file name"):
        safe_path(tmp_path, bad)


@given(st.text(st.characters(exclude_categories=())))
def test_a_safe_path_lies_in_its_folder(given_id: str) -> None:
    folder = Path("/notes")
    try:
        path = safe_path(folder, given_id)
    except FormatError:
        return
    assert Path(os.path.normpath(path)).is_relative_to(folder)
    assert "\0" not in str(path)


@pytest.mark.parametrize("good", ["a", "a/b", "17", "été", "a b", "console", "v1..2"])
def test_usual_ids_are_file_names(tmp_path: Path, good: str) -> None:
    assert safe_path(tmp_path, good) == tmp_path / good


# --- one note per file


def _parse(note: str, data: bytes, where: str) -> Document:
    if b"bad" in data:
        raise FormatError("bad note", where)
    if b"span" in data:
        raise SpanError("span runs from 3 to 2")
    return Document(note, data.decode())


def test_notes_that_fail_are_set_aside_and_the_others_read(tmp_path: Path) -> None:
    _put(tmp_path, "1.txt", "2bad.txt", "3span.txt", "4.txt")
    assert list(read_notes(tmp_path, TXT, _parse)) == [
        Document("1", "1.txt"),
        SetAside("2bad", "bad note", str(tmp_path / "2bad.txt")),
        SetAside("3span", "span runs from 3 to 2", str(tmp_path / "3span.txt")),
        Document("4", "4.txt"),
    ]


def test_a_single_file_that_fails_raises(tmp_path: Path) -> None:
    _put(tmp_path, "bad.txt")
    with pytest.raises(FormatError, match="bad note"):
        list(read_notes(tmp_path / "bad.txt", TXT, _parse))


def test_a_folder_without_notes_raises(tmp_path: Path) -> None:
    _put(tmp_path, "a.md")
    with pytest.raises(FormatError, match=r"no \.txt or \.text files"):
        list(read_notes(tmp_path, TXT, _parse))


def test_unreadable_files_say_why(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"cannot be read: Is a directory"):
        read_bytes(tmp_path)
    with pytest.raises(FormatError, match="cannot be read"):
        open_bytes(tmp_path / "none")


def test_set_aside_keeps_the_error_s_own_place() -> None:
    assert set_aside("1", FormatError("r", "f:3"), "f") == SetAside("1", "r", "f:3")
    assert set_aside("1", FormatError("r"), "f") == SetAside("1", "r", "f")
    assert set_aside("1", DataError("r"), "f") == SetAside("1", "r", "f")


def test_tables_of_a_folder_are_set_aside_whole(tmp_path: Path) -> None:
    _put(tmp_path, "1.txt", "bad.txt", "z.txt")

    def read(file: Path, note: str) -> Iterator[Document]:
        yield _parse(note, file.read_bytes(), str(file))

    assert [item.id for item in read_files(tmp_path, TXT, read)] == ["1", "bad", "z"]
    with pytest.raises(FormatError, match="bad note"):
        list(read_files(tmp_path / "bad.txt", TXT, read))
    with pytest.raises(FormatError, match="no notes"):
        list(read_files(tmp_path, (".none",), read))


def _render(document: Document) -> bytes:
    return document.text.encode()


def _documents(count: int) -> list[Document]:
    return [Document(f"d/{place}", f"text {place}") for place in range(count)]


@pytest.mark.parametrize(
    ("name", "count", "written"),
    [
        ("out.txt", 1, ["out.txt"]),
        ("out.md", 1, ["out.md"]),
        ("out", 1, ["out", "out/d", "out/d/0.txt"]),
        ("out", 3, ["out", "out/d", "out/d/0.txt", "out/d/1.txt", "out/d/2.txt"]),
        ("out.v2", 2, ["out.v2", "out.v2/d", "out.v2/d/0.txt", "out.v2/d/1.txt"]),
        ("out", 0, ["out"]),
        ("deep/er/out.txt", 1, ["deep", "deep/er", "deep/er/out.txt"]),
    ],
)
def test_one_note_goes_to_a_file_and_many_to_a_folder(
    tmp_path: Path, name: str, count: int, written: list[str]
) -> None:
    _write(_documents(count), tmp_path / name)
    assert _names(tmp_path) == written


def test_many_notes_do_not_fit_into_one_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give a folder"):
        _write(_documents(2), tmp_path / "out.txt")
    assert _names(tmp_path) == []


def test_two_notes_for_one_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"two notes would be written to 'a\.txt'"):
        _write([Document("a", "1"), Document("a.txt", "2"), Document("b", "")], tmp_path / "o")
    assert _names(tmp_path) == []


def test_a_refused_note_leaves_the_others(tmp_path: Path) -> None:
    with file_per_note(tmp_path / "o", TXT, _render) as sink:
        sink.write(Document("a", "1"))
        for bad in ("a.txt", "../up"):
            with pytest.raises(FormatError):
                sink.write(Document(bad, "2"))
        sink.write(Document("b", "3"))
    assert _names(tmp_path) == ["o", "o/a.txt", "o/b.txt"]
    assert (tmp_path / "o" / "a.txt").read_bytes() == _render(Document("a", "1"))


def test_a_note_under_another_note_s_file_is_refused(tmp_path: Path) -> None:
    create(tmp_path, "a", b"")
    with pytest.raises(FormatError):
        create(tmp_path, "a/b", b"")
    with pytest.raises(FormatError, match="cannot be a file name"):
        create(tmp_path, "\ud900", b"")


def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    _write(_documents(2), tmp_path / "out")
    _write(_documents(1), tmp_path / "one.txt")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*") if path.name != "d"}
    assert modes == {"out": 0o700, "0.txt": 0o600, "1.txt": 0o600, "one.txt": 0o600}


# --- whole or not at all


def _break_off(file: Path) -> None:
    file.write_text("half")
    raise KeyboardInterrupt


def test_a_file_appears_only_when_whole(tmp_path: Path) -> None:
    target = tmp_path / "jane-doe.txt"
    target.write_text("before")
    with atomic_file(target) as temporary:
        temporary.write_text("after")
        assert target.read_text() == "before"
        assert temporary.parent == tmp_path
        assert "jane" not in temporary.name
        assert stat.S_IMODE(temporary.stat().st_mode) == 0o600
    assert target.read_text() == "after"
    with pytest.raises(KeyboardInterrupt), atomic_file(target) as temporary:
        _break_off(temporary)
    assert target.read_text() == "after"
    assert _names(tmp_path) == ["jane-doe.txt"]


def test_a_link_keeps_pointing(tmp_path: Path) -> None:
    _put(tmp_path, "real/a.txt")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real/a.txt")
    with atomic_file(tmp_path / "link.txt") as temporary:
        temporary.write_text("new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real/a.txt").read_text() == "new"


def test_a_device_is_written_directly() -> None:
    with atomic_file(Path(os.devnull)) as temporary:
        assert temporary == Path(os.devnull)
    assert Path(os.devnull).is_char_device()


def test_a_folder_appears_only_when_whole(tmp_path: Path) -> None:
    with atomic_folder(tmp_path / "out") as folder:
        create(folder, "a/1.txt", b"1")
        assert not (tmp_path / "out").exists()
    assert _names(tmp_path / "out") == ["a", "a/1.txt"]
    with pytest.raises(KeyboardInterrupt), atomic_folder(tmp_path / "other") as folder:
        _break_off(folder / "1.txt")
    assert _names(tmp_path) == ["out", "out/a", "out/a/1.txt"]


def test_a_folder_that_exists_keeps_what_else_it_holds(tmp_path: Path) -> None:
    _put(tmp_path, "out/mine.doc", "out/a/1.txt")
    with atomic_folder(tmp_path / "out") as folder:
        create(folder, "a/1.txt", b"new")
        create(folder, "b/2.txt", b"new")
    assert _names(tmp_path / "out") == ["a", "a/1.txt", "b", "b/2.txt", "mine.doc"]
    assert (tmp_path / "out/a/1.txt").read_bytes() == b"new"
    assert _names(tmp_path)[0] == "out"


def test_a_file_is_no_folder_and_a_folder_no_file(tmp_path: Path) -> None:
    _put(tmp_path, "file")
    with pytest.raises(UsageError, match="is a file, not a folder"), atomic_folder(tmp_path / "file"):
        pass
    with pytest.raises(UsageError, match="is a folder, not a file"), atomic_file(tmp_path):
        pass
    with pytest.raises(UsageError, match="cannot be written"), atomic_file(tmp_path / "file/below"):
        pass
    with pytest.raises(UsageError, match="cannot be written"), atomic_folder(tmp_path / "file/below"):
        pass


def test_packed_files_tell_nothing_about_themselves(tmp_path: Path) -> None:
    for name in ("jane-doe.jsonl.gz", "other.jsonl.gz"):
        with atomic_bytes(tmp_path / name) as file:
            file.write(b"note")
    first, second = ((tmp_path / name).read_bytes() for name in ("jane-doe.jsonl.gz", "other.jsonl.gz"))
    assert first == second
    assert gzip.decompress(first) == b"note"
    with open_bytes(tmp_path / "other.jsonl.gz") as file:
        assert file.read() == b"note"


def test_files_and_folders_deleted_in_mid_run_are_set_aside(tmp_path: Path) -> None:
    for name in ("a", "b", "c/1", "c/2", "d"):
        file = tmp_path / f"{name}.txt"
        file.parent.mkdir(exist_ok=True)
        file.write_text("Seen.")
    items = PlainText().read(tmp_path)
    first = next(items)
    (tmp_path / "b.txt").unlink()
    shutil.rmtree(tmp_path / "c")
    rest = list(items)
    assert [item.id for item in (first, *rest) if isinstance(item, Document)] == ["a", "d"]
    assert [item.id for item in rest if isinstance(item, SetAside)] == ["b", "c"]
    assert all("cannot be read" in item.reason for item in rest if isinstance(item, SetAside))
