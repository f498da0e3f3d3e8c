import json
from dataclasses import replace

import pytest
from hypothesis import given as every
from hypothesis import strategies as st
from tiny_notes import notes

from plainsight.errors import DataError, UsageError
from plainsight.lab.experiments.bench import (
    Bench,
    Ledger,
    Split,
    fold_splits,
    key_of,
    one_split,
    random_split,
    subset,
    summary,
)


def test_what_was_learnt_is_found_and_remembered(bench, words, tmp_path):
    split = Split(notes(12), notes(12, "t"))
    measured = bench.measure([split])
    assert measured.micro("binary-token").f == 1.0
    assert measured.micro("strict").recall == 48 / 60, "a name has the label that it had last"
    again = Bench(Ledger(tmp_path / "out"), "words").measure([split])
    assert again == measured
    assert len(words) == 1
    replace(bench, settings={"labels": "DATE"}).measure([split])
    assert len(words) == 2, "another setting is another run"
    Bench(bench.ledger, "words", group="safe-harbor").measure([split])
    assert len(words) == 2, "which labels count is asked after detection"


def test_results_hold_no_text(bench):
    bench.measure([Split(notes(12), notes(3, "t"))])
    written = bench.ledger.path.read_text(encoding="utf-8")
    assert "Lopez" not in written
    assert "n0" not in written


def test_who_is_taught_nothing_finds_nothing(bench, words):
    clean = [replace(note, spans=()) for note in notes(3)]
    micro = bench.measure([Split(clean, notes(2, "t"))]).micro("strict")
    assert (micro.gold, micro.found) == (10, 0)
    assert not words


def test_a_sweep_trains_once_and_goes_on_with_the_same_model(bench, words, tmp_path):
    split = Split(notes(12), notes(4, "t"))
    few, many = bench.sweep(split, [{"bias": 1.0}, {"bias": 0.0}])
    assert few.micro("strict").found < many.micro("strict").found
    bench.sweep(split, [{"bias": 1.0}, {"bias": 0.0}, {"bias": 0.5}])
    assert len(words) == 1
    (model,) = (tmp_path / "out" / "models").iterdir()
    assert bench.sweep(Split((), split.test), [{"bias": 0.0}], model)[0].tallies == many.tallies


def test_a_crf_is_trained_and_tested(tmp_path):
    bench = Bench(Ledger(tmp_path), "crf", settings={"feature_set": "plain", "iterations": 30})
    measured = bench.measure([Split(notes(12), notes(6, "t"))])
    assert (measured.micro("binary-token").f or 0) > 0.9
    assert measured.seconds["train"] > 0


def test_a_run_that_is_there_is_not_repeated(tmp_path):
    calls = []

    def work():
        calls.append(1)
        return {"f": (1, 2)}

    first = Ledger(tmp_path).run({"size": 3, "seed": 0}, work)
    again = Ledger(tmp_path).run({"seed": 0, "size": 3}, work)
    assert first == again == {"f": [1, 2]}, "what is new and what is read back are the same"
    assert len(calls) == 1
    assert {"size": 3, "seed": 0} in Ledger(tmp_path)
    assert {"size": 4, "seed": 0} not in Ledger(tmp_path)


def test_a_line_that_was_cut_off_is_done_again(tmp_path):
    for size in (1, 2):
        Ledger(tmp_path).run({"size": size}, lambda size=size: {"made": size})
    path = tmp_path / "results.jsonl"
    whole = path.read_bytes()
    for end in range(whole.index(b"\n") + 1, len(whole)):
        path.write_bytes(whole[:end])
        assert Ledger(tmp_path).run({"size": 1}, dict) == {"made": 1}
        assert Ledger(tmp_path).run({"size": 2}, lambda: {"made": 2}) == {"made": 2}
        assert path.read_bytes() == whole


def test_a_failed_run_leaves_nothing(tmp_path):
    def work():
        raise KeyboardInterrupt

    ledger = Ledger(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        ledger.run({"size": 1}, work)
    assert {"size": 1} not in ledger
    assert not (tmp_path / "results.jsonl").exists()


@pytest.mark.parametrize("line", ["{}", "nonsense", "[1]"])
def test_a_file_that_is_no_ledger_is_refused_by_line(tmp_path, line):
    good = json.dumps({"key": "1", "result": {}})
    (tmp_path / "results.jsonl").write_text(f"{good}\n{line}\n")
    with pytest.raises(DataError, match="line 2"):
        Ledger(tmp_path).run({}, dict)


def test_notes_are_told_apart_without_their_text():
    one, two = notes(3), notes(3, "m")
    assert summary(one) == summary(notes(3))
    assert summary(one) != summary(two) != summary(one[:2])
    assert summary(one)["notes"] == 3
    assert "Lopez" not in json.dumps(summary(one))
    assert key_of({"a": [1]}) != key_of({"a": [2]})


@every(st.integers(2, 30), st.integers(1, 12), st.integers(0, 5), st.integers(2, 6))
def test_folds_test_every_note_once_and_part_no_patient(count, patients, seed, folds):
    whole = notes(count, patients=patients)
    owners = {note.patient_id for note in whole}
    if folds > len(owners):
        with pytest.raises(UsageError):
            fold_splits(whole, folds, seed=seed)
        return
    splits = fold_splits(whole, folds, seed=seed)
    assert sorted(note.id for split in splits for note in split.test) == sorted(n.id for n in whole)
    for split in splits:
        assert len(split.train) + len(split.test) == count
        assert not {n.patient_id for n in split.train} & {n.patient_id for n in split.test}


@every(st.integers(2, 30), st.floats(0, 1), st.integers(0, 5))
def test_neither_side_of_a_share_is_empty(count, share, seed):
    split = random_split(notes(count), share, seed=seed)
    assert split.train
    assert split.test
    assert {n.id for n in split.train}.isdisjoint(n.id for n in split.test)
    if 2 / count < share < 1 - 2 / count:
        assert abs(len(split.test) - share * count) <= 1


def test_a_patient_is_not_parted_by_a_share():
    split = random_split(notes(20, patients=4), 0.3, seed=1)
    assert not {n.patient_id for n in split.train} & {n.patient_id for n in split.test}
    with pytest.raises(UsageError, match="two patients"):
        random_split(notes(5, patients=1), 0.5, seed=0)


def test_subsets_grow():
    whole = notes(20)
    drawn = [[n.id for n in subset(whole, count, seed=3)] for count in (2, 5, 20)]
    assert set(drawn[0]) < set(drawn[1]) < set(drawn[2])
    assert drawn[2] == [n.id for n in whole]
    assert subset(whole, 5, seed=3) != subset(whole, 5, seed=4)


def test_a_note_on_both_sides_is_refused_without_its_text():
    with pytest.raises(UsageError, match="note n2 ") as error:
        one_split(notes(3), [*notes(2, "m"), notes(3)[2]])
    assert "Amy" not in str(error.value)
    with pytest.raises(UsageError, match="needs notes"):
        one_split(notes(1), [])
