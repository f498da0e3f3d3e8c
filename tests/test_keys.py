"""One key, however it is written and whoever reads it."""

import base64

import pytest

import plainsight
from plainsight import Document, Patient, UsageError, load, load_key
from plainsight.keys import decode_key
from plainsight.run.keys import new_key, read_key

SECRET = bytes(range(1, 33))


def released(key: bytes) -> str:
    note = Document("1", "Seen by Dr. Okafor on 3/4/2019.", patient=Patient(id="p"), patient_id="p")
    (item,) = load("fast", key=key).deidentify([note])
    assert isinstance(item, Document)
    return item.text


def test_a_key_file_gives_the_same_surrogates_to_python_and_to_the_command_line(tmp_path):
    file = tmp_path / "key"
    new_key(file)
    assert load_key(file) == read_key(file).secret
    assert released(load_key(file)) == released(read_key(file).secret)


def test_the_raw_bytes_of_a_key_file_are_the_same_key(tmp_path):
    file = tmp_path / "key"
    new_key(file)
    assert released(file.read_bytes()) == released(load_key(str(file)))


@pytest.mark.parametrize(
    "written",
    [
        SECRET,
        SECRET.hex().encode(),
        base64.b64encode(SECRET) + b"\n",
        base64.urlsafe_b64encode(SECRET).rstrip(b"="),
        base64.b64encode(base64.b64encode(SECRET)),
    ],
)
def test_all_forms_of_a_key_decode_to_it(written):
    assert decode_key(written) == decode_key(decode_key(written)) == SECRET


def test_text_that_is_no_key_in_another_form_is_the_key_itself():
    assert decode_key(b" a phrase of thirty-two characters or more\n") == (
        b"a phrase of thirty-two characters or more"
    )
    assert decode_key(b"k" * 32) == b"k" * 32


def test_a_missing_or_short_key_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no key file"):
        load_key(tmp_path / "none")
    (tmp_path / "short").write_bytes(b"short")
    with pytest.raises(UsageError, match="at least 32 bytes"):
        load_key(tmp_path / "short")


def test_the_loader_is_public():
    assert "load_key" in plainsight.__all__
