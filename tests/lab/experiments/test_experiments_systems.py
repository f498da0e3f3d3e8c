import sys

import pytest
from tiny_notes import Words, notes

from plainsight import registry
from plainsight.errors import DataError, PluginError, PolicyError, UsageError
from plainsight.lab.experiments import systems
from plainsight.lab.experiments.bench import Bench, Ledger, Split
from plainsight.lab.experiments.systems import System
from plainsight.pipeline import Pipeline


def test_an_entry_makes_a_detector_trainable(words, tmp_path, capsys):
    systems.train("words", notes(4), tmp_path / "model", {"labels": "DATE"})
    detector = systems.build("words", tmp_path / "model", bias=1.0)
    assert isinstance(detector, Words)
    assert [span.label for span in detector.detect(notes(1))[0]] == ["DATE"]
    assert capsys.readouterr().out == "", "what a library prints while it trains is no result"


def test_settings_are_checked_by_name_and_kind(words):
    systems.check_settings("crf", {"gaussian": 1, "feature_set": "plain"})
    with pytest.raises(UsageError, match="did you mean 'iterations'"):
        systems.check_settings("crf", {"iteration": 5})
    with pytest.raises(UsageError, match="iterations is of type int"):
        systems.check_settings("crf", {"iterations": "many"})
    with pytest.raises(UsageError, match="no setting 'progress'"):
        systems.check_settings("crf", {"progress": 1})
    with pytest.raises(UsageError, match="shout is of type bool"):
        systems.check_settings("words", {"shout": 1})


def test_what_is_unknown_or_missing_is_said(words, monkeypatch):
    with pytest.raises(UsageError, match="did you mean 'crf'"):
        systems.parts_of("crff")
    with pytest.raises(UsageError, match="training transformer needs the setting encoder"):
        systems.check_settings("transformer", {})
    assert "seed" in systems.settings_of("words")
    assert "seed" not in systems.settings_of("crf")
    assert systems.has_bias("crf")
    monkeypatch.setitem(sys.modules, "numpy", None)
    for name in [
        name for name in sys.modules if name.startswith(("plainsight.lab.train", "plainsight.lab.detect.crf"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "plainsight.model", raising=False)
    with pytest.raises(UsageError, match=r"needs numpy: pip install 'plainsight\[train\]'"):
        systems.settings_of("crf")


def test_an_error_of_our_own_is_not_taken_for_a_missing_library(monkeypatch):
    lost = {**registry.BUILT_IN, "trainers": {"crf": "plainsight.lab.train.nowhere:train"}}
    monkeypatch.setattr(registry, "BUILT_IN", lost)
    with pytest.raises(PluginError, match="cannot be loaded"):
        systems.settings_of("crf")


def test_convolutions_learn_in_experiments_too(tmp_path):
    pytest.importorskip("onnx")
    pytest.importorskip("torch")
    for settings in systems.VARIANTS["convolution"].values():
        systems.check_settings("convolution", settings)
    assert "seed" in systems.settings_of("convolution")
    settings = {"epochs": 60, "width": 16, "rate": 0.01, "claims": False}
    systems.train("convolution", notes(24), tmp_path / "model", settings)
    detector = systems.build("convolution", tmp_path / "model", bias=-1.0)
    assert {span.label for spans in detector.detect(notes(2)) for span in spans} == {
        span.label for document in notes(2) for span in document.spans
    }


def test_a_policy_finds_in_the_order_of_the_notes():
    whole = notes(6, patients=2)
    found = System.of_policy("fast").find(whole)
    phones = [
        [whole[at].text[s.start : s.end] for s in spans if s.label == "PHONE"]
        for at, spans in enumerate(found)
    ]
    assert phones == [[f"617-555-01{number}"] for number in range(10, 16)]


def test_a_model_finds_by_itself_and_its_key_follows_its_content(words, tmp_path):
    systems.train("words", notes(4), tmp_path / "mine", {})
    system = System.of_model(f"words={tmp_path / 'mine'}")
    assert system.name == "words mine"
    assert len(system.find(notes(1))[0]) == 5
    before = system.key()
    systems.train("words", notes(5), tmp_path / "mine", {})
    assert system.key() != before
    assert System(**system.to_json()) == system


def test_keys_of_policies_tell_them_apart_and_know_their_models(tmp_path):
    assert System.of_policy("fast").key() != System.of_policy("redact").key()
    assert "models" in System.of_policy("fast").key()


def test_wrong_use_is_refused(words, tmp_path):
    with pytest.raises(PolicyError):
        System.of_policy("fastt")
    with pytest.raises(UsageError, match="DETECTOR=FOLDER"):
        System.of_model(f"words={tmp_path}")
    with pytest.raises(UsageError, match="no trainable"):
        System.of_model("nothing")


def test_a_note_set_aside_cannot_be_measured(monkeypatch):
    def fail(self, documents):
        if documents:
            raise ValueError("secret words")
        return []

    monkeypatch.setattr(Pipeline, "_confident_batch", fail)
    with pytest.raises(DataError, match="note n0") as error:
        System.of_policy("fast").find(notes(1))
    assert "secret" not in str(error.value)


def test_transformers_and_stackers_learn_on_the_bench(tmp_path):
    pytest.importorskip("onnx")
    pytest.importorskip("torch")
    from tiny_encoder import write_encoder

    encoder = write_encoder(tmp_path / "encoder")
    splits = [Split(notes(12), notes(4, "t"))]
    for detector, settings in (
        ("transformer", {"encoder": str(encoder), "epochs": 1, "claims": False}),
        ("stacker", {"models": ["conv-en"], "bias": 0.0}),
        ("stacker+transformer", {"models": ["conv-en"], "encoder": str(encoder), "epochs": 1}),
    ):
        bench = Bench(Ledger(tmp_path / "out"), detector, settings=settings)
        assert bench.measure(splits).micro("strict").gold == 20
        runs = bench.ledger.path.read_text()
        assert str(tmp_path) not in runs, "an encoder is known by what it is, not by where it lies"
    assert systems.has_bias("stacker+transformer")
    with pytest.raises(UsageError, match="training stacker needs the setting models"):
        Bench(Ledger(tmp_path / "out"), "stacker")
    with pytest.raises(UsageError, match="models is of type list"):
        Bench(Ledger(tmp_path / "out"), "stacker", settings={"models": "conv-en"})
