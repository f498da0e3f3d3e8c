import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plainsight.cli.lab.experiment import app
from plainsight.errors import DataError, UsageError
from plainsight.formats.inline import parse

NAMES = ("Maria Lopez", "John Carter", "Amy Wong", "Peter Novak", "Omar Haddad", "Lucy Brown")
QUICK = ("--set", "feature_set=plain", "--set", "iterations=5")


@pytest.fixture
def run():
    def call(*arguments):
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == 0, result.output
        return result.stdout

    return call


@pytest.fixture
def corpus(tmp_path):
    def write(name: str, count: int = 6) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        for number in range(count):
            who, when = f"{{{{PATIENT|{NAMES[number % 6]}}}}}", f"{{{{DATE|{number + 1}/4/2019}}}}"
            text = f"{name} {number}: {who} seen on {when}."
            (folder / f"{number}.txt").write_text(text, encoding="utf-8")
        return folder

    return write


def test_a_learning_curve_is_written_printed_and_resumed(run, corpus, tmp_path):
    out = tmp_path / "out"
    command = [
        "learning-curve",
        "--train",
        corpus("train"),
        "--test",
        corpus("test", 3),
        "--format",
        "inline",
    ]
    command += ["-o", out, "--sizes", "2,50%,100%", "--seeds", "2", *QUICK]
    printed = run(*command)
    assert "| 100% | 6 |" in printed
    assert printed.rstrip() == (out / "learning-curve.md").read_text().rstrip()
    assert (out / "learning-curve.svg").read_text().startswith("<svg")
    runs = (out / "results.jsonl").read_text()
    assert len(runs.splitlines()) == 5, "all notes are all notes, whatever the draw"
    record = json.loads(run(*command, "--json"))
    assert [row["notes"] for row in record["rows"]] == [2, 3, 6]
    assert (out / "results.jsonl").read_text() == runs


def test_several_detectors_are_drawn_together_and_wrong_settings_refused_first(run, corpus, tmp_path):
    sides = ("--train", corpus("train"), "--test", corpus("test", 3), "--format", "inline")
    command = ("learning-curve", *sides, "-o", tmp_path / "out", "--sizes", "100%", "--seeds", 1, "--json")
    both = ("--detector", "crf", "--detector", "charlm", "--detector", "crf+charlm")
    settings = ("--set", "feature_set=plain", "--set", "crf.iterations=5", "--set", "order=4")
    record = json.loads(run(*command, *both, *settings))
    assert [row["detector"] for row in record["rows"]] == ["crf", "charlm", "crf+charlm"]
    for wrong, reason in (
        (("--detector", "transformer"), "training transformer needs the setting encoder"),
        (("--detector", "crf"), "once"),
        (("--set", "epochs=2"), "no setting 'epochs'"),
        (("--scorer", "loose"), "strict or binary-token"),
    ):
        with pytest.raises(UsageError, match=reason):
            run(*command, *both, *settings, *wrong)
    assert len((tmp_path / "out" / "results.jsonl").read_text().splitlines()) == 2


def test_an_ablation_takes_names_and_settings(run, corpus, tmp_path):
    printed = run(
        "ablation", "--train", corpus("train"), "--folds", 2, "--format", "inline", "-o", tmp_path / "out",
        "--variant", "carafe-i", "--variant", "loose:feature_set=plain,gaussian=0.01",
        "--set", "iterations=5", "--group", "safe-harbor", "--json",
    )  # fmt: skip
    base, loose = json.loads(printed)["rows"]
    assert base["settings"] == {"iterations": 5, "feature_set": "carafe-i"}
    assert loose["settings"] == {"iterations": 5, "feature_set": "plain", "gaussian": 0.01}


def test_a_network_is_taken_apart(run, corpus, tmp_path):
    pytest.importorskip("torch")
    command = ["architecture", "--train", corpus("train", 10), "--held-out", "0.3", "--format", "inline"]
    command += ["--epochs", 1, "--set", "batch=8", "--set", "optimiser=adam", "--set", "quantise=false"]
    command += ["--crf", "feature_set=plain", "--crf", "iterations=5", "-o", tmp_path / "out"]
    rows = json.loads(run(*command, "--json"))["rows"]
    assert [row["system"] for row in rows][-2:] == ["crf", "whole + crf"]
    assert rows[0]["settings"] == {
        "seed": 0, "batch": 8, "optimiser": "adam", "quantise": False, "epochs": 1,
    }  # fmt: skip
    assert "| whole + crf |" in (tmp_path / "out" / "architecture.md").read_text()
    with pytest.raises(UsageError, match="at most a half"):
        run(*command, "--held-out", "0.8")


def test_a_bias_sweep_has_other_systems_and_takes_a_model(run, corpus, tmp_path):
    test, out = corpus("test", 3), tmp_path / "out"
    common = ["--test", test, "--format", "inline", "-o", out, "--biases=-1,1", "--json"]
    first = json.loads(
        run("bias-sweep", "--train", corpus("train"), "-p", "fast", "--also", f"gold={test}", *common, *QUICK)
    )
    assert [row["system"] for row in first["rows"]] == ["bias -1", "bias +1", "fast", "gold"]
    (model,) = (out / "models").iterdir()
    second = json.loads(run("bias-sweep", "--model", model, *common, "--scorer", "binary-token"))
    assert [row["figures"] for row in second["rows"]] == [row["figures"] for row in first["rows"][:2]]
    with pytest.raises(UsageError, match="give --model and --test"):
        run("bias-sweep", "--model", model, "--train", test, *common)
    with pytest.raises(UsageError, match="strict or binary-token"):
        run("bias-sweep", "--model", model, *common, "--scorer", "muc")


def test_corpora_are_named_or_found_in_a_folder(run, corpus, tmp_path):
    one, two = corpus("one"), corpus("two")
    out = tmp_path.with_name(f"{tmp_path.name}-out")
    common = ["cross-corpus", "--format", "inline", "-o", out, "--json", *QUICK]
    named = json.loads(run(*common, "--corpus", f"one={one}", "--corpus", f"two={two}"))
    found = json.loads(run(*common, "--corpora", tmp_path))
    assert len(named["rows"]) == 6
    assert found["rows"] == named["rows"]
    alone = json.loads(run(*common, "--corpus", f"one={one}", "--test-only", f"two={two}"))
    assert [(row["target"], row["source"]) for row in alone["rows"]] == [("one", "one"), ("two", "one")]
    with pytest.raises(UsageError, match="--corpora FOLDER"):
        run(*common)


def test_portability_and_fairness_measure_policies(run, corpus, tmp_path):
    one = corpus("one")
    common = ["--format", "inline", "-p", "fast"]
    table = run("portability", "--corpus", f"one={one}", *common, "-o", tmp_path / "speed")
    assert "| system | one P | one R | one F | spread | notes/s | load s | peak MB |" in table
    printed = run("fairness", one, *common, "-o", tmp_path / "fair", "--by", "sex", "--rounds", "1")
    assert "| sex | female | 12 |" in printed


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["learning-curve", "--train", "{one}", "-o", "{out}"], "--train and --folds"),
        (
            ["learning-curve", "--train", "{one}", "--test", "{one}", "-o", "{out}"],
            "among the training notes",
        ),
        (["learning-curve", "--train", "{one}", "--folds", "2", "-o", "{one}/out"], "lies inside the input"),
        (["learning-curve", "--train", "{one}", "--folds", "2", "-o", "{one}/1.txt"], "is a file"),
        (["ablation", "--train", "{one}", "--folds", "2", "-o", "{out}", "--variant", "crafe"], "no variant"),
        (["ablation", "--train", "{one}", "--folds", "2", "-o", "{out}", "--set", "iterations"], "KEY=VALUE"),
        (["ablation", "--train", "{one}", "--folds", "2", "-o", "{out}", "--detector", "x"], "no trainable"),
        (["portability", "--corpus", "{one}", "-o", "{out}", "-p", "fast"], "NAME=PATH"),
        (["portability", "--corpus", "a={one}", "--corpus", "a={one}", "-o", "{out}"], "two are called"),
        (["portability", "--corpus", "a={one}", "-o", "{out}"], "a system and a corpus"),
        (["fairness", "{one}", "-o", "{out}"], "one system"),
        (["fairness", "{one}", "-o", "{out}", "-p", "fast", "--group", "A"], "names only"),
        (["portability", "--corpus", "a={one}", "-o", "{out}", "-p", "fast", "--coarse", "mask"], "policies"),
        (["fairness", "{one}", "-o", "{out}", "-p", "fast", "--coarse", "mask"], "policies"),
        (["bias-sweep", "--train", "{one}", "-o", "{out}", "-p", "fast", "--coarse", "mask"], "policies"),
    ],
)
def test_wrong_use_is_refused(run, corpus, tmp_path, arguments, reason):
    one = corpus("one")
    with pytest.raises(UsageError, match=reason):
        run(*(part.format(one=one, out=tmp_path / "out") for part in arguments), "--format", "inline")


def test_labels_are_ours_and_something_is_marked(run, corpus, tmp_path):
    common = ["fairness", "--format", "inline", "-p", "fast", "-o", tmp_path / "out"]
    one = corpus("one", 1)
    (one / "0.txt").write_text("{{PERSON|Ann}} is well.", encoding="utf-8")
    with pytest.raises(UsageError, match="name their scheme with"):
        run(*common, one)
    assert parse("{{PERSON|Ann}}")[1][0].label == "PERSON"
    (one / "0.txt").write_text("All is well.", encoding="utf-8")
    with pytest.raises(DataError, match="have no identifiers"):
        run(*common, one)
