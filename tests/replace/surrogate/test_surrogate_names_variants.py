"""Nicknames and the names they stand for."""

from __future__ import annotations

import pytest

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.variants import formal, nicknames


@pytest.mark.parametrize(
    ("name", "stands_for"),
    [
        ("johnny", "john"),
        ("bill", "william"),
        ("peggy", "margaret"),
        ("pepe", "jose"),
        ("xyz", "xyz"),
        ("john", "john"),
    ],
)
def test_formal(name: str, stands_for: str) -> None:
    assert formal(name) == stands_for


def test_a_nickname_leads_back_to_its_name() -> None:
    keyed = Keyed.from_secret(bytes(32))
    for name in ("michael", "william", "patricia", "joseph", "katherine"):
        made = nicknames(name, name, keyed)
        assert made
        assert name not in made
        assert made == nicknames(name, name, keyed)
    assert {formal(short) for short in nicknames("michael", "", keyed)} == {"michael"}


def test_nicknames_of_one_name_get_different_ones() -> None:
    keyed = Keyed.from_secret(bytes(32))
    assert nicknames("william", "peggy", keyed)[0] != nicknames("william", "meg", keyed)[0]


def test_a_name_without_nickname() -> None:
    assert not nicknames("zzz", "", Keyed.from_secret(bytes(32)))


def test_keys_differ() -> None:
    made = {nicknames("elizabeth", "", Keyed.from_secret(bytes([number] * 32)))[0] for number in range(20)}
    assert len(made) == 3
