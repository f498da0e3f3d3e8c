"""Marked-up text: words stay apart or together as a reader sees them, and nothing strange is kept."""

import pytest

from plainsight.document import Document
from plainsight.errors import FormatError
from plainsight.sources.forms import FORMS
from plainsight.sources.markup_tree import narrative, parse
from plainsight.sources.records import Record, Wrapped, filled


def through(text):
    """Return what detectors read of a narrative, and the narrative written again."""
    record = Record()
    tree = Wrapped("xml", narrative(parse(text), record, "div"))
    note = record.document("1", tree, None)
    return note.text, filled(note, FORMS, "div")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("<div><b>Jane</b> Doe</div>", "Jane Doe\n"),
        ("<div><b>Jane</b> <i>Doe</i></div>", "Jane Doe\n"),
        ("<div><p>Call <b>555-0187</b></p><p>Glucose</p></div>", "Call 555-0187\nGlucose\n"),
        ("<div><p><b>Jane</b>\n</p>\n<p>Glucose</p></div>", "Jane\nGlucose\n"),
        ("<tr><td><b>MRN</b></td><td>12</td></tr>", "MRN\t12\t"),
        ("<div>Jane<br/>Doe</div>", "Jane\nDoe\n"),
        ("<div><span><b>Jane</b></span><p>Doe</p></div>", "Jane\nDoe\n"),
    ],
)
def test_words_are_read_as_they_are_seen(text, seen):
    assert through(text) == (seen, text)


def test_what_may_hold_anything_is_left_out():
    text = '<div onclick="Okonkwo" class="x"><img alt="Okonkwo"/><a href="mailto:Okonkwo" id="j">x</a></div>'
    assert through(text)[1] == '<div><a id="j">x</a></div>'


def test_characters_that_xml_cannot_hold_are_refused():
    record = Record()
    tree = Wrapped("xml", narrative(parse("<p>x</p>"), record, "div"))
    note = record.document("1", tree, None)
    with pytest.raises(FormatError):
        filled(Document("1", "\x00\n", meta=note.meta, cuts=(2,)), FORMS, "div")
