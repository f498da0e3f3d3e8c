"""The loss against CRFsuite's, its gradient against small steps."""

import numpy as np
import pytest

from plainsight.document import Document
from plainsight.lab.detect.crf.feature_sets import edge_templates
from plainsight.lab.detect.crf.feature_sets import feature_set as set_by_name
from plainsight.lab.detect.crf.notes import read_notes
from plainsight.lab.detect.crf.weights import digests_of
from plainsight.lab.train.crf import slots as crf_data
from plainsight.lab.train.crf.gpu import loss_on
from plainsight.lab.train.crf.likelihood import Likelihood
from plainsight.lab.train.crf.slots import training_data
from plainsight.lab.train.lbfgs import minimise
from plainsight.text.tags import encode


def read(documents):
    return read_notes(documents, [[] for _ in documents])


@pytest.mark.parametrize("edges", [(), ("previous", "word")])
def test_the_gradient_is_the_slope(notes, monkeypatch, edges):
    monkeypatch.setattr(crf_data, "_LONGEST", 17)  # notes are cut, sequences have many lengths
    documents = [*notes(4), Document("empty", ""), Document("one", "Ashby")]
    data = training_data(read(documents), set_by_name("plain").templates, edges=edge_templates(edges))
    likelihood = Likelihood(data, gaussian=0.3)
    rng = np.random.default_rng(0)
    likelihood.centre[:] = rng.normal(size=len(likelihood.centre))
    weights = rng.normal(size=len(likelihood.centre))
    _, gradient = likelihood(weights)
    steps = [*rng.integers(0, len(weights), 12).tolist(), *range(-6, 0), len(likelihood.pairs) + 3]
    for place in steps:
        small = np.zeros(len(weights))
        small[place] = 1e-2
        slope = (likelihood(weights + small)[0] - likelihood(weights - small)[0]) / 2e-2
        assert gradient[place] == pytest.approx(slope, abs=2e-3)


def test_the_best_weights_are_as_good_as_crfsuites(notes, tmp_path):
    pycrfsuite = pytest.importorskip("pycrfsuite")
    templates, gold = set_by_name("carafe-i").templates, read(notes(8))
    likelihood = Likelihood(training_data(gold, templates), gaussian=0.1)
    ours, _ = likelihood(minimise(likelihood, likelihood.centre, iterations=200, tolerance=1e-7))
    params = {"c2": 0.1, "feature.possible_transitions": True, "delta": 1e-8, "max_iterations": 500}
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", params=params, verbose=False)
    for note in gold:
        items = [
            [
                f"{template.name}{offset:+d} {feature}"
                for template in templates
                for offset in template.offsets
                if 0 <= place + offset < len(note.tokens)
                for feature in template.features(template.values(note)[place + offset])
            ]
            for place in range(len(note.tokens))
        ]
        trainer.append(items, encode(note.document.spans, note.tokens))
    trainer.train(str(tmp_path / "model"))
    assert ours == pytest.approx(trainer.logparser.last_iteration["loss"], rel=1e-3)


def test_only_chosen_sequences_count(notes):
    documents = notes(6)
    whole = training_data(read(documents), set_by_name("plain").templates)
    half = Likelihood(whole, gaussian=0.0, sequences=np.array([0, 1, 2]))
    alone = Likelihood(training_data(read(documents[:3]), set_by_name("plain").templates), gaussian=0.0)
    assert len(half.pairs) == len(alone.pairs)
    assert half(half.centre)[0] == pytest.approx(alone(alone.centre)[0])


def test_rare_values_are_left_out(notes):
    often = training_data(read(notes(6)), set_by_name("plain").templates, rarest=3)
    everything = training_data(read(notes(6)), set_by_name("plain").templates)
    assert len(often.keys) < len(everything.keys)
    tanaka = digests_of("word", ["w=tanaka"])
    assert tanaka in everything.keys
    assert tanaka not in often.keys


@pytest.mark.parametrize("features", ["carafe-all", "plain"])  # with and without edges, several features
def test_the_loss_of_the_gpu_is_the_same(notes, monkeypatch, features):
    pytest.importorskip("torch")
    monkeypatch.setattr(crf_data, "_LONGEST", 40)
    chosen = set_by_name(features)
    documents = [*notes(3), Document("empty", ""), Document("one", "Ashby")]
    data = training_data(read(documents), chosen.templates, edges=edge_templates(chosen.edges))
    likelihood = Likelihood(data, gaussian=0.3)
    weights = np.random.default_rng(0).normal(size=len(likelihood.centre))
    loss, gradient = likelihood(weights)
    same, slope = loss_on(likelihood, "cpu")(weights)
    assert same == pytest.approx(loss, rel=1e-6)
    assert slope == pytest.approx(gradient, abs=1e-2)
