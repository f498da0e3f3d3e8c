"""Draw a note as HTML with its spans marked: in notebooks, on the pages of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import MappingProxyType

from plainsight.document import Document
from plainsight.labels import CATEGORY_OF

COLOURS: Mapping[str, str] = MappingProxyType(
    {
        "NAME": "#ffe066",
        "PROFESSION": "#dee2e6",
        "LOCATION": "#b2f2bb",
        "AGE": "#ffc9c9",
        "DATE": "#99e9f2",
        "CONTACT": "#eebefa",
        "ID": "#a5d8ff",
    }
)
"""The colour of each category of labels."""

_OTHER = "#e9ecef"
_MARK = '<mark style="background:{};color:#111;border-radius:.2em;padding:0 .15em"'
_LABEL = ' <small style="opacity:.7;font-size:.7em">{}</small>'
_NOTE = '<pre style="white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.6">{}</pre>'


def marked_html(document: Document, *, labels: bool = False) -> str:
    """Return the text of a note as HTML with its spans marked; ``labels`` prints each span's label, too.

    Every mark says on hover which label it has, who found it and with which score.

    >>> from plainsight.document import Span
    >>> print(marked_html(Document("1", "<Ann>", (Span(1, 4, "PATIENT", 0.9, "convolution"),))))
    &lt;<mark style="background:#ffe066;color:#111;border-radius:.2em;padding:0 .15em" \
title="PATIENT · convolution · 0.90">Ann</mark>&gt;
    """
    pieces: list[str] = []
    last = 0
    for span in document.spans:
        about = f"{span.label} · {span.source} · {span.score:.2f}"
        pieces += [
            escape(document.text[last : span.start]),
            _MARK.format(COLOURS.get(CATEGORY_OF.get(span.label, ""), _OTHER)),
            f' title="{escape(about)}">',
            escape(document.text[span.start : span.end]),
            _LABEL.format(escape(span.label)) if labels else "",
            "</mark>",
        ]
        last = span.end
    pieces.append(escape(document.text[last:]))
    return "".join(pieces)


def note_html(document: Document) -> str:
    """Return a note for a notebook: its text with marked and labelled spans."""
    return _NOTE.format(marked_html(document, labels=True))


def legend_html() -> str:
    """Return the categories, each in its colour."""
    return " ".join(f"{_MARK.format(colour)}>{category}</mark>" for category, colour in COLOURS.items())
