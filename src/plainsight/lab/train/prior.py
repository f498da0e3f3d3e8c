"""What is known before training: the weights of a model, or that rules are mostly right in what they claim.

The Gaussian prior draws weights towards these instead of towards zero, so what the notes do not speak of
stays as it was known.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.learned import legal_steps
from plainsight.lab.detect.crf import Crf
from plainsight.lab.detect.crf.channels import Channel
from plainsight.lab.detect.crf.digests import digest
from plainsight.lab.train.likelihood import Likelihood
from plainsight.lab.train.packing import Packed, places_of, unpack
from plainsight.lab.train.problem import Problem
from plainsight.labels import LABELS, SCHEMES
from plainsight.model import Model
from plainsight.text.tags import OUTSIDE

__all__ = ["Prior", "of_claims", "of_model"]

Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]

_SETTLED = 0.75  # of the trust
_BEGUN = 5.0  # against going on with what has not begun


class Prior(NamedTuple):
    """Tags, weights one by one, and weights of transitions between the tags."""

    tags: Sequence[str]
    weights: Packed
    transitions: Doubles

    def likelihood(
        self, problem: Problem, channels: Sequence[Channel], *, gaussian: float, sequences: Ints | None
    ) -> Likelihood:
        """Return the likelihood of a problem whose weights are drawn towards these."""
        pairs = self._pairs(problem, channels)
        known, values = pairs[pairs >= 0], self.weights.values[pairs >= 0]
        likelihood = Likelihood(problem, gaussian=gaussian, sequences=sequences, more=known)
        likelihood.centre[np.searchsorted(likelihood.pairs, known)] = values
        count = len(self.tags)
        likelihood.transitions(likelihood.centre)[:count, :count] = self.transitions
        return likelihood

    def rest(self, problem: Problem, channels: Sequence[Channel]) -> Packed:
        """Return the weights of features that the problem lacks."""
        there, old = self._pairs(problem, channels) < 0, self.weights
        return Packed(old.digests, old.rows[there], old.places[there], old.tags[there], old.values[there])

    def _pairs(self, problem: Problem, channels: Sequence[Channel]) -> Ints:
        """Return for each weight its pair in the problem, below 0 for a feature that it lacks."""
        old = self.weights
        features = zip(*places_of(problem.names, channels), strict=True)
        number = {feature: place for place, feature in enumerate(features)}
        here = [
            number.get((old.digests[row], place), -1)
            for row, place in zip(old.rows.tolist(), old.places.tolist(), strict=True)
        ]
        return np.array(here, dtype=np.int64) * len(problem.tags) + old.tags


def of_model(model: Model) -> Prior:
    """Return what a model knows."""
    tags: list[str] = model.manifest["tags"]
    weights = unpack(model.arrays, model.manifest["scale"], labels=len(tags))
    return Prior(tags, weights, model.arrays["transitions"].astype(np.float64))


def of_claims(labels: Sequence[str], channels: Sequence[Channel], trust: float) -> Prior:
    """Return that a rule's claim speaks, by a weight of ``trust``, for its label as the notes call it.

    Channels that tell what claims come to are given most of it; then an identifier must also have begun.
    """
    tags = [OUTSIDE, *(f"{prefix}-{label}" for prefix in "BI" for label in labels)]
    places = {channel.name: channel.offsets.index(0) for channel in channels if 0 in channel.offsets}
    called = _called(labels).items()
    pairs = [(f"{prefix}-{ours}", f"{prefix}-{theirs}") for prefix in "BI" for ours, theirs in called]
    speaks = [("claim", f"{rule} ", trust) for rule in Crf.needs]
    steps = np.zeros((len(tags), len(tags)))
    if "settled" in places:
        speaks = [(name, said, trust * (1 - _SETTLED)) for name, said, _ in speaks]
        speaks.append(("settled", "", trust * _SETTLED))
        steps[legal_steps(tags) < 0] = -_BEGUN
    digests = [digest(name, said + claim) for name, said, _ in speaks for claim, _ in pairs]
    weights = Packed(
        digests,
        np.arange(len(digests)),
        np.repeat([places[name] for name, _, _ in speaks], len(pairs)),
        np.tile(np.array([tags.index(tag) for _, tag in pairs], np.int64), len(speaks)),
        np.repeat([weight for _, _, weight in speaks], len(pairs)),
    )
    return Prior(tags, weights, steps)


def _called(labels: Collection[str]) -> dict[str, str]:
    """Return how notes with these labels call what we call so: as we do, or as a scheme that has them all.

    >>> _called(["IDNUM", "PHONE"])["SSN"], _called(["ID", "LOCATION"])["CITY"]
    ('IDNUM', 'LOCATION')
    """
    same = {label: label for label in LABELS if label in labels}
    for scheme in SCHEMES.values():
        theirs = {ours: name for ours, name in scheme.outward.items() if name}
        for names in (theirs, {ours: scheme.inward[name] for ours, name in theirs.items()}):
            if set(labels) <= set(names.values()):
                return {ours: name for ours, name in names.items() if name and name in labels} | same
    return same
