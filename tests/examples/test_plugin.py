"""The worked plugin example, installed for real beside plainsight."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[2] / "examples" / "plugin"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(target), str(PLUGIN)], check=True, capture_output=True)
    path = os.pathsep.join(filter(None, [str(target), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}


def plainsight(*arguments: object, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "plainsight", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_the_registry_finds_all_three(environment):
    result = plainsight("plugins", "--json", environment=environment)
    ours = {(p["kind"], p["name"]) for p in json.loads(result.stdout) if p["package"] == "plainsight-badge"}
    assert ours == {("detectors", "badge"), ("operations", "stars"), ("formats", "ward-book")}


def test_a_ward_book_is_deidentified(environment, tmp_path):
    out = tmp_path / "clean.book"
    arguments = ["deidentify", PLUGIN / "ward.book", "-o", out, "--policy", PLUGIN / "policy.toml"]
    result = plainsight(*arguments, environment=environment)
    assert result.returncode == 0, result.stderr
    assert out.read_text() == (
        "=== monday\n"
        "Seen with Dr. [DOCTOR], badge BDG-*****, on [DATE]. Slept well, BP 118/72.\n"
        "=== tuesday\n"
        "Handover from BDG-*****. Nothing new.\n"
    )


def test_the_example_keeps_the_contracts(environment):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(PLUGIN / "tests")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_its_wrong_options_are_refused_by_the_policy(environment, tmp_path):
    policy = tmp_path / "wrong.toml"
    policy.write_text('detectors = ["badge"]\n[detector.badge]\nprefix = "B-"\n')
    result = plainsight("policy", "check", policy, environment=environment)
    assert result.returncode == 2
    assert "refuses its options" in result.stderr
