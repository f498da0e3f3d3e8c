"""How names are written."""

from __future__ import annotations

import pytest

from plainsight.replace.surrogate.names.parse import Piece, display, write


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("smith", "Smith"), ("mcdonald", "McDonald"), ("obrien", "O'Brien"), ("macleod", "MacLeod"),
        ("mack", "Mack"), ("olson", "Olson"), ("dangelo", "D'Angelo"),
        ("muñoz", "Muñoz"), ("", ""), ("mcx", "Mcx"),
    ],
)  # fmt: skip
def test_display(name: str, shown: str) -> None:
    assert display(name) == shown


@pytest.mark.parametrize(
    ("word", "text", "written"),
    [("garcia", "Muñoz", "García"), ("garcia", "Munoz", "Garcia"), ("novak", "HORÁK", "NOVAK")],
)
def test_usual_accents_where_the_original_has_some(word: str, text: str, written: str) -> None:
    assert write(word, Piece(text, "word", "munoz")) == written
