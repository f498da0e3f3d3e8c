import os
import pickle
from pathlib import Path

import pytest

from plainsight.errors import UsageError
from plainsight.formats.urls import without_password
from plainsight.sources.places import Database, Remote, place

pytest.importorskip("fsspec")


def test_what_is_no_url_is_a_path():
    assert place("notes/a.txt") == Path("notes/a.txt")
    assert type(place("a:b")) is type(Path())
    assert place("file:///tmp/a%20b.txt") == Path("/tmp/a b.txt")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://reader:hunter2@db:5432/hospital#cdm.notes",
        "postgresql+psycopg://reader:hun@ter2@db/hospital?sslpassword=hunter2#cdm.notes",
        "sftp://reader:hunter2@host/folder/notes.csv",
    ],
)
def test_no_password_is_shown(url):
    path = place(url)
    shown = f"{path} {path!r} {path.name} {path.beside} {path.absolute()} {pickle.loads(pickle.dumps(path))}"
    assert "hunter2" not in shown
    assert "ter2" not in shown
    assert "hunter2" in path.url or "hun@ter2" in path.url


def test_a_command_line_shows_no_password():
    words = ["-o", "--output=postgresql://a:hunter2@db/x#t", "postgresql://a:hunter2@db/x?password=hunter2"]
    assert "hunter2" not in " ".join(map(without_password, words))
    assert without_password("--text=a:b@c") == "--text=a:b@c"


def test_a_database_has_a_table_and_perhaps_a_file():
    path = place("sqlite:////data/hospital.db#notes")
    assert (path.table, path.file) == ("notes", Path("/data/hospital.db"))
    assert str(path.beside) == "/data/hospital.db.notes"
    path = place("postgresql://reader@db/hospital#cdm.note")
    assert (path.table, path.file, str(path.beside)) == ("cdm.note", None, "hospital.cdm.note")


def test_an_unknown_kind_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match=r"cannot begin with nosuch://; it can with postgresql://"):
        place("nosuch://x/y")


def test_a_url_is_no_file_of_this_machine():
    for path in (Database("sqlite://"), Remote("memory://x")):
        with pytest.raises(UsageError, match="not a file of this machine"):
            os.stat(path)  # noqa: PTH116 - not by the method


def test_remote_files_are_listed_read_and_written(tmp_path):
    folder = place("memory://places/deep")
    (tmp_path / "a").write_bytes(b"one")
    (folder / "in" / "a.txt").upload(tmp_path / "a")
    (folder / "b.txt").upload(tmp_path / "a")
    assert sorted(map(str, folder.iterdir())) == ["memory://places/deep/b.txt", "memory://places/deep/in"]
    assert (folder / "in").is_dir()
    assert (folder / "b.txt").read_bytes() == b"one"
    assert (folder / "in" / "a.txt").relative_to(folder).as_posix() == "in/a.txt"
    assert pickle.loads(pickle.dumps(folder / "b.txt")).exists()
    (folder / "b.txt").unlink()
    assert not (folder / "b.txt").exists()
    with pytest.raises(OSError, match=r"memory://places/deep/b\.txt"):
        (folder / "b.txt").read_bytes()
