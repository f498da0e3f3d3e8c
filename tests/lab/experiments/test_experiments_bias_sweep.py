import pytest
from tiny_notes import notes

from plainsight.errors import UsageError
from plainsight.formats.base import write_all
from plainsight.formats.jsonl import JsonLines
from plainsight.lab.experiments import bias_sweep as sweep
from plainsight.lab.experiments.bench import Bench, Split
from plainsight.lab.experiments.systems import System

TEST = notes(4, "t")


def test_a_crf_finds_less_with_every_step(bench, tmp_path):
    crf = Bench(bench.ledger, "crf", settings={"feature_set": "plain", "iterations": 20})
    splits = [Split(notes(12), TEST)]
    biases = [-6.0, 0.0, 9.0]
    outcome = sweep.bias_sweep([crf], splits, biases=biases)
    recalls = [row["figures"]["token"]["recall"]["value"] for row in outcome.data]
    assert recalls[0] >= recalls[1] > recalls[2]
    assert [row["bias"] for row in outcome.data] == biases
    (model,) = (crf.ledger.folder / "models").iterdir()
    given = sweep.bias_sweep([crf], [Split((), TEST)], biases=biases, model=model)
    assert [row["figures"] for row in given.data] == [row["figures"] for row in outcome.data]


def test_other_systems_lie_beside_the_curve(bench, tmp_path):
    path = tmp_path / "perfect.jsonl"
    write_all(JsonLines(), [*notes(2, "further"), *reversed(TEST)], path)
    others = {
        "fast": sweep.found_by(bench, System.of_policy("fast"), TEST),
        "perfect": sweep.read_from(path, TEST),
    }
    outcome = sweep.bias_sweep([bench], [Split(notes(12), TEST)], biases=[-1, 1], others=others)
    assert [row["system"] for row in outcome.data] == ["bias -1", "bias +1", "fast", "perfect"]
    perfect = outcome.data[-1]
    assert perfect["bias"] is None
    assert perfect["figures"]["phrase"]["f"]["value"] == 1.0
    assert "perfect" in outcome.svg
    write_all(JsonLines(), TEST[:3], path)
    with pytest.raises(UsageError, match="3 of the 4 notes"):
        sweep.read_from(path, TEST)


def test_what_has_no_bias_cannot_be_swept(bench, monkeypatch):
    monkeypatch.setattr(sweep.systems, "has_bias", lambda name: False)
    with pytest.raises(UsageError, match="no bias"):
        sweep.bias_sweep([bench], [Split(notes(3), TEST)], biases=[0.0])


@pytest.mark.parametrize("text", ["", "1:2", "a:b:c", "0:1:0", "1,x"])
def test_what_is_no_range_is_refused(text):
    with pytest.raises(UsageError, match="no range"):
        sweep.steps(text)


def test_steps_include_both_ends():
    assert sweep.steps("-4:2:0.5")[::4] == [-4.0, -2.0, 0.0, 2.0]


def test_several_detectors_are_swept_side_by_side(bench, words):
    crf = Bench(bench.ledger, "crf", settings={"feature_set": "plain", "iterations": 5})
    outcome = sweep.bias_sweep([bench, crf], [Split(notes(12), TEST)], biases=[-1.0, 1.0])
    assert [row["system"] for row in outcome.data] == [
        "words, bias -1", "words, bias +1", "crf, bias -1", "crf, bias +1",
    ]  # fmt: skip
    assert all(title in outcome.svg for title in ("words", "crf"))
    with pytest.raises(UsageError, match="one --detector"):
        sweep.bias_sweep([bench, crf], [Split((), TEST)], biases=[0.0], model=bench.ledger.folder)
