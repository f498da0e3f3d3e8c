from dataclasses import replace

from tiny_notes import notes

from plainsight.lab.experiments.bench import Bench
from plainsight.lab.experiments.ledger import Ledger
from plainsight.lab.experiments.splits import Split


def test_what_was_learnt_is_found_and_remembered(bench, words, tmp_path):
    split = Split(notes(12), notes(12, "t"))
    measured = bench.measure([split], {})
    assert measured.micro("binary-token").f == 1.0
    assert measured.micro("strict").recall == 48 / 60, "a name has the label that it had last"
    again = Bench(Ledger(tmp_path / "out"), "words").measure([split], {})
    assert again == measured
    assert len(words) == 1
    bench.measure([split], {"labels": "DATE"})
    assert len(words) == 2, "another setting is another run"
    Bench(bench.ledger, "words", group="safe-harbor").measure([split], {})
    assert len(words) == 2, "which labels count is asked after detection"


def test_results_hold_no_text(bench):
    bench.measure([Split(notes(12), notes(3, "t"))], {})
    written = bench.ledger.path.read_text(encoding="utf-8")
    assert "Lopez" not in written
    assert "n0" not in written


def test_who_is_taught_nothing_finds_nothing(bench, words):
    clean = [replace(note, spans=()) for note in notes(3)]
    micro = bench.measure([Split(clean, notes(2, "t"))], {}).micro("strict")
    assert (micro.gold, micro.found) == (10, 0)
    assert not words


def test_a_sweep_trains_once_and_goes_on_with_the_same_model(bench, words, tmp_path):
    split = Split(notes(12), notes(4, "t"))
    few, many = bench.sweep(split, {}, [{"bias": 1.0}, {"bias": 0.0}])
    assert few.micro("strict").found < many.micro("strict").found
    bench.sweep(split, {}, [{"bias": 1.0}, {"bias": 0.0}, {"bias": 0.5}])
    assert len(words) == 1
    (model,) = (tmp_path / "out" / "models").iterdir()
    assert bench.sweep_model(model, split.test, [{"bias": 0.0}])[0].tallies == many.tallies


def test_a_crf_is_trained_and_tested(tmp_path):
    bench = Bench(Ledger(tmp_path), "crf")
    measured = bench.measure([Split(notes(12), notes(6, "t"))], {"feature_set": "plain", "iterations": 30})
    assert (measured.micro("binary-token").f or 0) > 0.9
    assert measured.seconds["train"] > 0
