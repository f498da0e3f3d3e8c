"""plainsight in Presidio, and Presidio beside plainsight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plainsight.config import load_policy
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError
from plainsight.formats.standoff import annotated
from plainsight.interop.packages import need
from plainsight.labels import LABELS, from_ours
from plainsight.pipeline import Pipeline

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine, EntityRecognizer
else:
    EntityRecognizer = need("presidio_analyzer", "presidio-analyzer").EntityRecognizer

_NAME = "PlainsightRecognizer"

MODEL = "en_core_web_lg"
"""The spaCy model that Presidio uses by default."""


class PlainsightRecognizer(EntityRecognizer):  # type: ignore[misc]
    """A Presidio recogniser that finds what a plainsight policy finds.

    Results have Presidio's entity names (``PERSON``, ``DATE_TIME``); a label without one, such as
    ``PROFESSION``, keeps its own. With ``own_labels``, all keep ours (``PATIENT``, ``DATE``).

    >>> recognizer = PlainsightRecognizer("redact")
    >>> results = recognizer.analyze("Dr. Okafor", ["PERSON"])
    >>> [(found.entity_type, found.start, found.end) for found in results]
    [('PERSON', 4, 10)]
    """

    def __init__(
        self, policy: str | Path = "balanced", *, own_labels: bool = False, language: str = "en"
    ) -> None:
        self._pipeline = Pipeline(load_policy(policy))
        labels = sorted(self._pipeline.policy.labels & set(LABELS))
        self._entities = {
            label: label if own_labels else from_ours("presidio", label) or label for label in labels
        }
        super().__init__(
            supported_entities=sorted(set(self._entities.values())),
            name=_NAME,
            supported_language=language,
        )

    def load(self) -> None:
        """Do nothing: the policy's models are loaded by the first text."""

    def analyze(self, text: str, entities: Sequence[str], nlp_artifacts: Any = None) -> list[Any]:
        """Return the identifiers of a text that are among these entities."""
        result = need("presidio_analyzer", "presidio-analyzer").RecognizerResult
        [note] = self._pipeline.detect([Document("text", text)])
        if not isinstance(note, Document):
            raise DataError(note.reason)
        found = ((self._entities.get(span.label, span.label), span) for span in note.spans)
        return [
            result(
                entity, span.start, span.end, span.score,
                recognition_metadata={
                    result.RECOGNIZER_NAME_KEY: _NAME,
                    result.RECOGNIZER_IDENTIFIER_KEY: self.id,
                    "source": span.source,
                },
            )
            for entity, span in found
            if not entities or entity in entities
        ]  # fmt: skip


def check_model(model: str) -> None:
    """Refuse a spaCy model that is not installed; Presidio would download it."""
    spacy = need("spacy", "spacy")
    if model != "blank" and not (spacy.util.is_package(model) or Path(model).exists()):
        raise UsageError(f"Presidio needs the spaCy model {model}: python -m spacy download {model}")


def analyzer(model: str = MODEL, *, language: str = "en") -> AnalyzerEngine:
    """Return a Presidio analyser with an installed spaCy model; ``blank`` uses its patterns alone.

    Presidio would download a missing model; this refuses instead.
    """
    presidio = need("presidio_analyzer", "presidio-analyzer")
    spacy = need("spacy", "spacy")
    engines = need("presidio_analyzer.nlp_engine", "presidio-analyzer")
    engine = engines.SpacyNlpEngine(models=[{"lang_code": language, "model_name": model}])
    check_model(model)
    if model == "blank":
        engine.nlp = {language: spacy.blank(language)}
    registry = presidio.RecognizerRegistry(supported_languages=[language])
    registry.load_predefined_recognizers(languages=[language])
    return presidio.AnalyzerEngine(nlp_engine=engine, registry=registry, supported_languages=[language])


def analyze(
    documents: Iterable[Document], engine: AnalyzerEngine, *, language: str = "en"
) -> Iterator[Document]:
    """Yield each note with what a Presidio analyser finds in it, under Presidio's entity names."""
    for document in documents:
        found = engine.analyze(document.text, language=language)
        spans = [Span(hit.start, hit.end, hit.entity_type, hit.score, "presidio") for hit in found]
        marked = annotated(document.id, document.text, spans, document.meta)
        yield replace(document, spans=marked.spans, meta=marked.meta)
