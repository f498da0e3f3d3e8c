"""Notes from and to spaCy documents."""

import pytest

from plainsight.document import Document, Span
from plainsight.interop.spacy_docs import from_spacy, to_spacy

spacy = pytest.importorskip("spacy")

NOTE = Document(
    "n1", "Dr. Ann Roe, 3/4/2019.\n", (Span(4, 11, "DOCTOR", 0.9, "crf"), Span(13, 21, "DATE")), "p1"
)


def test_there_and_back():
    doc = to_spacy(NOTE)
    assert doc.text == NOTE.text
    assert doc.spans["plainsight"][0].text == "Ann Roe"
    assert doc.spans["plainsight"][0].label_ == "DOCTOR"
    assert from_spacy(doc) == NOTE
    assert from_spacy(doc, id="other").id == "other"


def test_entities():
    doc = to_spacy(NOTE, ents=True)
    assert [ent.label_ for ent in doc.ents] == ["DOCTOR", "DATE"]
    assert [span.label for span in from_spacy(doc, key=None).spans] == ["DOCTOR", "DATE"]


def test_a_span_inside_a_token_grows_and_two_in_one_token_do_not_overlap():
    doc = to_spacy(Document("1", "McRoe well", (Span(0, 2, "DOCTOR"), Span(2, 5, "PATIENT"))))
    assert [span.text for span in doc.spans["plainsight"]] == ["McRoe", "McRoe"]
    assert [(span.start, span.end) for span in from_spacy(doc).spans] == [(0, 5)]


def test_documents_of_other_pipelines():
    nlp = spacy.blank("en")
    doc = nlp("Seen by Ann")
    doc.spans["sc"] = [doc.char_span(8, 11, label="PERSON")]
    assert from_spacy(doc, key="sc") == Document("doc", "Seen by Ann", (Span(8, 11, "PERSON"),))


def test_nothing():
    assert from_spacy(to_spacy(Document("1", ""), spacy.blank("en"))) == Document("1", "")
