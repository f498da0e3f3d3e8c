"""The crf detector: a linear-chain conditional random field over whole notes, with a recall bias."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import exp
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats
from plainsight.document import Document, Span
from plainsight.lab.detect.crf.feature_sets import FEATURE_SETS, Template, read_notes, uses_claims
from plainsight.lab.detect.crf.weights import WeightTable
from plainsight.lab.detect.trained import ChainTagger
from plainsight.text.tags import OUTSIDE
from plainsight.text.tokens import Offsets


class Crf(ChainTagger):
    """Tag whole notes with a linear-chain CRF."""

    name: ClassVar[str] = "crf"
    needs: ClassVar[tuple[str, ...]] = ("patterns",)

    @property
    def templates(self) -> tuple[Template, ...]:
        """The templates of the model's feature set."""
        return FEATURE_SETS[self.manifest["feature_set"]]

    @property
    def uses_claims(self) -> bool:
        """Whether the feature set looks at the claims of other detectors."""
        return uses_claims(self.templates)

    @cached_property
    def _weights(self) -> WeightTable:
        return WeightTable(self._loaded.arrays, self.manifest["scale"], len(self.tags))

    def sequences(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> Iterable[tuple[Offsets, list[Floats]]]:
        """Yield each note's tokens and scores; the whole note is one sequence."""
        notes = read_notes(documents, claims)
        scores = self._weights.scores(notes, self.templates)
        return ((note.tokens, [own]) for note, own in zip(notes, scores, strict=True))

    def expected_f(self, documents: Sequence[Document]) -> list[float]:
        """Return the F over phrases that each note's labelling can expect (`expected_f`)."""
        solved = self.solve(documents)
        return [expected_f(note.paths[0], note.marginals[0].probabilities, self.tags) for note in solved]


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
