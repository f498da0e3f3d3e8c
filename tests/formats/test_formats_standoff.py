"""Marks beside the text: put in order, refused or cut where they overlap."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, Span
from plainsight.formats.standoff import annotated, arrange, marks_of, same

marks = st.lists(
    st.builds(
        lambda start, length, label: Span(start, start + length, label),
        st.integers(0, 20),
        st.integers(1, 9),
        st.sampled_from("AB"),
    ),
    max_size=8,
)


def covered(spans: list[Span] | tuple[Span, ...]) -> set[int]:
    return {offset for span in spans for offset in range(span.start, span.end)}


@given(spans=marks)
def test_cutting_uncovers_nothing_and_keeps_the_longest(spans: list[Span]) -> None:
    kept = arrange(spans)
    Document("1", "x" * 40, kept)
    assert covered(kept) == covered(spans)
    if spans:
        longest = max(span.end - span.start for span in spans)
        assert any(span.end - span.start == longest for span in kept)


@given(spans=marks)
def test_marks_that_do_not_overlap_come_in_order(spans: list[Span]) -> None:
    if len(covered(spans)) == sum(span.end - span.start for span in set(spans)):
        assert arrange(spans) == tuple(sorted(set(spans)))


@given(spans=marks)
def test_kept_marks_are_found_again_in_their_order(spans: list[Span]) -> None:
    document = annotated("1", "x" * 40, spans, {"unit": "7"})
    assert document.spans == arrange(spans)
    assert document.meta["unit"] == "7"
    if "_marks" in document.meta:
        assert marks_of(document) == tuple(dict.fromkeys(spans))
    else:
        assert marks_of(document) == document.spans == tuple(sorted(set(spans)))


def test_kept_marks_are_those_of_the_notes_own_spans_alone() -> None:
    marks = [Span(0, 9, "A"), Span(2, 4, "B")]
    document = annotated("1", "x" * 9, marks)
    assert marks_of(document) == tuple(marks)
    found = replace(document, spans=(Span(2, 4, "B"),))  # what a detector makes of the same note
    assert marks_of(found) == (Span(2, 4, "B"),)
    assert marks_of(replace(document, spans=())) == ()
    assert "meta" not in document.to_json()


@pytest.mark.parametrize(
    ("noted", "marked", "verdict"),
    [
        ("a b", "a b", True),
        ("a b", "a\nb", True),
        ("a  b", "a\r\nb", True),
        ("a b", "a\r\nb", False),
        ("A", "a", False),
    ],
)
def test_noted_text(noted: str, marked: str, verdict: bool) -> None:
    assert same(noted, marked) is verdict
