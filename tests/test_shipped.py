"""What ships is what was tested: a list, vocabulary, policy or locale that has changed is refused."""

import gzip
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from plainsight import shipped
from plainsight.errors import UsageError
from plainsight.run.manifest import checksum

SCRIPTS = Path(__file__).parent.parent / "scripts"


def test_the_checksums_are_those_of_the_files():
    sys.path.insert(0, str(SCRIPTS))
    try:
        from build_checksums import checked_files
    finally:
        sys.path.remove(str(SCRIPTS))
    files = {path.relative_to(shipped.PACKAGE).as_posix(): path for path in checked_files(shipped.PACKAGE)}
    assert {path: checksum(file) for path, file in files.items()} == shipped.checksums(), (
        "run scripts/build_checksums.py"
    )


def test_every_folder_of_data_has_its_checksum():
    found = shipped.folder_checksums()
    assert {"lexicons", "vocabulary", "patient", "policies", "zip3", "locale/en_US"} <= set(found)
    for folder in ("vocabulary", "policies", "zip3"):
        assert found[folder] == checksum(shipped.PACKAGE / "data" / folder)


@pytest.fixture
def package(tmp_path):
    """Copy the package, without the laboratory and the large models, so that files can be changed."""
    copy = tmp_path / "plainsight"
    shutil.copytree(
        shipped.PACKAGE, copy, ignore=shutil.ignore_patterns("lab", "wide-en", "gte-en", "deep-en", "*.pyc")
    )
    return copy


def _run(package, *arguments):
    code = "import sys; from plainsight.cli import main; sys.argv[0] = 'plainsight'; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "deidentify", "--text", "Seen by John Smith.", *arguments],
        env={"PYTHONPATH": str(package.parent), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_words_taken_from_a_list_or_a_policy_stop_the_run(package):
    words = package / "data" / "vocabulary" / "words.txt.gz"
    before = words.read_bytes()
    words.write_bytes(gzip.compress(gzip.decompress(before).replace(b" smith ", b" ")))
    result = _run(package, "-p", "fast", "--forget-key")
    assert (result.returncode, result.stdout) == (2, "")
    assert "words.txt.gz: not the file that plainsight ships" in result.stderr
    words.write_bytes(before)
    policy = package / "data" / "policies" / "redact.toml"
    policy.write_text(policy.read_text() + "\n# changed\n")
    result = _run(package, "-p", "redact")
    assert (result.returncode, result.stdout) == (2, "")
    assert "redact.toml: not the file that plainsight ships" in result.stderr


def test_a_missing_file_is_named():
    with pytest.raises(UsageError, match=r"gone\.txt: cannot be read: No such file"):
        shipped.read_shipped("data/gone.txt")
