from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from plainsight import registry
from plainsight.document import Document
from plainsight.errors import FormatError, PluginError
from plainsight.formats.base import write_all
from plainsight.formats.csv import Csv
from plainsight.formats.guess import guess
from plainsight.formats.jsonl import JsonLines
from plainsight.formats.parquet import Parquet
from plainsight.formats.plain import PlainText

NOTE = [Document("1", "x")]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("out.txt", "text"),
        ("out.TXT", "text"),
        ("out.text", "text"),
        ("out.jsonl", "jsonl"),
        ("out.jsonl.gz", "jsonl"),
        ("out.csv", "csv"),
        ("out.csv.gz", "csv"),
        ("out.tsv", "tsv"),
        ("out.parquet", "parquet"),
        ("out.inline", "inline"),
        ("out.ann", "brat"),
        ("out.conll", "conll"),
    ],
)
def test_a_path_that_is_not_there_yet_is_told_by_its_name(tmp_path: Path, name: str, kind: str) -> None:
    assert guess(tmp_path / name) == kind


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.txt", "Seen by Dr. Ng.", "text"),
        ("a.txt", "Seen by {{DOCTOR|Ng}}.", "inline"),
        ("a.txt", "", "text"),
        ("a.xml", '<?xml version="1.0"?>\n<deIdi2b2>\n<TEXT>', "i2b2-2014"),
        ("a.xml", '<?xml version="1.0"?>\n<MEDDOCAN><TEXT>', "meddocan"),
        ("a.xml", '<ROOT>\n<RECORD ID="1">\n<TEXT>', "i2b2-2006"),
        ("a.sgml", '<RECORD ID="1"><TEXT>', "i2b2-2006"),
        ("a.sgml", "<DOC>\n<DOCID>1</DOCID>", "muc"),
        ("export", '\ufeff{"id": 1, "text": "x"}\n', "jsonl"),
        ("export.dat", "Seen O\nby O\nDr. O\nNg B-DOCTOR\n", "conll"),
        ("export.dat", "a {{DATE|May}} b", "inline"),
    ],
)
def test_a_file_is_told_by_its_beginning(tmp_path: Path, name: str, content: str, kind: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert guess(tmp_path / name) == kind
    (tmp_path / name).write_text(content, encoding="utf-16")
    assert guess(tmp_path / name) == kind


def test_a_table_without_suffix_is_told_by_its_magic(tmp_path: Path) -> None:
    write_all(Parquet(), NOTE, tmp_path / "export")
    assert guess(tmp_path / "export") == "parquet"


@pytest.mark.parametrize("kind", [JsonLines, Csv, Parquet, PlainText])
def test_a_folder_is_told_by_its_files(tmp_path: Path, kind: type) -> None:
    for name in ("a", "b/c"):
        write_all(kind(), NOTE, tmp_path / f"{name}{kind.suffixes[0]}")  # type: ignore[attr-defined]
    (tmp_path / "README.md").write_text("not a note")
    (tmp_path / ".hidden.xml").write_text("<deIdi2b2>")
    assert guess(tmp_path) == kind.name  # type: ignore[attr-defined]


def test_a_folder_with_some_marks_is_inline(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text("nobody")
    (tmp_path / "2.txt").write_text("{{AGE|67}}")
    assert guess(tmp_path) == "inline"


def test_texts_with_marks_beside_them_are_brat(tmp_path: Path) -> None:
    for name in ("1.txt", "1.ann", "2.txt", "2.ann", "alone.txt"):
        (tmp_path / name).write_text("x")
    assert guess(tmp_path) == "brat"
    assert guess(tmp_path / "1.txt") == "brat"
    assert guess(tmp_path / "1.ann") == "brat"
    assert guess(tmp_path / "alone.txt") == "text"


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.xml", "<html>", "may be ccda or i2b2-2006 or i2b2-2014 or meddocan"),
        ("a.odt", "PK", "is in no known format"),
        ("a", "just words", "is in no known format"),
    ],
)
def test_when_unsure_it_says_so_and_lists_the_names(
    tmp_path: Path, name: str, content: str, told: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(FormatError) as caught:
        guess(tmp_path / name)
    assert (
        str(caught.value) == f"{tmp_path / name}: {told}; name one of: {', '.join(registry.names('formats'))}"
    )


def test_a_mixed_or_empty_folder_is_not_guessed(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no known format"):
        guess(tmp_path)
    (tmp_path / "a.jsonl").write_text("{}")
    (tmp_path / "b.csv").write_text("a,b")
    with pytest.raises(FormatError, match="may be csv or jsonl"):
        guess(tmp_path)


class _Book:
    name: ClassVar[str] = "book"
    suffixes: ClassVar[tuple[str, ...]] = (".book", ".notes.csv")


def test_other_formats_take_part_by_their_suffixes(tmp_path: Path) -> None:
    kinds = {"csv": Csv, "book": _Book}
    assert guess(tmp_path / "a.book", kinds) == "book"
    assert guess(tmp_path / "a.notes.csv", kinds) == "book"
    assert guess(tmp_path / "a.csv", kinds) == "csv"


def test_a_broken_plugin_does_not_stop_the_guess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = registry.resolve

    def resolve(kind: registry.Kind, name: str) -> type:
        if name == "brat":
            raise PluginError("cannot be loaded")
        return real(kind, name)

    monkeypatch.setattr(registry, "resolve", resolve)
    assert guess(tmp_path / "a.jsonl") == "jsonl"
