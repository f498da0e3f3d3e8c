"""The mapper of record batches, without any engine."""

import pickle
from dataclasses import replace
from datetime import date

import pyarrow
import pyarrow.parquet
import pytest

import plainsight
from plainsight.arrow import Mapper
from plainsight.config import Choice, load_policy
from plainsight.errors import UsageError
from plainsight.run import hosted
from plainsight.run.processes import LIMITS

KEY = b"k" * 32
RULES = replace(load_policy("fast"), name="rules", detectors=(Choice("patterns"),))
NOTES = [
    ("1", "p1", "Seen by Dr. Okafor on 3/4/2019. MRN 4471903."),
    ("2", "p1", "Dr. Okafor called 617-555-0142."),
    ("3", "p2", "Seen by Dr. Okafor on 3/4/2019."),
    ("4", None, "Admitted 3/4/2019, discharged 3/9/2019."),
    ("5", "p2", None),
]


def mapper_of(policy=RULES, **options):
    """Return a mapper that works in this process, so that models are not loaded again."""
    return Mapper(**{"policy": policy, "limits": None, **options})


def batch(notes=NOTES, **more):
    rows = [dict(zip(("note_id", "patient_id", "text"), note, strict=True)) | more for note in notes]
    return pyarrow.RecordBatch.from_pylist(rows)


def rows_of(batches):
    return [row for one in batches for row in one.to_pylist()]


@pytest.fixture(scope="module")
def mapper():
    return mapper_of(key=KEY)


@pytest.fixture(scope="module")
def rows(mapper):
    return rows_of(mapper([batch()]))


def test_every_row_comes_back_in_order_with_its_id_and_patient(rows):
    assert [(row["note_id"], row["patient_id"]) for row in rows] == [note[:2] for note in NOTES]


def test_texts_are_those_of_the_pipeline(rows):
    pipeline = plainsight.Pipeline(RULES, key=KEY)
    notes = [plainsight.Document(name, text, (), patient) for name, patient, text in NOTES[:4]]
    assert [row["text"] for row in rows[:4]] == [note.text for note in pipeline.deidentify(notes)]


def test_identifiers_are_counted_by_label(rows):
    assert dict(rows[3]["identifiers"]) == {"DATE": 2}
    assert rows[3]["set_aside"] is None


def test_a_note_that_cannot_be_done_has_no_text_and_a_reason(rows):
    assert rows[4]["text"] is None
    assert rows[4]["identifiers"] is None
    assert rows[4]["set_aside"] == "the text is null"


def test_columns_that_the_policy_does_not_keep_are_left_out(mapper):
    [made] = mapper_of(key=KEY)([batch(ward="7")])
    assert made.schema.names == ["note_id", "patient_id", "text", "identifiers", "set_aside"]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_size_of_batches_does_not_matter(rows, size):
    cut = [batch().slice(start, size) for start in range(0, len(NOTES), size)]
    empty = batch().slice(0, 0)
    assert rows_of(mapper_of(key=KEY)([empty, *cut, empty])) == rows


def test_notes_of_a_patient_are_read_together_across_batches():
    notes = [("1", "p", "Patient: Zebulon Quarrington."), ("2", "p", "quarrington was seen.")]
    together, apart = (
        rows_of(mapper_of("fast", key=KEY)(batches))
        for batches in ([batch(notes)], [batch(notes[:1]), batch(notes[1:])])
    )
    assert together == apart
    assert "quarrington" not in str(together).lower()


def test_a_mapper_is_pickled_with_its_key_and_without_models(mapper, rows):
    packed = pickle.dumps(mapper)
    assert len(packed) < 20_000
    assert rows_of(pickle.loads(packed)([batch()])) == rows


def test_a_key_may_be_a_function_that_is_called_where_the_work_is(rows):
    called = []
    mapper = mapper_of(key=lambda: called.append(1) or KEY)
    assert not called
    assert rows_of(mapper([batch()])) == rows
    assert called


def test_neither_key_nor_note_is_in_the_representation(mapper):
    assert repr(mapper) == "Mapper(rules)"


def test_without_a_key_all_processes_get_the_same_random_one():
    mapper = mapper_of()
    packed = pickle.dumps(mapper)
    first, second = (rows_of(pickle.loads(packed)([batch()])) for _ in range(2))
    assert first == second
    assert rows_of(mapper_of()([batch()])) != first


def test_models_are_loaded_once_in_a_process(mapper):
    list(mapper([batch()]))
    known = dict(hosted._loaded)
    list(pickle.loads(pickle.dumps(mapper))([batch()]))
    assert dict(hosted._loaded) == known


def policy_file(tmp_path, output):
    path = tmp_path / "own.toml"
    path.write_text(
        f'name = "own"\ndescription = ""\nextends = "fast"\nwithout = ["convolution"]\n[output]\n{output}\n'
    )
    return path


def test_kept_columns_keep_their_types_and_dates_are_shifted_as_in_the_text(tmp_path):
    mapper = mapper_of(
        policy_file(tmp_path, 'keep_meta = ["ward"]\ndate_columns = ["seen"]'),
        key=KEY,
        text_column="text",
    )
    given = batch([("1", "p1", "Seen on 2019-03-04.")], ward=7, seen=date(2019, 3, 4))
    [made] = mapper([given])
    assert made.schema.field("seen").type == pyarrow.date32()
    [row] = made.to_pylist()
    assert row["ward"] == 7
    assert row["text"] == f"Seen on {row['seen']}."
    assert row["seen"] != date(2019, 3, 4)


def test_a_date_in_a_kept_column_sets_the_note_aside(tmp_path):
    mapper = mapper_of(policy_file(tmp_path, 'keep_meta = ["ward"]'), key=KEY)
    given = pyarrow.concat_batches([batch(NOTES[:1], ward="7"), batch(NOTES[1:2], ward="since 2019-03-04")])
    first, second = rows_of(mapper([given]))
    assert first["set_aside"] is None
    assert (second["text"], second["ward"]) == (None, None)
    assert "holds a date" in second["set_aside"]


def test_a_record_of_the_patient_finds_what_rules_do_not(tmp_path):
    notes = [("1", "p1", "zebulon was seen.")]
    given = batch(notes, record='{"patient_id": "p1", "names": ["Zebulon Quarrington"]}')
    [row] = rows_of(mapper_of("fast", key=KEY, record_column="record")([given]))
    assert "zebulon" not in row["text"]
    assert "record" not in row
    [row] = rows_of(mapper_of("fast", key=KEY, record_column="record")([batch(notes, record="Zebulon")]))
    assert (row["text"], row["set_aside"]) == (None, "the patient's record does not read")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text_column": "txt"}, "no column 'txt'"),
        ({"id_column": "ID"}, "no column 'ID'"),
        ({"record_column": "record"}, "no column 'record'"),
    ],
)
def test_wrong_columns_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        list(mapper_of(**options)([batch()]))


def test_a_table_without_ids_is_refused():
    with pytest.raises(UsageError, match="id_column"):
        list(mapper_of()([batch().drop_columns(["note_id"])]))


def test_a_text_column_of_numbers_is_refused():
    with pytest.raises(UsageError, match="does not hold text"):
        list(mapper_of()([pyarrow.RecordBatch.from_pylist([{"id": 1, "text": 5}])]))


def test_another_version_is_refused(mapper, monkeypatch):
    packed = pickle.dumps(mapper)
    monkeypatch.setattr(hosted, "__version__", "0.0.1")
    with pytest.raises(UsageError, match="install the same version everywhere"):
        list(pickle.loads(packed)([batch()]))


def test_a_table_and_a_data_frame_are_done_alike(mapper, rows):
    table = pyarrow.Table.from_batches([batch()])
    assert mapper.table(table).to_pylist() == rows
    assert mapper.table(table.slice(0, 0)).schema.names == list(rows[0])
    frame = mapper.frame(table.slice(0, 3).to_pandas())
    assert frame["text"].tolist() == [row["text"] for row in rows[:3]]


def test_notes_have_the_limits_of_the_local_engine(rows):
    assert rows_of(mapper_of(key=KEY, limits=LIMITS)([batch()])) == rows


@pytest.mark.server
def test_dask_does_the_same(tmp_path, rows):
    dask = pytest.importorskip("dask.dataframe")
    frame = pyarrow.Table.from_batches([batch()]).to_pandas()
    frame.to_parquet(tmp_path / "1.parquet")
    notes = dask.read_parquet(tmp_path / "1.parquet").repartition(npartitions=1)
    mapper = mapper_of(key=KEY, limits=LIMITS)

    clean = notes.map_partitions(mapper.frame, meta=mapper.frame(frame.head(0)))
    clean.to_parquet(tmp_path / "clean")

    made = pyarrow.parquet.read_table(tmp_path / "clean").to_pylist()
    assert [{name: row[name] for name in rows[0]} for row in made] == rows


@pytest.mark.server
def test_daft_does_the_same(tmp_path, rows):
    daft = pytest.importorskip("daft")
    pyarrow.parquet.write_table(pyarrow.Table.from_batches([batch()]), tmp_path / "1.parquet")
    mapper = mapper_of(key=KEY, limits=LIMITS)
    done = daft.DataType.struct({"text": daft.DataType.string(), "set_aside": daft.DataType.string()})

    @daft.func.batch(return_dtype=done)
    def deidentify(name, patient, text):
        columns = {"note_id": name, "patient_id": patient, "text": text}
        table = pyarrow.table({column: its.to_arrow() for column, its in columns.items()})
        return mapper.table(table).select(["text", "set_aside"]).to_pylist()

    notes = daft.read_parquet(str(tmp_path / "1.parquet"))
    made = deidentify(notes["note_id"], notes["patient_id"], notes["text"]).alias("done")
    notes.select("note_id", made).write_parquet(str(tmp_path / "clean"))

    clean = pyarrow.parquet.read_table(tmp_path / "clean").to_pylist()
    assert [(row["note_id"], row["done"]) for row in clean] == [
        (row["note_id"], {name: row[name] for name in ("text", "set_aside")}) for row in rows
    ]
