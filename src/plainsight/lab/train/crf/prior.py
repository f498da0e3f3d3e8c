"""Prior weights: those of an earlier model, or weights that trust the claims of rules.

The Gaussian prior draws weights towards these values instead of towards zero. So weights that the notes do
not cover stay.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from plainsight.arrays import Doubles, Ints
from plainsight.detect.learned import bio_transitions
from plainsight.lab.detect.crf import NEEDS, edge_arrays
from plainsight.lab.detect.crf.templates import Template
from plainsight.lab.detect.crf.weights import Keys, Weights, digests_of, unpack
from plainsight.lab.train.crf.likelihood import Likelihood
from plainsight.lab.train.crf.slots import TrainingData, features_of, keys_of
from plainsight.labels import LABELS, SCHEMES
from plainsight.model import Model
from plainsight.text.tags import OUTSIDE

_SETTLED = 0.75  # share of the trust that the "settled" template gets, if there is one
_NOT_BEGUN = 5.0  # penalty on an I- tag that no B- tag precedes


_NOTHING = Weights(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0))


class Prior(NamedTuple):
    """Tags, feature weights, the weights of transitions between the tags, and those of edges.

    The tags of edges' weights are pairs of tags, ``before * len(tags) + after``.
    """

    tags: Sequence[str]
    weights: Weights
    transitions: Doubles
    edges: Weights = _NOTHING

    def likelihood(self, data: TrainingData, *, gaussian: float, sequences: Ints | None) -> Likelihood:
        """Return the likelihood of training data whose weights are drawn towards these."""
        count, size = len(self.tags), len(data.tags)
        features = features_of(data.keys, self.weights.keys)
        pairs, known = features * size + self.weights.tags, features >= 0
        features = features_of(keys_of(data.edges), self.edges.keys)
        triples, known_edges = features * size**2 + self._pairs(size), features >= 0
        likelihood = Likelihood(
            data,
            gaussian=gaussian,
            sequences=sequences,
            more=pairs[known],
            more_edges=triples[known_edges],
        )
        likelihood.centre[np.searchsorted(likelihood.pairs, pairs[known])] = self.weights.values[known]
        likelihood.transitions(likelihood.centre)[:count, :count] = self.transitions
        if likelihood.edges is not None:
            at = np.searchsorted(likelihood.edges.triples, triples[known_edges])
            likelihood.of_edges(likelihood.centre)[at] = self.edges.values[known_edges]
        return likelihood

    def rest(self, data: TrainingData) -> Weights:
        """Return the weights of features that the training data lacks."""
        return _lacking(self.weights, data.keys)

    def rest_of_edges(self, data: TrainingData) -> Weights:
        """Return the weights of edges that the training data lacks, for its tags."""
        return _lacking(self.edges._replace(tags=self._pairs(len(data.tags))), keys_of(data.edges))

    def _pairs(self, size: int) -> Ints:
        """Return the pairs of tags of the edges' weights, where there are so many tags: ours come first."""
        before, after = np.divmod(self.edges.tags, len(self.tags))
        return before * size + after


def _lacking(weights: Weights, known: Keys) -> Weights:
    lacking = features_of(known, weights.keys) < 0
    keys, tags, values = weights
    return Weights(keys[lacking], tags[lacking], values[lacking])


def of_model(model: Model) -> Prior:
    """Return the weights of a model."""
    manifest = model.manifest
    weights = unpack(model.arrays, manifest["scale"])
    edges = unpack(edge_arrays(model.arrays), manifest["edge_scale"]) if manifest.get("edges") else _NOTHING
    return Prior(manifest["tags"], weights, model.arrays["transitions"].astype(np.float64), edges)


def of_claims(labels: Sequence[str], templates: Sequence[Template], trust: float) -> Prior:
    """Return weights that favour a claim's label, as the notes call it, by ``trust``.

    The "settled" template, which combines the claims, gets most of the trust. With it, an I- tag that no B-
    tag precedes is penalised.
    """
    tags = [OUTSIDE, *(f"{prefix}-{label}" for prefix in "BI" for label in labels)]
    named = _label_names(labels).items()
    pairs = [(f"{prefix}-{ours}", f"{prefix}-{theirs}") for prefix in "BI" for ours, theirs in named]
    sources = [("claim", f"{rule} ", trust) for rule in NEEDS]
    steps = np.zeros((len(tags), len(tags)))
    if any(template.name == "settled" for template in templates):
        sources = [(name, start, trust * (1 - _SETTLED)) for name, start, _ in sources]
        sources.append(("settled", "", trust * _SETTLED))
        steps[bio_transitions(tags) < 0] = -_NOT_BEGUN
    weights = Weights(
        np.concatenate(
            [digests_of(name, [start + claim for claim, _ in pairs]) for name, start, _ in sources]
        ),
        np.tile(np.array([tags.index(tag) for _, tag in pairs], np.int64), len(sources)),
        np.repeat([weight for _, _, weight in sources], len(pairs)),
    )
    return Prior(tags, weights, steps)


def _label_names(labels: Collection[str]) -> dict[str, str]:
    """Map our labels to those of the notes: the same, or those of a label scheme that has all of theirs.

    >>> _label_names(["IDNUM", "PHONE"])["SSN"], _label_names(["ID", "LOCATION"])["CITY"]
    ('IDNUM', 'LOCATION')
    """
    same = {label: label for label in LABELS if label in labels}
    for scheme in SCHEMES.values():
        theirs = {ours: name for ours, name in scheme.outward.items() if name}
        for names in (theirs, {ours: scheme.inward[name] for ours, name in theirs.items()}):
            if set(labels) <= set(names.values()):
                return {ours: name for ours, name in names.items() if name and name in labels} | same
    return same
