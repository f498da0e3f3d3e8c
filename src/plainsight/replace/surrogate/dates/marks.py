"""Mark the events that betray the date offset, which no detector looks for."""

from __future__ import annotations

from dataclasses import replace

from plainsight.document import Document, Span
from plainsight.locale.events import load_events

EVENTS = "events"
"""The source of spans that are marked here."""


def mark_events(document: Document, locale: str) -> Document:
    """Return the document with a DATE for each event.

    A date that an event reaches beyond becomes one with it. An event inside another span stays unmarked,
    because that span is replaced whole.

    >>> note = Document("1", "Burnt at the July 4th fireworks.", (Span(13, 21, "DATE"),))
    >>> [note.text[span.start : span.end] for span in mark_events(note, "en_US").spans]
    ['July 4th fireworks']
    """
    spans = list(document.spans)
    for event in load_events(locale).find(document.text):
        met = [span for span in spans if span.start < event.end and event.start < span.end]
        if any(span.label != "DATE" or (span.start <= event.start and event.end <= span.end) for span in met):
            continue
        start = min([event.start, *(span.start for span in met)])
        end = max([event.end, *(span.end for span in met)])
        spans = [span for span in spans if span not in met]
        spans.append(Span(start, end, "DATE", source=EVENTS))
    if len(spans) == len(document.spans) and all(span.source != EVENTS for span in spans):
        return document
    return replace(document, spans=tuple(sorted(spans, key=lambda span: span.start)))
