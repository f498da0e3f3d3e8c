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


def test_the_registry_finds_them_all(environment):
    result = plainsight("plugins", "--json", environment=environment)
    ours = {(p["kind"], p["name"]) for p in json.loads(result.stdout) if p["package"] == "plainsight-badge"}
    assert ours == {
        ("detectors", "badge"),
        ("detectors", "shapes"),
        ("trainers", "shapes"),
        ("operations", "stars"),
        ("formats", "ward-book"),
    }


@pytest.mark.server  # takes long
def test_a_detector_of_the_plugin_is_trained_compared_and_part_of_experiments(environment, tmp_path):
    pytest.importorskip("torch")
    ward = tmp_path / "ward"
    for part, first in (("train", 0), ("test", 20)):
        (ward / part).mkdir(parents=True)
        for number in range(first, first + 12):
            badge, day = f"{{{{IDNUM|BDG-{20400 + 7 * number}}}}}", f"{{{{DATE|3/{number % 9 + 1}/2019}}}}"
            (ward / part / f"{number}.txt").write_text(f"Badge {badge} on {day}, BP 118/72.\n")
    model, found = tmp_path / "model", tmp_path / "found.jsonl"
    train = ("train", "shapes", "--train", ward / "train", "--dev", ward / "test", "--out", model)
    done = plainsight(*train, "--json", "--set", "rarest=1", "--labels", "ID", environment=environment)
    assert done.returncode == 0, done.stderr
    manifest = json.loads(done.stdout)
    assert manifest["labels"] == ["IDNUM"]
    assert manifest["scores"]["strict"]["f"] == 1.0
    wrong = plainsight(*train, "--force", "--set", "rarst=1", environment=environment)
    assert (wrong.returncode, "did you mean 'rarest'" in wrong.stderr) == (2, True)
    wrong = plainsight(*train, "--force", "--epochs", 3, environment=environment)
    assert wrong.returncode == 2
    assert "shapes has no option --epochs; trainers that have it: bilstm, convolution" in wrong.stderr

    detect = ("detect", ward / "test", "-o", found, "--model", model, "--recall", "high", "--explain")
    done = plainsight(*detect, environment=environment)
    assert done.returncode == 0, done.stderr
    assert "shapes" in found.read_text()
    compare = ("compare", ward / "test", f"model:{model}", "policy:fast", "--json", "--shuffles", 9)
    done = plainsight(*compare, environment=environment)
    assert done.returncode == 0, done.stderr
    assert "model" in done.stdout
    curve = ("experiment", "learning-curve", "--train", ward / "train", "--test", ward / "test", "--json")
    options = ("--detector", "shapes", "--sizes", "4,100%", "--seeds", 1, "-o", tmp_path / "out")
    done = plainsight(*curve, *options, environment=environment)
    assert done.returncode == 0, done.stderr
    assert [row["notes"] for row in json.loads(done.stdout)["rows"]] == [4, 12]


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
