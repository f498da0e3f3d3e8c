"""The garbage collector waits while notes are worked on, and goes on afterwards as it was."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from plainsight import collector
from plainsight.config import load_policy
from plainsight.document import Document
from plainsight.pipeline import Pipeline


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    on = gc.isenabled()
    yield
    gc.unfreeze()
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


def test_what_grows_old_is_not_gone_through_again():
    with collector.paused():
        new = [[]]
        assert any(new is one for one in gc.get_objects(generation=0))
        collector.grow_old()
        assert not gc.get_freeze_count()
        assert any(new is one for one in gc.get_objects(generation=2))


def test_what_others_have_frozen_stays_frozen():
    gc.freeze()
    collector.grow_old()
    assert gc.get_freeze_count()


def test_a_pipeline_makes_old_what_its_first_batch_has_loaded_and_nothing_later(monkeypatch):
    times: list[int] = []
    monkeypatch.setattr(collector, "grow_old", lambda: times.append(1))
    pipeline = Pipeline(load_policy("redact"))
    for _ in range(3):
        list(pipeline.deidentify([Document("1", "Seen by Dr. Okafor on 3/4/2019.")]))
    assert times == [1]
