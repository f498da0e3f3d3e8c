"""The crf detector: a linear-chain conditional random field over whole notes, with a recall bias."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from threading import Lock
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.learned import ModelLabels, claims_of
from plainsight.document import Document, Span
from plainsight.lab.detect.crf.chain import Chain, Solved, batches
from plainsight.lab.detect.crf.channels import FEATURE_SETS, Note
from plainsight.lab.detect.crf.expected import expected_f
from plainsight.lab.detect.crf.notes import read_notes
from plainsight.lab.detect.crf.tables import Emissions, Weights
from plainsight.model import Model, load_model, read_manifest
from plainsight.text.tags import OUTSIDE, decode

__all__ = ["Crf"]

Floats = NDArray[np.float32]

_CHARACTERS = 1 << 17  # of a batch


class Crf:
    """Tag whole notes with a linear-chain CRF (S19–S24).

    ``bias`` is added to the weight of ``O`` at every token (S36): below 0 more is found, above 0 less. The
    model's feature set may look at what other detectors claim; a pipeline that has run them passes it on.
    """

    name: ClassVar[str] = "crf"
    labels = ModelLabels()
    needs: ClassVar[tuple[str, ...]] = ("patterns", "lexicon")

    def __init__(self, *, model: str = "crf-en", bias: float | None = None) -> None:
        self.model = model
        self.bias = bias

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """What the model says of itself."""
        return read_manifest(self.model)

    @cached_property
    def _model(self) -> Model:
        return load_model(self.model, kind="crf")

    @cached_property
    def _network(self) -> _Network:
        return _Network(self._model)

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        return self.detect_with(documents, self._claims(documents))

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document, given what the detectors it needs have claimed."""
        found: list[list[Span]] = [[] for _ in documents]
        # In batches, lest all tokens of all notes are in memory at once.
        for batch in batches([len(document.text) for document in documents], room=_CHARACTERS):
            notes = read_notes([documents[place] for place in batch], [claims[place] for place in batch])
            for place, spans in zip(batch, self._network.spans(notes, self.bias), strict=True):
                found[place] = spans
        return found

    def confidence(self, documents: Sequence[Document]) -> list[float]:
        """Return for each note the log-probability of its best labelling as a whole (S49)."""
        return self._network.confidence(read_notes(documents, self._claims(documents)), self.bias)

    def expected_f(self, documents: Sequence[Document]) -> list[float]:
        """Return for each note the F over phrases that its labelling can expect (`expected`)."""
        return self._network.expected_f(read_notes(documents, self._claims(documents)), self.bias)

    def _claims(self, documents: Sequence[Document]) -> list[list[Span]]:
        return claims_of(self.needs if self._network.stacked else (), documents)


class _Network:
    """A trained model made ready: tables and chain."""

    def __init__(self, model: Model) -> None:
        arrays, manifest = model.arrays, model.manifest
        self.tags: list[str] = manifest["tags"]
        self.bias = float(manifest["bias"])
        self.channels = FEATURE_SETS[manifest["feature_set"]]
        values = arrays["values"].astype(np.float32) * np.float32(manifest["scale"])
        weights = Weights(arrays["digests"], arrays["starts"], arrays["cells"], values)
        self.emissions = Emissions(self.channels, weights, len(self.tags))
        self.outside = self.tags.index(OUTSIDE)
        self.chain = Chain(arrays["transitions"], self.outside)
        self._lock = Lock()
        self.stacked = any(channel.name == "claim" for channel in self.channels)

    def scores(self, notes: Sequence[Note], bias: float | None) -> list[Floats]:
        emissions = self.emissions(notes)
        for scores in emissions:
            scores[:, self.outside] += self.bias if bias is None else bias
        return emissions

    def spans(self, notes: Sequence[Note], bias: float | None) -> list[list[Span]]:
        found: list[list[Span]] = [[] for _ in notes]
        for place, _, solved in self._solved(notes, bias):
            found[place] = self._spans(notes[place], solved)
        return found

    def confidence(self, notes: Sequence[Note], bias: float | None) -> list[float]:
        found = [0.0] * len(notes)
        for place, scores, solved in self._solved(notes, bias):
            found[place] = self.chain.log_score(scores, solved.path) - solved.log_z
        return found

    def expected_f(self, notes: Sequence[Note], bias: float | None) -> list[float]:
        found = [1.0] * len(notes)
        with self._lock:
            for batch in batches([len(note.tokens) for note in notes]):
                emissions = self.scores([notes[place] for place in batch], bias)
                marginals = self.chain.marginals(emissions)
                paths = self.chain.best(emissions, marginals)
                for place, path, marginal in zip(batch, paths, marginals, strict=True):
                    found[place] = expected_f(path, marginal.probabilities, self.tags)
        return found

    def _solved(self, notes: Sequence[Note], bias: float | None) -> Iterator[tuple[int, Floats, Solved]]:
        """Yield every note's place, scores and solution, in any order; notes without tokens have none."""
        with self._lock:  # tables learn, and the chain's room is used again
            for batch in batches([len(note.tokens) for note in notes]):
                emissions = self.scores([notes[place] for place in batch], bias)
                yield from zip(batch, emissions, self.chain.solve(emissions), strict=True)

    def _spans(self, note: Note, solved: Solved) -> list[Span]:
        places = np.flatnonzero(solved.path != self.outside)
        if not len(places):
            return []
        # One token more after every run, to part it from the next.
        shown = np.unique(np.concatenate((places, places + 1)))[
            : -1 if places[-1] + 1 == len(solved.path) else None
        ]
        tokens = [note.tokens[place] for place in shown.tolist()]
        tags = [self.tags[label] for label in solved.path[shown].tolist()]
        starts, inside = [start for start, _ in tokens], solved.inside[shown].tolist()
        made = []
        for span in decode(tags, tokens, source=Crf.name):
            sure = min(inside[bisect_left(starts, span.start) : bisect_left(starts, span.end)])
            # rounded, for the last bits depend on which notes are worked on together
            score = round(min(max(sure, 0.0), 1.0), 6)
            made.append(Span(span.start, span.end, span.label, score, span.source))
        return made
