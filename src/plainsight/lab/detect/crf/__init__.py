"""The crf detector: a linear-chain conditional random field over whole notes, with a recall bias."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from plainsight.arrays import Doubles, Floats
from plainsight.detect.learned import ModelLabels, claims_of, scored_spans
from plainsight.document import Document, Span
from plainsight.lab.detect.chain import Chain, batches
from plainsight.lab.detect.crf.expected_f import expected_f
from plainsight.lab.detect.crf.feature_sets import FEATURE_SETS, uses_claims
from plainsight.lab.detect.crf.notes import Note, read_notes
from plainsight.lab.detect.crf.weights import WeightTable
from plainsight.lab.detect.trained import require_model
from plainsight.model import Model, load_model, read_manifest
from plainsight.text.tags import OUTSIDE

_CHARACTERS = 1 << 17  # of a batch


class Crf:
    """Tag whole notes with a linear-chain CRF.

    ``model`` is the folder of a trained model. ``bias`` is added to the weight of ``O`` at every token:
    below 0 more is found, above 0 less; None takes the model's own. The model's feature set may look at the
    claims of other detectors; a pipeline that has run them passes them on.
    """

    name: ClassVar[str] = "crf"
    labels = ModelLabels()
    needs: ClassVar[tuple[str, ...]] = ("patterns",)

    def __init__(self, *, model: str = "", bias: float | None = None) -> None:
        self.model = model
        self.bias = bias

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """The model's manifest."""
        return read_manifest(require_model(self.name, self.model))

    @cached_property
    def _tagger(self) -> _Tagger:
        return _Tagger(load_model(require_model(self.name, self.model), kind=self.name))

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        return self.detect_with(documents, self._claims(documents))

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document, given the claims of the detectors it needs."""
        found: list[list[Span]] = [[] for _ in documents]
        for batch in batches([len(document.text) for document in documents], room=_CHARACTERS):
            notes = read_notes([documents[place] for place in batch], [claims[place] for place in batch])
            for place, spans in zip(batch, self._tagger.spans(notes, self.bias), strict=True):
                found[place] = spans
        return found

    def probabilities(self, documents: Sequence[Document]) -> list[Doubles]:
        """Return the probability of every tag at every token of each note."""
        emissions = self._tagger.scores(self._read(documents), self.bias)
        return [marginals.probabilities for marginals in self._tagger.chain.marginals(emissions)]

    def confidence(self, documents: Sequence[Document]) -> list[float]:
        """Return the log-probability of each note's best labelling."""
        chain, emissions = self._tagger.chain, self._tagger.scores(self._read(documents), self.bias)
        solved = zip(emissions, chain.best(emissions), chain.marginals(emissions), strict=True)
        return [chain.log_score(scores, path) - marginals.log_z for scores, path, marginals in solved]

    def expected_f(self, documents: Sequence[Document]) -> list[float]:
        """Return the F over phrases that each note's labelling can expect (`expected_f`)."""
        chain, emissions = self._tagger.chain, self._tagger.scores(self._read(documents), self.bias)
        solved = zip(chain.best(emissions), chain.marginals(emissions), strict=True)
        return [expected_f(path, known.probabilities, self._tagger.tags) for path, known in solved]

    def _read(self, documents: Sequence[Document]) -> list[Note]:
        return read_notes(documents, self._claims(documents))

    def _claims(self, documents: Sequence[Document]) -> list[list[Span]]:
        return claims_of(self.needs if uses_claims(self._tagger.templates) else (), documents)


class _Tagger:
    """A loaded model: feature weights and the chain of tags."""

    def __init__(self, model: Model) -> None:
        arrays, manifest = model.arrays, model.manifest
        self.tags: list[str] = manifest["tags"]
        self.bias = float(manifest["bias"])
        self.templates = FEATURE_SETS[manifest["feature_set"]]
        self.weights = WeightTable(arrays, manifest["scale"], len(self.tags))
        self.outside = self.tags.index(OUTSIDE)
        self.chain = Chain(arrays["transitions"])

    def scores(self, notes: Sequence[Note], bias: float | None) -> list[Floats]:
        """Return the score of every tag at every token, the bias included."""
        emissions = self.weights.scores(notes, self.templates)
        for scores in emissions:
            scores[:, self.outside] += self.bias if bias is None else bias
        return emissions

    def spans(self, notes: Sequence[Note], bias: float | None) -> list[list[Span]]:
        """Return the spans of each note's best labelling."""
        emissions = self.scores(notes, bias)
        solved = zip(notes, self.chain.best(emissions), self.chain.marginals(emissions), strict=True)
        made = []
        for note, path, marginals in solved:
            tags, outside = [self.tags[tag] for tag in path], marginals.probabilities[:, self.outside]
            made.append(scored_spans(tags, note.tokens, outside, source=Crf.name))
        return made
