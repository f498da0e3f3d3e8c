from dataclasses import replace

import pytest
from tiny_notes import notes

from plainsight.errors import UsageError
from plainsight.lab.experiments.ablation import ablation, variants_of
from plainsight.lab.experiments.bench import Bench, Split

SPLIT = [Split(notes(12), notes(12, "t"))]


def test_every_variant_is_held_against_the_first(bench):
    outcome = ablation(bench, SPLIT)
    whole, dates = outcome.data
    assert whole["variant"] == "everything"
    assert whole["against_first"] == {}
    assert dates["settings"] == {"labels": "DATE"}
    assert dates["against_first"]["phrase"]["f"] < 0
    assert dates["against_first"]["phrase"]["p_f"] < 0.01
    assert len(outcome.head) == len(outcome.rows[0]) == len(outcome.rows[1])
    assert "everything" in outcome.svg


def test_a_variant_is_a_name_or_settings(bench, words):
    variants = {**variants_of("words", ["dates"]), "phones": {"labels": "PHONE"}}
    outcome = ablation(replace(bench, settings={"seed": 7, "labels": "all"}), SPLIT, variants=variants)
    assert [row["settings"]["labels"] for row in outcome.data] == ["DATE", "PHONE"]
    assert {settings["seed"] for _, settings in words} == {7}
    with pytest.raises(UsageError, match="did you mean 'dates'"):
        variants_of("words", ["date"])
    with pytest.raises(UsageError, match="at least two"):
        ablation(bench, SPLIT, variants={"one": {}})
    with pytest.raises(UsageError, match="no setting"):
        ablation(bench, SPLIT, variants={"one": {}, "two": {"depth": 3}})


def test_the_feature_sets_of_the_crf_are_its_variants(bench):
    assert [*variants_of("crf")] == [
        "carafe-i", "carafe-i+l", "carafe-i+rc", "carafe-all", "plainsight",
    ]  # fmt: skip
    outcome = ablation(
        Bench(bench.ledger, "crf", settings={"iterations": 5}),
        [Split(notes(8), notes(4, "t"))],
        variants={"carafe-i": {"feature_set": "carafe-i"}, "plain": {"feature_set": "plain"}},
    )
    assert len(outcome.data) == 2
