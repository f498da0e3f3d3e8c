"""The example policies of the published systems train and run by the commands in their heads."""

import shutil
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

from tiny_encoder import write_encoder  # noqa: E402

from published_systems import EXAMPLES, SYSTEMS, commands, main, value  # noqa: E402

SMALL = (
    "crf=--iterations 3 --force",
    "bilstm=--epochs 1 --batch 8",
    "transformer=--epochs 1 --batch 4 --bias 0",
    "vectors=--epochs 1 --rarest 1",
)


def test_systems_are_the_examples_with_training_commands():
    heads = {path.stem for path in EXAMPLES.glob("*.toml") if commands_of(path)}
    assert heads == set(SYSTEMS)


def commands_of(path: Path) -> list[list[str]]:
    policy = path.read_text(encoding="utf-8")
    return commands(policy) if "\nname = " in policy else []


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_model_of_a_policy_has_its_command(name: str):
    policy = (EXAMPLES / f"{name}.toml").read_text(encoding="utf-8")
    models = {line.split('"')[1] for line in policy.splitlines() if line.startswith("model = ")}
    made = {value(command, "--out") for command in commands(policy)}
    assert {f"examples/{model}" for model in models} <= made


@pytest.mark.server  # takes long
@pytest.mark.parametrize("name", SYSTEMS)
def test_a_system_trains_and_runs_at_small_size(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    notes = sorted((ROOT / "corpus" / "letters").glob("*.txt"))[:7]
    for folder, part in (("train", notes[:5]), ("test", notes[5:])):
        (tmp_path / folder).mkdir()
        for note in part:
            shutil.copy(note, tmp_path / folder)
    encoder = write_encoder(tmp_path / "encoder")
    arguments = ["--train", str(tmp_path / "train"), "--test", str(tmp_path / "test"), "--out", str(tmp_path)]
    encoders = ["--encoders", f"cased={encoder}", f"uncased={encoder}"]
    main([*arguments, *encoders, "--systems", name, "--options", *SMALL, "--beside", "fast"])
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert [row[0] for row in rows] == ["| system", "| fast", f"| {name}"]
    assert float(rows[2][6]) > 0
