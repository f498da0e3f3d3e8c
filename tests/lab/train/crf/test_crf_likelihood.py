"""The loss against CRFsuite's, its gradient against small steps."""

import numpy as np
import pytest

from plainsight.document import Document
from plainsight.lab.detect.crf.feature_sets import FEATURE_SETS, read_notes
from plainsight.lab.detect.crf.weights import digests_of
from plainsight.lab.train.crf import likelihood as crf_data
from plainsight.lab.train.crf.likelihood import Likelihood, training_data
from plainsight.lab.train.lbfgs import minimise
from plainsight.text.tags import encode


def read(documents):
    return read_notes(documents, [[] for _ in documents])


def test_the_gradient_is_the_slope(notes, monkeypatch):
    monkeypatch.setattr(crf_data, "_LONGEST", 17)  # notes are cut, sequences have many lengths
    documents = [*notes(4), Document("empty", ""), Document("one", "Ashby")]
    likelihood = Likelihood(training_data(read(documents), FEATURE_SETS["plain"]), gaussian=0.3)
    rng = np.random.default_rng(0)
    likelihood.centre[:] = rng.normal(size=len(likelihood.centre))
    weights = rng.normal(size=len(likelihood.centre))
    _, gradient = likelihood(weights)
    steps = rng.integers(0, len(weights), 12).tolist() + list(range(-6, 0))
    for place in steps:
        small = np.zeros(len(weights))
        small[place] = 1e-2
        slope = (likelihood(weights + small)[0] - likelihood(weights - small)[0]) / 2e-2
        assert gradient[place] == pytest.approx(slope, abs=2e-3)


def test_the_best_weights_are_as_good_as_crfsuites(notes, tmp_path):
    pycrfsuite = pytest.importorskip("pycrfsuite")
    templates, gold = FEATURE_SETS["carafe-base"], read(notes(8))
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
    whole = training_data(read(documents), FEATURE_SETS["plain"])
    half = Likelihood(whole, gaussian=0.0, sequences=np.array([0, 1, 2]))
    alone = Likelihood(training_data(read(documents[:3]), FEATURE_SETS["plain"]), gaussian=0.0)
    assert len(half.pairs) == len(alone.pairs)
    assert half(half.centre)[0] == pytest.approx(alone(alone.centre)[0])


def test_rare_values_are_left_out(notes):
    often = training_data(read(notes(6)), FEATURE_SETS["plain"], rarest=3)
    everything = training_data(read(notes(6)), FEATURE_SETS["plain"])
    assert len(often.keys) < len(everything.keys)
    tanaka = digests_of("word", ["w=tanaka"])
    assert tanaka in everything.keys
    assert tanaka not in often.keys
