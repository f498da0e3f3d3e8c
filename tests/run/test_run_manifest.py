"""The manifest says which data, which scopes; never what notes say."""

from hashlib import sha256

import pytest

from plainsight.config import load_policy
from plainsight.errors import FormatError
from plainsight.run.manifest import checksum, consistency, site_files
from plainsight.run.output import Account
from plainsight.run.verify import read_record


def test_lists_of_the_site_are_recorded_by_checksum(tmp_path):
    (tmp_path / "census.txt").write_text("Adaeze Okafor\n")
    (locale := tmp_path / "here").mkdir()
    (locale / "locale.toml").write_text('extends = "en_US"\n')
    mine = tmp_path / "mine.toml"
    mine.write_text(
        f'extends = "redact"\ndetectors = ["patient"]\n[detector.patient]\ncensus = "{tmp_path}/census.txt"\n'
        f'[replace]\nDATE = {{ operation = "shift-date", locale = "{locale}" }}\n'
    )
    first = site_files(load_policy(mine))
    assert first[str(tmp_path / "census.txt")] == sha256(b"Adaeze Okafor\n").hexdigest()
    assert set(first) == {str(tmp_path / "census.txt"), str(locale)}
    (tmp_path / "census.txt").write_text("Adaeze\n")
    assert site_files(load_policy(mine)) != first
    assert site_files(load_policy("balanced")) == {}


def test_consistency_is_that_of_the_operations_that_have_one(tmp_path):
    assert consistency(load_policy("redact")) is None
    assert consistency(load_policy("balanced")) == "patient"
    mine = tmp_path / "mine.toml"
    mine.write_text(
        'extends = "redact"\n[replace]\nNAME = { operation = "surrogate", consistency = "note" }\n'
        'DATE = "surrogate"\n'
    )
    assert consistency(load_policy(mine)) == "note, patient"


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "every note has a patient id"),
        (1, "1 note has no patient id: each such note is its own scope"),
        (7, "7 notes have no patient id: each such note is its own scope"),
    ],
)
def test_notes_without_a_patient_are_told_in_words(count, words):
    told = Account(notes=9, without_patient=count).to_json()
    assert (told["notes_without_patient_id"], told["scopes"]) == (count, words)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"output_sha256": 1}',
        '{"output_sha256": null, "input_sha256": []}',
        '{"output_sha256": null, "input_sha256": {"a": 1}}',
        '{"output_sha256": null, "set_aside": "many"}',
    ],
)
def test_a_damaged_manifest_is_named(tmp_path, text):
    (tmp_path / "m").write_text(text)
    with pytest.raises(FormatError, match="manifest"):
        read_record(tmp_path / "m")


def test_no_file_name_stands_for_two_files(tmp_path):
    two, one = tmp_path / "two", tmp_path / "one"
    two.mkdir()
    one.mkdir()
    (two / "a").write_text("1")
    (two / "b").write_text("2")
    (one / f"a\n{checksum(two / 'b')}  b").write_text("1")
    assert checksum(one) != checksum(two)
