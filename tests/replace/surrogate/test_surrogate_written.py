"""How names are written."""

from __future__ import annotations

import pytest

from plainsight.replace.surrogate.names.written import accented, display, plain


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
    ("name", "letters"),
    [
        ("núñez", "nunez"),
        ("o'brien", "obrien"),
        ("ødegård", "odegard"),
        ("łukasz", "lukasz"),
        ("smith", "smith"),
    ],
)
def test_plain(name: str, letters: str) -> None:
    assert plain(name) == letters


@pytest.mark.parametrize(
    ("name", "original", "made"),
    [
        ("gomez", "pérez", "gómez"),
        ("gomez", "perez", "gomez"),
        ("novak", "horák", "novák"),
        ("hendricks", "ibañez", "hendricks"),  # no ñ between consonants
        ("espinoza", "ordoñes", "espiñoza"),
        ("hill", "čapek", "hill"),
        ("smith", "иванов", "smith"),
    ],
)
def test_accented(name: str, original: str, made: str) -> None:
    assert accented(name, original) == made
