from types import MappingProxyType

import pytest
import tiny_notes

from plainsight.lab.experiments import systems
from plainsight.lab.experiments.bench import Bench, Ledger


@pytest.fixture
def words(monkeypatch):
    """Register the word list by one entry; return what it was trained with."""
    entry = systems.Trainable(
        "tiny_notes:train_words",
        "tiny_notes:Words",
        {"everything": {}, "dates": {"labels": "DATE"}},
    )
    monkeypatch.setattr(systems, "TRAINABLE", MappingProxyType({**systems.TRAINABLE, "words": entry}))
    monkeypatch.setattr(tiny_notes, "TRAINED", [])
    return tiny_notes.TRAINED


@pytest.fixture
def bench(words, tmp_path):
    return Bench(Ledger(tmp_path / "out"), "words")
