"""The policy of a run, with the models and the recall that the user asks for."""

from __future__ import annotations

import pytest

from plainsight.cli.chosen import Recall, choose_policy
from plainsight.errors import UsageError
from plainsight.model import read_manifest
from plainsight.models import models_of


def biases(name: str, recall: Recall) -> dict[str, float]:
    policy = choose_policy(name, recall=recall)
    return {choice.name: choice.options["bias"] for choice in policy.detectors if "bias" in choice.options}


def test_the_dial_moves_the_policy_s_own_bias():
    balanced, high, most = (biases("balanced", recall)["cascade"] for recall in Recall)
    assert balanced > high > most
    assert choose_policy("balanced", recall=Recall.BALANCED) == choose_policy("balanced")


def test_the_dial_moves_the_model_s_bias_where_the_policy_has_none(tmp_path):
    policy = tmp_path / "mine.toml"
    policy.write_text('detectors = ["patterns", "lexicon", "convolution"]\n')
    assert biases(str(policy), Recall.HIGH)["convolution"] == read_manifest("conv-en")["bias"] - 1.5


def test_the_dial_needs_something_to_move(tmp_path):
    policy = tmp_path / "rules.toml"
    policy.write_text('detectors = ["patterns", "lexicon"]\n')
    with pytest.raises(UsageError, match="no learned detector"):
        choose_policy(str(policy), recall=Recall.MAX)


def test_a_run_s_manifest_names_its_models():
    found = models_of(choose_policy("balanced"))
    assert set(found) == {"cascade"}
    assert len(found["cascade"]) == 64
