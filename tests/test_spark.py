"""De-identify Spark data frames, in a Spark of this machine."""

import base64
import os
import sys
from dataclasses import replace

import pytest

import plainsight
from plainsight.config import Choice, load_policy
from plainsight.errors import UsageError
from plainsight.run.processes import LIMITS

pytestmark = pytest.mark.server

KEY = b"spark-test-key-" + b"7" * 32
RULES = replace(load_policy("fast"), name="rules", detectors=(Choice("patterns"),), precedence=None)
NOTES = [
    (
        number,
        f"p{number % 7}" if number % 5 else None,
        f"Seen 3/{number % 28 + 1}/2019, MRN 44719{number:02}.",
    )
    for number in range(60)
] + [(60, "p1", None)]


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    events = tmp_path_factory.mktemp("events")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "512m",
        "spark.ui.enabled": "false",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": events.as_uri(),
        "spark.log.level": "ERROR",
        "spark.sql.shuffle.partitions": "4",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.events = events
    yield session
    session.stop()


@pytest.fixture(scope="module")
def frame(session):
    return session.createDataFrame(NOTES, "NOTE_ID long, PAT_ID string, TEXT string").coalesce(1)


@pytest.fixture(scope="module")
def local():
    """Return the texts that the pipeline makes, by id."""
    notes = [plainsight.Document(str(n), text, (), patient) for n, patient, text in NOTES if text]
    done = plainsight.Pipeline(RULES, key=KEY).deidentify(notes)
    return {note.id: note.text for note in done} | {"60": None}


def deidentified(frame, **options):
    from plainsight.spark import deidentify

    columns = {"id_column": "NOTE_ID", "patient_column": "PAT_ID"}
    return deidentify(frame, **{"policy": RULES, "key": KEY, "limits": None, **columns, **options})


def texts(made):
    return {str(row["NOTE_ID"]): row["TEXT"] for row in made.collect()}


def test_the_texts_are_those_of_the_pipeline_however_notes_are_partitioned(frame, local):
    made = deidentified(frame)
    assert made.columns == ["NOTE_ID", "PAT_ID", "TEXT", "identifiers", "set_aside"]
    assert dict(made.dtypes)["NOTE_ID"] == "bigint"
    assert texts(made) == local
    assert texts(deidentified(frame, partitions=3)) == local
    assert texts(deidentified(frame, together="patient", limits=LIMITS)) == local


def test_notes_of_a_patient_come_together(frame):
    from pyspark.sql.functions import spark_partition_id

    made = deidentified(frame, together="patient", partitions=3).withColumn("part", spark_partition_id())
    rows = made.filter("PAT_ID is not null").select("PAT_ID", "NOTE_ID", "part").collect()
    assert len({row["part"] for row in rows}) > 1
    assert len({(row["PAT_ID"], row["part"]) for row in rows}) == 7
    for part in {row["part"] for row in rows}:
        placed = [(row["PAT_ID"], row["NOTE_ID"]) for row in rows if row["part"] == part]
        assert placed == sorted(placed)


def test_counts_and_reasons_can_be_queried(frame):
    made = deidentified(frame)
    [aside] = made.filter("set_aside is not null").collect()
    assert (aside["NOTE_ID"], aside["TEXT"], aside["set_aside"]) == (60, None, "the text is null")
    assert made.selectExpr("sum(identifiers['DATE'])").collect()[0][0] == 60


def test_what_cannot_be_done_is_refused_before_spark_begins(frame):
    with pytest.raises(UsageError, match="patient_column"):
        deidentified(frame.drop("PAT_ID"), patient_column=None, together="patient")
    with pytest.raises(UsageError, match="no column 'NOTE'"):
        deidentified(frame, text_column="NOTE")
    with pytest.raises(UsageError, match="does not hold text"):
        deidentified(frame.selectExpr("NOTE_ID", "PAT_ID", "length(TEXT) TEXT"))


def test_neither_key_nor_note_is_in_the_event_log(session, frame):
    deidentified(frame).collect()
    logged = b"".join(path.read_bytes() for path in session.events.rglob("*") if path.is_file())
    assert b"MapInArrow" in logged
    for secret in (KEY, base64.b64encode(KEY)[:40], KEY.hex().encode(), b"Seen 3/", b"MRN 44719"):
        assert secret not in logged
