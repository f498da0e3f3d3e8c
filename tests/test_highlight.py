"""Notes as HTML, with their spans marked."""

import re

from plainsight.document import Document, Span
from plainsight.highlight import COLOURS, legend_html, marked_html, note_html
from plainsight.labels import CATEGORIES

NOTE = Document("1", 'Ann <b> "Roe" & 70', (Span(0, 3, "PATIENT", 0.9, "crf"), Span(16, 18, "AGE")))


def test_every_category_has_a_colour():
    assert COLOURS.keys() == CATEGORIES.keys()
    assert len(set(COLOURS.values())) == len(COLOURS)
    assert re.findall(r">(\w+)</mark>", legend_html()) == list(COLOURS)


def test_spans_are_marked_and_the_text_is_escaped():
    html = marked_html(NOTE)
    assert re.sub(r"<[^>]*>", "", html) == "Ann &lt;b&gt; &quot;Roe&quot; &amp; 70"
    assert 'title="PATIENT · crf · 0.90">Ann</mark>' in html
    assert COLOURS["NAME"] in html


def test_a_notebook_shows_the_labels():
    html = NOTE._repr_html_()
    assert html == note_html(NOTE)
    assert re.findall(r"<small[^>]*>(\w+)</small>", html) == ["PATIENT", "AGE"]


def test_labels_that_are_not_ours_are_marked_too():
    odd = Document("1", "Ann", (Span(0, 3, 'X"<'),))
    assert 'title="X&quot;&lt; ·  · 1.00">Ann <small' in odd._repr_html_()


def test_likely_misses_are_underlined_outside_the_spans():
    note = Document("1", "Ann & Bo", (Span(0, 3, "PATIENT"),))
    drawn = marked_html(note, underlined=[(6, 8, "likely miss: <CITY>"), (1, 2, "inside")])
    assert drawn.endswith('&amp; <u style="text-decoration:underline wavy #e03131" '
                          'title="likely miss: &lt;CITY&gt;">Bo</u>')  # fmt: skip
    assert "inside" not in drawn
