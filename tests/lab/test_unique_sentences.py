"""Annotate each sentence once, and carry the marks back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, Span
from plainsight.errors import DataError
from plainsight.lab.unique_sentences import Place, UniqueSentences, from_line, spread, to_line

NOTES = [
    Document("a", "Seen by Dr. Ng. Stable today.\nCall with questions.\n"),
    Document("b", "  Stable today.\n\nSeen by Dr. Ng.  \nSeen by Dr. Ng."),
]


def collected(notes):
    found = UniqueSentences()
    return found, {note.id: found.collect(note) for note in notes}


def test_each_sentence_once_with_its_count():
    found, places = collected(NOTES)
    assert [(s.id, s.text, s.meta["count"]) for s in found] == [
        ("s000001", "Seen by Dr. Ng.", 3),
        ("s000002", "Stable today.", 2),
        ("s000003", "Call with questions.", 1),
    ]
    assert (len(found), found.occurrences) == (3, 6)
    assert places["b"] == [Place("s000002", 2), Place("s000001", 17), Place("s000001", 35)]


def test_marks_come_back_to_every_place():
    found, places = collected(NOTES)
    marked = [Document(s.id, s.text, (Span(12, 14, "DOCTOR"),) if "Ng" in s.text else ()) for s in found]
    a, b = spread(NOTES, places, marked)
    assert [(s.start, s.label, a.text[s.start : s.end]) for s in a.spans] == [(12, "DOCTOR", "Ng")]
    assert [b.text[s.start : s.end] for s in b.spans] == ["Ng", "Ng"]


words = st.lists(st.sampled_from(["Ann", "came.", "Dr.", "Ng", "\n", "  ", "No", "é", "3/4."]), max_size=30)


@given(st.lists(words.map(" ".join), min_size=1, max_size=4))
def test_every_word_lies_in_a_place_and_marks_round_trip(texts):
    notes = [Document(str(number), text) for number, text in enumerate(texts)]
    found, places = collected(notes)
    marked = [
        Document(
            s.id,
            s.text,
            tuple(Span(at, at + 3, "PATIENT") for at in range(len(s.text)) if s.text[at : at + 3] == "Ann"),
        )
        for s in found
    ]
    for note, back in zip(notes, spread(notes, places, marked), strict=True):
        assert back.text == note.text
        assert len(back.spans) == note.text.count("Ann")
        assert all(back.text[span.start : span.end] == "Ann" for span in back.spans)
        read = from_line(to_line(note.id, places[note.id]), "here")
        assert read == (note.id, places[note.id])


@pytest.mark.parametrize(
    ("notes", "drop", "reason"),
    [
        ([Document("c", "New.")], False, "note c is not in the map"),
        ([Document("a", "Other text Quillerby.")], False, "note a: sentence s000001 does not stand at 0"),
        ([NOTES[0]], True, "sentence s000001 is not among"),
    ],
)
def test_what_does_not_belong_together_is_refused(notes, drop, reason):
    found, places = collected(NOTES)
    with pytest.raises(DataError, match=reason) as raised:
        list(spread(notes, places, list(found)[1:] if drop else found))
    assert "Quillerby" not in str(raised.value)


@pytest.mark.parametrize(
    "line", [{}, [], {"note": "1", "sentences": [["s1"]]}, {"note": "1", "sentences": 3}]
)
def test_lines_that_are_no_map(line):
    with pytest.raises(DataError, match="here is no line"):
        from_line(line, "here")
