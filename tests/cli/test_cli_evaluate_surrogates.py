"""``plainsight evaluate --surrogates``."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from plainsight.cli.evaluate import evaluate
from plainsight.errors import DataError, UsageError

CORPUS = Path(__file__).parents[2] / "corpus" / "longitudinal"

app = typer.Typer()
app.command()(evaluate)


def run(*arguments, catch=False):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "160"})
    if result.exception and not isinstance(result.exception, SystemExit) and not catch:
        raise result.exception
    return result


@pytest.fixture
def notes(tmp_path):
    gold, clean = tmp_path / "gold", tmp_path / "clean"
    gold.mkdir()
    clean.mkdir()
    for name, marked, released in (
        ("p1-a", "Mr. {{PATIENT|John Smith}}, {{DATE|3/4/2019}}", "Mr. Lisa Day, 3/14/2019"),
        ("p1-b", "{{PATIENT|John Smith}}, {{DATE|3/5/2019}}", "Lisa Ray, March 15"),
    ):
        (gold / f"{name}.txt").write_text(marked)
        (clean / f"{name}.txt").write_text(released)
    key = tmp_path / "key"
    key.write_bytes(bytes(32))
    key.chmod(0o600)
    return gold, clean, key


def test_released_notes_are_measured_against_gold(notes):
    gold, clean, _ = notes
    result = run(gold, clean, "--surrogates", "--json", "--patient-from-name", "^(p[0-9])-")
    told = json.loads(result.stdout)
    counts = {name: (found["count"], found["of"]) for name, found in told["measures"].items()}
    assert counts == {
        "people_within_note": (0, 2),
        "people_across_notes": (1, 1),  # Day and Ray
        "gender_clashes": (1, 1),  # Mr. Lisa
        "date_formats": (1, 2),
        "date_intervals": (1, 1),  # one date lost its year
        "places": (0, 0),
        "originals_left": (0, 4),  # two words, two days
        "collapsed": (0, 1),
        "split_numbers": (0, 0),
    }
    assert (told["notes"], told["patients"]) == (2, 1)
    assert list(told["by_patient"]) == ["p1"]


def test_without_patients_each_note_stands_alone(notes):
    gold, clean, _ = notes
    told = json.loads(run(gold, clean, "--surrogates", "--json").stdout)
    assert told["patients"] == 2
    assert told["measures"]["people_across_notes"]["count"] == 0


def test_the_table_shows_what_is_not_defined_and_no_text(notes):
    gold, clean, _ = notes
    shown = run(gold, clean, "--surrogates").stdout
    assert "2 notes, 2 patients, 4 identifiers" in shown
    assert "n/a" in shown
    assert "Smith" not in shown
    assert "Lisa" not in shown


def test_notes_changed_beyond_the_gold_are_told(notes):
    gold, clean, _ = notes
    (clean / "p1-a.txt").write_text("Dr. Lisa Day, 3/14/2019")
    assert "In 1 note more than the gold spans was changed" in run(gold, clean, "--surrogates").stdout


def test_gold_spans_are_replaced_when_nothing_is_released(notes):
    gold, _, key = notes
    told = run(gold, "--surrogates", "--json", "--key-file", key, "--patient-from-name", "^(p[0-9])-")
    assert (
        told.stdout
        == run(gold, "--surrogates", "--json", "--key-file", key, "--patient-from-name", "^(p[0-9])-").stdout
    )
    assert {
        name: found["count"] for name, found in json.loads(told.stdout)["measures"].items()
    } == dict.fromkeys(json.loads(told.stdout)["measures"], 0)


def test_a_policy_that_redacts_leaves_no_dates(notes, tmp_path):
    gold, _, _ = notes
    policy = tmp_path / "redact.toml"
    policy.write_text('detectors = ["patterns"]\n[replace]\ndefault = "redact"\n')
    told = json.loads(run(gold, "--surrogates", "--json", "--policy", policy).stdout)
    assert told["measures"]["date_formats"] == {"count": 2, "of": 2, "share": 1.0}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["CLEAN", "--surrogates", "--policy", "fast"], "for making PRED"),
        (["--surrogates", "--group", "A"], "none of the options"),
        (["--surrogates", "--patient-from-name", "p"], "needs a group"),
    ],
)
def test_wrong_use(notes, arguments, reason):
    gold, clean, _ = notes
    with pytest.raises(UsageError, match=reason):
        run(gold, *[clean if argument == "CLEAN" else argument for argument in arguments])


def test_notes_without_gold_are_refused(notes):
    _, clean, _ = notes
    with pytest.raises(UsageError, match="no note has gold spans"):
        run(clean, "--surrogates", "--format", "text")


def test_a_note_that_was_not_released_is_an_error(notes):
    gold, clean, _ = notes
    (clean / "p1-b.txt").unlink()
    with pytest.raises(DataError, match="p1-b"):
        run(gold, clean, "--surrogates")


@pytest.mark.parametrize("secret", range(8))
def test_the_longitudinal_notes_are_coherent_whatever_the_key(notes, secret):
    _, _, key = notes
    key.write_bytes(bytes([secret]) * 32)
    told = run(
        CORPUS, "--surrogates", "--json", "--format", "inline", "--key-file", key,
        "--patient-from-name", "^(p[0-9]+)-", "--patients", CORPUS,
    )  # fmt: skip
    measures = json.loads(told.stdout)["measures"]
    assert {name: found["count"] for name, found in measures.items()} == dict.fromkeys(measures, 0)
    assert all(found["of"] >= 20 for found in measures.values())
