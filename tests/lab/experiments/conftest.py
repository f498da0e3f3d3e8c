import pytest
import tiny_notes

from plainsight import registry
from plainsight.lab.experiments import ablation, systems
from plainsight.lab.experiments.bench import Bench, Ledger


@pytest.fixture
def words(monkeypatch):
    """Register the word list like a plugin; return what it was trained with."""
    added = {"detectors": "tiny_notes:Words", "trainers": "tiny_notes:train_words"}
    monkeypatch.setattr(
        registry,
        "BUILT_IN",
        {
            kind: {**known, **({"words": added[kind]} if kind in added else {})}
            for kind, known in registry.BUILT_IN.items()
        },
    )
    variants = {**systems.VARIANTS, "words": {"everything": {}, "dates": {"labels": "DATE"}}}
    monkeypatch.setattr(systems, "VARIANTS", variants)
    monkeypatch.setattr(ablation, "VARIANTS", variants)
    monkeypatch.setattr(tiny_notes, "TRAINED", [])
    return tiny_notes.TRAINED


@pytest.fixture
def bench(words, tmp_path):
    return Bench(Ledger(tmp_path / "out"), "words")
