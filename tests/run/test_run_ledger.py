"""The ledger: a run that is stopped anywhere continues, and gives what it gives in one go."""

import os
import stat
from contextlib import suppress

import pytest

from plainsight.document import Document, Patient, SetAside
from plainsight.errors import UsageError
from plainsight.pipeline import Replaced, batches
from plainsight.run import ledger as ledger_module
from plainsight.run.ledger import Ledger

KEY = bytes(range(32))
SETTINGS = {"policy": "fast", "--ids": "keep"}


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(ledger_module, "PART_NOTES", 10)


class StoppedError(Exception):
    pass


class Engine:
    """Do what an engine does, batch by batch; stop after some notes, and remember which were done."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.stop_after = stop_after
        self.done: list[str] = []

    def __call__(self, items):
        for batch in batches(items, characters=30):
            together = len({item.patient_id for item in batch if isinstance(item, Document)})
            for item in batch:
                if len(self.done) == self.stop_after:
                    raise StoppedError
                self.done.append(item.id)
                if isinstance(item, SetAside):
                    yield item
                else:
                    # what comes out depends on the batch, as it does for a patient's notes
                    text = f"{item.text} {len(batch)} {together}"
                    yield Replaced(Document(item.id, text, patient_id=item.patient_id), ((0, 1, "Zq"),))


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(ledger_module, "batches", lambda items: batches(items, characters=30))


def notes(count=57):
    for number in range(count):
        if number % 13 == 7:
            yield SetAside(f"n{number}", "not valid", "file:1")
        else:
            yield Document(f"n{number}", f"Text {number}.", patient_id=f"p{number // 4}")


def run(path, engine, items=None, *, secret=KEY, settings=SETTINGS, restart=False):
    with Ledger(path, secret, settings, restart=restart) as ledger:
        return list(ledger.through(notes() if items is None else items, engine))


@pytest.mark.parametrize("stop_after", [0, 9, 10, 11, 25, 43, 56])
def test_a_run_that_is_stopped_continues_with_the_same_results(tmp_path, stop_after):
    whole = run(tmp_path / "whole", Engine())
    with pytest.raises(StoppedError):
        run(tmp_path / "out", Engine(stop_after))
    with Ledger(tmp_path / "out", KEY, SETTINGS) as ledger:
        kept = ledger.notes
        again = Engine()
        assert list(ledger.through(notes(), again)) == whole
    assert stop_after - 14 <= kept <= stop_after
    assert again.done == [item.id for item in notes()][kept:]
    assert not (tmp_path / "out").exists()


def test_a_small_run_leaves_and_makes_nothing(tmp_path):
    with Ledger(tmp_path / "out", KEY, SETTINGS) as ledger:
        for _ in ledger.through(notes(9), Engine()):
            assert not (tmp_path / "out").exists()


def test_it_can_be_stopped_again_and_again(tmp_path):
    results = None
    for _ in range(6):
        with suppress(StoppedError):
            results = run(tmp_path / "out", Engine(20))
            break
    assert results == run(tmp_path / "whole", Engine())


def test_only_its_owner_can_read_it_and_it_holds_no_text(tmp_path):
    with pytest.raises(StoppedError):
        run(tmp_path / "out", Engine(43))
    files = [*(tmp_path / "out").iterdir()]
    assert len(files) >= 4
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0
        assert b"Text" not in file.read_bytes()
        assert b"Zq" not in file.read_bytes()


def test_other_settings_are_refused_with_what_differs(tmp_path):
    with pytest.raises(StoppedError):
        run(tmp_path / "out", Engine(43))
    with pytest.raises(UsageError, match=r"policy \(was fast, is best\).*--restart"):
        run(tmp_path / "out", Engine(), settings={**SETTINGS, "policy": "best"})
    with pytest.raises(UsageError, match="another key"):
        run(tmp_path / "out", Engine(), secret=bytes(32))
    with pytest.raises(UsageError, match="give that key"):
        run(tmp_path / "out", Engine(), secret=None)
    assert run(tmp_path / "out", Engine()) == run(tmp_path / "whole", Engine())


@pytest.mark.parametrize("changed", ["text", "patient", "fewer", "record"])
def test_other_notes_are_refused(tmp_path, changed):
    with pytest.raises(StoppedError):
        run(tmp_path / "out", Engine(43))
    items = list(notes())
    if changed == "text":
        items[14] = Document("n14", "Text 14!", patient_id="p3")
    elif changed == "patient":
        items[14] = Document("n14", "Text 14.", patient_id="p4")
    elif changed == "record":
        items[14] = Document("n14", "Text 14.", patient_id="p3", patient=Patient(id="p3", names=("Ng",)))
    else:
        items = items[:14]
    with pytest.raises(UsageError, match="input has changed among notes"):
        run(tmp_path / "out", Engine(), items)
    with pytest.raises(StoppedError):
        run(tmp_path / "out", Engine(11), items, restart=True)


@pytest.mark.parametrize("damage", ["missing", "cut", "changed", "swapped"])
def test_a_part_that_cannot_be_read_is_done_again(tmp_path, damage):
    with pytest.raises(StoppedError):
        run(tmp_path / "out", Engine(43))
    first, second, *_ = sorted((tmp_path / "out").glob("*.part"))
    data = second.read_bytes()
    if damage == "missing":
        second.unlink()
    else:
        bad = {"cut": data[:20], "changed": data[:-1] + b"?", "swapped": first.read_bytes()}[damage]
        second.write_bytes(bad)
    with Ledger(tmp_path / "out", KEY, SETTINGS) as ledger:
        sizes = [part.notes for part in ledger.parts]
        again = Engine()
        assert list(ledger.through(notes(), again)) == run(tmp_path / "whole", Engine())
    ids = [item.id for item in notes()]
    assert again.done == ids[sizes[0] : sizes[0] + sizes[1]] + ids[sum(sizes) :]


def test_without_a_key_nothing_is_kept(tmp_path):
    with pytest.raises(StoppedError):
        run(tmp_path / "out", Engine(43), secret=None)
    assert not (tmp_path / "out").exists()


def test_two_runs_at_once_are_refused(tmp_path):
    with pytest.raises(StoppedError):
        run(tmp_path / "out", Engine(43))
    with Ledger(tmp_path / "out", KEY, SETTINGS), pytest.raises(UsageError, match="another run is at work"):
        run(tmp_path / "out", Engine())


def test_a_damaged_ledger_is_refused_and_can_be_forgotten(tmp_path):
    with pytest.raises(StoppedError):
        run(tmp_path / "out", Engine(43))
    for file in (tmp_path / "out").glob("ledger.db*"):
        file.unlink()
    (tmp_path / "out" / "ledger.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(UsageError, match=r"cannot be read.*--restart"):
        run(tmp_path / "out", Engine())
    assert run(tmp_path / "out", Engine(), restart=True) == run(tmp_path / "whole", Engine())


def test_an_unfinished_part_is_removed(tmp_path):
    with pytest.raises(StoppedError):
        run(tmp_path / "out", Engine(43))
    (tmp_path / "out" / "000099.tmp").write_bytes(os.urandom(9))
    with Ledger(tmp_path / "out", KEY, SETTINGS):
        assert not [*(tmp_path / "out").glob("*.tmp")]
