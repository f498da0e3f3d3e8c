"""The mapping: what was written comes back with the key, and only with it, and only whole."""

import json
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainsight.document import Document
from plainsight.errors import FormatError
from plainsight.pipeline import Replaced
from plainsight.run.mapping import MappingFile, entry_of, read_mapping

SECRET, OTHER = b"k" * 32, b"o" * 32
HEADER = 21 + 16

texts = st.text(alphabet=st.characters(exclude_categories=[]), max_size=20)
notes = st.lists(
    st.builds(
        lambda name, text, originals: Replaced(Document(name, text), tuple(originals)),
        texts,
        texts,
        st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99), texts), max_size=3),
    ),
    max_size=4,
)


def note(number: int) -> Replaced:
    return Replaced(Document(f"note-{number}", f"Dr. Quill {number}"), ((4, 9, f"Zqxvary{number}"),))


def write_mapping(items, path):
    with MappingFile(path, SECRET) as mapping:
        for item in items:
            mapping.add(item)


@pytest.fixture
def mapping(tmp_path):
    path = tmp_path / "map"
    write_mapping([note(1), note(2), note(3)], path)
    return path


def records(data: bytes) -> list[bytes]:
    """Cut a mapping at its records."""
    cuts = [HEADER]
    while cuts[-1] < len(data):
        cuts.append(cuts[-1] + 4 + int.from_bytes(data[cuts[-1] : cuts[-1] + 4], "big"))
    return [data[start:end] for start, end in pairwise(cuts)]


def refused(path, data: bytes, secret: bytes = SECRET) -> str:
    path.write_bytes(data)
    with pytest.raises(FormatError) as caught:
        list(read_mapping(path, secret))
    assert "Zqxvary" not in str(caught.value)
    return str(caught.value)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(notes)
def test_what_is_written_comes_back(tmp_path, items):
    path = tmp_path / "map"
    write_mapping(items, path)
    assert list(read_mapping(path, SECRET)) == [entry_of(item) for item in items]


def test_two_lone_surrogates_side_by_side_stay_two(tmp_path):
    item = Replaced(Document("1", "x"), ((0, 1, "\ud83d\ude00"),))
    write_mapping([item], tmp_path / "map")
    (entry,) = read_mapping(tmp_path / "map", SECRET)
    assert len(entry.originals[0][2]) == 2


def test_nothing_can_be_read_in_it(mapping):
    data = mapping.read_bytes()
    assert len(records(data)) == 4
    for secret in (b"Zqxvary", b"note-1", b"Quill", b"originals", SECRET):
        assert secret not in data[HEADER:]


def test_no_two_are_alike(mapping, tmp_path):
    write_mapping([note(1), note(2), note(3)], tmp_path / "again")
    first, second = mapping.read_bytes(), (tmp_path / "again").read_bytes()
    assert not set(records(first)) & set(records(second))


def test_another_key_opens_nothing(mapping):
    assert "the key is not the mapping's" in refused(mapping, mapping.read_bytes(), OTHER)


def test_every_changed_byte_is_noticed(mapping):
    data = mapping.read_bytes()
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        refused(mapping, bytes(changed))


def test_every_cut_is_noticed(mapping):
    data = mapping.read_bytes()
    for length in range(len(data)):
        refused(mapping, data[:length])


def test_records_cannot_be_swapped_left_out_repeated_or_added(mapping, tmp_path):
    data = mapping.read_bytes()
    head, (first, second, third, end) = data[:HEADER], records(data)
    for changed in (
        [second, first, third, end],
        [first, second, end],
        [first, second, third],
        [first, first, second, third, end],
        [first, second, third, end, end],
        [first, second, third, end, bytes(4)],
        [end],
    ):
        refused(mapping, head + b"".join(changed))
    write_mapping([note(1)], tmp_path / "other")
    (foreign, _) = records((tmp_path / "other").read_bytes())
    refused(mapping, head + b"".join([foreign, second, third, end]))


def test_other_files_are_no_mappings(tmp_path):
    assert "not a mapping" in refused(tmp_path / "map", json.dumps({"id": 1}).encode() * 9)


def test_a_run_that_breaks_off_leaves_none(tmp_path):
    def broken():
        yield note(1)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_mapping(broken(), tmp_path / "map")
    assert not list(tmp_path.iterdir())
