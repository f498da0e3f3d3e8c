"""Keys on the command line: made, checked, used, never shown."""

import base64
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from plainsight.run.keys import VARIABLE

NOTE = "Dr. Anna Whitcombe saw John Q. Smith on 03/04/2019."


@pytest.fixture(autouse=True)
def no_key_around(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.fixture
def key(plainsight, tmp_path) -> Path:
    assert plainsight("key", "new", tmp_path / "project.key").code == 0
    return tmp_path / "project.key"


@pytest.fixture
def source(jsonl, tmp_path) -> Path:
    return jsonl(
        tmp_path / "in.jsonl", {"id": "1", "text": NOTE}, {"id": "2", "text": NOTE, "patient_id": "p"}
    )


def manifest(path: Path) -> dict:
    return json.loads(path.with_name(path.name + ".manifest.json").read_text())


def test_new_and_check_agree_and_show_nothing(plainsight, tmp_path):
    made = plainsight("key", "new", tmp_path / "k")
    checked = plainsight("key", "check", tmp_path / "k")
    assert (made.code, checked.code) == (0, 0)
    assert made.out.split()[-1] == checked.out.split()[-1]
    assert "32 bytes" in checked.out
    assert checked.err == ""
    content = (tmp_path / "k").read_text().strip()
    assert len(base64.b64decode(content)) == 32
    for result in (made, checked):
        assert content not in result.out + result.err
    assert plainsight("key", "new", tmp_path / "k").code == 2
    assert (tmp_path / "k").read_text().strip() == content


def test_check_warns_of_other_readers_and_refuses_short_keys(plainsight, key, tmp_path):
    key.chmod(0o644)
    result = plainsight("key", "check", key)
    assert result.code == 0
    if os.name == "posix":
        assert "chmod 600" in result.err
    (tmp_path / "short").write_bytes(b"k" * 31)
    short = plainsight("key", "check", tmp_path / "short")
    assert (short.code, short.out) == (2, "")
    assert "at least 32 bytes" in short.err
    assert plainsight("key", "check", tmp_path / "none").code == 2


def test_one_key_gives_one_result_from_a_file_or_the_environment(
    plainsight, stamp, key, source, tmp_path, monkeypatch
):
    def text(name: str, *arguments: object) -> str:
        result = plainsight("deidentify", source, "-o", tmp_path / name, "-p", stamp, *arguments)
        assert result.code == 0, result.err
        assert key.read_text().strip() not in result.err + (tmp_path / f"{name}.manifest.json").read_text()
        return (tmp_path / name).read_text()

    first = text("a.jsonl", "--key-file", key)
    fingerprint = plainsight("key", "check", key).out.split()[-1]
    assert manifest(tmp_path / "a.jsonl")["key"] == f"file, fingerprint {fingerprint}"
    monkeypatch.setenv(VARIABLE, key.read_text())
    assert text("b.jsonl") == first
    assert manifest(tmp_path / "b.jsonl")["key"] == f"environment, fingerprint {fingerprint}"
    assert text("c.jsonl", "--forget-key") != first
    assert manifest(tmp_path / "c.jsonl")["key"] == "random, forgotten"


def test_surrogates_follow_key_and_patient(plainsight, key, jsonl, tmp_path):
    records = [
        {"id": f"{patient}{n}", "text": NOTE, "patient_id": patient} for patient in "pq" for n in (1, 2)
    ]
    source = jsonl(tmp_path / "notes.jsonl", *records)
    made = {}
    for name, arguments in {
        "a": ["--key-file", key],
        "b": ["--key-file", key],
        "c": ["--forget-key"],
    }.items():
        out = tmp_path / f"{name}.jsonl"
        assert plainsight("deidentify", source, "-o", out, *arguments).code == 0
        made[name] = [json.loads(line)["text"] for line in out.read_text().splitlines()]
        assert not re.search(r"\b(Whitcombe|Smith|03/04/2019)\b", out.read_text())  # Smithmyer may be
    assert made["a"] == made["b"]
    assert made["a"][0] == made["a"][1] != made["a"][2] == made["a"][3]
    assert not set(made["a"]) & set(made["c"])


def test_without_a_key_a_random_one_is_used_and_said(plainsight, stamp, source, tmp_path):
    texts = set()
    for name in ("a.jsonl", "b.jsonl"):
        result = plainsight("deidentify", source, "-o", tmp_path / name, "-p", stamp)
        assert (result.code, result.err.count("no key given")) == (0, 1)
        texts.add((tmp_path / name).read_text())
    assert len(texts) == 2
    told = manifest(tmp_path / "a.jsonl")
    assert (told["key"], told["consistency"], told["mapping"]) == ("random, forgotten", "patient", None)
    asked = plainsight("deidentify", source, "-o", tmp_path / "c.jsonl", "-p", stamp, "--forget-key")
    assert "no key given" not in asked.err


def test_a_policy_without_surrogates_needs_no_key(plainsight, source, tmp_path):
    result = plainsight("deidentify", source, "-o", tmp_path / "out.jsonl", "--policy", "redact")
    assert (result.code, "key" in result.err) == (0, False)
    told = manifest(tmp_path / "out.jsonl")
    assert (told["key"], told["consistency"]) == ("not needed", None)


def test_the_manifest_says_what_happens_to_notes_without_patients(plainsight, jsonl, source, tmp_path):
    plainsight("deidentify", source, "-o", tmp_path / "out.jsonl")
    told = manifest(tmp_path / "out.jsonl")
    assert told["notes_without_patient_id"] == 1
    assert told["scopes"] == "1 note has no patient id: each such note is its own scope"
    one = jsonl(tmp_path / "one.jsonl", {"id": "2", "text": NOTE, "patient_id": "p"})
    plainsight("deidentify", one, "-o", tmp_path / "one-out.jsonl")
    assert manifest(tmp_path / "one-out.jsonl")["scopes"] == "every note has a patient id"


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_key_that_others_can_read_is_used_with_a_warning(plainsight, stamp, key, source, tmp_path):
    key.chmod(0o644)
    result = plainsight("deidentify", source, "-o", tmp_path / "out.jsonl", "-p", stamp, "--key-file", key)
    assert result.code == 0
    assert "warning: others can read" in result.err
    assert stat.S_IMODE(key.stat().st_mode) == 0o644


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--key-file", "project.key", "--forget-key"], "give no other"),
        (["--key-file", "project.key", "--key-keyring", "x"], "not both"),
        (["--key-keyring", "x"], "pip install 'plainsight[keyring]'"),
        (["--mapping", "map"], "needs a key that is kept"),
        (["--mapping", "map", "--forget-key"], "needs a key that is kept"),
        (["--mapping", "project.key", "--key-file", "project.key", "--force"], "would overwrite"),
        (["--mapping", "out.jsonl", "--key-file", "project.key"], "or another output"),
    ],
)
def test_keys_that_contradict_or_are_missing(
    plainsight, stamp, key, source, tmp_path, monkeypatch, arguments, message
):
    monkeypatch.setitem(sys.modules, "keyring", None)  # as if it were not installed
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir()), key.read_bytes()
    result = plainsight("deidentify", "in.jsonl", "-o", "out.jsonl", "-p", stamp, *arguments)
    assert result.code == 2, result.err
    assert message in result.err
    assert (sorted(tmp_path.iterdir()), key.read_bytes()) == before


def test_a_key_is_never_put_on_the_output(plainsight, stamp, key, source):
    result = plainsight("deidentify", source, "-o", key, "-p", stamp, "--key-file", key, "--force")
    assert result.code == 2
    assert "would overwrite" in result.err


def test_the_keyring_package_is_not_loaded_unasked(source, tmp_path):
    code = (
        "import sys; from plainsight import cli; sys.argv = ['plainsight', *sys.argv[1:]]\n"
        "try: cli.main()\n"
        "except SystemExit: print('keyring' in sys.modules)"
    )
    command = [sys.executable, "-c", code, "deidentify", str(source), "-o", str(tmp_path / "out.jsonl")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
