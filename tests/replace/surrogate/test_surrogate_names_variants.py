"""Nicknames and the names they stand for."""

from __future__ import annotations

import pytest

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.variants import formal, nickname


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
        made = nickname(name, keyed)
        assert made is not None
        assert made != name
        assert made == nickname(name, keyed)
    assert formal(str(nickname("michael", keyed))) == "michael"


def test_a_name_without_nickname() -> None:
    assert nickname("zzz", Keyed.from_secret(bytes(32))) is None


def test_keys_differ() -> None:
    made = {nickname("elizabeth", Keyed.from_secret(bytes([number] * 32))) for number in range(20)}
    assert len(made) == 2
