"""Notes in any format and under any label scheme, and whose they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainsight import registry
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError
from plainsight.evaluate.pairs import Pair, pair_up
from plainsight.evaluate.read_notes import coarsened, read_notes, relabelled
from plainsight.evaluate.scorers import SCORERS
from plainsight.evaluate.tally import Tally
from plainsight.formats.base import write_all
from plainsight.formats.standoff import annotated, marks_of

TEXT = "Ann Roe at Elm City on 3 May."
NOTE = Document("110-01", TEXT, (Span(0, 7, "PATIENT"), Span(11, 19, "HOSPITAL"), Span(23, 28, "DATE")))
PAIR = (NOTE.spans, NOTE.spans)


def read_pairs(gold: Path, found: Path, unmatched: str = "refuse", **options: str) -> list[Pair]:
    sides = (
        read_notes(
            path,
            format=options.get(f"{side}_format"),
            labels=options.get(f"{side}_labels"),
            keep_overlaps=True,
        )
        for side, path in (("gold", gold), ("found", found))
    )
    return pair_up(*sides, unmatched=unmatched)


def written(name: str, path: Path, *documents: Document) -> Path:
    write_all(registry.create("formats", name), documents, path, span_column=True)
    return path


@pytest.mark.parametrize(
    ("format", "file"),
    [
        ("jsonl", "notes.jsonl"),
        ("inline", "inline"),
        ("brat", "brat"),
        ("i2b2-2014", "xml"),
        ("meddocan", "es"),
        ("csv", "notes.csv"),
        ("parquet", "notes.parquet"),
    ],
)
def test_any_format_on_either_side(tmp_path: Path, format: str, file: str) -> None:  # noqa: A002
    xml = written("i2b2-2014", tmp_path / "gold", NOTE)
    other = written(format, tmp_path / file, NOTE)
    for gold, found in ((xml, other), (other, xml)):
        (pair,) = read_pairs(gold, found)
        assert (pair.gold, pair.found) == PAIR


def test_formats_can_be_named(tmp_path: Path) -> None:
    gold = written("inline", tmp_path / "gold.txt", Document("gold", "Ann", (Span(0, 3, "PATIENT"),)))
    found = written("text", tmp_path / "found" / "gold.txt", Document("gold", "Ann"))
    (pair,) = read_pairs(gold, found, gold_format="inline", found_format="text")
    assert (len(pair.gold), len(pair.found)) == (1, 0)


def test_label_schemes_on_either_side(tmp_path: Path) -> None:
    spanish = Document(
        "1", TEXT, (Span(0, 7, "NOMBRE_SUJETO_ASISTENCIA"), Span(11, 19, "SEXO_SUJETO_ASISTENCIA"))
    )
    english = Document("1", TEXT, (Span(0, 7, "PATIENT"), Span(11, 19, "LOCATION-OTHER")))
    gold = written("meddocan", tmp_path / "gold", spanish)
    found = written("i2b2-2014", tmp_path / "found", english)
    (pair,) = read_pairs(gold, found, gold_labels="meddocan", found_labels="i2b2-2014")
    assert pair.gold == (Span(0, 7, "PATIENT"),)  # the guide marks no sex
    assert pair.found == (Span(0, 7, "PATIENT"), Span(11, 19, "LOCATION_OTHER"))
    (plain,) = read_pairs(gold, found)
    assert [span.label for span in plain.gold] == ["NOMBRE_SUJETO_ASISTENCIA", "SEXO_SUJETO_ASISTENCIA"]


def test_unknown_labels_and_schemes(tmp_path: Path) -> None:
    gold = written("jsonl", tmp_path / "gold.jsonl", NOTE)
    with pytest.raises(DataError, match="unknown meddocan label"):
        read_notes(gold, labels="meddocan")
    with pytest.raises(UsageError, match="unknown label scheme"):
        read_notes(gold, labels="medocan")


def test_ids_may_differ_in_a_suffix(tmp_path: Path) -> None:
    gold = written("i2b2-2014", tmp_path / "gold", NOTE)
    found = written("jsonl", tmp_path / "found.jsonl", Document("110-01.xml", TEXT, NOTE.spans))
    (pair,) = read_pairs(gold, found)
    assert pair.id == "110-01"


def test_notes_that_one_side_lacks(tmp_path: Path) -> None:
    gold = written("jsonl", tmp_path / "gold.jsonl", NOTE, Document("110-02", TEXT))
    found = written("jsonl", tmp_path / "found.jsonl", NOTE)
    with pytest.raises(DataError, match="110-02"):
        read_pairs(gold, found)
    assert len(read_pairs(gold, found, unmatched="skip")) == 1


def test_offset_drift_is_told_by_place(tmp_path: Path) -> None:
    gold = written("jsonl", tmp_path / "gold.jsonl", NOTE)
    drifted = TEXT.replace(" at", "  at")
    found = written("jsonl", tmp_path / "found.jsonl", Document("110-01", drifted))
    with pytest.raises(DataError, match=r"note 110-01 differ from character 8 on \(line 1\)") as raised:
        read_pairs(gold, found)
    assert "Ann" not in str(raised.value)


def test_nested_marks_are_scored_whole(tmp_path: Path) -> None:
    # gold Elm City as a hospital and City in it as a city; found both, the city first in the file: 2 of 2
    tags = ['<LOCATION start="11" end="19" TYPE="HOSPITAL"/>', '<LOCATION start="15" end="19" TYPE="CITY"/>']
    for side, marks in (("gold", tags), ("found", tags[::-1])):
        (tmp_path / side).mkdir()
        note = f"<deIdi2b2><TEXT>{TEXT}</TEXT><TAGS>{''.join(marks)}</TAGS></deIdi2b2>"
        (tmp_path / side / "110-01.xml").write_text(note)
    (pair,) = read_pairs(tmp_path / "gold", tmp_path / "found")
    assert SCORERS["strict"](pair) == {"CITY": Tally(1, 1, 1, 1), "HOSPITAL": Tally(1, 1, 1, 1)}
    (mapped,) = read_pairs(
        tmp_path / "gold", tmp_path / "found", gold_labels="i2b2-2014", found_labels="i2b2-2014"
    )
    assert SCORERS["strict"](mapped) == SCORERS["strict"](pair)


def test_relabelling_drops_a_mark_that_lay_over_another() -> None:
    marks = [Span(0, 9, "SEXO_SUJETO_ASISTENCIA"), Span(2, 4, "PAIS"), Span(3, 6, "CALLE")]
    note = relabelled(annotated("1", "x" * 9, marks, {"unit": "7"}), "meddocan")
    assert marks_of(note) == (Span(2, 4, "COUNTRY"), Span(3, 6, "STREET"))
    assert note.spans == (Span(2, 3, "COUNTRY"), Span(3, 6, "STREET"))
    alone = relabelled(annotated("1", "x" * 9, marks[:2]), "meddocan")
    assert marks_of(alone) == alone.spans == (Span(2, 4, "COUNTRY"),)


def test_labels_are_told_apart_as_a_scheme_does() -> None:
    marks = [Span(0, 1, "CITY"), Span(2, 3, "SSN"), Span(4, 5, "PROFESSION"), Span(6, 7, "DOCTOR")]
    coarse = coarsened(annotated("1", "x" * 9, marks), "i2b2-2006")
    assert [(span.start, span.label) for span in coarse.spans] == [
        (0, "LOCATION_OTHER"),
        (2, "IDNUM"),
        (6, "DOCTOR"),
    ]


@pytest.fixture
def folder(tmp_path):
    for name, text in {"p1-a.txt": "{{PATIENT|Roe}}", "p1-b.txt": "x", "p2/c.txt": "{{DATE|May}}"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def patients(*arguments, **options):
    return {note.id: note.patient_id for note in read_notes(*arguments, **options)}


def test_patients_from_names_and_folders(folder):
    assert patients(folder) == {"p1-a": None, "p1-b": None, "p2/c": None}
    named = patients(folder, format="inline", patient_from_name="^(p[0-9])")
    assert named == {"p1-a": "p1", "p1-b": "p1", "p2/c": "p2"}
    assert patients(folder, patient_folders=True)["p2/c"] == "p2"


@pytest.mark.parametrize("pattern", ["^p[0-9]", "(p"])
def test_a_pattern_needs_a_group(folder, pattern):
    with pytest.raises(UsageError, match="pattern for patients"):
        read_notes(folder, patient_from_name=pattern)


def test_no_input(tmp_path):
    with pytest.raises(UsageError, match="no input"):
        read_notes(tmp_path / "none")


def test_a_note_that_cannot_be_read_is_not_passed_over(folder):
    (folder / "p3-x.txt").write_text("{{PATIENT|Roe")
    with pytest.raises(DataError, match="p3-x"):
        read_notes(folder, format="inline")


def test_overlapping_marks_are_refused_unless_they_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Dr. Ng saw")
    (tmp_path / "a.ann").write_text("T1\tX 0 6\tDr. Ng\nT2\tY 4 10\tNg saw\n")
    with pytest.raises(DataError, match="note a: marks overlap"):
        read_notes(tmp_path)
    (note,) = read_notes(tmp_path, keep_overlaps=True)
    assert note.spans == (Span(0, 6, "X"), Span(6, 10, "Y"))
