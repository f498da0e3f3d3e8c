"""``plainsight evaluate --surrogates``."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from plainsight.cli.evaluate import evaluate
from plainsight.errors import DataError, UsageError

NOT_THERE = (
    "split", "merged", "wrong_sex", "families", "institutions", "logins", "wrong_ages",
    "in_vain", "medicine", "area_codes",
)  # fmt: skip
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
    measures = told["measures"].items()
    counts = {name: (found["count"], found["of"]) for name, found in measures if found["of"]}
    assert counts == {
        "people_within_note": (0, 2),
        "people_across_notes": (1, 1),  # Day and Ray
        "gender_clashes": (1, 1),  # Mr. Lisa
        "date_formats": (1, 2),
        "date_intervals": (1, 1),  # one date lost its year
        "date_shifts": (1, 2),
        "impossible_dates": (0, 2),
        "scrambles": (0, 4),
        "tags": (0, 4),
        "originals_left": (0, 3),  # a name, two days
        "collapsed": (0, 1),
        "safe_harbor_left": (0, 4),
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
    assert told["measures"]["tags"] == {"count": 4, "of": 4, "share": 1.0}
    assert told["measures"]["date_formats"]["of"] == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["CLEAN", "--surrogates", "--policy", "fast"], "for making PRED"),
        (["--surrogates", "--group", "A"], "none of the options"),
        (["--surrogates", "--patient-from-name", "p"], "needs a group"),
        (["--detected"], "for --surrogates"),
        (["CLEAN", "--surrogates", "--detected"], "for making PRED"),
        (["--surrogates", "--persons", "nowhere"], "no persons at nowhere"),
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


@pytest.mark.parametrize("found", [(), ("--detected",)])
def test_safe_harbor_leaves_nothing_that_the_law_lists_and_changes_no_provider(notes, found):
    _, _, key = notes
    told = run(
        CORPUS, "--surrogates", "--json", "--format", "inline", "--key-file", key,
        "--patient-from-name", "^(p[0-9]+)-", "--policy", "safe-harbor", *found,
    )  # fmt: skip
    measures = json.loads(told.stdout)["measures"]
    assert measures["safe_harbor_left"]["count"] == 0
    assert measures["safe_harbor_left"]["of"] > 800
    assert measures["providers_changed"]["count"] <= (8 if found else 0)  # eight show no sign of a provider
    assert measures["providers_changed"]["of"] > 180


@pytest.mark.parametrize("secret", range(8))
def test_the_longitudinal_notes_are_coherent_whatever_the_key(notes, secret):
    _, _, key = notes
    key.write_bytes(bytes([secret]) * 32)
    told = run(
        CORPUS, "--surrogates", "--json", "--format", "inline", "--key-file", key,
        "--patient-from-name", "^(p[0-9]+)-", "--patients", CORPUS,
    )  # fmt: skip
    measures = json.loads(told.stdout)["measures"]
    for policys in ("providers_changed", "safe_harbor_left"):
        del measures[policys]
    # an initial that may be one of two people's (W. Pinkham: Wendell, Wink) may fit neither
    chance = ("shared_left", "collapsed", "tags", "people_within_note", "people_across_notes")
    assert {n: found["count"] for n, found in measures.items() if n not in chance and found["count"]} == {}
    assert all(measures[name]["share"] < 0.05 for name in chance)
    assert all(measures[name]["of"] >= 20 for name in measures if name not in NOT_THERE)


@pytest.fixture
def by_ids(tmp_path):
    folder = tmp_path / "ids" / "anna"
    folder.mkdir(parents=True)
    (folder / "01_ed.txt").write_text(
        "Ms. {{PATIENT#anna|Anna Kowalski}}, {{AGE|64}}, {{DATE|3/4/2019}}. Lot 207-555-1187."
    )
    (folder / "02_ed.txt").write_text(
        "{{PATIENT#anna|KOWALSKI}} and {{PATIENT#jan|Jan Kowalski}}, {{DATE|3/5/2019}}"
    )
    people = {
        "anna": {"role": "patient", "sex": "F", "group": "hispanic", "family": "kowalski"},
        "jan": {"role": "relative", "sex": "M", "group": "hispanic", "family": "kowalski"},
    }
    (folder / "persons.json").write_text(json.dumps({"persons": people}))
    return tmp_path / "ids"


def test_people_are_measured_by_their_ids(by_ids, tmp_path):
    clean = tmp_path / "out" / "anna"
    clean.mkdir(parents=True)
    (clean / "01_ed.txt").write_text("Ms. Robert Garcia, 64, 3/14/2019. Lot 207-555-1187.")
    (clean / "02_ed.txt").write_text("LOPEZ and Jose Garcia, 3/15/2019")
    arguments = (
        by_ids,
        tmp_path / "out",
        "--surrogates",
        "--patient-folders",
        "--json",
        "--format",
        "inline",
    )
    told = json.loads(run(*arguments).stdout)
    counts = {name: told["measures"][name]["count"] for name in ("split", "merged", "wrong_sex", "families")}
    assert counts == {"split": 1, "merged": 0, "wrong_sex": 1, "families": 0}
    assert told["per_100_replacements"]["split"] == round(100 / 6, 4)
    assert told["measures"]["people_across_notes"]["of"] == 0
    assert "examples" not in told
    shown = json.loads(run(*arguments, "--show-text").stdout)
    assert "kowalski → garcia, lopez" in shown["examples"]["split"][0]


def test_detected_spans_are_replaced(by_ids, notes, tmp_path):
    _, _, key = notes
    policy = tmp_path / "rules.toml"
    policy.write_text('detectors = ["patterns"]\n[replace]\ndefault = "surrogate"\n')
    result = run(
        by_ids, "--surrogates", "--detected", "--patient-folders", "--policy", policy, "--key-file", key,
        "--format", "inline", "--json",
    )  # fmt: skip
    told = json.loads(result.stdout)
    assert told["identifiers"] == 6
    assert told["identifiers_missed"] == 4  # patterns find the dates alone
    assert told["replacements"] == 3  # and a telephone that is none
    assert told["measures"]["in_vain"] == {"count": 1, "of": 3, "share": 0.333333}


def test_surrogates_are_measured_with_a_state(notes, tmp_path):
    gold, _, key = notes
    asked = (gold, "--surrogates", "--json", "--key-file", key, "--patient-from-name", "^(p[0-9])-")
    first = run(*asked, "--state", tmp_path / "state")
    assert (tmp_path / "state").exists()
    assert run(*asked, "--state", tmp_path / "state").stdout == first.stdout
    with pytest.raises(UsageError, match="--state are for --surrogates"):
        run(gold, "--state", tmp_path / "state")
