import pytest
from tiny_notes import notes

from plainsight.errors import DataError, PolicyError, UsageError
from plainsight.lab.experiments import trainers
from plainsight.lab.experiments.system import System
from plainsight.pipeline import Pipeline


def test_a_policy_finds_in_the_order_of_the_notes():
    whole = notes(6, patients=2)
    found = System.of_policy("fast").find(whole)
    phones = [
        [whole[at].text[s.start : s.end] for s in spans if s.label == "PHONE"]
        for at, spans in enumerate(found)
    ]
    assert phones == [[f"617-555-01{number}"] for number in range(10, 16)]


def test_a_model_finds_by_itself_and_its_key_follows_its_content(words, tmp_path):
    trainers.train("words", notes(4), tmp_path / "mine", {})
    system = System.of_model(f"words={tmp_path / 'mine'}")
    assert system.name == "words mine"
    assert len(system.find(notes(1))[0]) == 5
    before = system.key()
    trainers.train("words", notes(5), tmp_path / "mine", {})
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

    monkeypatch.setattr(Pipeline, "_detect_batch", fail)
    with pytest.raises(DataError, match="note n0") as error:
        System.of_policy("fast").find(notes(1))
    assert "secret" not in str(error.value)
