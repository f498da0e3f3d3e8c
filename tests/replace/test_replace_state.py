"""With a state, later runs agree with earlier ones; nothing in it can be read or changed without the key."""

import sqlite3
import stat
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

import plainsight
from plainsight.document import Document, Span
from plainsight.errors import FormatError, UsageError
from plainsight.evaluate.read_notes import read_notes
from plainsight.replace.state import State, replace_with_state
from plainsight.replace.surrogate.operation import Surrogate

KEY = bytes(range(32))
CORPUS = Path(__file__).parents[2] / "corpus"


def note(number, text, *marks, patient="p1"):
    """A note with PATIENT marks where the given words stand."""
    spans = tuple(Span(text.index(mark), text.index(mark) + len(mark), "PATIENT") for mark in marks)
    return Document(f"n{number}", text, spans, patient)


def made(state, documents):
    return replace_with_state(Surrogate(key=KEY), state, documents)


@pytest.fixture
def longitudinal():
    notes = sorted(read_notes(CORPUS / "longitudinal", format="inline"), key=lambda note: note.id)[:24]
    return [Document(note.id, note.text, note.spans, f"p{place // 6}") for place, note in enumerate(notes)]


@pytest.mark.parametrize("night", [1, 3, 24])
def test_every_arrangement_of_released_notes_gives_the_same(tmp_path, longitudinal, night):
    state = State(tmp_path / "state", KEY)
    released = {}
    for first in range(0, len(longitudinal), night):
        tonight = longitudinal[first : first + night]
        released |= dict(zip((n.id for n in tonight), made(state, tonight), strict=True))
    wanted = [released[n.id] for n in longitudinal]
    assert made(state, longitudinal) == wanted
    assert made(state, longitudinal[::-1]) == wanted[::-1]
    assert [made(state, [n])[0] for n in longitudinal] == wanted


def test_initials_agree_with_a_name_in_another_note(tmp_path):
    full = note(1, "Seen: Caroline Whitfield.", "Caroline Whitfield")
    short = note(2, "C. Whitfield was well.", "C. Whitfield")
    together = Surrogate(key=KEY).replace([full, short])
    state = State(tmp_path / "state", KEY)
    assert made(state, [full]) + made(state, [short]) == together
    given, surname = together[0][0].split()
    assert together[1] == [f"{given[0]}. {surname}"]


def test_short_forms_follow_the_names_of_earlier_notes(tmp_path):
    def told(number, label, mark):
        return Document(f"n{number}", f"Seen: {mark}.", (Span(6, 6 + len(mark), label),), "p1")

    state = State(tmp_path / "state", KEY)
    [[full]] = made(state, [told(1, "PATIENT", "Caroline Whitfield")])
    [[initials]] = made(state, [told(2, "PATIENT", "CW")])
    assert initials == "".join(word[0] for word in full.split())
    [[hospital]] = made(state, [told(3, "HOSPITAL", "Kestrel Valley Hospital")])
    [[acronym]] = made(state, [told(4, "HOSPITAL", "KVH")])
    assert acronym == "".join(word[0] for word in hospital.split())


def test_what_was_released_stands_whatever_comes_later(tmp_path):
    state = State(tmp_path / "state", KEY)
    first = note(1, "CW was well.", "CW")
    before = made(state, [first])
    made(state, [note(2, "Seen: Caroline Whitfield.", "Caroline Whitfield")])
    assert made(state, [first]) == before
    assert made(state, [note(3, "Called CW again.", "CW")]) == before  # and so does its form


def test_nothing_can_be_read_without_the_key(tmp_path):
    path = tmp_path / "state"
    made(
        State(path, KEY), [note(1, "Seen: Caroline Whitfield.", "Caroline Whitfield", patient="MRN-4471829")]
    )
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir()).lower()
    for word in (b"caroline", b"whitfield", b"4471829", b"seen", b"patient "):
        assert word not in stored
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in tmp_path.iterdir())
    with pytest.raises(UsageError, match="another key"):
        State(path, bytes(32))


@pytest.mark.parametrize("change", ["sealed = x'00' || substr(sealed, 2)", "version = version + 1"])
def test_a_changed_row_is_refused(tmp_path, change):
    path, first = tmp_path / "state", note(1, "Seen: Caroline Whitfield.", "Caroline Whitfield")
    made(State(path, KEY), [first])
    with sqlite3.connect(path) as database:
        database.execute(f"UPDATE patients SET {change}")
    with pytest.raises(FormatError, match="changed by something else"):
        made(State(path, KEY), [first])


def test_rows_cannot_be_swapped(tmp_path):
    path = tmp_path / "state"
    first = note(1, "Seen: Caroline Whitfield.", "Caroline Whitfield")
    made(State(path, KEY), [first, note(2, "Seen: Otto Brandt.", "Otto Brandt", patient="p2")])
    with sqlite3.connect(path) as database:
        (one, sealed), (two, other) = database.execute("SELECT id, sealed FROM patients").fetchall()
        database.executemany("UPDATE patients SET sealed = ? WHERE id = ?", [(other, one), (sealed, two)])
    with pytest.raises(FormatError):
        made(State(path, KEY), [first])


def _work(path, documents):
    state = State(path, KEY)
    return [made(state, [document])[0] for document in documents]


def test_several_processes_use_one_state(tmp_path, longitudinal):
    path, own = tmp_path / "state", [Document(n.id, n.text, n.spans, "p") for n in longitudinal[:12]]
    with ProcessPoolExecutor(3, mp_context=get_context("spawn")) as pool:
        parts = list(pool.map(_work, [path] * 3, [own[:8], own[4:], own[::-1]]))
    released = dict(zip((n.id for n in own[::-1]), parts[2], strict=True))
    for documents, found in zip((own[:8], own[4:]), parts, strict=False):
        assert found == [released[n.id] for n in documents]


def test_a_file_that_is_no_state_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("Seen: Caroline Whitfield. " * 40)
    with pytest.raises(UsageError, match="cannot be used as a state"):
        plainsight.load("fast", key=KEY, state=tmp_path / "notes.txt")
    with pytest.raises(UsageError, match="cannot be used as a state"):
        plainsight.load("fast", key=KEY, state=tmp_path / "missing" / "state")
    with pytest.raises(UsageError, match="needs a key"):
        plainsight.load("fast", state=tmp_path / "state")


def test_other_settings_have_a_memory_of_their_own(tmp_path):
    state = State(tmp_path / "state", KEY)
    first = note(1, "Seen: Caroline Whitfield.", "Caroline Whitfield")
    usual = made(state, [first])
    assert replace_with_state(Surrogate(key=KEY, consistency="note"), state, [first]) != usual
    assert made(state, [first]) == usual


def test_what_is_found_in_a_released_note_stays_whatever_stands_beside_it(tmp_path):
    alone = Document("n1", "Follow-up. Bryony called about the rash.", (), "p1")
    named = Document("n2", "Pt: Bryony Vantongeren, DOB 4/2/1950. Bryony Vantongeren was seen.", (), "p1")
    pipeline = plainsight.load("fast", key=KEY, state=tmp_path / "state")
    released = {note.id: note for note in pipeline.deidentify([alone, named])}
    again = plainsight.load("fast", key=KEY, state=tmp_path / "state")
    assert list(again.deidentify([named])) == [released["n2"]]
    assert list(again.deidentify([alone])) == [released["n1"]]
