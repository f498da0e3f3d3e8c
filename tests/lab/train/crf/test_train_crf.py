import json
from dataclasses import replace

import numpy as np
import pytest

from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.lab.detect.crf import Crf
from plainsight.lab.detect.crf.weights import digests_of
from plainsight.lab.detect.stacker import Average
from plainsight.lab.train import crf as training
from plainsight.lab.train.crf import train_crf
from plainsight.model import load_model
from plainsight.text.tags import encode

SMALL = {"feature_set": "plain", "iterations": 30}


def found_in(folder, documents, **options):
    return [
        {(span.start, span.end, span.label) for span in spans}
        for spans in Crf(model=str(folder), **options).detect(documents)
    ]


def marked(documents):
    return [{(span.start, span.end, span.label) for span in document.spans} for document in documents]


def test_a_model_finds_what_it_was_taught(notes, tmp_path):
    manifest = train_crf(notes(12), tmp_path / "m", dev=notes(3, first=40), **SMALL)
    assert found_in(tmp_path / "m", notes(12)) == marked(notes(12))
    assert manifest["scores"]["strict"]["f"] > 0.8
    assert set(manifest["scores"]["strict by label"]) >= {"PATIENT", "DOCTOR", "DATE", "CITY"}
    assert manifest["labels"] == ["CITY", "DATE", "DOCTOR", "PATIENT"]
    assert manifest["training"]["notes"] == 12
    assert manifest == json.loads((tmp_path / "m" / "manifest.json").read_text())
    assert not (tmp_path / "m.part").exists()


def test_the_bias_is_chosen_by_folds(notes, tmp_path):
    stages = []
    manifest = train_crf(
        notes(10),
        tmp_path / "m",
        bias=None,
        recall=0.9,
        folds=3,
        stage=stages.append,
        **{**SMALL, "iterations": 8},
    )
    assert stages == ["reading the notes", "fold 1 of 3", "fold 2 of 3", "fold 3 of 3", "all notes"]
    sweep = {row["bias"]: row["tokens"]["recall"] for row in manifest["bias_choice"]["sweep"]}
    chosen = manifest["bias"]
    assert sweep[chosen] >= 0.9
    assert all(recall < 0.9 for bias, recall in sweep.items() if bias > chosen)
    recalls = list(sweep.values())
    assert recalls == sorted(recalls, reverse=True)


def test_one_note_cannot_be_cross_validated(notes, tmp_path):
    with pytest.raises(DataError, match="too few notes"):
        train_crf(notes(1), tmp_path / "m", bias=None, **SMALL)


def test_packing_costs_next_to_nothing_and_exact_costs_nothing(notes, tmp_path):
    packed = train_crf(notes(8), tmp_path / "packed", **SMALL)
    train_crf(notes(8), tmp_path / "exact", exact=True, smallest=0.0, **SMALL)
    one, two = (load_model(tmp_path / name, kind="crf").arrays for name in ("packed", "exact"))
    assert one["values"].dtype == np.int16
    assert two["values"].dtype == np.float32
    assert len(one["values"]) < len(two["values"])
    unseen = notes(6, first=50)
    assert found_in(tmp_path / "packed", unseen) == found_in(tmp_path / "exact", unseen)
    assert abs(packed["scale"] * 32_767 - np.abs(two["values"]).max()) < 1e-4


def test_a_lasso_leaves_few_weights(notes, tmp_path):
    for name, lasso in (("some", 0.5), ("all", 0.0)):
        train_crf(notes(8), tmp_path / name, lasso=lasso, smallest=1e-9, **SMALL)
    some, whole = (load_model(tmp_path / name, kind="crf").arrays["values"] for name in ("some", "all"))
    assert len(some) < len(whole) / 4


def test_any_labels_are_taken_as_they_are(notes, tmp_path):
    spanish = [
        replace(d, spans=tuple(replace(s, label=f"TIPO-{s.label} x") for s in d.spans)) for d in notes(8)
    ]
    train_crf(spanish, tmp_path / "m", **SMALL)
    assert found_in(tmp_path / "m", spanish) == marked(spanish)
    assert Crf(model=str(tmp_path / "m")).labels == {
        f"TIPO-{label} x" for label in ("CITY", "DATE", "DOCTOR", "PATIENT")
    }
    assert "PATIENT" in Crf.labels


def test_training_goes_on_from_a_model(notes, tmp_path):
    train_crf(notes(12), tmp_path / "old", **SMALL)
    # New notes of another kind, one of them with a label the old model does not know.
    new = [Document("n", "Badge 4471 checked", ()), *notes(2, first=60)]
    new[0] = replace(new[0], spans=(replace(notes(1)[0].spans[0], start=6, end=10, label="BADGE"),))
    manifest = train_crf(new, tmp_path / "new", init=tmp_path / "old", iterations=30)
    assert manifest["feature_set"] == "plain"
    assert manifest["training"]["init"]["name"] == "old"
    assert manifest["labels"] == ["BADGE", "CITY", "DATE", "DOCTOR", "PATIENT"]
    assert found_in(tmp_path / "new", new[:1]) == marked(new[:1])
    # What it knew before it still knows; three notes alone would not have taught it.
    assert found_in(tmp_path / "new", notes(12)) == marked(notes(12))
    train_crf(new, tmp_path / "alone", **SMALL)
    assert found_in(tmp_path / "alone", notes(12)) != marked(notes(12))


def test_going_on_without_news_changes_nothing(notes, tmp_path):
    train_crf(notes(8), tmp_path / "old", exact=True, smallest=0.0, **SMALL)
    train_crf(
        notes(8),
        tmp_path / "new",
        init=tmp_path / "old",
        gaussian=1e6,
        iterations=5,
        exact=True,
        smallest=0.0,
    )
    old, new = (load_model(tmp_path / name, kind="crf").arrays for name in ("old", "new"))
    assert (old["features"] == new["features"]).all()
    assert np.abs(old["values"] - new["values"]).max() < 1e-3
    assert np.abs(old["transitions"] - new["transitions"]).max() < 1e-3


def test_what_cannot_be_gone_on_from_is_refused(notes, tmp_path):
    train_crf(notes(3), tmp_path / "old", **{**SMALL, "iterations": 2})
    others = [replace(d, spans=tuple(replace(s, label="X") for s in d.spans)) for d in notes(3)]
    with pytest.raises(DataError, match="share no label"):
        train_crf(others, tmp_path / "new", init=tmp_path / "old")
    with pytest.raises(UsageError, match="feature set 'plain'"):
        train_crf(notes(3), tmp_path / "new", init=tmp_path / "old", feature_set="carafe-i")
    with pytest.raises(UsageError, match="did you mean 'plain'"):
        train_crf(notes(3), tmp_path / "new", feature_set="plane")
    with pytest.raises(UsageError, match="no model at"):
        train_crf(notes(3), tmp_path / "new", init=tmp_path / "nowhere")
    assert not (tmp_path / "new").exists()


class Stopped(KeyboardInterrupt):
    pass


def test_an_interrupted_training_goes_on_where_it_was(notes, tmp_path):
    def stop(iteration, loss):
        if iteration == 7:
            raise Stopped

    with pytest.raises(Stopped):
        train_crf(notes(6), tmp_path / "m", progress=stop, **SMALL)
    assert not (tmp_path / "m").exists()
    left = tmp_path / "m.part" / "all.npz"
    assert b"Okonkwo" not in left.read_bytes()
    seen = []
    train_crf(notes(6), tmp_path / "m", progress=lambda iteration, loss: seen.append(iteration), **SMALL)
    assert seen[0] in (7, 8)
    assert seen[-1] <= 30
    assert not (tmp_path / "m.part").exists()
    assert found_in(tmp_path / "m", notes(6)) == marked(notes(6))


def test_another_training_does_not_go_on_from_there(notes, tmp_path):
    def stop(iteration, loss):
        if iteration == 5:
            raise Stopped

    with pytest.raises(Stopped):
        train_crf(notes(6), tmp_path / "m", progress=stop, **SMALL)
    for documents, more in ((notes(5), {}), (notes(6), {"gaussian": 0.2})):
        seen = []

        def watch(iteration, loss, seen=seen):
            seen.append(iteration)
            raise Stopped

        with pytest.raises(Stopped):
            train_crf(documents, tmp_path / "m", progress=watch, **SMALL, **more)
        assert seen == [1]


def test_interrupted_in_a_fold_the_folds_before_it_are_not_fitted_again(notes, tmp_path):
    def stop(name):
        if name.startswith("fold 2"):
            raise Stopped

    with pytest.raises(Stopped):
        train_crf(notes(6), tmp_path / "m", bias=None, folds=3, stage=stop, **SMALL)
    begun = []
    train_crf(
        notes(6), tmp_path / "m", bias=None, folds=3, progress=lambda *step: begun.append(step[0]), **SMALL
    )
    assert begun.count(1) == 3  # fold 1 was done
    assert found_in(tmp_path / "m", notes(6)) == marked(notes(6))


def test_stacked_features_look_at_the_claims_of_rules(notes, tmp_path):
    manifest = train_crf(notes(4), tmp_path / "m", iterations=10)
    assert manifest["feature_set"] == "plainsight"
    known = load_model(tmp_path / "m", kind="crf").arrays["features"]
    assert digests_of("claim", ["patterns B-DATE"]) in known
    assert digests_of("claim", ["patterns B-DATA"]) not in known
    assert found_in(tmp_path / "m", notes(4)) == marked(notes(4))


def test_odd_text_survives_the_model_folder(tmp_path, notes):
    odd = Document("odd", "Ξ\ud83d\x00 Ito 東京\x85\u2028 ok", notes(1)[0].spans[:0])
    train_crf([*notes(3), odd], tmp_path / "m", **{**SMALL, "iterations": 3})
    assert len(found_in(tmp_path / "m", [odd])) == 1


def test_no_word_of_the_notes_is_in_the_model(notes, tmp_path):
    train_crf(notes(6), tmp_path / "m", bias=None, folds=2, **{**SMALL, "iterations": 3})
    arrays = load_model(tmp_path / "m", kind="crf").arrays
    everything = b"".join(array.tobytes() for array in arrays.values()).lower()
    everything += (tmp_path / "m" / "manifest.json").read_bytes().lower()
    for word in ("okonkwo", "tanaka", "dunmore", "fever", "continue"):
        assert word.encode() not in everything


def test_training_is_the_same_each_time(notes, tmp_path):
    for name in ("one", "two"):
        train_crf(notes(4), tmp_path / name, **{**SMALL, "iterations": 5})
    one, two = ((tmp_path / name / "arrays.npz").read_bytes() for name in ("one", "two"))
    assert one == two


def test_the_choice_of_a_bias_looks_at_enough_notes_only(notes, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "_ENOUGH", 150)
    manifest = train_crf(notes(10), tmp_path / "m", bias=None, folds=2, **{**SMALL, "iterations": 4})
    assert manifest["bias_choice"]["notes"] < 10


EDGES = {**SMALL, "edges": "previous,word", "exact": True, "smallest": 0.0}


def test_edges_are_learnt_and_used(notes, tmp_path):
    manifest = train_crf(notes(12), tmp_path / "m", gaussian=0.5, **EDGES)
    assert manifest["edges"] == ["previous", "word"]
    assert found_in(tmp_path / "m", notes(12)) == marked(notes(12))
    arrays = load_model(tmp_path / "m", kind="crf").arrays
    assert len(arrays["edge_values"])
    train_crf(notes(12), tmp_path / "plain", gaussian=0.5, **SMALL)
    with_edges, without = (
        np.mean(Crf(model=str(tmp_path / name)).confidence(notes(12))) for name in ("m", "plain")
    )
    assert with_edges > without
    assert "edge_values" not in load_model(tmp_path / "plain", kind="crf").arrays


def test_detection_with_edges_is_that_of_training(notes, tmp_path):
    """The likelihood of the gold labels by the model folder is the one that training minimised."""
    documents, losses = notes(6), []
    train_crf(
        documents,
        tmp_path / "m",
        gaussian=0.0,
        progress=lambda iteration, loss: losses.append(loss),
        **{**EDGES, "iterations": 12},
    )
    crf = Crf(model=str(tmp_path / "m"))
    total = 0.0
    for note, solved in zip(documents, crf.solve(documents), strict=True):
        gold = np.array([crf.tags.index(tag) for tag in encode(note.spans, solved.tokens)])
        [scores], [marginals], [edges] = solved.scores, solved.marginals, solved.edges
        total += marginals.log_z - crf.chain.log_score(scores, gold, edges)
    assert total == pytest.approx(losses[-1], rel=1e-3, abs=1e-3)


def test_edges_go_on_from_a_model(notes, tmp_path):
    train_crf(notes(8), tmp_path / "old", **EDGES)
    other = Document(
        "n", "Badge 4471 checked", (replace(notes(1)[0].spans[0], start=6, end=10, label="BADGE"),)
    )
    options = {"gaussian": 1e6, "iterations": 5, "exact": True, "smallest": 0.0}
    manifest = train_crf([other, *notes(2)], tmp_path / "new", init=tmp_path / "old", **options)
    assert manifest["edges"] == ["previous", "word"]
    assert found_in(tmp_path / "new", notes(8)) == marked(notes(8))
    with pytest.raises(UsageError, match="other edges"):
        train_crf(notes(3), tmp_path / "no", init=tmp_path / "old", edges="next")
    with pytest.raises(UsageError, match="other tokens"):
        train_crf(notes(3), tmp_path / "no", init=tmp_path / "old", tokens="carafe")


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("carafe-all", ("carafe", "record", ["previous", "word"], 0.05, 0.0, 200)),
        ("dernoncourt", ("plainsight", "record", [], 0.1, 0.0, 100)),
        ("mask-dictionaries", ("treebank", "stop", [], 0.05, 0.1, 200)),
    ],
)
def test_published_sets_bring_their_settings(notes, tmp_path, name, settings):
    manifest = train_crf(notes(10), tmp_path / "m", feature_set=name, bias=None)
    keys = ("tokens", "sequences", "edges", "gaussian", "lasso", "iterations")
    training = {**manifest["training"], "tokens": manifest["tokens"]}
    assert tuple(training[key] for key in keys) == settings
    assert found_in(tmp_path / "m", notes(10), bias=0.0) == marked(notes(10))
    mine = train_crf(notes(3), tmp_path / "n", feature_set=name, tokens="plainsight", iterations=2)
    assert (mine["tokens"], mine["training"]["iterations"]) == ("plainsight", 2)


def test_unknown_presets_are_refused_before_work(notes, tmp_path):
    for options, wanted in (
        ({"tokens": "caraf"}, "unknown tokens 'caraf'; did you mean 'carafe'"),
        ({"sequences": "sentences"}, "did you mean 'sentence'"),
        ({"edges": "word,prev"}, "unknown edges 'prev'"),
    ):
        with pytest.raises(UsageError, match=wanted):
            train_crf(notes(2), tmp_path / "m", **options)
    assert not (tmp_path / "m").exists()


def test_a_model_of_other_features_is_refused(notes, tmp_path):
    train_crf(notes(3), tmp_path / "m", **SMALL)
    manifest = json.loads((tmp_path / "m" / "manifest.json").read_text())
    (tmp_path / "m" / "manifest.json").write_text(json.dumps({**manifest, "edition": 7}))
    with pytest.raises(UsageError, match="features of 'plain' have changed"):
        Crf(model=str(tmp_path / "m")).detect(notes(1))


def test_models_with_other_tokens_are_not_averaged(notes, tmp_path):
    train_crf(notes(3), tmp_path / "m", feature_set="mask", iterations=2)
    with pytest.raises(UsageError, match="tokens of its own"):
        Average(model=str(tmp_path / "m")).detect(notes(1))
