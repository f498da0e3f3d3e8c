"""The policy of a run, with the models and the recall that the user asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainsight import registry
from plainsight.cli.policy_options import Recall, choose_policy
from plainsight.config import Choice
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.lab.train.crf import train_crf
from plainsight.model import read_manifest
from plainsight.models import models_of, sources_of, takes_models, with_bias_moved
from plainsight.pipeline import Pipeline


def biases(name: str, recall: Recall) -> dict[str, float]:
    policy = choose_policy(name, recall=recall)
    return {choice.name: choice.options["bias"] for choice in policy.detectors if "bias" in choice.options}


def test_the_dial_moves_the_policy_s_own_bias():
    balanced, high, most = (biases("balanced", recall)["cascade"] for recall in Recall)
    assert balanced > high > most
    assert choose_policy("balanced", recall=Recall.BALANCED) == choose_policy("balanced")


def test_the_dial_moves_the_model_s_bias_where_the_policy_has_none(tmp_path):
    policy = tmp_path / "mine.toml"
    policy.write_text('detectors = ["patterns", "convolution"]\n')
    assert biases(str(policy), Recall.HIGH)["convolution"] == read_manifest("conv-en")["bias"] - 1.5


def test_the_dial_needs_something_to_move(tmp_path):
    policy = tmp_path / "rules.toml"
    policy.write_text('detectors = ["patterns"]\n')
    with pytest.raises(UsageError, match="no learned detector"):
        choose_policy(str(policy), recall=Recall.MAX)


def test_several_models_of_a_kind_run_side_by_side():
    policy = choose_policy("fast", [Path("conv-en"), Path("wide-en")])
    names = [choice.name for choice in policy.detectors]
    assert names == ["patterns", "patient", "convolution", "convolution-2"]
    assert set(models_of(policy)) == {"convolution", "convolution-2"}


def test_a_run_s_manifest_names_its_models():
    found = models_of(choose_policy("balanced"))
    assert set(found) == {"cascade"}
    assert len(found["cascade"]) == 64


def foreign(folder: Path, *labels: str) -> Path:
    """A CRF with labels of its own, learnt from a few lines."""
    texts = (
        "Visto por Ana Ruiz hoy en Burgos.",
        "Ingresa Luis Gil hoy en Toledo.",
        "Alta de Eva Sanz hoy en Soria.",
    )
    notes = []
    for number, text in enumerate(texts * 4):
        *_, first, last, _, _, town = text.rstrip(".").split()
        found = (f"{first} {last}", town)
        spans = [
            Span(text.index(its), text.index(its) + len(its), label)
            for its, label in zip(found, labels, strict=True)
        ]
        notes.append(Document(str(number), text, tuple(spans)))
    train_crf(notes, folder, feature_set="plain", iterations=10, bias=0.0)
    return folder


def test_of_models_with_labels_of_their_own_the_mean_is_taken(tmp_path):
    one, two = (foreign(tmp_path / name, "NOMBRE", "CALLE") for name in ("one", "two"))
    alone, both = choose_policy("fast", [one]), choose_policy("fast", [one, two])
    assert [choice.name for choice in alone.detectors] == ["crf"]
    assert [choice.name for choice in both.detectors] == ["average"]
    assert both.labels == alone.labels == {"NOMBRE", "CALLE"}
    found = [
        [(span.start, span.end, span.label) for span in note.spans]
        for policy in (alone, both)
        for note in Pipeline(policy).detect([Document("x", "Visto por Ana Ruiz hoy en Burgos.")])
    ]
    assert found[0] == found[1] == [(10, 18, "NOMBRE"), (26, 32, "CALLE")]
    with pytest.raises(UsageError, match="only with such models"):
        choose_policy("fast", [one, foreign(tmp_path / "three", "PATIENT", "CITY")])
    with pytest.raises(UsageError, match="not one of our labels"):
        choose_policy("fast", [one, two], replacing=True)


def test_models_with_different_labels_make_a_union(tmp_path):
    one, two = foreign(tmp_path / "one", "NOMBRE", "CALLE"), foreign(tmp_path / "two", "PERSONA", "CIUDAD")
    policy = choose_policy("fast", [one, two])
    assert [choice.name for choice in policy.detectors] == ["crf", "crf-2"]
    note = Document("x", "Visto por Ana Ruiz hoy en Burgos.")
    [found] = Pipeline(policy).detect([note])
    claims = {(c.start, c.end, c.label) for span in found.spans for c in (span.claims or (span,))}
    for model in (one, two):
        [alone] = Pipeline(choose_policy("fast", [model])).detect([note])
        assert {(s.start, s.end, s.label) for s in alone.spans} <= claims


class Guess:
    """A plugin with options of the same names, which does not follow the `Learned` protocol."""

    name = "guess"
    labels = frozenset({"AGE"})

    def __init__(self, *, model: str = "tall", bias: float = 0.0) -> None:
        self.height = (model, bias)

    def detect(self, documents):
        return [[] for _ in documents]


def test_the_name_of_an_option_does_not_make_a_detector_learned(monkeypatch):
    resolve = registry.resolve
    monkeypatch.setattr(
        registry, "resolve", lambda kind, name: Guess if name == "guess" else resolve(kind, name)
    )
    assert not takes_models("guess")
    assert sources_of(Choice("guess")) == []
    assert with_bias_moved(Choice("guess"), -1.0) == Choice("guess")
