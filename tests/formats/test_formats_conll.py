"""CoNLL columns."""

from __future__ import annotations

from pathlib import Path

import pytest
from annotated_notes import any_text, contents, documents, there_and_back, written
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Document, SetAside, Span
from plainsight.errors import FormatError
from plainsight.formats.base import Format, write_all
from plainsight.formats.conll import Conll
from plainsight.text.shadow import shadow
from plainsight.text.tags import Scheme

OURS = r"""-DOCSTART-	n 1	0	22	\s	O

Seen	n 1	1	5	\s	O
May	n 1	6	9	_	B-DATE
5	n 1	9	10	_	I-DATE
.	n 1	10	11	\r\n\u00A0	O

Home	n 1	14	18	\s	O
now	n 1	19	22	_	O

"""
TEXT = " Seen May5.\r\n\u00a0Home now"


def read(path: Path, data: str, form: Conll | None = None) -> list[Document | SetAside]:
    path.write_bytes(data.encode())
    return list((form or Conll()).read(path))


def test_reads_and_writes_our_form(tmp_path: Path) -> None:
    found = read(tmp_path / "x.conll", OURS)
    assert contents(found) == [("n 1", TEXT, (Span(6, 10, "DATE"),))]
    assert written(Conll(), Document("n 1", TEXT, (Span(6, 10, "DATE"),))).decode() == OURS
    assert contents(read(tmp_path / "x.conll", OURS.replace("\n", "\r\n"))) == contents(found)
    assert contents(read(tmp_path / "x.conll", "\ufeff" + OURS)) == contents(found)


def test_is_a_format() -> None:
    assert isinstance(Conll(), Format)


@pytest.mark.parametrize("scheme", ["BIO", "BIOES"])
@settings(deadline=None, max_examples=60)
@given(
    notes=documents(
        text=any_text.filter(lambda text: sum(char < " " for char in text) < 5),  # more is a binary file
        ids=any_text.filter(lambda text: sum(char < " " for char in text) < 5),
        labels=st.sampled_from(["DATE", "LOCATION-OTHER", "B-X", "O", "A B", "é\ud800"]),
        is_edge=lambda char: not shadow(char).isspace(),
    )
)
def test_round_trip_of_any_text(scheme: Scheme, notes: list[Document]) -> None:
    read, same = there_and_back(Conll(scheme=scheme), notes, "notes.conll")
    assert contents(read) == contents([*notes])
    assert same


def test_tokens_are_cut_at_span_edges_and_white_space_is_left_out(tmp_path: Path) -> None:
    document = Document("1", "the Stoyanovs  x", (Span(3, 12, "PATIENT"), Span(14, 15, "DATE")))
    data = written(Conll(), document).decode()
    assert "\nStoyanov\t1\t4\t12\t_\tB-PATIENT\ns\t1\t12\t13\t\\s\\s\tO\n" in data
    assert contents(read(tmp_path / "x.conll", data)) == [("1", document.text, (Span(4, 12, "PATIENT"),))]


def test_spans_cross_sentences_in_our_form(tmp_path: Path) -> None:
    document = Document("1", "Seen. Home. Now.", (Span(0, 10, "X"),))
    data = written(Conll(scheme="BIOES"), document).decode()
    assert data.count("\n\n") == 4
    assert contents(read(tmp_path / "x.conll", data)) == [("1", document.text, document.spans)]


def test_neuroner_form(tmp_path: Path) -> None:
    data = """-DOCSTART- -X- O

Dr. note_1 1 4 O
Ng note_1 5 7 S-DOCTOR

on note_1 9 11 O
May note_1 12 15 B-DATE
5 note_1 15 16 E-DATE

Home note_2 0 4 O
"""
    assert contents(read(tmp_path / "x.conll", data)) == [
        ("note_1", " Dr. Ng\n on May5", (Span(5, 7, "DOCTOR"), Span(12, 16, "DATE"))),
        ("note_2", "Home", ()),
    ]


def test_any_other_form(tmp_path: Path) -> None:
    data = """-DOCSTART- -X- -X- O

EU NNP B-NP I-ORG
rejects VBZ B-VP O

Peter NNP B-NP B-PER
Blackburn NNP I-NP I-PER

-DOCSTART- -X- -X- O

1996-08-22 CD I-NP I-DATE
"""
    assert contents(read(tmp_path / "x.conll", data)) == [
        ("x-1", "EU rejects\nPeter Blackburn", (Span(0, 2, "ORG"), Span(11, 26, "PER"))),
        ("x-2", "1996-08-22", (Span(0, 10, "DATE"),)),
    ]


def test_two_columns_without_a_beginning(tmp_path: Path) -> None:
    found = read(tmp_path / "x.conll", "I\tO\n\tO\n♥\tO\n\n\nin\tO\nNew York\tB-LOC\n")
    assert contents(found) == [("x", "I ♥\nin New York", (Span(7, 15, "LOC"),))]


def test_sentences_part_spans_in_other_forms(tmp_path: Path) -> None:
    (document,) = read(tmp_path / "x.conll", "a B-X\n\nb I-X\n")
    assert contents([document]) == [("x", "a\nb", (Span(0, 1, "X"), Span(2, 3, "X")))]


@pytest.mark.parametrize(
    ("row", "line", "reason"),
    [
        ("SECRET", 2, "a row needs a token and a tag"),
        ("SECRET n 1 7 O", 2, "columns change within the note"),
    ],
)
def test_a_bad_row_sets_its_note_aside(tmp_path: Path, row: str, line: int, reason: str) -> None:
    data = f"a O\n{row}\nb O\n-DOCSTART- O\nc O\n"
    first, second = read(tmp_path / "x.conll", data)
    assert first == SetAside("x", reason, f"{tmp_path}/x.conll:{line}")
    assert contents([second]) == [("x-1", "c", ())]


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("May\tn 1\t6\t9", "May\tn 1\t7\t10", 4, "token from 7 to 10 does not fit the text so far, 6 long"),
        ("May\tn 1\t6\t9", "May\tn 1\t6\t10", 4, "token from 6 to 10 does not fit"),
        ("May\tn 1\t6\t9", "May\tn 1\tsix\t9", 4, "offsets are not whole numbers"),
        ("May\tn 1\t6\t9", "\tn 1\t6\t6", 4, "a row without a token"),
        ("May\tn 1\t6\t9\t_", "May\tn 1\t6\t9", 4, "5 columns, not 6"),
        ("now\tn 1\t19\t22\t_\tO\n", "", 1, "19 of its 22 characters are there"),
        ("\t0\t22\t", "\t0\t23\t", 1, "22 of its 23 characters are there"),
        (r"\u00A0", r"\U00110000", 8, "does not fit"),
    ],
)
def test_our_form_is_checked(tmp_path: Path, old: str, new: str, line: int, reason: str) -> None:
    assert old in OURS
    first, second = read(tmp_path / "x.conll", OURS.replace(old, new) + OURS)
    assert isinstance(first, SetAside)
    assert (first.id, first.where) == ("n 1", f"{tmp_path}/x.conll:{line}")
    assert reason in first.reason
    assert isinstance(second, Document)


def test_an_offset_gone_wrong_fills_no_memory(tmp_path: Path) -> None:
    (aside,) = read(tmp_path / "x.conll", "a n 0 1 O\nb n 999999999998 999999999999 O\n")
    assert isinstance(aside, SetAside)
    assert "does not fit" in aside.reason


@pytest.mark.parametrize("data", [b"", b"\n\n", b"-DOCSTART- O\n"])
def test_a_file_without_notes(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.conll").write_bytes(data)
    with pytest.raises(FormatError, match=r"x\.conll: no notes in it"):
        list(Conll().read(tmp_path / "x.conll"))


def test_a_folder_goes_on_after_a_bad_file(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_bytes(b"\x1f\x8b\x08\0\0")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.iob").write_text("x O\n")
    aside, document = Conll().read(tmp_path)
    assert aside == SetAside("a", "binary file", f"{tmp_path}/a.conll")
    assert contents([document]) == [("b/c.iob", "x", ())]
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match=r"no \.conll or \.bio or \.iob files"):
        list(Conll().read(tmp_path / "empty"))


def test_encodings(tmp_path: Path) -> None:
    for encoding in ("utf-8-sig", "utf-16", "cp1252"):
        (tmp_path / "x.conll").write_bytes(OURS.replace("Home", "Zoëe").encode(encoding))
        (document,) = Conll().read(tmp_path / "x.conll")
        assert isinstance(document, Document), document
        assert document.text == TEXT.replace("Home", "Zoëe")
    (tmp_path / "x.conll").write_bytes(b"a O\n\xe9 O\n")
    with pytest.raises(FormatError, match="not valid"):
        list(Conll(encoding="utf-8").read(tmp_path / "x.conll"))


def test_a_packed_file_cut_short(tmp_path: Path) -> None:
    file = tmp_path / "x.conll.gz"
    write_all(Conll(), [Document(str(number), f"text {number} " * 99) for number in range(9)], file)
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(FormatError, match="cannot be read"):
        list(Conll().read(file))


def test_labels_with_tabs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="doc 1: the label at 0 has a tab or line end"):
        write_all(Conll(), [Document("1", "x", (Span(0, 1, "A\tB"),))], tmp_path / "out.conll")
    assert list(tmp_path.iterdir()) == []
