import sqlite3
import stat
from pathlib import Path

import pytest

from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.site.sentences import SentenceStore

KEY = bytes(range(32))
NOTES = [
    Document("a", "Seen by Dr. Okafor.\nNo known allergies.\n", patient_id="1"),
    Document("b", "No known allergies.\nNo known allergies.\n", patient_id="2"),
]


@pytest.fixture
def store(tmp_path: Path) -> SentenceStore:
    return SentenceStore(tmp_path / "sentences.db", KEY)


def contents(store: SentenceStore) -> list[tuple[str, int, int]]:
    return [(one.text, one.count, one.patients) for one in store.sentences()]


def test_every_different_sentence_is_stored_once_with_count_and_patients(store: SentenceStore) -> None:
    added = store.add(NOTES)
    assert (added.new, added.sentences, len(store), store.notes, store.occurrences) == (2, 4, 2, 2, 4)
    assert contents(store) == [("No known allergies.", 3, 2), ("Seen by Dr. Okafor.", 1, 1)]
    assert sorted(store.places("No known allergies.")) == [("a", 20), ("b", 0), ("b", 20)]
    assert list(store.places("Never said.")) == []
    assert [one.text for one in store.sentences(least=2)] == ["No known allergies."]
    assert [one.text for one in store.sentences(patients=2)] == ["No known allergies."]


def test_notes_added_again_count_once_and_changed_notes_by_their_latest_text(store: SentenceStore) -> None:
    store.add(NOTES)
    assert store.add(NOTES).known == 2
    again = store.add([Document("b", "Stable.", patient_id="2"), Document("c", "Stable.", patient_id="3")])
    assert (again.new, again.changed) == (1, 1)
    assert {text: count for text, count, _ in contents(store)} == {
        "No known allergies.": 1,
        "Seen by Dr. Okafor.": 1,
        "Stable.": 2,
    }


def test_a_note_with_the_same_id_twice_in_one_batch_counts_by_its_latest_text(store: SentenceStore) -> None:
    store.add([Document("a", "First."), Document("a", "Second.")])
    assert contents(store) == [("Second.", 1, 1)]


def test_forgetting_a_note_deletes_what_no_other_note_has(store: SentenceStore) -> None:
    store.add(NOTES)
    assert store.forget("a")
    assert not store.forget("a")
    assert contents(store) == [("No known allergies.", 2, 2)]


def test_many_small_batches_give_the_same_as_one(
    store: SentenceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plainsight.site.sentences._BATCH", 1)
    store.add(NOTES)
    assert contents(store) == [("No known allergies.", 3, 2), ("Seen by Dr. Okafor.", 1, 1)]


def test_digits_count_as_zeros_among_repeated_sentences(store: SentenceStore) -> None:
    store.add([Document(str(day), f"Seen 3/{day}.\nOnly {day}x{'y' * day}.") for day in range(1, 6)])
    assert store.repeated(least=5, most=10) == {"Seen 0/0.": 5}


def test_nothing_in_the_file_can_be_read_and_only_its_owner_may_open_it(store: SentenceStore) -> None:
    store.add(NOTES)
    store.close()
    content = store.path.read_bytes()
    assert b"Okafor" not in content
    assert b"allergies" not in content
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    assert "Okafor" not in repr(store)


def refused(path: Path, error: type[Exception], match: str, key: bytes = KEY) -> None:
    before = path.read_bytes()
    with pytest.raises(error, match=match):
        SentenceStore(path, key).add(NOTES)
    assert path.read_bytes() == before


def test_foreign_and_damaged_files_are_refused_and_left_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "sentences.db"
    with SentenceStore(path, KEY) as store:
        store.add(NOTES)
    refused(path, UsageError, "another key", key=bytes(32))
    text = tmp_path / "notes.txt"
    text.write_text("Seen by Dr. Okafor. " * 300)
    refused(text, DataError, "damaged or foreign")
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE patients (name TEXT)")
    refused(other, UsageError, "no store of sentences")
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    refused(path, UsageError, "another version")


def test_a_changed_row_is_an_error_and_not_another_text(store: SentenceStore) -> None:
    store.add(NOTES)
    with sqlite3.connect(store.path) as database:
        database.execute("UPDATE sentences SET sealed = (SELECT sealed FROM sentences LIMIT 1)")
    with pytest.raises(DataError, match="damaged"):
        list(store.sentences())


def test_a_second_writer_is_refused(store: SentenceStore) -> None:
    store._database.execute("PRAGMA busy_timeout = 1")
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(UsageError, match="another process"):
        store.add(NOTES)
    other.execute("ROLLBACK")
    assert store.add(NOTES).new == 2


def test_a_store_whose_making_was_killed_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "sentences.db"
    path.touch()  # killed before anything was written
    with SentenceStore(path, KEY) as store:
        store.add([Document("1", "Seen today.")])
    with SentenceStore(path, KEY) as store:
        assert store.notes == 1
    path.unlink()
    database = sqlite3.connect(path)  # killed while it was made: SQLite takes back what was not committed
    database.execute("PRAGMA journal_mode=WAL")
    database.close()
    with SentenceStore(path, KEY) as store:
        assert store.notes == 0
