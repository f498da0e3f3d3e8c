import sys

import pytest
from tiny_notes import Words, notes

from plainsight.errors import UsageError
from plainsight.lab.experiments import trainers


def test_an_entry_makes_a_detector_trainable(words, tmp_path, capsys):
    trainers.train("words", notes(4), tmp_path / "model", {"labels": "DATE"})
    detector = trainers.build("words", tmp_path / "model", bias=1.0)
    assert isinstance(detector, Words)
    assert [span.label for span in detector.detect(notes(1))[0]] == ["DATE"]
    assert capsys.readouterr().out == "", "what a library prints while it trains is no result"


def test_settings_are_checked_by_name_and_kind(words):
    assert trainers.check_settings("crf", {"gaussian": 1, "feature_set": "plain"}) == {
        "gaussian": 1,
        "feature_set": "plain",
    }
    with pytest.raises(UsageError, match="did you mean 'iterations'"):
        trainers.check_settings("crf", {"iteration": 5})
    with pytest.raises(UsageError, match="iterations is of type int"):
        trainers.check_settings("crf", {"iterations": "many"})
    with pytest.raises(UsageError, match="no setting 'progress'"):
        trainers.check_settings("crf", {"progress": 1})
    with pytest.raises(UsageError, match="shout is of type bool"):
        trainers.check_settings("words", {"shout": 1})


def test_what_is_unknown_or_missing_is_said(words, monkeypatch):
    with pytest.raises(UsageError, match="did you mean 'crf'"):
        trainers.trainable("crff")
    assert trainers.has_seed("words")
    assert not trainers.has_seed("crf")
    assert trainers.has_bias("crf")
    monkeypatch.setitem(sys.modules, "numpy", None)
    for name in [
        name for name in sys.modules if name.startswith(("plainsight.lab.train", "plainsight.lab.detect.crf"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "plainsight.model", raising=False)
    with pytest.raises(UsageError, match=r"need numpy: pip install 'plainsight\[train\]'"):
        trainers.has_bias("crf")


def test_an_error_of_our_own_is_not_taken_for_a_missing_library(monkeypatch):
    entry = trainers.Trainable("plainsight.lab.train.nowhere:train", "plainsight.lab.train.nowhere:Class")
    monkeypatch.setattr(trainers, "TRAINABLE", {"lost": entry})
    with pytest.raises(ModuleNotFoundError):
        trainers.has_bias("lost")


def test_convolutions_learn_in_experiments_too(tmp_path):
    pytest.importorskip("onnx")
    pytest.importorskip("torch").set_num_threads(1)
    for settings in trainers.trainable("convolution").variants.values():
        assert trainers.check_settings("convolution", settings) == settings
    assert trainers.has_seed("convolution")
    settings = trainers.check_settings(
        "convolution", {"epochs": 60, "width": 16, "rate": 0.01, "claims": False}
    )
    trainers.train("convolution", notes(24), tmp_path / "model", settings)
    detector = trainers.build("convolution", tmp_path / "model", bias=-1.0)
    assert {span.label for spans in detector.detect(notes(2)) for span in spans} == {
        span.label for document in notes(2) for span in document.spans
    }
