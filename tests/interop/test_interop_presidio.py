"""plainsight in Presidio, and Presidio's own findings."""

import pytest

from plainsight.document import Document
from plainsight.errors import UsageError

pytest.importorskip("presidio_analyzer")

from plainsight.interop.presidio import PlainsightRecognizer, analyze, analyzer

TEXT = "Dr. Okafor called 617-555-0134 on 3/4/2019."


@pytest.fixture(scope="module")
def engine():
    return analyzer("blank")


@pytest.fixture(scope="module")
def recognizer():
    return PlainsightRecognizer("redact")


def test_presidios_names(recognizer):
    found = {(hit.entity_type, TEXT[hit.start : hit.end]) for hit in recognizer.analyze(TEXT, [])}
    assert {("PERSON", "Okafor"), ("PHONE_NUMBER", "617-555-0134"), ("DATE_TIME", "3/4/2019")} <= found
    assert {hit.entity_type for hit in recognizer.analyze(TEXT, ["PERSON"])} == {"PERSON"}
    assert "PROFESSION" in recognizer.supported_entities  # Presidio has no such name


def test_our_own_names():
    found = PlainsightRecognizer("redact", own_labels=True).analyze(TEXT, ["DOCTOR"])
    assert [(hit.entity_type, hit.start) for hit in found] == [("DOCTOR", 4)]


def test_in_an_analyser(engine, recognizer):
    engine.registry.add_recognizer(recognizer)
    try:
        hits = engine.analyze(TEXT, language="en", entities=["PERSON"])
    finally:
        engine.registry.remove_recognizer("PlainsightRecognizer")
    assert [(hit.start, hit.end) for hit in hits] == [(4, 10)]
    assert hits[0].recognition_metadata["recognizer_name"] == "PlainsightRecognizer"


def test_what_presidio_finds(engine):
    (note,) = analyze([Document("1", TEXT)], engine)
    assert ("PHONE_NUMBER", "617-555-0134") in {(s.label, TEXT[s.start : s.end]) for s in note.spans}


def test_a_model_that_is_not_installed_is_not_downloaded():
    with pytest.raises(UsageError, match="python -m spacy download no_such_model"):
        analyzer("no_such_model")
