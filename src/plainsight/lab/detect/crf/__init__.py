"""The crf detector: a linear-chain conditional random field over whole notes, with a recall bias."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from math import exp
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.lab.detect.crf.feature_sets import FeatureSet, edge_templates, feature_set
from plainsight.lab.detect.crf.notes import read_notes
from plainsight.lab.detect.crf.templates import Template, uses_claims
from plainsight.lab.detect.crf.weights import WeightTable
from plainsight.lab.detect.trained import ChainTagger, ScoredNote
from plainsight.text.tags import OUTSIDE

NEEDS = ("patterns",)
"""The detectors whose claims a feature set looks at; a model may also know those of a site's lists (S101)."""


class Crf(ChainTagger):
    """Tag whole notes with a linear-chain CRF."""

    name: ClassVar[str] = "crf"

    @property
    def needs(self) -> tuple[str, ...]:  # type: ignore[override]
        """The detectors whose claims the model was trained with."""
        return tuple(self.manifest.get("needs", NEEDS))

    @property
    def templates(self) -> tuple[Template, ...]:
        """The templates of the model's feature set."""
        return set_of_model(self.manifest).templates

    @property
    def uses_claims(self) -> bool:
        """Whether the feature set looks at the claims of other detectors."""
        return uses_claims(self.templates)

    @cached_property
    def _weights(self) -> WeightTable:
        return WeightTable(self._loaded.arrays, self.manifest["scale"], len(self.tags))

    @cached_property
    def _edges(self) -> tuple[WeightTable, tuple[Template, ...]] | None:
        names = self.manifest.get("edges", ())
        if not names:
            return None
        arrays = edge_arrays(self._loaded.arrays)
        return WeightTable(arrays, self.manifest["edge_scale"], len(self.tags)), edge_templates(names)

    def sequences(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> Iterable[ScoredNote]:
        """Yield each note's tokens and scores."""
        notes = read_notes(documents, claims, **reading(self.manifest))
        scores = self._weights.scores(notes, self.templates)
        edges = self._edges[0].edges(notes, self._edges[1]) if self._edges else [None] * len(notes)
        for _, group in groupby(zip(notes, scores, edges, strict=True), key=lambda part: part[0].owner):
            parts, own, more = zip(*group, strict=True)
            tokens = [token for part in parts for token in part.tokens]
            yield ScoredNote(tokens, list(own), list(more) if self._edges else None)

    def expected_f(self, documents: Sequence[Document]) -> list[float]:
        """Return the F over phrases that each note's labelling can expect (`expected_f`)."""
        solved = self.solve(documents)
        return [
            expected_f(
                np.concatenate(note.paths),
                np.concatenate([marginals.probabilities for marginals in note.marginals]),
                self.tags,
            )
            for note in solved
        ]


def set_of_model(manifest: Mapping[str, Any]) -> FeatureSet:
    """Return the feature set of a model; refuse a model whose features have changed since."""
    name = manifest["feature_set"]
    found = feature_set(name)
    if manifest.get("edition", 1) != found.edition:
        raise UsageError(f"the features of {name!r} have changed since the model was trained: train it again")
    return found


def reading(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return the presets by which a model cuts notes into tokens and sequences."""
    return {"tokens": manifest.get("tokens", "plainsight"), "sequences": manifest.get("sequences", "record")}


_EDGE = "edge_"


def edge_arrays(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arrays of the edges' weights, named as those of the other weights."""
    return {name.removeprefix(_EDGE): array for name, array in arrays.items() if name.startswith(_EDGE)}


_LIKELY = 0.2
"""A beginning less likely than this does not count: over hundreds of words they add up to noise."""


def expected_f(path: NDArray[np.int64], probabilities: NDArray[np.float64], tags: Sequence[str]) -> float:
    """Return about how high the F over phrases (extent and label exact) will be.

    A phrase is right with the probability of its most doubtful token, or of its end. Missing are as many as
    the probabilities of likely beginnings outside of phrases add up to. Where nothing was found it is the
    chance that nothing is there.

    >>> chances = np.array([[0.1, 0.9, 0.0], [0.2, 0.0, 0.8], [0.7, 0.3, 0.0]])
    >>> round(expected_f(np.array([1, 2, 0]), chances, ["O", "B-DATE", "I-DATE"]), 3)
    0.762
    """
    begins = [place for place, tag in enumerate(tags) if tag.startswith("B-")]
    chances = probabilities[:, begins].sum(axis=1)[path == tags.index(OUTSIDE)]
    missing = float(chances[chances >= _LIKELY].sum())
    found = _phrases(path, tags)
    if not found:
        return exp(-missing)
    within = {tag[2:]: place for place, tag in enumerate(tags) if tag.startswith("I-")}
    right = 0.0
    for first, last in found:
        inner = within.get(tags[path[first]][2:])
        goes_on = probabilities[last, inner] if inner is not None and last < len(path) else 0.0
        sure = probabilities[np.arange(first, last), path[first:last]].min()
        right += float(min(sure, 1.0 - goes_on))
    return 2 * right / (len(found) + right + missing)


def _phrases(path: NDArray[np.int64], tags: Sequence[str]) -> list[tuple[int, int]]:
    """Return where phrases begin and end, as half-open ranges of tokens."""
    made: list[tuple[int, int]] = []
    before = ""
    for place, number in enumerate(path.tolist()):
        prefix, _, label = tags[number].partition("-")
        if not label:
            before = ""
            continue
        if prefix == "I" and label == before:
            made[-1] = (made[-1][0], place + 1)
        else:
            made.append((place, place + 1))
        before = label
    return made
