"""Estimated reading time."""

from __future__ import annotations

from plainsight.document import Document, Span
from plainsight.site.reading import changes, reading_seconds


def test_a_moved_mark_is_one_change_and_a_new_one_another():
    found = [Span(0, 4, "DATE"), Span(10, 14, "DATE")]
    assert changes(found, found) == 0
    assert changes(found, [Span(0, 4, "DATE"), Span(10, 16, "DATE")]) == 1
    assert changes(found, [Span(0, 4, "AGE"), Span(10, 14, "DATE"), Span(20, 22, "AGE")]) == 2
    assert changes([], [Span(0, 4, "AGE")]) == changes([Span(0, 4, "AGE")], []) == 1


def test_reading_takes_longer_with_more_words_marks_and_changes():
    note = Document("1", "one two three four", (Span(0, 3, "DATE"),))
    assert reading_seconds(note, note.spans) == 4 * 0.3 + 1
    assert reading_seconds(note, ()) == 4 * 0.3 + 1 + 5
