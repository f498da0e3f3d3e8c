"""The commands around the road: policy, plugins, demo, --version."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from plainsight import __version__
from plainsight.cli.demo import example_notes
from plainsight.model import bundled_models

RULES = Path(__file__).parents[2] / "examples" / "rules-only.toml"


def test_version(plainsight):
    assert plainsight("--version").out == f"plainsight {__version__}\n"


def test_no_arguments_shows_help(plainsight):
    result = plainsight()
    assert "deidentify" in result.out + result.err


def test_help_has_examples(plainsight):
    for verb in ("deidentify", "detect", "demo"):
        assert f"plainsight {verb}" in plainsight(verb, "--help").out.split("Usage", 1)[1].split("\n", 1)[1]


def test_wrong_arguments_exit_with_2(plainsight):
    assert plainsight("deidentify").code == 2
    assert plainsight("nonsense").code == 2


def test_policy_list_show_check(plainsight, tmp_path):
    listed = plainsight("policy", "list", "--json").json
    assert set(listed) == {"fast", "balanced", "best", "redact", "safe-harbor"}
    assert "safe-harbor" in plainsight("policy", "list").out
    mine = tmp_path / "mine.toml"
    mine.write_text(plainsight("policy", "show", "safe-harbor").out)
    result = plainsight("policy", "check", mine)
    assert (result.code, result.out) == (0, "safe-harbor: valid (3 detectors, 23 labels)\n")
    mine.write_text('detectors = ["patern"]')
    assert plainsight("policy", "check", mine).code == 2


def test_policy_check_says_what_changes_and_warns_without_networks(plainsight, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text('extends = "balanced"\n[combine.thresholds]\npatterns = 0.95\n')
    result = plainsight("policy", "check", mine)
    assert (result.code, result.err) == (0, "")
    assert "differs from balanced:\n  combine.thresholds.patterns: - -> 0.95\n" in result.out
    mine.write_text('extends = "balanced"\nwithout = ["cascade"]\n')
    result = plainsight("policy", "check", mine)
    assert result.code == 0
    assert "warning: no learned detector is left" in result.err


def test_plugins_are_listed_with_what_they_do(plainsight):
    listed = plainsight("plugins", "--json").json
    assert {entry["kind"] for entry in listed} == {
        *("detectors", "operations", "formats", "feature_sets", "trainers"),
    }
    assert all(entry["about"] and not entry["about"].startswith("cannot") for entry in listed)
    assert "i2b2-2014" in plainsight("plugins").out


def test_demo_shows_originals_beside_results(plainsight):
    result = plainsight("demo", "--lines", "40", "--policy", "redact")
    assert result.code == 0, result.err
    assert "Gaithers" in result.out
    assert "[PATIENT]" in result.out
    assert "30 notes of 6 invented patients" in result.out


def test_demo_hides_one_patient_in_plain_sight_and_always_looks_the_same(plainsight, tmp_path):
    page = tmp_path / "demo.html"
    first = plainsight("demo", "--patient", "p2", "--lines", "0", "--html", page)
    assert first.code == 0, first.err
    assert "[PATIENT]" not in first.out
    assert "p2-05" in first.out
    assert "p1-01" not in first.out
    content = page.read_text()
    assert content.count('<div class="note">') == len(example_notes())
    assert "http" not in content.replace("https://", "http").split("<pre>")[0]
    assert plainsight("demo", "--html", page).code == 2  # it is there already
    second = plainsight("demo", "--patient", "p2", "--lines", "0", "--html", page, "--force")
    assert first.out == second.out
    assert page.read_text() == content


def test_demo_knows_its_patients(plainsight):
    assert plainsight("demo", "--policy", RULES, "--patient", "p9").code == 2


def test_completion_can_be_installed(plainsight):
    result = plainsight("--show-completion", "bash")
    assert "plainsight" in result.out


def test_importing_loads_nothing_heavy_and_no_data():
    code = "import sys, plainsight; print([m for m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout.replace("'", '"')))
    assert not {"arro3", "typer", "rich", "torch", "numpy", "plainsight.text.vocabulary"} & loaded


@pytest.mark.parametrize("name", bundled_models())
def test_every_bundled_model_shows_its_card(plainsight, name):
    result = plainsight("models", name)
    assert result.code == 0
    assert "Scores on 300 notes" in result.out
