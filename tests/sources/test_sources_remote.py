import json
import os
import subprocess
import sys
from uuid import uuid4

import pytest
from database_notes import CANARIES, NOTES, POLICY
from typer.testing import CliRunner

from plainsight.cli import app
from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.formats.base import write_all
from plainsight.formats.csv import Csv
from plainsight.formats.jsonl import JsonLines
from plainsight.formats.parquet import Parquet
from plainsight.sources.places import place

fsspec = pytest.importorskip("fsspec")
DOCUMENTS = [
    Document(str(note["note_id"]), note["note_text"], patient_id=str(note["person_id"])) for note in NOTES
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.toml").write_text(POLICY + '\n[output]\nkeep_meta = ["year"]\n')
    (tmp_path / "key").write_text("11" * 32)
    (tmp_path / "key").chmod(0o600)
    return tmp_path


@pytest.fixture
def bucket():
    name = f"bucket-{uuid4().hex[:8]}"
    yield f"memory://{name}"
    fsspec.filesystem("memory").rm(f"/{name}", recursive=True)


def deidentify(source, output, *words):
    command = ["deidentify", str(source), "-o", str(output), "--policy", "rules.toml", "--key-file", "key"]
    return CliRunner().invoke(app, [*command, *words])


def stored(bucket):
    return {name: fsspec.filesystem("memory").cat(name) for name in fsspec.filesystem("memory").find(bucket)}


@pytest.mark.parametrize(
    ("kind", "ending"), [(JsonLines, ".jsonl"), (Csv, ".csv.gz"), (Parquet, ".parquet"), (Csv, ".csv")]
)
def test_a_remote_dataset_gives_the_bytes_of_a_local_one(folder, bucket, kind, ending):
    for number, year in enumerate(("2023", "2024")):
        for root in (place(f"{bucket}/in"), folder / "in"):
            write_all(kind(), DOCUMENTS[4 * number :][:4], root / f"year={year}" / f"x{ending}")
    result = deidentify(f"{bucket}/in", f"{bucket}/out")
    assert result.exit_code == 0, result.output
    assert deidentify("in", "local").exit_code == 0
    local = {
        f"/out/{path.relative_to(folder / 'local').as_posix()}": path.read_bytes()
        for path in (folder / "local").rglob(f"*{ending}")
    }
    assert len(local) == 2
    start = len(bucket.removeprefix("memory:/"))
    remote = {name[start:]: data for name, data in stored(bucket).items() if "/out/" in name}
    assert remote == local
    for canary in CANARIES:
        assert canary.encode() not in b"".join(remote.values())
    assert json.loads((folder / "out.manifest.json").read_text())["notes"] == 8


def test_a_file_of_notes_goes_to_a_remote_place_and_needs_force_to_replace_one(folder, bucket):
    write_all(JsonLines(), DOCUMENTS, folder / "notes.jsonl")
    assert deidentify("notes.jsonl", f"{bucket}/clean.jsonl.gz").exit_code == 0
    assert len(list(JsonLines().read(place(f"{bucket}/clean.jsonl.gz")))) == 9
    result = deidentify("notes.jsonl", f"{bucket}/clean.jsonl.gz")
    assert "exists; --force overwrites it" in str(result.exception)
    assert deidentify("notes.jsonl", f"{bucket}/clean.jsonl.gz", "--force").exit_code == 0


def test_a_missing_remote_input_is_refused(folder, bucket):
    result = deidentify(f"{bucket}/nosuch.jsonl", "out.jsonl")
    assert isinstance(result.exception, UsageError)
    fsspec.filesystem("memory").touch(f"{bucket}/x")


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(UsageError, match=r'pip install "plainsight\[remote\]"'):
        place("s3://bucket/notes.jsonl")


S3 = """
import os, sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
server.stop()
"""


@pytest.mark.server
def test_s3_through_a_server_that_speaks_its_protocol(folder):
    pytest.importorskip("moto")
    pytest.importorskip("s3fs")
    server = subprocess.Popen(
        [sys.executable, "-c", S3], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        port = int(server.stdout.readline())
        settings = {
            "FSSPEC_S3_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "FSSPEC_S3_KEY": "testing",
            "FSSPEC_S3_SECRET": "hunter2",
        }
        options = {"endpoint_url": settings["FSSPEC_S3_ENDPOINT_URL"], "key": "testing", "secret": "hunter2"}
        storage = fsspec.filesystem("s3", **options)
        storage.mkdir("hospital")
        write_all(Parquet(), DOCUMENTS, folder / "x.parquet")
        storage.put_file(str(folder / "x.parquet"), "hospital/in/year=2024/x.parquet")
        words = ["s3://hospital/in", "-o", "s3://hospital/out", "--policy", "rules.toml", "--key-file", "key"]
        done = subprocess.run(
            [sys.executable, "-m", "plainsight", "deidentify", *words],
            env={**os.environ, **settings},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        assert b"hunter2" not in done.stderr
        assert storage.find("hospital/out") == ["hospital/out/year=2024/part-00000.parquet"]
        assert deidentify("x.parquet", "local.parquet").exit_code == 0
        assert (
            storage.cat("hospital/out/year=2024/part-00000.parquet")
            == (folder / "local.parquet").read_bytes()
        )
    finally:
        server.stdin.close()
        server.wait(20)
