"""``plainsight compare``: several systems side by side."""

import csv
import sys

import pytest

# Twelve notes with a name and a date. The first system misses every second date, the second finds everything;
# the third takes the name for a doctor's and the word before it for a date.
NOTES = {
    f"n{number:02}": {
        "gold": f"Mr. {{{{PATIENT|Roe{number}}}}}, {{{{DATE|May}}}}",
        "poor": f"Mr. {{{{PATIENT|Roe{number}}}}}, " + ("{{DATE|May}}" if number % 2 else "May"),
        "good": f"Mr. {{{{PATIENT|Roe{number}}}}}, {{{{DATE|May}}}}",
        "other": f"{{{{DATE|Mr}}}}. {{{{DOCTOR|Roe{number}}}}}, {{{{DATE|May}}}}",
    }
    for number in range(12)
}


@pytest.fixture
def folders(tmp_path, monkeypatch):
    for name, sides in NOTES.items():
        for side, text in sides.items():
            (tmp_path / side).mkdir(exist_ok=True)
            (tmp_path / side / f"{name}.txt").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines(text):
    return [" ".join(line.split()) for line in text.splitlines()]


def read_table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_tables_on_the_terminal(plainsight, folders):
    result = plainsight("compare", "gold", "poor", "good", "other")
    assert result.code == 0, result.err
    shown = lines(result.out)
    assert "binary-token with intervals of 95 % (12 notes; * is best)" in shown
    # 18 of 24 tokens; half of the notes leak nothing
    assert any(line.startswith("poor *1.0000 [1.000, 1.000] 0.7500 [0.625, 0.") for line in shown)
    assert "good *1.0000 [1.000, 1.000] *1.0000 [1.000, 1.000] *1.0000 [1.000, 1.000] *1.0000 24" in shown
    assert "Against poor (9,999 shuffles)" in shown
    assert "DATE 12 0.5000 *1.0000 *1.0000" in shown
    assert "PATIENT 12 1.0000 1.0000 1.0000" in shown  # found, under whatever label
    assert max(map(len, result.out.splitlines())) <= 104
    assert "Roe" not in result.out


def test_significance_against_the_first(plainsight, folders):
    told = plainsight("compare", "gold", "poor", "good", "--json").json
    assert told["notes"] == 12
    assert list(told["systems"]) == ["poor", "good"]
    assert "against_first" not in told["systems"]["poor"]
    test = told["systems"]["good"]["against_first"]
    assert test["recall"] == 0.25
    assert test["precision"] == 0
    # six notes differ: a difference as large needs all six on one side, 2 of 64
    assert test["p_recall"] == pytest.approx(2 / 64, abs=0.01)
    assert test["p_precision"] == 1
    assert told["systems"]["good"]["found_alone"] == {"good": 6, "poor": 0}
    assert told["systems"]["poor"]["leaks"]["clean_notes"] == 6
    assert told["systems"]["poor"]["intervals"]["recall"]["value"] == 0.75


def test_a_system_does_not_differ_from_itself(plainsight, folders):
    told = plainsight("compare", "gold", "poor", "poor", "--names", "one,two", "--json", "--shuffles", 99)
    test = told.json["systems"]["two"]["against_first"]
    assert (test["f"], test["p_f"]) == (0, 1)
    assert told.json["shuffles"] == 99


def test_the_seed_decides(plainsight, folders):
    def told(seed):
        return plainsight("compare", "gold", "poor", "good", "--json", "--seed", seed).json["systems"]

    assert told(1) == told(1)
    assert told(1)["good"]["against_first"]["p_recall"] != told(2)["good"]["against_first"]["p_recall"]


def test_scorers_and_groups(plainsight, folders):
    def told(*options):
        return plainsight("compare", "gold", "poor", "other", "--json", *options).json["systems"]["other"]

    assert told("--scorer", "strict")["micro"]["recall"] == 0.5
    assert told("--scorer", "strict")["by_label"]["PATIENT"]["recall"] == 0
    assert told("--scorer", "character")["by_label"]["PATIENT"]["recall"] == 1
    assert told("--scorer", "strict", "--group", "A")["micro"]["found"] == 24  # no DOCTOR


def test_disagreements_without_and_with_text(plainsight, folders):
    path = folders / "differ.csv"
    assert plainsight("compare", "gold", "poor", "good", "--disagreements", path).code == 0
    listed = read_table(path)
    assert [row["note"] for row in listed] == [f"n{number:02}" for number in range(0, 12, 2)]
    assert listed[0] == {
        "note": "n00", "label": "DATE", "start": "10", "end": "13", "found_by": "good", "missed_by": "poor",
    }  # fmt: skip
    options = ("--disagreements", path, "--show-text", "--force")
    assert plainsight("compare", "gold", "poor", "good", "good", "--names", "a,b,c", *options).code == 0
    listed = read_table(path)
    assert [row["found_by"] for row in listed] == ["b"] * 6 + ["c"] * 6
    assert (listed[0]["before"], listed[0]["text"], listed[0]["after"]) == ("Mr. Roe0,", "May", "")


def test_the_page_is_one_file_without_text(plainsight, folders):
    path = folders / "compare.html"
    result = plainsight("compare", "gold", "poor", "good", "--names", "old,<new>", "--report", path)
    assert result.code == 0, result.err
    page = path.read_text()
    assert "<h1>old, &lt;new&gt; on gold</h1>" in page
    assert "0.7500 [0.625" in page
    assert "Roe" not in page
    assert "exists; --force" in plainsight("compare", "gold", "poor", "good", "--report", path).err


def test_schemes_and_formats_for_each_system(plainsight, folders, jsonl):
    notes = []
    for name in NOTES:
        text = f"Mr. Roe{int(name[1:])}, May"
        spans = [{"start": 4, "end": text.index(","), "label": "PERSON"}]
        notes.append({"id": name, "text": text, "spans": spans})
    jsonl(folders / "presidio.jsonl", *notes)
    systems = ("compare", "gold", "good", "presidio.jsonl", "--json", "--scorer", "strict")
    told = plainsight(*systems, "--pred-labels", ",presidio", "--pred-format", "inline,jsonl").json
    assert told["systems"]["presidio"]["micro"]["precision"] == 1
    assert told["systems"]["presidio"]["by_label"]["PATIENT"]["recall"] == 1
    assert plainsight(*systems).json["systems"]["presidio"]["micro"]["precision"] == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["poor"], "two systems or more"),
        (["poor", "poor"], "2 different names"),
        (["poor", "good", "--names", "a"], "2 different names"),
        (["poor", "good", "--names", "a,a"], "2 different names"),
        (["poor", "good", "--scorer", "tokens"], "did you mean 'token'?"),
        (["poor", "good", "--pred-format", "inline,text,text"], "give one, or 2"),
        (["poor", "good", "--show-text"], "--show-text is for --disagreements"),
        (["poor", "good", "--report", "poor/page.html"], "lies inside the input"),
        (["poor", "none"], "no input at none"),
    ],
)
def test_wrong_use(plainsight, folders, arguments, reason):
    result = plainsight("compare", "gold", *arguments)
    assert result.code == 2
    assert reason in result.err


def test_systems_of_the_same_name_are_told_apart_by_their_place(plainsight, folders):
    (folders / "x").mkdir()
    (folders / "good").rename(folders / "x" / "poor")
    told = plainsight("compare", "gold", "poor", "x/poor", "--json").json
    assert list(told["systems"]) == ["poor", "x/poor"]


def test_categories_agreement_and_what_one_alone_found(plainsight, folders):
    shown = lines(plainsight("compare", "gold", "poor", "good").out)
    # dates: 6 of 12 found, P 1, F = 1/(3/2)
    assert "DATE 12 0.6667 *1.0000" in shown
    assert "Found by good or poor alone" in shown
    assert "DATE 6 0" in shown
    told = plainsight("compare", "gold", "poor", "good", "--json").json["systems"]["good"]
    # 36 tokens: good P 12 D 12 O 12, poor P 12 D 6 O 18: agreed 30; by chance 144 + 72 + 216 = 432
    assert told["agreement_with_first"]["kappa"] == pytest.approx((30 * 36 - 432) / (36 * 36 - 432))
    assert told["by_category"]["DATE"]["recall"] == 1


def test_every_figure_of_every_system_as_one_table(plainsight, folders):
    command = ("compare", "gold", "poor", "good", "--csv", "figures.csv")
    plainsight(*command)
    key = ("system", "level", "name", "scorer")
    rows = {tuple(row[name] for name in key): row for row in read_table(folders / "figures.csv")}
    assert rows["poor", "all", "micro", "binary-token"]["recall"] == "0.75"
    assert rows["good", "leaks", "clean_share", ""]["value"] == "1.0"
    assert "exists" in plainsight(*command).err


def test_systems_that_run_here(plainsight, folders):
    code = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    note = json.loads(line)\n"
        "    spans = [{'start': 4, 'end': note['text'].index(','), 'label': 'PATIENT'}]\n"
        "    print(json.dumps({'id': note['id'], 'spans': spans}))\n"
    )
    (folders / "mine.py").write_text(code)
    command = f"command:{sys.executable} mine.py"
    told = plainsight("compare", "gold", "good", command, "policy:redact", "--json", "--shuffles", 99).json
    assert list(told["systems"]) == ["good", "command", "redact"]
    assert told["systems"]["command"]["micro"]["recall"] == 0.5  # the names, no date
    failed = plainsight("compare", "gold", "good", "command:no-such-program")
    assert failed.code == 2
    assert "no-such-program cannot be run" in failed.err


def test_figures_in_percent_and_the_best_in_bold(plainsight, folders):
    result = plainsight("compare", "gold", "poor", "good", "--percent", "--report", "page.html")
    shown = lines(result.out)
    assert any(line.startswith("good 100.000 [100.0, 100.0] *100.000 [100.0, 100.0]") for line in shown)
    assert "DATE 12 50.000 *100.000" in shown
    assert any(line.startswith("good 0.000 1.0000 25.000 ") for line in shown)  # p is no share
    page = (folders / "page.html").read_text()
    assert '<td class="best">100.000 [100.0, 100.0]</td>' in page


def test_every_baseline_in_one_command(plainsight, folders):
    pytest.importorskip("presidio_analyzer")
    (folders / "philter").mkdir()
    records = []
    for number in range(12):
        text = f"Mr. Roe{number}, May"
        (folders / "philter" / f"n{number:02}.txt").write_text(
            text.replace(f"Roe{number}", "*" * len(f"Roe{number}"))
        )
        body = text.replace("May", "[**Month (only) 3**]")
        records.append(f"START_OF_RECORD=1||||{number}||||\n{body}\n||||END_OF_RECORD\n")
    (folders / "deid.res").write_text("".join(records))
    systems = ("policy:redact", "presidio:blank", "philter:philter", "physionet:deid.res")
    told = plainsight("compare", "gold", *systems, "--json", "--shuffles", 99).json["systems"]
    assert list(told) == ["redact", "presidio", "philter", "physionet"]
    assert told["philter"]["micro"]["recall"] == 0.5
    assert told["physionet"]["by_category"]["DATE"]["recall"] == 1.0


@pytest.mark.parametrize(
    ("system", "reason"),
    [
        ("philter:none", "no output of Philter at none"),
        ("physionet:none", "give the folder that holds PhysioNet's deid.pl"),
        ("presidio:no_such_model", "Presidio needs the spaCy model no_such_model"),
        ("command:no-such-program", "no-such-program cannot be run"),
        ("policy:no-such-policy", "unknown policy"),
    ],
)
def test_a_system_that_is_not_there_is_refused_before_any_other_runs(plainsight, folders, system, reason):
    if system.startswith("presidio"):
        pytest.importorskip("presidio_analyzer")
    (folders / "mine.py").write_text("open('ran', 'w')")
    result = plainsight("compare", "gold", f"command:{sys.executable} mine.py", system)
    assert result.code == 2
    assert reason in result.err
    assert not (folders / "ran").exists()
