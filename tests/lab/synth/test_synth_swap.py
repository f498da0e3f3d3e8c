"""Swapped copies: what is not marked stays, what is marked stood under the same label somewhere."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from synthetic_notes import corpus, pieces

from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.lab.synth.pieces import cut, joined
from plainsight.lab.synth.swap import swapped

many = st.lists(pieces, max_size=5).map(
    lambda notes: [joined(note, f"n{place}") for place, note in enumerate(notes)]
)


def between(document: Document) -> list[str]:
    """What stands before, between and behind the marks."""
    edges = [0, *(edge for span in document.spans for edge in (span.start, span.end)), len(document.text)]
    return [document.text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]


def marks(document: Document) -> list[tuple[str, str]]:
    return [(span.label, document.text[span.start : span.end]) for span in document.spans]


@given(documents=many, copies=st.integers(0, 3), seed=st.integers(0, 1000))
def test_only_marks_change_and_only_into_others_of_their_label(documents, copies, seed):
    made = swapped(documents, copies=copies, seed=seed)
    assert made[: len(documents)] == documents
    assert len(made) == len(documents) * (copies + 1)
    assert len({document.id for document in made}) == len(made)
    known = {mark for document in documents for mark in marks(document)}
    for copy, of in zip(made, documents * (copies + 1), strict=True):
        assert between(copy) == between(of)
        assert [label for label, _ in marks(copy)] == [label for label, _ in marks(of)]
        assert known.issuperset(marks(copy))
    assert swapped(documents, copies=copies, seed=seed) == made


def test_without_copies_the_notes_are_as_they_were():
    assert swapped(corpus(), copies=0) == corpus()
    assert swapped([], copies=3) == []


def test_about_seven_of_ten_are_exchanged_and_chance_has_a_seed():
    text = "Vista en {{TERRITORIO|Ávila}} el {{FECHAS|3 de mayo}}.\n"
    notes = [
        Document(f"n{n}", *parse(text.replace("Ávila", f"Ávila {n}").replace("3 de", f"{n} de")))
        for n in range(500)
    ]
    first, second = swapped(notes, copies=2)[500:1000], swapped(notes, copies=2)[1000:]
    pairs = [
        pair for copy, of in zip(first, notes, strict=True) for pair in zip(cut(copy), cut(of), strict=True)
    ]
    changed = sum(new != old for new, old in pairs if old.label)
    assert 650 < changed < 750  # of 1,000
    assert [copy.text for copy in first] != [copy.text for copy in second]
    assert swapped(notes, copies=2, seed=1) != swapped(notes, copies=2)


def test_a_copy_is_still_of_its_patient():
    notes = [replace(note, patient_id=f"p{place}") for place, note in enumerate(corpus())]
    assert [copy.patient_id for copy in swapped(notes, copies=1)] == ["p0", "p1", "p2"] * 2
