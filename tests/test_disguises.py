"""The benchmark of disguised notes, on a note so short that its figures can be counted."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from plainsight.document import Document, Span

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
disguises = import_module("disguises")
sys.path.remove(str(BENCHMARKS))

NOTE = Document("1", "Zoë Roe, 4 Elm", (Span(0, 7, "PATIENT"), Span(9, 14, "STREET")))


@pytest.mark.parametrize("name", disguises.DISGUISES)
def test_marks_stay_where_they_are(name: str) -> None:
    note = disguises.disguised(NOTE, disguises.DISGUISES[name], "seed")
    assert len(note.spans) == 2
    assert disguises.disguised(NOTE, disguises.DISGUISES[name], "seed") == note
    for span in note.spans:
        assert note.text[span.start] not in "< "
    if name == "as written":
        assert (note.text, note.spans) == (NOTE.text, NOTE.spans)
    if name == "an address":
        assert note.text == "Zo%C3%AB%20Roe,%204%20Elm"
        assert [note.text[span.start : span.end] for span in note.spans] == ["Zo%C3%AB%20Roe", "4%20Elm"]


def test_figures_count_letters_and_digits() -> None:
    found = Document("1", NOTE.text, (Span(0, 3, "PATIENT"), Span(7, 14, "STREET")))
    other = Document("2", "Elm", ())
    system = SimpleNamespace(detect=lambda notes: [{"1": found, "2": other}[note.id] for note in notes])
    figures = disguises.figures(system, [NOTE, other])
    assert figures == {"recall": 7 / 10, "precision": 1.0, "clean": 0.5}
