"""verify: an output is as its manifest says, or not."""

import json
from pathlib import Path

import pytest

RULES = Path(__file__).parents[2] / "examples" / "rules-only.toml"


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "key"
    path.write_bytes(b"k" * 32)
    path.chmod(0o600)
    return path


@pytest.fixture
def out(plainsight, tmp_path, key):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Seen 3/4/2019, MRN 0371-88-2140.")
    (tmp_path / "in" / "b.txt").write_bytes(b"\x00\x01" * 50)
    command = ("deidentify", tmp_path / "in", "-o", tmp_path / "out", "--key-file", key, "-p", RULES)
    assert plainsight(*command).code == 1
    return tmp_path / "out"


def test_an_output_as_written(plainsight, out, key):
    result = plainsight("verify", out, "--key-file", key, "--inputs", "--json")
    assert result.code == 0, result.out
    assert [check["what"].split()[0] for check in result.json] == [
        "manifest",
        "output",
        "quarantine",
        "run",
        "input",
    ]
    assert all(check["good"] for check in result.json)


def test_without_the_key_the_signature_is_not_checked(plainsight, out):
    result = plainsight("verify", out)
    assert (result.code, result.out.splitlines()[0]) == (
        0,
        "not checked manifest: signed; give the key to check it",
    )


@pytest.mark.parametrize("what", ["output", "more", "quarantine", "manifest", "key", "run", "gone"])
def test_what_was_changed_is_found(plainsight, out, key, tmp_path, what):
    manifest = tmp_path / "out.manifest.json"
    if what == "output":
        (out / "a.txt").write_text("Changed.")
    elif what == "more":
        (out / "c.txt").write_text("Added.")
    elif what == "quarantine":
        (tmp_path / "out.quarantine.jsonl").write_text("")
    elif what == "manifest":
        manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"set_aside": 0}))
    elif what == "key":
        key = tmp_path / "other"
        key.write_bytes(b"o" * 32)
    elif what == "run":
        (tmp_path / "out.ledger").mkdir()
        (tmp_path / "out.ledger" / "000000.part").touch()
    else:
        (out / "a.txt").unlink()
        out.rmdir()
    result = plainsight("verify", out, "--key-file", key)
    assert (result.code, result.out.count("WRONG")) == (1, 1), result.out


def test_the_manifest_counts_by_detector_and_names_who(out, tmp_path):
    record = json.loads((tmp_path / "out.manifest.json").read_text())
    assert record["identifiers_by_detector"] == {"patterns": record["identifiers"]}
    assert record["user"]
    assert record["notes_of_earlier_runs"] == 0


def test_no_manifest(plainsight, tmp_path):
    assert plainsight("verify", tmp_path / "nothing").code == 2
    (tmp_path / "out.manifest.json").write_text("[]")
    assert plainsight("verify", tmp_path / "out").code == 2
