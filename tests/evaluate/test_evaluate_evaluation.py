"""All figures together: averages over notes, labels, categories, groups and note types, by hand."""

from __future__ import annotations

import json
from math import sqrt

import pytest
from marked_pairs import pair

from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.scorers import SCORERS, score
from plainsight.evaluate.tally import Tally

PERFECT, MISSED = pair("{{AGE|7}}", "{{AGE|7}}"), pair("{{AGE|7}}", "7")
FALSE_ALARM, NOTHING = pair("7", "{{AGE|7}}"), pair("7", "7")


def test_micro_and_macro() -> None:
    scored = score([PERFECT, MISSED, FALSE_ALARM, NOTHING], "strict")
    assert scored.micro == Tally(2, 1, 2, 1)  # P 1/2, R 1/2
    macro = scored.macro
    # precision is defined for the first and third note: (1 + 0)/2; recall for the first and second
    assert macro["precision"] == macro["recall"] == {"mean": 0.5, "sd": 0.5}
    # F for all but the last: (1 + 0 + 0)/3, deviations 2/3 1/3 1/3: sqrt((4/9 + 1/9 + 1/9)/3) = sqrt(2/9)
    assert macro["f"] == {"mean": pytest.approx(1 / 3), "sd": pytest.approx(sqrt(2 / 9))}
    assert score([NOTHING], "strict").macro["f"] == {"mean": None, "sd": None}
    assert scored.to_json()["micro"]["f"] == 0.5


PIER = (4, 8, "LOCATION-OTHER")  # as the challenge spells it


def test_labels_and_categories() -> None:
    notes = [
        pair("{{PATIENT|Ann}} Pier", "{{DOCTOR|Ann}} Pier", also_gold=[PIER], also_found=[PIER]),
        pair("{{DOCTOR|Roe}} {{ROOM|4B}}", "{{DOCTOR|Roe}} 4B"),
    ]
    scored = score(notes, "token")
    assert scored.by_label == {
        "DOCTOR": Tally(1, 1, 2, 1),
        "LOCATION-OTHER": Tally(1, 1, 1, 1),
        "PATIENT": Tally(1, 0, 0, 0),
        "ROOM": Tally(1, 0, 0, 0),
    }
    # patient and doctor are names; the room is in no category of ours
    assert scored.by_category == {
        "LOCATION": Tally(1, 1, 1, 1),
        "NAME": Tally(2, 1, 2, 1),
        "other": Tally(1, 0, 0, 0),
    }
    # a scorer that looks at no label has none to report
    assert score(notes, "binary-token").by_label == {}
    # but among names alone both were found, whatever the label
    categories = Evaluation(tuple(notes)).categories
    assert categories["NAME"]["binary-token"].micro == Tally(2, 2, 2, 2)
    assert categories["LOCATION"]["strict"].micro == Tally(1, 1, 1, 1)
    assert categories["AGE"]["strict"].micro == Tally()


def test_groups() -> None:
    # A has the patient and the finer place, B the doctor as well, C the hospital; the profession is in none
    gold = "{{PATIENT|Ann}} Pier {{DOCTOR|Roe}} {{HOSPITAL|Elm}} {{PROFESSION|smith}}"
    found = "{{PATIENT|Ann}} Pier Roe {{HOSPITAL|Elm}} {{PROFESSION|smith}}"
    groups = Evaluation((pair(gold, found, also_gold=[PIER]),)).groups
    assert {group: scores["strict"].micro for group, scores in groups.items()} == {
        "A": Tally(2, 1, 1, 1),
        "B": Tally(3, 1, 1, 1),
        "C": Tally(4, 2, 2, 2),
        "i2b2-hipaa": Tally(1, 1, 1, 1),
    }


def test_note_types() -> None:
    letters = [pair("{{AGE|7}}", "{{AGE|7}}", note_type="letter"), pair("{{AGE|7}}", "7", note_type="letter")]
    types = Evaluation((*letters, PERFECT)).note_types
    assert types["letter"]["binary-token"].micro == Tally(2, 1, 1, 1)
    assert types["unknown"]["binary-token"].micro == Tally(1, 1, 1, 1)


def test_everything_is_plain_data_without_note_text() -> None:
    secret = pair("{{PATIENT|Quillerby}} {{AGE|7}}", "Quillerby {{AGE|7}}", name="n1")
    data = Evaluation((secret, NOTHING)).data
    written = json.dumps(data)
    assert "uillerby" not in written
    assert data["notes"] == 2
    assert data["scores"].keys() == SCORERS.keys()
    # one token of two
    assert data["by_note"][0] == {
        "id": "n1",
        "leaked": 1,
        "gold": 2,
        "found": 1,
        "gold_hits": 1,
        "found_hits": 1,
        "precision": 1,
        "recall": 0.5,
        "f": pytest.approx(2 / 3),
    }
    assert data["by_note"][1]["f"] is None
    assert data["i2b2_2014"]["Strict"]["recall"] == 0.5
    assert data["i2b2_2014_categories"]["NAME Strict"]["recall"] == 0
    assert data["meddocan"]["NER"]["recall"] == 0.5
    assert data["with_negatives"]["tokens"] == 3
    assert data["leaks"]["clean_share"] == 0.5
    assert data["errors"]["confusion"] == {"AGE": {"AGE": 1}, "PATIENT": {"missing": 1}}
    assert data["errors"]["per_note"][1]["cumulative_errors"] == 1
    assert data["detectors"] == {}


def test_figures_are_made_once() -> None:
    evaluation = Evaluation((PERFECT,))
    assert evaluation.scores is evaluation.scores
    assert evaluation.groups is evaluation.groups
