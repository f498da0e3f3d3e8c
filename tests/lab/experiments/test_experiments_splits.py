import pytest
from hypothesis import given as every
from hypothesis import strategies as st
from tiny_notes import notes

from plainsight.errors import UsageError
from plainsight.lab.experiments.splits import folded, given, held_out, subset


@every(st.integers(2, 30), st.integers(1, 12), st.integers(0, 5), st.integers(2, 6))
def test_folds_test_every_note_once_and_part_no_patient(count, patients, seed, folds):
    whole = notes(count, patients=patients)
    owners = {note.patient_id for note in whole}
    if folds > len(owners):
        with pytest.raises(UsageError):
            folded(whole, folds, seed=seed)
        return
    splits = folded(whole, folds, seed=seed)
    assert sorted(note.id for split in splits for note in split.test) == sorted(n.id for n in whole)
    for split in splits:
        assert len(split.train) + len(split.test) == count
        assert not {n.patient_id for n in split.train} & {n.patient_id for n in split.test}


@every(st.integers(2, 30), st.floats(0, 1), st.integers(0, 5))
def test_neither_side_of_a_share_is_empty(count, share, seed):
    split = held_out(notes(count), share, seed=seed)
    assert split.train
    assert split.test
    assert {n.id for n in split.train}.isdisjoint(n.id for n in split.test)
    if 2 / count < share < 1 - 2 / count:
        assert abs(len(split.test) - share * count) <= 1


def test_a_patient_is_not_parted_by_a_share():
    split = held_out(notes(20, patients=4), 0.3, seed=1)
    assert not {n.patient_id for n in split.train} & {n.patient_id for n in split.test}
    with pytest.raises(UsageError, match="two patients"):
        held_out(notes(5, patients=1), 0.5, seed=0)


def test_subsets_grow():
    whole = notes(20)
    drawn = [[n.id for n in subset(whole, count, seed=3)] for count in (2, 5, 20)]
    assert set(drawn[0]) < set(drawn[1]) < set(drawn[2])
    assert drawn[2] == [n.id for n in whole]
    assert subset(whole, 5, seed=3) != subset(whole, 5, seed=4)


def test_a_note_on_both_sides_is_refused_without_its_text():
    with pytest.raises(UsageError, match="note n2 ") as error:
        given(notes(3), [*notes(2, "m"), notes(3)[2]])
    assert "Amy" not in str(error.value)
    with pytest.raises(UsageError, match="needs notes"):
        given(notes(1), [])
