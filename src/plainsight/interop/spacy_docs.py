"""Notes from and to spaCy documents."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from plainsight.document import Document, Span
from plainsight.formats.standoff import arrange
from plainsight.interop.packages import need


def to_spacy(document: Document, nlp: Any = None, *, key: str = "plainsight", ents: bool = False) -> Any:
    """Return a spaCy ``Doc`` with the note's spans in ``doc.spans[key]``; ``ents`` sets ``doc.ents``, too.

    A span that begins or ends inside a token grows to the token's edge. Scores and sources are in the
    group's ``attrs``. ``nlp`` tokenises the text. Default: a blank English pipeline.

    >>> doc = to_spacy(Document("1", "Seen by Ann Roe.", (Span(8, 15, "DOCTOR"),)))
    >>> [(span.text, span.label_) for span in doc.spans["plainsight"]]
    [('Ann Roe', 'DOCTOR')]
    """
    spacy = need("spacy", "spacy")
    doc = (nlp or spacy.blank("en")).make_doc(document.text)
    # expand, not strict: half a name still leaks
    found = [
        doc.char_span(span.start, span.end, label=span.label, alignment_mode="expand")
        for span in document.spans
    ]
    scores, sources = [span.score for span in document.spans], [span.source for span in document.spans]
    doc.spans[key] = spacy.tokens.SpanGroup(
        doc, name=key, spans=found, attrs={"scores": scores, "sources": sources}
    )
    if ents:
        doc.ents = spacy.util.filter_spans(found)
    doc.user_data |= {"id": document.id, "patient_id": document.patient_id}
    return doc


def from_spacy(
    doc: Any,
    *,
    key: str | None = "plainsight",
    id: str | None = None,  # noqa: A002 - the domain's word
) -> Document:
    """Return the note of a ``Doc``, with the spans of ``doc.spans[key]``, or of ``doc.ents`` if key is None.

    Where spans overlap, the longest keeps its place and the others are cut. Without ``id``, the note has the
    id that `to_spacy` stored, or "doc".
    """
    group = doc.ents if key is None else doc.spans[key]
    attrs = getattr(group, "attrs", {})
    scores = attrs.get("scores", [1.0] * len(group))
    sources = attrs.get("sources", [""] * len(group))
    spans = [
        Span(span.start_char, span.end_char, span.label_, float(score), source)
        for span, score, source in zip(group, scores, sources, strict=True)
    ]
    stored = doc.user_data.get("id")
    document = Document(id or stored or "doc", doc.text, arrange(spans))
    return replace(document, patient_id=doc.user_data.get("patient_id"))
