"""Keep leaves everything as it is."""

from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, Span
from plainsight.replace.keep import Keep


def test_keep_returns_the_original_of_each_span() -> None:
    note = Document("1", "Seen by Dr. Okafor on 3/4.", (Span(12, 18, "DOCTOR"), Span(22, 25, "DATE")))
    assert Keep().replace([note, Document("2", "nothing")]) == [["Okafor", "3/4"], []]


@given(st.text(min_size=1), st.data())
def test_keep_gives_any_text_back(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    [[kept]] = Keep().replace([Document("1", text, (Span(start, end, "PATIENT"),))])
    assert text[:start] + kept + text[end:] == text
