"""Runs on a real Spark cluster, whose workers and driver are killed."""

import json
import os
import pickle
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import plainsight
from plainsight.config import Choice, load_policy
from plainsight.document import Document, SetAside
from plainsight.errors import UsageError
from plainsight.pipeline import batches
from plainsight.run import hosted, spark
from plainsight.run.spark import _Task

KEY = b"spark-test-key-" + b"7" * 32
BUNDLE = Path(__file__).parents[2] / "examples" / "clinical" / "bundle.json"
DEMO = Path(plainsight.__file__).parent / "data" / "demo" / "notes.jsonl"
RULES = replace(load_policy("fast"), name="rules", detectors=(Choice("patterns"),), precedence=None)


# --- what an executor does, without Spark -----------------------------------------------------------------


def done(task, notes):
    pyarrow = pytest.importorskip("pyarrow")
    given = pyarrow.RecordBatch.from_pydict({"notes": [pickle.dumps([notes])]})
    [made] = pickle.loads(pickle.dumps(task))([given])
    results = pickle.loads(made.column(0)[0].as_py())
    return (
        results
        if isinstance(results, Exception)
        else [one for batch in results for one in pickle.loads(batch)]
    )


def test_an_executor_returns_the_results_of_its_chunk_in_order():
    pipeline = plainsight.Pipeline(RULES, key=KEY)
    notes = [
        Document("1", "Seen 3/4/2019.", (), "p"),
        SetAside("2", "no text"),
        Document("3", "On 3/5/2019."),
    ]
    expected = list(pipeline.with_originals(notes))
    assert done(_Task(pipeline, "with_originals", None), notes) == expected


def test_an_executor_returns_an_error_as_a_result(monkeypatch):
    task = _Task(plainsight.Pipeline(RULES, key=KEY), "with_originals", None)
    monkeypatch.setattr(hosted, "__version__", "0.0.1")
    error = done(task, [Document("1", "Seen 3/4/2019.")])
    assert isinstance(error, UsageError)
    assert "install the same version everywhere" in str(error)


def test_chunks_are_made_of_the_batches_of_the_local_engine(monkeypatch):
    monkeypatch.setattr(spark, "_CHUNK", 300_000)
    notes = [Document(str(number), "x" * 9_000, (), str(number // 5)) for number in range(100)]
    chunks = list(spark._chunks([*notes, SetAside("s", "no text")]))
    assert [batch for chunk in chunks for batch in chunk] == list(batches([*notes, SetAside("s", "no text")]))
    assert len(chunks) == 3


def test_an_error_of_java_is_said_in_one_line():
    error = RuntimeError(
        "An error occurred while calling o1.x.\n: java.lang.Stopped: no master\n\tat a.b(C.java)"
    )
    assert spark._first_line(error) == "java.lang.Stopped: no master"
    assert spark._first_line(RuntimeError()) == "RuntimeError"


def test_a_master_that_is_not_there_is_an_error():
    pytest.importorskip("pyspark")
    with (
        pytest.raises(UsageError, match=r"cannot connect to Spark at spark://127\.0\.0\.1:9,"),
        spark.connect("spark://127.0.0.1:9,127.0.0.1:nine"),
    ):
        pass


# --- a cluster --------------------------------------------------------------------------------------------

server = pytest.mark.server


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a policy, a key, 400 notes of 80 patients, and 600 FHIR bundles."""
    folder = tmp_path_factory.mktemp("notes")
    (folder / "rules.toml").write_text(RULES.to_toml())
    (folder / "key").write_bytes(KEY)
    (folder / "key").chmod(0o600)
    demo = [json.loads(line)["text"] for line in DEMO.read_text().splitlines()]
    rows = [(f"n{n}", f"p{n // 5}", f"{demo[n % len(demo)]}\nVisit {n}.") for n in range(400)]
    rows[7] = ("n7", "p1", "{\\rtf1 not plain text}")
    with (folder / "notes.jsonl").open("w") as file:
        file.writelines(json.dumps(dict(zip(("id", "patient_id", "text"), row))) + "\n" for row in rows)  # noqa: B905
    bundle = BUNDLE.read_text()
    patient = json.loads(bundle)["entry"][0]["resource"]["id"]
    records = [
        json.dumps(json.loads(bundle.replace("bundle-77812", f"b-{n}").replace(patient, f"p-{n // 5}")))
        for n in range(600)
    ]
    records[7] = '{"resourceType": '
    (folder / "records.ndjson").write_text("\n".join(records) + "\n")
    return folder


# Small batches, chunks and parts, so that a small run has many of them.
START = """
from plainsight import pipeline
from plainsight.cli import main
from plainsight.run import ledger, spark
pipeline._BATCH_NOTES, ledger.PART_NOTES, spark._CHUNK = 20, 40, 30_000
main()
"""


def command(folder, source, output, *more):
    words = ["deidentify", str(folder / source), "-o", str(folder / output)]
    words += ["--policy", str(folder / "rules.toml"), "--key-file", str(folder / "key"), "--quiet", *more]
    return [sys.executable, "-c", START, *words]


@pytest.fixture(scope="module")
def expected(folder):
    """Return the exit code and the bytes of the local engine, by the name of the input."""
    made = {}
    for name in ("notes.jsonl", "records.ndjson"):
        code = subprocess.run(command(folder, name, f"local-{name}"), check=False).returncode
        made[name] = code, (folder / f"local-{name}").read_bytes()
    return made


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    pytest.importorskip("pyspark")
    from spark_cluster import Cluster

    cluster = Cluster(tmp_path_factory.mktemp("spark"))
    yield cluster
    cluster.stop()


def works_in(cluster, worker=None):
    """Return whether an executor has begun to do notes."""
    from spark_cluster import descendants

    below = descendants(worker.pid) if worker else cluster.executors()
    return any("plainsight.run.workers" in words for words in below.values())


@server
def test_a_run_survives_a_lost_worker_with_the_same_bytes(cluster, folder, expected):
    from spark_cluster import DEADLINE, started, until

    lost, *_ = cluster.workers
    words = command(folder, "notes.jsonl", "lost.jsonl", "--engine", "spark", "--master", cluster.url)
    with started(words, env=cluster.environment, stderr=subprocess.PIPE) as run:
        until("work on the worker", lambda: works_in(cluster, lost) or run.poll() is not None)
        assert run.poll() is None
        cluster.lose(lost)
        _, errors = run.communicate(timeout=DEADLINE)
    cluster.workers = [cluster.add_worker(), *cluster.workers[1:]]
    assert run.returncode == 1, errors.decode()  # one note is set aside
    assert (run.returncode, (folder / "lost.jsonl").read_bytes()) == expected["notes.jsonl"]
    assert KEY not in cluster.all_logs()
    assert b"Gaithers" not in cluster.all_logs()


@server
def test_records_continue_after_a_killed_driver(cluster, folder, expected):
    from spark_cluster import descendants, finished, runs, started, until

    words = command(folder, "records.ndjson", "killed.ndjson", "--engine", "spark", "--master", cluster.url)
    ledger = folder / "killed.ndjson.ledger"
    with started(words, env=cluster.environment, stderr=subprocess.DEVNULL) as run:
        until("part", lambda: list(ledger.glob("*.part")) or run.poll() is not None)
        assert run.poll() is None
        below = descendants(run.pid)
        os.kill(run.pid, signal.SIGKILL)  # alone: what it started must end by itself
        run.wait()
        until("end of the driver's processes", lambda: not any(runs(*one) for one in below.items()))
    until("end of its executors", lambda: not cluster.executors())
    assert below
    assert not (folder / "killed.ndjson").exists()
    parts = len(list(ledger.glob("*.part")))
    assert 0 < parts < 15

    again = [word for word in words if word != "--quiet"]
    code, said = finished(again, env=cluster.environment)
    assert code == 1, said
    assert "notes are done, continuing" in said
    assert (code, (folder / "killed.ndjson").read_bytes()) == expected["records.ndjson"]
    assert len((folder / "killed.ndjson").read_text().splitlines()) == 599
    assert not ledger.exists()
    assert not list(folder.glob(".plainsight-*"))
    until("end of all executors", lambda: not cluster.executors())
