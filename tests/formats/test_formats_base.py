from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plainsight.formats.base import free_key, plain_meta

keys = st.text("_xab", max_size=4)


@given(st.lists(keys, unique=True))
def test_every_name_gets_a_plain_key_of_its_own(names: list[str]) -> None:
    taken: dict[str, str] = {}
    for name in names:
        taken[free_key(name, taken)] = name
    assert list(taken.values()) == names
    assert plain_meta(taken) == taken


def test_usual_names_are_their_own_keys() -> None:
    assert free_key("ward", ["unit"]) == "ward"
