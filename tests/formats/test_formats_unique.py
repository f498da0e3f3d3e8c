from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, SetAside
from plainsight.formats.unique import unique


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=2)))
def test_each_id_passes_once(ids: list[str]) -> None:
    items = list(unique(Document(note, "") for note in ids))
    assert [item.id for item in items] == ids
    assert [item.id for item in items if isinstance(item, Document)] == list(dict.fromkeys(ids))
    assert {item.reason for item in items if isinstance(item, SetAside)} <= {"duplicate id"}


def test_the_place_of_the_second_is_told() -> None:
    first, second = Document("a", "x"), Document("a", "y")
    bad = SetAside("a", "not JSON", "f:2")
    assert list(unique([bad, first, bad, second])) == [
        bad,
        first,
        bad,
        SetAside("a", "duplicate id", "note 4 of the input"),
    ]


def test_memory_hardly_grows() -> None:
    def notes(count: int) -> Iterator[Document]:
        for number in range(count):
            yield Document(f"a-rather-long-note-identifier-{number:09}", "")

    tracemalloc.start()
    try:
        assert sum(isinstance(item, Document) for item in unique(notes(20_000))) == 20_000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20_000 * 40  # a Python set of these strings takes 130 bytes each
