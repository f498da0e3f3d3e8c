import json

import pytest
from tiny_notes import notes

pytest.importorskip("torch")
pytest.importorskip("onnx")

from plainsight.errors import UsageError
from plainsight.lab.experiments import systems
from plainsight.lab.experiments.ablation import architecture, network_settings
from plainsight.lab.experiments.bench import Bench, Ledger, Split

QUICK = {"optimiser": "adam", "rate": 0.01, "batch": 4, "epochs": 1, "quantise": False}
SPLIT = [Split(notes(12), notes(6, "t"))]


@pytest.fixture
def vectors(tmp_path):
    path = tmp_path / "glove.txt"
    path.write_text("\n".join(f"{word} " + " ".join(["0.25"] * 100) for word in ("patient", "seen", "dr")))
    return path


@pytest.mark.server  # takes long
def test_the_network_is_taken_apart_and_set_beside_a_crf(tmp_path, vectors):
    settings = {**QUICK, "vectors": str(vectors)}
    bench = Bench(Ledger(tmp_path / "out"), "bilstm", settings=settings)
    crf = {"feature_set": "plain", "iterations": 15}
    outcome = architecture(bench, SPLIT, crf=crf)
    named = {row["system"]: row for row in outcome.data}
    assert list(named) == [
        "whole", "no sequence optimisation", "no pre-training", "no token embeddings",
        "no character embeddings", "BIO", "crf", "whole + crf",
    ]  # fmt: skip
    assert named["whole"]["against_first"] == {}
    assert named["crf"]["against_first"]["token"]["p_f"] <= 1
    alone, both = (named[name]["figures"]["token"]["recall"]["value"] for name in ("crf", "whole + crf"))
    assert alone > 0.5
    assert both >= max(alone, named["whole"]["figures"]["token"]["recall"]["value"])
    assert all(len(row) == len(outcome.head) for row in outcome.rows)

    runs = bench.ledger.path.read_text()
    assert len(runs.splitlines()) == 7, "the union is no run of its own"
    assert str(tmp_path) not in runs, "vectors are known by what they are, not by where they lie"
    assert not any(name in runs for name in ("Lopez", "Carter", "617-555"))
    again = architecture(Bench(Ledger(tmp_path / "out"), "bilstm", None, settings), SPLIT, crf=crf)
    assert again.data == json.loads(json.dumps(outcome.data))
    assert bench.ledger.path.read_text() == runs

    names = Bench(Ledger(tmp_path / "out"), "bilstm", "A", settings)
    architecture(names, SPLIT, crf=crf)
    assert bench.ledger.path.read_text() == runs, "which labels count is asked when all is found"


def test_without_vectors_there_is_no_row_without_them():
    assert "no pre-training" not in network_settings(QUICK)
    made = network_settings({"vectors": "v"})
    assert [name for name, own in made.items() if "vectors" not in own] == [
        "no pre-training", "no token embeddings",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["bilstm", "charlm"])
def test_other_learners_are_trained_on_the_bench(name, tmp_path):
    settings = QUICK if name == "bilstm" else {"order": 4}
    bench = Bench(Ledger(tmp_path / "out"), name, settings=settings)
    measured = bench.measure(SPLIT)
    assert measured.micro("strict").gold == 30
    low, high = bench.sweep(SPLIT[0], [{"bias": -8.0}, {"bias": 8.0}])
    assert low.micro("binary-token").found > high.micro("binary-token").found


@pytest.mark.parametrize("name", ["union", "bilstm+crf"])
def test_a_union_is_a_learner_like_others_and_its_parts_are_runs(tmp_path, name):
    settings = {**QUICK, "feature_set": "plain", "crf.iterations": 15}
    ledger = Ledger(tmp_path / "out")
    both = Bench(ledger, name, settings=settings)
    crf = Bench(ledger, "crf", settings={"feature_set": "plain", "iterations": 15})
    found, alone = both.find(SPLIT[0]), crf.find(SPLIT[0])
    assert len(ledger.path.read_text().splitlines()) == 2, "the CRF is not trained again"
    assert all(
        any(span.start <= one.start and one.end <= span.end for span in spans)
        for spans, ones in zip(found.spans, alone.spans, strict=True)
        for one in ones
    )
    assert sum(map(len, found.spans)) >= 20
    much, little = both.sweep(SPLIT[0], [{"bias": -40.0}, {"bias": 0.0}])
    assert much.micro("binary-token").found > little.micro("binary-token").found
    with pytest.raises(UsageError, match="one detector"):
        both.inspect(SPLIT[0], "confidence", lambda detector, notes: {})


@pytest.mark.server  # takes long
def test_several_files_of_vectors_are_compared(tmp_path, vectors):
    other = tmp_path / "word2vec.txt"
    other.write_text(vectors.read_text().replace("0.25", "0.5"))
    bench = Bench(Ledger(tmp_path / "out"), "bilstm", settings={**QUICK, "vectors": str(vectors)})
    crf = {"feature_set": "plain", "iterations": 5}
    outcome = architecture(bench, SPLIT, crf=crf, vectors=[other])
    rows = {row["system"]: row["settings"] for row in outcome.data}
    assert (rows["whole"]["vectors"], rows["vectors word2vec"]["vectors"]) == (str(vectors), str(other))
    with pytest.raises(UsageError, match="two files"):
        architecture(bench, SPLIT, crf=crf, vectors=[other, other])


def test_settings_without_a_default_are_known_by_their_kind():
    systems.check_settings("bilstm", {"epochs": 2, "rate": 1, "scheme": "BIO", "vectors": "glove.txt"})
    for wrong in ({"epochs": "two"}, {"words": 1}, {"optimiser": 3}):
        with pytest.raises(UsageError, match="is of type"):
            systems.check_settings("bilstm", wrong)
    for callback in ("progress", "teacher", "dev", "documents"):
        with pytest.raises(UsageError, match="no setting"):
            systems.check_settings("bilstm", {callback: 1})
    assert "seed" in systems.settings_of("bilstm")
    assert "seed" not in systems.settings_of("charlm")
