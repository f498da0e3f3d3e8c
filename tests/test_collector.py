"""The garbage collector waits while notes are worked on, and goes on afterwards as it was."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from plainsight import collector


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    on = gc.isenabled()
    yield
    (gc.enable if on else gc.disable)()


@pytest.mark.parametrize("on", [True, False])
def test_it_waits_and_goes_on_as_it_was(on):
    (gc.enable if on else gc.disable)()
    with collector.paused():
        assert not gc.isenabled()
        with collector.paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled() is on
    with pytest.raises(KeyError), collector.paused():
        {}["note"]
    assert gc.isenabled() is on
