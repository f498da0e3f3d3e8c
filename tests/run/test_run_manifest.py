"""The manifest says which data, which scopes; never what notes say."""

from hashlib import sha256
from importlib.resources import files

import pytest

from plainsight.config import load_policy
from plainsight.run.manifest import consistency, data_checksums
from plainsight.run.output import Account


def test_every_set_of_data_has_its_checksum():
    data = files("plainsight").joinpath("data")
    sums = data_checksums()
    assert {"lexicons", "vocabulary", "patient", "demo", "zip3"} <= set(sums)
    assert sums["demo"] == sha256(data.joinpath("demo", "source.toml").read_bytes()).hexdigest()


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


def test_the_words_of_the_locale_are_part_of_the_checksums():
    assert "locale/en_US" in data_checksums()
