"""Marks beside the text: put in order, refused or cut where they overlap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, Span
from plainsight.errors import FormatError
from plainsight.formats.standoff import arrange, same

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
    kept = arrange(spans, "cut")
    Document("1", "x" * 40, kept)
    assert covered(kept) == covered(spans)
    if spans:
        longest = max(span.end - span.start for span in spans)
        assert any(span.end - span.start == longest for span in kept)


@given(spans=marks)
def test_marks_come_in_order_or_are_refused(spans: list[Span]) -> None:
    try:
        kept = arrange(spans, "refuse")
    except FormatError:
        assert len(covered(spans)) < sum(span.end - span.start for span in set(spans))
    else:
        assert kept == tuple(sorted(set(spans))) == arrange(spans, "cut")


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
