"""Draw a note as HTML with its spans marked: in notebooks, on the pages of the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from types import MappingProxyType

from plainsight.document import Document, Span
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
_UNDERLINE = '<u style="text-decoration:underline wavy #e03131"'
_LABEL = ' <small style="opacity:.7;font-size:.7em">{}</small>'
_NOTE = '<pre style="white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.6">{}</pre>'


def marked_html(
    document: Document, *, labels: bool = False, underlined: Iterable[tuple[int, int, str]] = ()
) -> str:
    """Return the text of a note as HTML with its spans marked; ``labels`` prints each span's label, too.

    Every mark says on hover which label it has, who found it and with which score. ``underlined`` are places
    to underline, with what they say on hover; what lies in a span is not underlined.

    >>> from plainsight.document import Span
    >>> print(marked_html(Document("1", "<Ann>", (Span(1, 4, "PATIENT", 0.9, "convolution"),))))
    &lt;<mark style="background:#ffe066;color:#111;border-radius:.2em;padding:0 .15em" \
title="PATIENT · convolution · 0.90">Ann</mark>&gt;
    """
    drawn = [(span.start, span.end, *_mark(span, labels=labels)) for span in document.spans]
    for start, end, about in underlined:
        if not any(span.start < end and start < span.end for span in document.spans):
            drawn.append((start, end, f'{_UNDERLINE} title="{escape(about)}">', "</u>"))
    pieces: list[str] = []
    last = 0
    for start, end, opening, closing in sorted(drawn):
        text = escape(document.text[start:end])
        pieces += escape(document.text[last:start]), opening, text, closing
        last = end
    pieces.append(escape(document.text[last:]))
    return "".join(pieces)


def _mark(span: Span, *, labels: bool) -> tuple[str, str]:
    """Return what opens and closes the mark of a span."""
    about = f"{span.label} · {span.source} · {span.score:.2f}"
    colour = COLOURS.get(CATEGORY_OF.get(span.label, ""), _OTHER)
    label = _LABEL.format(escape(span.label)) if labels else ""
    return f'{_MARK.format(colour)} title="{escape(about)}">', f"{label}</mark>"


def note_html(document: Document) -> str:
    """Return a note for a notebook: its text with marked and labelled spans."""
    return _NOTE.format(marked_html(document, labels=True))


def legend_html() -> str:
    """Return the categories, each in its colour."""
    return " ".join(f"{_MARK.format(colour)}>{category}</mark>" for category, colour in COLOURS.items())
