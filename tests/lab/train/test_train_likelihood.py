"""The loss against CRFsuite's, its gradient against small steps."""

import numpy as np
import pytest

from plainsight.document import Document
from plainsight.lab.detect.crf.channels import FEATURE_SETS
from plainsight.lab.detect.crf.notes import read_notes
from plainsight.lab.train import problem as problems
from plainsight.lab.train.lbfgs import minimise
from plainsight.lab.train.likelihood import Likelihood
from plainsight.lab.train.problem import state
from plainsight.text.tags import encode


def read(documents):
    return read_notes(documents, [[] for _ in documents])


def test_the_gradient_is_the_slope(notes, monkeypatch):
    monkeypatch.setattr(problems, "_LONGEST", 17)  # notes are cut, sequences have many lengths
    documents = [*notes(4), Document("empty", ""), Document("one", "Ashby")]
    likelihood = Likelihood(state(read(documents), FEATURE_SETS["plain"]), gaussian=0.3)
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
    channels, gold = FEATURE_SETS["carafe-base"], read(notes(8))
    likelihood = Likelihood(state(gold, channels), gaussian=0.1)
    *_, ours = minimise(likelihood, likelihood.centre, iterations=200, tolerance=1e-7)
    params = {"c2": 0.1, "feature.possible_transitions": True, "delta": 1e-8, "max_iterations": 500}
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", params=params, verbose=False)
    for note in gold:
        items = [
            [
                f"{channel.name}{offset:+d} {feature}"
                for channel in channels
                for offset in channel.offsets
                if 0 <= place + offset < len(note.tokens)
                for feature in channel.features(channel.values(note)[place + offset])
            ]
            for place in range(len(note.tokens))
        ]
        trainer.append(items, encode(note.document.spans, note.tokens))
    trainer.train(str(tmp_path / "model"))
    assert ours.loss == pytest.approx(trainer.logparser.last_iteration["loss"], rel=1e-3)


def test_only_chosen_sequences_count(notes):
    documents = notes(6)
    whole = state(read(documents), FEATURE_SETS["plain"])
    half = Likelihood(whole, gaussian=0.0, sequences=np.array([0, 1, 2]))
    alone = Likelihood(state(read(documents[:3]), FEATURE_SETS["plain"]), gaussian=0.0)
    assert len(half.pairs) == len(alone.pairs)
    assert half(half.centre)[0] == pytest.approx(alone(alone.centre)[0])


def test_rare_values_are_left_out(notes):
    often = state(read(notes(6)), FEATURE_SETS["plain"], rarest=3)
    assert len(often.names) < len(state(read(notes(6)), FEATURE_SETS["plain"]).names)
    assert not any("tanaka" in name for name in often.names)
