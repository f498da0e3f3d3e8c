from __future__ import annotations

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize(
    "name", ["", ".calendar", ".date_grammar", ".date_render", ".date_tokens", ".holidays"]
)
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(import_module(f"plainsight.locale{name}")).failed == 0
