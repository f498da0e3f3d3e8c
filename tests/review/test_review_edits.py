"""Edits as pure functions: marks never overlap or leave the text, and undo is the inverse."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Span
from plainsight.errors import DataError
from plainsight.review import edits as e

LABELS = ("PATIENT", "DATE", "CITY")
TEXT = "Ann 😀 Lee, seen on 3/4 in Ávila. Ann Lee?"


@st.composite
def notes(draw):
    """A text and the spans that were found in it."""
    text = draw(st.text(st.sampled_from("ab 1\n.😀é"), min_size=1, max_size=40))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return text, e.found_state([Span(start, end, draw(st.sampled_from(LABELS))) for start, end in pairs])


offsets, ids = st.integers(-2, 45), st.integers(0, 12)
labels = st.sampled_from(LABELS)
single = st.one_of(
    st.builds(e.Add, offsets, offsets, labels),
    st.builds(e.Accept, ids),
    st.builds(e.Reject, ids),
    st.builds(e.Restore, ids),
    st.builds(e.Label, ids, labels),
    st.builds(e.Move, ids, offsets, offsets),
    st.builds(e.Split, ids, offsets),
    st.builds(e.Remove, ids),
    st.builds(e.Dismiss, st.integers(0, 3)),
)


def tried(text, state, edit):
    try:
        return e.apply(text, state, [edit], LABELS)
    except DataError:
        return state


@settings(max_examples=100, deadline=None)
@given(notes(), st.lists(single, max_size=12))
def test_marks_never_overlap_or_leave_the_text_and_undo_is_the_inverse(note, edits):
    text, first = note
    states = [first]
    for edit in edits:
        states.append(tried(text, states[-1], edit))
        spans = states[-1].spans  # a Span refuses an empty extent
        assert all(one.end <= two.start for one, two in pairwise(spans))
        assert all(0 <= span.start < span.end <= len(text) for span in spans)
        assert len({mark.id for mark in states[-1].marks}) == len(states[-1].marks)
    changes = [e.difference(one, two) for one, two in pairwise(states)]
    state = states[-1]
    for before, change in zip(reversed(states[:-1]), reversed(changes), strict=True):
        state = e.undone(state, change)
        assert state == before
    for after, change in zip(states[1:], changes, strict=True):
        state = e.redone(state, change)
        assert state == after


@settings(max_examples=100, deadline=None)
@given(notes(), st.lists(single, max_size=6), offsets, offsets, labels)
def test_a_new_mark_uncovers_no_letter_that_was_covered(note, edits, start, end, label):
    text, state = note
    for edit in edits:
        state = tried(text, state, edit)
    after = tried(text, state, e.Add(start, end, label))
    covered = {i for span in state.spans for i in range(span.start, span.end) if text[i].isalnum()}
    still = {i for span in after.spans for i in range(span.start, span.end)}
    assert covered <= still


@settings(max_examples=50, deadline=None)
@given(notes())
def test_nothing_is_lost_by_writing_a_state_down(note):
    import msgspec

    _, state = note
    assert msgspec.json.decode(msgspec.json.encode(state), type=e.State) == state


def of(text, *marked):
    """Return the state of marks that were found, each given by its text and label."""
    return e.found_state([Span(text.index(t), text.index(t) + len(t), label) for t, label in marked])


def read(text, state):
    return [(text[m.start : m.end], m.label, m.status) for m in state.marks]


def test_an_emoji_shifts_nothing():
    state = of(TEXT, ("Lee", "PATIENT"))
    at = TEXT.index("Ávila")
    state = e.apply(TEXT, state, [e.Add(at, at + 5, "CITY")], LABELS)
    assert read(TEXT, state) == [("Lee", "PATIENT", "found"), ("Ávila", "CITY", "added")]


def test_white_space_at_the_edges_of_a_selection_is_left_out():
    at = TEXT.index("Ávila")
    state = e.apply(TEXT, e.State(), [e.Add(at - 1, at + 5, "CITY")], LABELS)
    assert read(TEXT, state) == [("Ávila", "CITY", "added")]


def test_a_mark_over_a_part_of_another_leaves_it_the_rest():
    text = "Lee, Ann Maria came"
    state = of(text, ("Lee, Ann Maria", "PATIENT"))
    state = e.apply(text, state, [e.Add(5, 8, "DATE")], LABELS)
    assert read(text, state) == [
        ("Lee", "PATIENT", "changed"), ("Ann", "DATE", "added"), ("Maria", "PATIENT", "added"),
    ]  # fmt: skip


def test_a_covered_mark_is_rejected_and_comes_back_when_restored():
    text = "Dr. Ann Lee"
    state = of(text, ("Ann", "PATIENT"))
    state = e.apply(text, state, [e.Add(4, 11, "PATIENT")], LABELS)
    assert read(text, state) == [("Ann", "PATIENT", "rejected"), ("Ann Lee", "PATIENT", "added")]
    state = e.apply(text, state, [e.Restore(0)], LABELS)
    assert read(text, state) == [("Ann", "PATIENT", "found"), ("Lee", "PATIENT", "added")]


def test_a_label_that_is_given_back_makes_a_mark_accepted():
    text = "Ann"
    state = e.apply(text, of(text, ("Ann", "PATIENT")), [e.Label(0, "CITY")], LABELS)
    assert read(text, state) == [("Ann", "CITY", "changed")]
    state = e.apply(text, state, [e.Label(0, "PATIENT")], LABELS)
    assert read(text, state) == [("Ann", "PATIENT", "accepted")]


def test_adding_what_was_rejected_brings_the_mark_back_with_its_score():
    text = "Ann"
    state = e.apply(text, e.found_state([Span(0, 3, "PATIENT", 0.7, "conv")]), [e.Reject(0)], LABELS)
    state = e.apply(text, state, [e.Add(0, 3, "PATIENT")], LABELS)
    [mark] = state.marks
    assert (mark.status, mark.score, mark.source) == ("accepted", 0.7, "conv")


def test_a_divided_mark_keeps_its_provenance():
    text = "Ann Lee"
    state = e.found_state([Span(0, 7, "PATIENT", 0.7, "conv")])
    state = e.apply(text, state, [e.Split(0, 3)], LABELS)
    assert [(m.start, m.end, m.score, m.source) for m in state.marks] == [
        (0, 3, 0.7, "conv"), (4, 7, 0.7, "conv"),
    ]  # fmt: skip


def test_an_accent_after_its_letter_stays_with_it():
    text = "Zoe\u0301 Lee"
    state = e.apply(text, of(text, (text, "PATIENT")), [e.Split(0, 5)], LABELS)
    assert [text[s.start : s.end] for s in state.spans] == ["Zoe\u0301", "Lee"]


@pytest.mark.parametrize(
    "edit",
    [
        e.Add(0, 99, "CITY"), e.Add(-1, 2, "CITY"), e.Add(3, 3, "CITY"), e.Add(3, 4, "CITY"),
        e.Add(0, 3, "NONE"), e.Accept(9), e.Move(0, 5, 4), e.Split(0, 0), e.Split(0, 99), e.Label(0, "X"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(edit):
    with pytest.raises(DataError):
        e.apply(TEXT, of(TEXT, ("Ann", "PATIENT")), [edit], LABELS)


@pytest.mark.parametrize(
    "raw",
    [
        None, {}, [{}], [{"do": "explode"}], [{"do": "add", "start": "0", "end": 1, "label": "CITY"}],
        [{"do": "accept", "span": True}], [{"do": "accept", "span": 1, "more": 1}],
        [{"do": "alike", "what": "remove", "where": "note"}],
        [{"do": "add", "start": 0.5, "end": 1, "label": ""}],
    ],
)  # fmt: skip
def test_malformed_edits_are_refused_without_repeating_them(raw):
    with pytest.raises(DataError, match=r"^not a list of edits$"):
        e.read_edits(raw)


def test_undo_of_what_was_changed_since_is_refused():
    text = "Ann Lee"
    first = of(text, ("Ann", "PATIENT"))
    second = e.apply(text, first, [e.Label(0, "CITY")], LABELS)
    third = e.apply(text, second, [e.Reject(0)], LABELS)
    with pytest.raises(DataError):
        e.undone(third, e.difference(first, second))


def test_all_alike_means_whole_words_with_any_white_space():
    text = "Ann Lee met Ann\nLee and Joann Lee, Ann Leer"
    pattern = e.alike_pattern("Ann Lee")
    state = e.apply(
        text,
        e.State(),
        e.alike_edits(text, e.State(), pattern, "add", old_label=None, label="PATIENT"),
        LABELS,
    )
    assert [(s.start, s.end) for s in state.spans] == [(0, 7), (12, 19)]
    edits = e.alike_edits(text, state, pattern, "label", old_label="PATIENT", label="CITY")
    assert [mark.label for mark in e.apply(text, state, edits, LABELS).marks] == ["CITY", "CITY"]
    assert e.alike_edits(text, state, pattern, "reject", old_label="CITY", label=None) == []
