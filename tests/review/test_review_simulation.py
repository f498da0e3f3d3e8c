"""The benchmark of simulated readers, small: rules alone, in real projects."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = str(Path(__file__).parents[2] / "benchmarks")


@pytest.fixture(scope="module")
def simulation():
    sys.path.insert(0, BENCHMARKS)
    yield import_module("review_simulation")
    sys.path.remove(BENCHMARKS)


def test_intervals_cover_the_truth(simulation, policy):
    results = [
        simulation.simulate(seed, notes=40, patients=10, sample=12, policy=str(policy), read=5 * seed)
        for seed in range(3)
    ]
    for result in results:
        assert result["edits"] > 12  # rules miss every name
        rates = result["truth"]["all"]
        assert 0.2 < rates["identifier"] < 1
        assert rates["identifier"] <= rates["note"] <= 1
    covered = [result["covered"][f"{kind} {unit}"] for result in results for kind, unit in (
        ("all", "identifier"), ("all", "note"), ("direct", "identifier"), ("indirect", "note"),
    )]  # fmt: skip
    assert sum(covered) >= 11


def test_the_table_is_printed(simulation, policy, capsys):
    simulation.show([simulation.simulate(7, notes=12, patients=5, sample=6, policy=str(policy))])
    printed = capsys.readouterr().out
    assert "1 projects of 12 notes, 6 read in each" in printed
    assert "direct, per patient" in printed
