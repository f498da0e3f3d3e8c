"""``plainsight evaluate``: any system, in any format, against gold notes; or a policy on them."""

import csv
import json
import re
from pathlib import Path
from shutil import copyfile

import pytest

from plainsight import registry
from plainsight.detect.patterns import Patterns
from plainsight.document import Document
from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.pairs import pair_up
from plainsight.evaluate.read_notes import read_notes
from plainsight.formats.base import write_all
from plainsight.formats.inline import parse

CORPUS = Path(__file__).parents[2] / "corpus" / "longitudinal"
RULES = """\
labels = "all"
detectors = ["patterns", "patient"]
replace.default = "surrogate"
"""  # without a network: those that are bundled know the corpus by heart

# Tokens: gold John Smith 3 4 2019 Elm 70 (7), found John 3 4 2019 Elm now 70 (7); 6 are the same.
# Spans: gold 4, found 5; strictly right are the date and the age.
GOLD = {
    "a": "Mr. {{PATIENT|John Smith}}, {{DATE|3/4/2019}}, {{HOSPITAL|Elm}}, now",
    "b": "aged {{AGE|70}}",
    "c": "well",
}
FOUND = {
    "a": "Mr. {{PATIENT|John}} Smith, {{DATE|3/4/2019}}, {{DOCTOR|Elm}}, {{DATE|now}}",
    "b": "aged {{AGE|70}}",
    "c": "well",
}
SECRETS = ("John", "Smith", "2019", "Elm")


def documents(notes):
    return [Document(name, *parse(text)) for name, text in notes.items()]


def write(path, notes):
    path.mkdir()
    for name, text in notes.items():
        (path / f"{name}.txt").write_text(text)
    return path


@pytest.fixture
def gold(tmp_path):
    return write(tmp_path / "gold", GOLD)


@pytest.fixture
def found(tmp_path):
    return write(tmp_path / "found", FOUND)


def rows(text):
    """Return the rows of printed tables by their first words."""
    cells = [line.rsplit(maxsplit=8) for line in text.splitlines() if line.strip()]
    return {row[0].strip(): row[1:] for row in cells}


def read_table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_on_the_terminal(plainsight, gold, found):
    result = plainsight("evaluate", gold, found)
    assert result.code == 0, result.err
    assert "Scores (3 notes)" in result.out
    told = rows(result.out)
    # macro over the two notes in which a figure is defined: a 5/6, b 1
    assert told["binary-token"] == ["0.8571", "0.8571", "0.8571", "0.9167", "0.9167", "0.9167", "7", "7"]
    assert told["strict"][:3] == ["0.4000", "0.5000", "0.4444"]
    # HIPAA has neither HOSPITAL nor DOCTOR: gold John Smith 3 4 2019 70, found John 3 4 2019 now 70
    assert told["HIPAA binary-token"][:3] == ["0.8333", "0.8333", "0.8333"]
    lines = [" ".join(line.split()) for line in result.out.splitlines()]
    assert "notes with no leak at all 2 3 0.6667" in lines
    assert "leaked tokens 1 7 0.1429" in lines
    assert "PATIENT 2 1 0.5000 1 1.0000 1.0000" in lines
    assert "DOCTOR 0 0 n/a 1 1.0000 0.0000" in lines
    assert max(map(len, result.out.splitlines())) <= 100
    assert not any(secret in result.out for secret in SECRETS)


def test_json_has_every_figure(plainsight, gold, found):
    told = plainsight("evaluate", gold, found, "--json").json
    pairs = pair_up(*(read_notes(side, keep_overlaps=True) for side in (gold, found)))
    assert told == json.loads(json.dumps(Evaluation(tuple(pairs)).data))


@pytest.mark.parametrize("name", ["jsonl", "csv", "parquet", "brat", "i2b2-2014", "meddocan", "muc"])
def test_any_format_on_either_side(plainsight, gold, found, tmp_path, name):
    expected = plainsight("evaluate", gold, found, "--json").out
    suffix = f".{name}" if name in ("jsonl", "csv", "parquet") else ""
    for side, notes in (("gold", GOLD), ("found", FOUND)):
        writer = registry.create("formats", name)
        write_all(writer, documents(notes), tmp_path / f"{side}-{name}{suffix}", span_column=True)
    sides = (tmp_path / f"gold-{name}{suffix}", tmp_path / f"found-{name}{suffix}")
    result = plainsight("evaluate", *sides, "--json", "--gold-format", name, "--pred-format", name)
    assert result.out == expected, result.err
    assert plainsight("evaluate", gold, sides[1], "--json").out == expected


def test_overlapping_marks_are_scored_whole(plainsight, tmp_path):
    for side, marks in {
        "gold": "T1\tPATIENT 0 8\tAnn Boyd\nT2\tDOCTOR 4 8\tBoyd\n",
        "found": "T1\tDOCTOR 4 8\tBoyd\n",
    }.items():
        (tmp_path / side).mkdir()
        (tmp_path / side / "1.txt").write_text("Ann Boyd")
        (tmp_path / side / "1.ann").write_text(marks)
    told = plainsight("evaluate", tmp_path / "gold", tmp_path / "found", "--json").json
    assert told["scores"]["strict"]["micro"]["gold"] == 2
    assert told["scores"]["strict"]["micro"]["recall"] == 0.5


def test_texts_that_differ_are_an_error_that_does_not_quote_them(plainsight, gold, found):
    (found / "a.txt").write_text(FOUND["a"].replace("Smith", "Smyth"))
    result = plainsight("evaluate", gold, found)
    assert result.code == 2
    assert "note a differ from character 11 on (line 1)" in result.err
    assert "Sm" not in result.err


def test_a_note_that_one_side_lacks_is_an_error(plainsight, gold, found):
    (found / "b.txt").unlink()
    assert "note b of the gold standard" in plainsight("evaluate", gold, found).err
    (gold / "b.txt").unlink()
    (gold / "c.txt").unlink()
    assert "note c of the system" in plainsight("evaluate", gold, found).err


def test_labels_of_other_schemes(plainsight, tmp_path, jsonl):
    text = "Ann at Elm"
    marks = [("gold", "PATIENT", "LOCATION-OTHER"), ("found", "PERSON", "LOCATION")]
    for side, *labels in marks:
        spans = [
            {"start": s, "end": e, "label": label}
            for (s, e), label in zip(((0, 3), (7, 10)), labels, strict=True)
        ]
        jsonl(tmp_path / f"{side}.jsonl", {"id": "1", "text": text, "spans": spans})
    sides = ("evaluate", tmp_path / "gold.jsonl", tmp_path / "found.jsonl")
    bare = plainsight(*sides, "--json")
    assert bare.json["scores"]["strict"]["micro"]["recall"] == 0
    assert "share no label" in bare.err
    mapped = plainsight(*sides, "--json", "--gold-labels", "i2b2-2014", "--pred-labels", "presidio")
    assert mapped.json["scores"]["strict"]["micro"]["f"] == 1
    assert mapped.err == ""
    assert "--pred-labels" in plainsight(*sides, "--group", "A").err
    assert "did you mean 'presidio'" in plainsight(*sides, "--pred-labels", "presidi").err


def test_a_group_of_labels(plainsight, gold, found):
    told = plainsight("evaluate", gold, found, "--json", "--group", "i2b2-hipaa").json
    assert told["scores"]["binary-token"]["micro"]["gold"] == 6
    assert set(told["scores"]["strict"]["by_label"]) == {"AGE", "DATE", "PATIENT"}
    everything = plainsight("evaluate", gold, found, "--json", "--group", "all")
    assert everything.out == plainsight("evaluate", gold, found, "--json").out
    assert "unknown label group" in plainsight("evaluate", gold, "--group", "D").err


def test_a_policy_is_measured_on_the_gold_notes(plainsight, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text(RULES)
    gold = tmp_path / "gold"
    gold.mkdir()
    for path in CORPUS.glob("p[12]*"):
        copyfile(path, gold / path.name)
    owners = ("--patient-from-name", "^(p[0-9]+)-", "--patients", gold)
    told = plainsight("evaluate", gold, "--json", "--policy", rules, *owners).json
    alone = plainsight("evaluate", gold, "--json", "--policy", rules).json  # no patient is known
    assert told["scores"]["token"]["micro"]["recall"] > alone["scores"]["token"]["micro"]["recall"]
    assert set(told["detectors"]) >= {"patterns", "patient"}
    # the same as finding first and scoring then, except that JSON lines round scores
    found = ("-o", tmp_path / "found.jsonl", "--policy", rules, "--quiet")
    plainsight("detect", gold, "--format", "inline", *found)
    apart = plainsight("evaluate", gold, tmp_path / "found.jsonl", "--json").json
    assert apart["scores"] == alone["scores"]


def test_a_policy_needs_gold_under_our_labels(plainsight, tmp_path, jsonl):
    spans = [{"start": 0, "end": 3, "label": "PERSON"}]
    path = jsonl(tmp_path / "gold.jsonl", {"id": "1", "text": "Ann Roe", "spans": spans})
    assert "--gold-labels" in plainsight("evaluate", path).err
    assert plainsight("evaluate", path, "--gold-labels", "presidio").code == 0


def test_gold_without_marks_is_measured_but_told(plainsight, tmp_path):
    clean = write(tmp_path / "clean", {"c": "seen 3/4/2019"})
    result = plainsight("evaluate", clean)
    assert result.code == 0
    assert "marks nothing" in result.err
    assert rows(result.out)["strict"][:3] == ["0.0000", "n/a", "0.0000"]


def test_a_tidy_table(plainsight, gold, found, tmp_path):
    path = tmp_path / "figures.csv"
    plainsight("evaluate", gold, found, "--csv", path)
    told = {(row["level"], row["name"], row["scorer"]): row for row in read_table(path)}
    assert list(next(iter(told.values()))) == [
        "level",
        "name",
        "scorer",
        "gold",
        "found",
        "precision",
        "recall",
        "f",
        "value",
    ]
    assert told["all", "micro", "strict"]["precision"] == "0.4"
    assert told["label", "HOSPITAL", "binary-token"]["recall"] == "1.0"
    assert told["label", "HOSPITAL", "token"]["recall"] == "0.0"
    assert told["note", "c", "binary-token"]["f"] == "n/a"
    assert told["leaks", "leaked", ""]["value"] == "1"
    assert {level for level, _, _ in told} == {
        "all", "group", "category", "note_type", "label", "note", "i2b2-2014", "meddocan", "2006",
        "conventions", "leaks", "partial credit", "entities", "error", "confusion", "misses",
        "misses by note type", "misses by what", "misses by how",
        "confidence", "agreement", "likely misses",
    }  # fmt: skip
    assert "exists; --force" in plainsight("evaluate", gold, found, "--csv", path).err
    assert plainsight("evaluate", gold, found, "--csv", path, "--force").code == 0


def test_errors_are_listed_by_place(plainsight, gold, found, tmp_path):
    path = tmp_path / "errors.csv"
    plainsight("evaluate", gold, found, "--errors", path)
    listed = read_table(path)
    assert [
        (row["note"], row["kind"], row["extent"], row["gold_label"], row["found_label"]) for row in listed
    ] == [
        ("a", "extent", "short", "PATIENT", "PATIENT"),
        ("a", "type", "", "HOSPITAL", "DOCTOR"),
        ("a", "spurious", "", "", "DATE"),
    ]
    assert (listed[0]["gold_start"], listed[0]["gold_end"], listed[0]["found_end"]) == ("4", "14", "8")
    assert not any(secret in path.read_text() for secret in SECRETS)
    plainsight("evaluate", gold, found, "--errors", path, "--show-text", "--force")
    assert [row["text"] for row in read_table(path)] == ["John Smith", "Elm", "now"]
    assert read_table(path)[1]["before"] == "Mr. John Smith, 3/4/2019,"


def test_the_report_holds_text_only_when_allowed(plainsight, gold, found, tmp_path):
    path = tmp_path / "report.html"
    assert plainsight("evaluate", gold, found, "--report", path, "--title", "Ours & theirs").code == 0
    page = path.read_text()
    assert "<h1>Ours &amp; theirs</h1>" in page
    assert not any(secret in page for secret in SECRETS)
    plainsight("evaluate", gold, found, "--report", path, "--show-text", "--force")
    assert "<h1>found on gold</h1>" in path.read_text()
    assert all(secret in path.read_text() for secret in SECRETS)


def test_intervals(plainsight, gold, found):
    every = plainsight("evaluate", gold, found, "--json", "--intervals").json["intervals"]
    assert set(every) == {"scores", "labels", "i2b2_2014", "meddocan", "notes", "agreement"}
    told = every["scores"]
    assert set(told) > {"strict", "binary-token", "HIPAA token"}
    recall = told["binary-token"]["recall"]
    assert recall["value"] == pytest.approx(6 / 7)
    assert recall["low"] < recall["value"] < recall["high"] == 1
    shown = plainsight("evaluate", gold, found, "--intervals").out
    assert f"0.8571 [{recall['low']:.3f}, 1.000]" in shown
    assert "notes with no leak at all 0.6667 [0.094, 0.992]" in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 100


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["found", "--policy", "fast"], "for making PRED"),
        (["found", "--show-text"], "--show-text is for"),
        (["found", "--csv", "gold/x.csv"], "lies inside the input"),
        (["found", "--csv", "x", "--report", "x"], "another output"),
        (["nowhere"], "no input at nowhere"),
        (["--policy", "nonsense"], "nonsense"),
    ],
)
def test_wrong_use(plainsight, gold, found, monkeypatch, arguments, reason):
    monkeypatch.chdir(gold.parent)
    result = plainsight("evaluate", "gold", *arguments)
    assert result.code == 2
    assert reason in result.err


def test_a_note_that_cannot_be_done_is_an_error(plainsight, gold, monkeypatch):
    def failing(self, documents):
        if any(document.id == "a" for document in documents):
            raise RuntimeError(documents[0].text)
        return [[] for _ in documents]

    monkeypatch.setattr(Patterns, "detect", failing)
    result = plainsight("evaluate", gold)
    assert result.code == 2
    assert "note a cannot be read: failed with RuntimeError" in result.err


def test_the_worked_example_of_the_docs(plainsight, tmp_path, monkeypatch):
    page = (CORPUS.parents[1] / "docs" / "evaluation.md").read_text(encoding="utf-8")
    example, output = re.findall(
        r"```(?:sh|text)\n(.*?)```", page.split("## A worked example")[1], re.DOTALL
    )[:2]
    monkeypatch.chdir(tmp_path)
    for marks, path in re.findall(r"echo '(.*)' > (.*)", example):
        Path(path).parent.mkdir()
        Path(path).write_text(marks + "\n")
    told = plainsight(*example.split("plainsight ")[-1].split()).out
    assert [line.rstrip() for line in told.splitlines()] == output.splitlines()


def test_tables_by_name(plainsight, gold, found):
    result = plainsight("evaluate", gold, found, "--table", "categories,misses,confidence,agreement")
    assert result.code == 0, result.err
    lines = [" ".join(line.split()) for line in result.out.splitlines()]
    assert "Scores (3 notes)" not in lines
    # among dates alone: gold 3 4 2019, found 3 4 2019 now
    assert "DATE: binary-token 0.7500 1.0000 0.8571 3 4" in lines
    assert "0 3 0 1.0000 n/a" in lines  # no span is missed whole, in any of three notes
    # F over phrases: a 2/7, b 1; both are as sure as can be
    assert "surest notes before the first error (of 2) 0" in lines
    assert "Spearman of a note's shortness with its F 1.0000" in lines
    assert "Agreement (kappa)" in lines
    assert not any(secret in result.out for secret in SECRETS)


def test_all_tables_are_told_without_text(plainsight, gold, found):
    result = plainsight("evaluate", gold, found, "--table", "all")
    titles = (
        "Label groups", "Note types", "Labels", "i2b2-2014", "MEDDOCAN", "Leaks", "Errors by kind",
        "Missing and spurious by label", "Extent errors", "What short spans leave",
        "By label, extent ignored", "Confusion (gold down)", "Misses per note",
        "Misses per note type", "Calibration", "Likely misses",
        "Notes",
    )  # fmt: skip
    shown = [line.strip() for line in result.out.splitlines()]
    assert [title for title in titles if title not in shown] == []
    assert not any(secret in result.out for secret in SECRETS)


def test_a_table_that_does_not_exist_and_tables_as_json(plainsight, gold, found):
    result = plainsight("evaluate", gold, found, "--table", "mises")
    assert result.code == 2
    assert "did you mean 'misses'" in result.err
    assert "--table chooses" in plainsight("evaluate", gold, found, "--table", "all", "--json").err


def test_note_types_from_names(plainsight, gold, found):
    told = plainsight("evaluate", gold, found, "--json", "--type-from-name", "^([ab])$").json
    assert set(told["note_types"]) == {"a", "b", "unknown"}
    assert told["errors"]["by_note_type"]["b"]["identifiers"] == 1
    assert "needs a group" in plainsight("evaluate", gold, found, "--type-from-name", "a").err


def test_likely_misses_are_listed_by_place(plainsight, tmp_path):
    write(tmp_path / "gold", {"a": "Seen by {{DOCTOR|Quillerby}} of Vexoria", "b": "well"})
    write(tmp_path / "found", {"a": "Seen by Quillerby of Vexoria", "b": "well"})
    table = tmp_path / "likely.csv"
    command = (
        "evaluate", tmp_path / "gold", tmp_path / "found", "--gold-format", "inline",
        "--pred-format", "inline", "--likely-misses", table,
    )  # fmt: skip
    result = plainsight(*command)
    assert result.code == 0, result.err
    assert [(row["note"], row["start"], row["end"], row["leaks"]) for row in read_table(table)] == [
        ("a", "8", "17", "True"),
        ("a", "21", "28", "False"),
    ]
    assert "Quillerby" not in table.read_text()
    plainsight(*command, "--show-text", "--force")
    assert [row["text"] for row in read_table(table)] == ["Quillerby", "Vexoria"]


def test_a_second_annotator(plainsight, gold, found, tmp_path):
    # the second agrees with the system on Smith alone; wrong of the system are Smith, Elm and now
    text = "Mr. {{PATIENT|John}} Smith, {{DATE|3/4/2019}}, {{HOSPITAL|Elm}}, now"
    second = write(tmp_path / "second", {**GOLD, "a": text})
    told = plainsight("evaluate", gold, found, "--second", second, "--json").json["second_annotator"]
    assert (told["errors"], told["ambiguous"]) == (3, 1)
    # gold P H O, second O H O: agreed 2/3; by chance H 1 + O 1*2 = 3/9; (6 - 3)/(9 - 3)
    assert told["kappa_on_errors"] == 0.5
    shown = plainsight("evaluate", gold, found, "--second", second).out
    assert "of these, the annotators disagree on" in shown


def test_figures_as_svg(plainsight, gold, found, tmp_path):
    folder = tmp_path / "figures"
    result = plainsight("evaluate", gold, found, "--figures", folder)
    assert result.code == 0, result.err
    drawn = {path.stem: path.read_text() for path in folder.iterdir()}
    assert set(drawn) == {"labels", "categories", "confusion", "calibration", "confidence"}
    assert all(svg.startswith("<svg") and svg.endswith("</svg>\n") for svg in drawn.values())
    assert "DATE" in drawn["categories"]
    assert not any(secret in svg for svg in drawn.values() for secret in SECRETS)
    assert "--force" in plainsight("evaluate", gold, found, "--figures", folder).err


def test_what_habits_cost(plainsight, tmp_path):
    write(tmp_path / "gold", {"a": "Dr. {{DOCTOR|Roe}}"})
    write(tmp_path / "found", {"a": "{{DOCTOR|Dr. Roe}}"})
    shown = plainsight("evaluate", tmp_path / "gold", tmp_path / "found", "--table", "conventions").out
    # tokens: Dr and Roe found, Roe wanted; with annotators' edges the mark is right
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "strict 0.0000 0.0000 0.0000 1.0000 1.0000 1.0000" in lines
    assert "token 0.5000 1.0000 0.6667 1.0000 1.0000 1.0000" in lines


def test_safe_harbor_is_scored_by_the_law(plainsight, tmp_path):
    note = tmp_path / "note.txt"
    seen = "Dr. {{DOCTOR|Okafor}} saw {{PATIENT|Ann Roe}}, {{AGE|67}} years old, on {{DATE|3/4/2019}}"
    note.write_text(f"{seen}; well in {{{{DATE|2012}}}}.")
    law, whole = (
        plainsight("evaluate", note, "--json", "--policy", policy).json["scores"]["strict"]["micro"]
        for policy in ("safe-harbor", "balanced")
    )
    assert (law["gold"], law["recall"], law["precision"]) == (2, 1.0, 1.0)
    assert whole["gold"] == 5


@pytest.mark.parametrize(
    ("group", "counted"), [("i2b2-2006", 3), ("mimic", 3), ("safe-harbor", 2), ("gdpr", 5), ("phipa", 5)]
)
def test_profiles_count_only_what_they_mark(plainsight, tmp_path, group, counted):
    text = (
        "Dr. {{DOCTOR|Ng}} saw {{PATIENT|Ann Roe}}, {{AGE|67}}, on {{DATE|3/4/2019}}, a {{PROFESSION|cook}}"
    )
    gold = write(tmp_path / "gold", {"a": text})
    told = plainsight("evaluate", gold, gold, "--json", "--group", group).json["scores"]["strict"]["micro"]
    assert (told["gold"], told["recall"], told["precision"]) == (counted, 1.0, 1.0)


def test_years_do_not_count_against_a_gold_standard_of_2006(plainsight, tmp_path):
    gold = write(tmp_path / "gold", {"a": "On {{DATE|3/4}}/2019 and in 2012."})
    found = write(tmp_path / "found", {"a": "On {{DATE|3/4/2019}} and in {{DATE|2012}}."})
    told = plainsight("evaluate", gold, found, "--json", "--group", "i2b2-2006").json["scores"]["strict"]
    assert (told["micro"]["recall"], told["micro"]["precision"]) == (1.0, 1.0)


def test_a_policy_for_a_profile_is_scored_by_it(plainsight, tmp_path):
    gold = write(
        tmp_path / "gold", {"a": "Mr. {{PATIENT|Ann Roe}}, {{AGE|67}} years old, on {{DATE|3/4/2019}}"}
    )
    (tmp_path / "p.toml").write_text('extends = "redact"\nlabels = "mimic"\n')
    told = plainsight("evaluate", gold, "--json", "--policy", tmp_path / "p.toml").json["scores"]["strict"]
    assert told["micro"]["gold"] == 2  # the age is under 90


def test_misses_by_kind(plainsight, tmp_path):
    text = "Call {{PHONE|555.010.0199}}. Signed {{DOCTOR|JRK}} {{DOCTOR|JRK}} {{PATIENT|Ann Roe}}"
    gold = write(tmp_path / "gold", {"a": text})
    found = write(tmp_path / "found", {"a": "Call 555.010.0199. Signed JRK JRK {{PATIENT|Ann}} Roe"})
    command = ("evaluate", gold, found, "--format", "inline", "--pred-format", "inline")
    shown = plainsight(*command, "--table", "miss-kinds")
    lines = [" ".join(line.split()) for line in shown.out.splitlines()]
    assert "doctor or nurse 2 1 0.5000 0.5000" in lines
    assert "dotted phone number 1 1 0.2500 0.2500" in lines
    assert "part of a phrase 1 1 0.2500 0.2500" in lines
    assert "JRK" not in shown.out
    asked = plainsight(*command, "--table", "miss-kinds", "--show-text", "--percent").out
    assert "doctor or nurse 2 1 50.000 50.000 JRK" in [" ".join(line.split()) for line in asked.splitlines()]
    kinds = plainsight(*command, "--json").json["errors"]["miss_kinds"]
    assert kinds["how"]["initials"] == {"count": 2, "unique": 1, "share": 0.5, "of_all": 0.5}
    with_text = plainsight(*command, "--json", "--show-text").json["errors"]["miss_kinds"]
    assert with_text["how"]["initials"]["example"] == "JRK"
    plainsight(*command, "--csv", tmp_path / "f.csv", "--report", tmp_path / "r.html")
    rows = {
        (row["level"], row["scorer"], row["name"]): row["value"] for row in read_table(tmp_path / "f.csv")
    }
    assert rows["misses by how", "initials", "count"] == "2"
    page = (tmp_path / "r.html").read_text()
    assert "Misses by how it was written" in page
    assert "JRK" not in page
    plainsight(*command, "--report", tmp_path / "r.html", "--force", "--show-text")
    assert "<td>JRK</td>" in (tmp_path / "r.html").read_text()


def test_scores_in_percent(plainsight, gold, found):
    told = rows(plainsight("evaluate", gold, found, "--percent").out)
    assert told["binary-token"][:3] == ["85.714", "85.714", "85.714"]
    assert told["binary-token"][-2:] == ["7", "7"]


def test_meddocans_leak_score_by_the_tasks_own_sentences(plainsight, gold, found, tmp_path):
    ours = plainsight("evaluate", gold, found, "--json").json["meddocan"]["NER"]
    folder = tmp_path / "sentence_splitted"
    folder.mkdir()
    for name in GOLD:
        (folder / f"{name}.ann").write_text("0\t1\n" * 5 + "2\t3")  # six lines, the last one without an end
    told = plainsight("evaluate", gold, found, "--json", "--sentences", folder).json["meddocan"]["NER"]
    missed = round(sum(map(len, found_spans(gold))) * (1 - ours["recall"]))
    assert told["leak"] == pytest.approx(missed / (6 * len(GOLD)))
    assert {**told, "leak": 0} == {**ours, "leak": 0}
    (folder / "b.ann").unlink()
    result = plainsight("evaluate", gold, found, "--sentences", folder)
    assert result.code == 2
    assert "note b: its sentences are not in" in result.err


def found_spans(folder):
    return [document.spans for document in read_notes(folder)]


def test_notes_that_one_side_lacks_are_left_out_if_asked(plainsight, gold, found):
    (found / "b.txt").unlink()
    assert "note b of the gold standard" in plainsight("evaluate", gold, found).err
    told = plainsight("evaluate", gold, found, "--skip-unmatched", "--json").json
    assert told["notes"] == len(GOLD) - 1


def test_further_readers(plainsight, gold, found):
    told = plainsight("evaluate", gold, found, "--json", "--reader", found, "--reader", gold).json["readers"]
    assert (told["readers"], told["notes"], told["notes_by_all"]) == (3, len(GOLD), len(GOLD))
    assert 0 < told["fleiss"] < 1
    assert told["alpha"] == pytest.approx(told["fleiss"], abs=0.02)  # many tokens, all read by all
    shown = plainsight("evaluate", gold, found, "--reader", found).out
    assert "Agreement of 2 readers" in shown
    assert "Krippendorff's alpha, with labels" in shown
