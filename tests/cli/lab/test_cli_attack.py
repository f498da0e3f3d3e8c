"""``plainsight attack``."""

import json
import random
import subprocess
import sys
from functools import partial

import pytest
import typer
from typer.testing import CliRunner

from plainsight import lists
from plainsight.cli.lab import attack
from plainsight.errors import UsageError
from plainsight.lab.attack.dictionary import hashes

app = typer.Typer()
app.command()(attack.attack)


@app.callback()
def _root():
    pass


def run(*arguments):
    result = CliRunner().invoke(app, ["attack", *map(str, arguments)], env={"COLUMNS": "200"})
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


@pytest.fixture
def gold(tmp_path):
    chance = random.Random(3)
    given, surnames = (lists.load(name)["name"][:1500] for name in ("first_names", "surnames"))
    folder = tmp_path / "gold"
    folder.mkdir()
    for number in range(16):
        name = f"{chance.choice(given).capitalize()} {chance.choice(surnames).capitalize()}"
        doctor = chance.choice(surnames).capitalize()
        record = chance.randrange(10**6, 10**7)
        day = f"{chance.randrange(1, 13)}/{chance.randrange(1, 28)}/2019"
        (folder / f"p{number}.txt").write_text(
            f"{{{{PATIENT|{name}}}}} seen {{{{DATE|{day}}}}} by Dr. {{{{DOCTOR|{doctor}}}}}.\n"
            f"MRN {{{{MEDICALRECORD|{record}}}}}. Dr. {{{{DOCTOR|{doctor}}}}} called.\n"
        )
    return folder


@pytest.mark.parametrize(
    ("verb", "keys"),
    [
        ("distinguish", ["distinguish"]),
        ("offset", ["offset"]),
        ("parrot", ["parrot"]),
    ],
)
def test_every_attack_reports_beside_chance(gold, verb, keys):
    if verb == "parrot":
        pytest.importorskip("pycrfsuite")
    told = json.loads(run(verb, gold, "--format", "inline", "--json"))
    assert list(told) == keys
    assert all(told[key] for key in keys)
    assert any("random" in column for rows in told.values() for row in rows for column in row)


def test_results_repeat_with_the_seed(gold):
    one = run("distinguish", gold, "--seeds", 2, "--json")
    assert one == run("distinguish", gold, "--seeds", 2, "--json")
    assert one != run("distinguish", gold, "--seeds", 2, "--seed", 1, "--json")


def test_tables_for_people_and_for_pages(gold):
    assert "Distinguisher" in run("distinguish", gold, "--seeds", 1)
    page = run("distinguish", gold, "--seeds", 1, "--markdown")
    assert page.startswith("**Distinguisher")
    assert (
        page.count("\n| ") == 10
    )  # a head, a rule, names under three policies, numbers; by looks and by counts


def test_all_runs_all(gold, monkeypatch):
    pytest.importorskip("pycrfsuite")
    monkeypatch.setattr(attack, "hashes", partial(hashes, digits=4))  # a smaller space is sooner counted up
    told = json.loads(run("all", gold, "--json", "--sites", 2, "--site-patients", 20))
    assert list(told) == [
        "parrot",
        "distinguish",
        "exclusion",
        "hashes",
        "guessed_keys",
        "digits_kept",
        "offset",
    ]
    assert told["hashes"][0]["recovered"] == 200


def test_exclusion_needs_no_notes():
    told = json.loads(run("exclusion", "--sites", 2, "--site-patients", 20, "--json"))["exclusion"]
    assert {row["kind"] for row in told} >= {"surname", "hospital", "town", "state", "organisation"}
    with pytest.raises(UsageError, match="needs notes"):
        run("offset")


def test_what_a_policy_finds_is_attacked(gold, tmp_path):
    policy = tmp_path / "rules.toml"
    policy.write_text('detectors = ["patterns"]\n[replace]\ndefault = "surrogate"\n')
    told = json.loads(
        run("distinguish", gold, "--format", "inline", "--seeds", 2, "--policy", policy, "--json")
    )
    assert {row["left_in"] for row in told["distinguish"]} == {"1% by chance", "missed by the policy"}


def test_lessons_may_be_other_notes(gold):
    options = [gold, "--format", "inline", "--seeds", 2, "--json"]
    told = json.loads(run("distinguish", *options, "--lessons", gold))["distinguish"]
    assert {row["repetitions"] for row in told} == {2}
    assert told != json.loads(run("distinguish", *options))["distinguish"]


BARE = """
import sys

class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "pycrfsuite", "onnx", "gensim", "safetensors", "scipy"):
            raise ImportError(name)

sys.meta_path.insert(0, Without())
from plainsight.cli import main
main()
"""


@pytest.mark.parametrize("verb", ["distinguish", "offset", "exclusion"])
def test_attacks_run_without_the_training_extra(gold, verb):
    options = ["--json", "--format", "inline", "--seeds", "1", "--sites", "2", "--site-patients", "10"]
    notes = [] if verb == "exclusion" else [str(gold)]
    done = subprocess.run(
        [sys.executable, "-c", BARE, "attack", verb, *notes, *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)


def test_one_patient_is_not_enough(gold):
    with pytest.raises(UsageError, match="at least two patients"):
        run("offset", gold / "p1.txt", "--format", "inline")


def test_figures_are_short():
    cells = [attack._cell(value) for value in ("SSN", 9, 2400, 2.4e-6, None, True)]
    assert cells == ["SSN", "9", "2,400", "2.4e-06", "n/a", "True"]
