from dataclasses import replace

import pytest

from plainsight.config import load_policy
from plainsight.document import Document, SetAside
from plainsight.formats.base import write_all
from plainsight.formats.csv import Csv
from plainsight.formats.jsonl import JsonLines
from plainsight.formats.parquet import Parquet
from plainsight.pipeline import Pipeline

FORMATS = [(JsonLines, ".jsonl"), (Csv, ".csv"), (Csv, ".csv.gz"), (Parquet, ".parquet")]


def dataset(folder, kind, ending):
    """Write a dataset of two years, with a third file beside them."""
    number = 0
    for place in ("year=2023/smith", "year=2024/a", "year=2024/deep/b", "year=__HIVE_DEFAULT_PARTITION__/c"):
        notes = [Document(f"n{number + more}", f"Seen on 3/{number + more + 1}/2019.") for more in range(3)]
        number += 3
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        write_all(kind(), notes, folder / f"{place}{ending}")
    return folder


def files(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(("kind", "ending"), FORMATS)
def test_a_folder_of_tables_stays_one(tmp_path, kind, ending):
    source = dataset(tmp_path / "in", kind, ending)
    notes = list(kind().read(source))
    assert [note.meta["year"] for note in notes] == ["2023"] * 3 + ["2024"] * 6 + [None] * 3
    write_all(kind(), notes, tmp_path / "out")
    assert files(tmp_path / "out") == [
        f"year=2023/part-00000{ending}",
        f"year=2024/part-00001{ending}",
        f"year=2024/part-00002{ending}",
        f"year=__HIVE_DEFAULT_PARTITION__/part-00003{ending}",
    ]
    again = list(kind().read(tmp_path / "out"))
    assert [(n.id, n.text, n.meta["year"]) for n in again] == [(n.id, n.text, n.meta["year"]) for n in notes]


def released(source, keep):
    policy = replace(load_policy("redact"), keep_meta=keep)
    return list(Pipeline(policy).deidentify(source))


def test_folders_are_columns_that_the_policy_keeps_or_not(tmp_path):
    source = dataset(tmp_path / "in", Csv, ".csv")
    write_all(Csv(), released(Csv().read(source), ("year",)), tmp_path / "kept")
    assert files(tmp_path / "kept")[0] == "year=2023/part-00000.csv"
    write_all(Csv(), released(Csv().read(source), ()), tmp_path / "dropped")
    assert files(tmp_path / "dropped") == [f"part-0000{number}.csv" for number in range(4)]
    text = (tmp_path / "kept" / "year=2023" / "part-00000.csv").read_text()
    assert text.startswith("note_id,patient_id,text\n")
    assert "2019" not in text


def test_one_file_gets_the_folders_as_a_column(tmp_path):
    source = dataset(tmp_path / "in", Parquet, ".parquet")
    write_all(Csv(), released(Parquet().read(source), ("year",)), tmp_path / "all.csv")
    assert (tmp_path / "all.csv").read_text().splitlines()[0] == "note_id,patient_id,text,year"


def test_another_format_gets_its_own_endings(tmp_path):
    source = dataset(tmp_path / "in", Csv, ".csv.gz")
    write_all(JsonLines(), released(Csv().read(source), ()), tmp_path / "out")
    assert files(tmp_path / "out")[0] == "part-00000.jsonl"


def test_a_column_of_the_table_wins_over_a_folder(tmp_path):
    folder = tmp_path / "in" / "ward=A"
    folder.mkdir(parents=True)
    (folder / "x.csv").write_text("note_id,ward,text\n1,B,Seen.\n")
    [note] = Csv().read(tmp_path / "in")
    assert note.meta["ward"] == "B"
    write_all(Csv(), [note], tmp_path / "out")
    assert (tmp_path / "out" / "part-00000.csv").read_text() == "note_id,ward,text\n1,B,Seen.\n"


def test_folders_that_would_be_replaced_set_the_note_aside(tmp_path):
    source = dataset(tmp_path / "in", JsonLines, ".jsonl")
    first = next(iter(JsonLines().read(source)))
    with JsonLines().open(tmp_path / "out") as sink:
        sink.write(first)
        with pytest.raises(Exception, match="it can be kept or left out, not replaced"):
            sink.write(replace(first, id="2", meta={**first.meta, "year": "1999"}))
    assert files(tmp_path / "out") == ["year=2023/part-00000.jsonl"]


@pytest.mark.parametrize(("kind", "ending"), FORMATS)
def test_an_error_leaves_no_folder(tmp_path, kind, ending):
    source = dataset(tmp_path / "in", kind, ending)

    def breaking():
        yield from list(kind().read(source))[:5]
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_all(kind(), breaking(), tmp_path / "out")
    assert files(tmp_path) == files(tmp_path / "in") or all(
        name.startswith("in/") for name in files(tmp_path)
    )


def test_a_damaged_file_costs_that_file_alone(tmp_path):
    source = dataset(tmp_path / "in", Parquet, ".parquet")
    (source / "year=2024" / "a.parquet").write_bytes(b"PAR1 no")
    items = list(Parquet().read(source))
    assert [type(item) for item in items] == [Document] * 3 + [SetAside] + [Document] * 6
    write_all(Parquet(), [item for item in items if isinstance(item, Document)], tmp_path / "out")
    assert len(files(tmp_path / "out")) == 3
