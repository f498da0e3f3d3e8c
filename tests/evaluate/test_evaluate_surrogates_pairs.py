"""Pairing originals with surrogates, by the text that stands outside the spans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document
from plainsight.errors import DataError
from plainsight.evaluate.surrogates.pairs import Count, by_patient, exact, pair_up
from plainsight.formats.inline import parse


def gold(marked, name="1", patient=None):
    text, spans = parse(marked)
    return Document(name, text, spans, patient_id=patient)


def surrogates(marked, released):
    [note] = pair_up([gold(marked)], [Document("1", released)])
    return [pair.surrogate for pair in note.pairs], note.exact


def test_spans_are_found_between_the_texts_outside():
    assert surrogates("Mr. {{PATIENT|Roe}} seen {{DATE|3/4}}.", "Mr. Adler seen 11/27.") == (
        ["Adler", "11/27"],
        True,
    )


def test_a_comma_inside_a_surrogate_is_not_the_comma_after_it():
    # The gap ", " also stands inside both names; the words and signs of the originals decide.
    made, whole = surrogates("{{PATIENT|Roe, Jane}}, {{DOCTOR|Lee}}, RN", "Adler, Mary, Novak, RN")
    assert (made, whole) == (["Adler, Mary", "Novak"], True)


def test_spans_that_touch():
    assert surrogates("{{DATE|3/4}}{{PATIENT|Roe}}", "5/9Adler")[0] == ["5/9", "Adler"]


def test_a_note_without_spans():
    assert surrogates("Nothing here.", "Nothing here.") == ([], True)
    assert surrogates("Nothing here.", "Nothing there.") == ([], False)


def test_more_was_replaced_than_the_gold_says():
    # "Boston" was replaced although the gold leaves it alone, and "Roe" was missed.
    made, whole = surrogates(
        "{{PATIENT|Jane Doe}} lives in Boston with Mr. {{PATIENT|Roe}}.",
        "Mary Ray lives in Dover with Mr. Roe.",
    )
    assert (made, whole) == (["Mary Ray", "Roe"], False)


def test_text_before_the_first_span_changed():
    assert surrogates("In Boston {{PATIENT|Roe}} fell.", "In Dover Adler fell.") == (["Adler"], False)


def test_a_released_note_that_is_not_there():
    with pytest.raises(DataError, match="'1'"):
        pair_up([gold("x")], [Document("2", "x")])


def test_no_text_in_repr():
    note = exact(gold("Mr. {{PATIENT|Roe}}"), ["Adler"])
    assert "Roe" not in repr(note) + repr(note.pairs)
    assert note.released == "Mr. Adler"


def test_notes_without_a_patient_stand_alone():
    notes = [exact(gold("x", "1", "p"), []), exact(gold("x", "2", "p"), []), exact(gold("x", "3"), [])]
    assert {scope: len(found) for scope, found in by_patient(notes).items()} == {"p": 2, "note 3": 1}


words = st.text("abcXYZ019", min_size=1, max_size=8)


@given(st.lists(st.tuples(words, words), min_size=1, max_size=8))
def test_any_row_of_words_is_walked_back(pairs):
    marked = " | ".join(f"{{{{IDNUM|{before}}}}}" for before, _ in pairs)
    released = " | ".join(after for _, after in pairs)
    assert surrogates(marked, released) == ([after for _, after in pairs], True)


def test_counts_add_up_and_are_undefined_without_a_whole():
    assert Count(1, 4) + Count(2, 6) == Count(3, 10)
    assert Count(0, 0).share is None
    assert Count(1, 4).to_json() == {"count": 1, "of": 4, "share": 0.25}
