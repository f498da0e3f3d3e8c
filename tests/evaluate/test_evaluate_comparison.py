"""Several systems on the same notes."""

import json

import pytest
from marked_pairs import pair

from plainsight.document import Span
from plainsight.evaluate.comparison import Comparison, Disagreement, disagreements

GOLD = ("{{PATIENT|Ann}} {{AGE|70}}", "{{PATIENT|Roe}} now", "well")
ONE = ("{{PATIENT|Ann}} 70", "{{PATIENT|Roe}} now", "well")
TWO = ("{{PATIENT|Ann}} {{AGE|70}}", "{{DOCTOR|Roe}} {{DATE|now}}", "well")


def pairs(found):
    return [pair(*sides, name=str(name)) for name, sides in enumerate(zip(GOLD, found, strict=True))]


def systems(**options):
    return Comparison({"one": pairs(ONE), "two": pairs(TWO)}, shuffles=199, **options)


def test_figures_and_differences():
    told = systems().to_json()
    one, two = told["systems"]["one"], told["systems"]["two"]
    # tokens: gold 3; one finds 2, both right; two finds 4, 3 right
    assert (one["micro"]["precision"], one["micro"]["recall"]) == (1, pytest.approx(2 / 3))
    assert (two["micro"]["precision"], two["micro"]["recall"]) == (0.75, 1)
    assert two["against_first"]["precision"] == -0.25  # two less one
    assert two["against_first"]["recall"] == pytest.approx(1 / 3)
    assert one["intervals"]["precision"] == {"value": 1, "low": 1, "high": 1}
    assert two["found_alone"] == {"two": 1, "one": 0}
    assert (one["leaks"]["clean_notes"], two["leaks"]["clean_notes"]) == (2, 3)
    json.dumps(told)


def test_labels_side_by_side():
    by_label = systems().by_label
    assert list(by_label) == ["AGE", "DATE", "DOCTOR", "PATIENT"]
    assert [tally.recall for tally in by_label["PATIENT"].values()] == [1, 1]  # under any label
    assert [tally.recall for tally in by_label["DATE"].values()] == [None, None]
    strict = systems(scorer="strict").by_label
    assert [tally.recall for tally in strict["PATIENT"].values()] == [1, 0.5]


def test_categories_side_by_side():
    by_category = systems().by_category
    # among names alone both find Ann and Roe, whatever the label; only the second finds the age
    assert [tally.f for tally in by_category["NAME"].values()] == [1, 1]
    assert [tally.f for tally in by_category["AGE"].values()] == [0, 1]
    # the second takes "now" for a date: nothing to find, one found
    assert [tally.precision for tally in by_category["DATE"].values()] == [None, 0]
    assert [tally.f for tally in systems(scorer="strict").by_category["NAME"].values()] == [1, 0.5]


def test_agreement_and_what_one_alone_found():
    told = systems().to_json()["systems"]["two"]
    assert told["found_alone_by_label"] == {"AGE": {"two": 1, "one": 0}}
    # Ann 70 Roe now well: one P O P O O, two P A D T O: agreed 2/5; by chance P 2*1 + O 3*1 = 5/25
    assert told["agreement_with_first"]["kappa"] == pytest.approx(5 / 20)
    # marked or not: agreed Ann, Roe, well: 3/5; by chance 2*4 + 3*1 = 11/25; (15 - 11)/(25 - 11)
    assert told["agreement_with_first"]["kappa_marked"] == pytest.approx(4 / 14)


def test_disagreements() -> None:
    gold = "{{PATIENT|Ann Roe}} {{AGE|70}} {{CITY|Cox}} {{DATE|May}}"
    one = pair(gold, "{{DOCTOR|Ann Roe}} {{AGE|70}} Cox May", name="n")
    two = pair(gold, "{{PATIENT|Ann}} Roe {{AGE|70}} {{CITY|Cox}} May", name="n")
    # both found the age, nobody the date; the label does not matter, half a name does
    assert disagreements({"crf": [one], "net": [two]}) == [
        Disagreement("n", Span(11, 14, "CITY"), "net"),
        Disagreement("n", Span(0, 7, "PATIENT"), "crf"),
    ]
    assert disagreements({"crf": [one], "same": [one]}) == []


def test_a_mark_of_signs_alone_is_no_disagreement() -> None:
    one, two = pair("{{IDNUM|--}}", "--"), pair("{{IDNUM|--}}", "{{IDNUM|--}}")
    assert disagreements({"a": [one], "b": [two]}) == []


def test_nested_gold_marks_are_found_apart() -> None:
    one = pair("{{HOSPITAL|Elm City}}", "Elm {{CITY|City}}", also_gold=[(4, 8, "CITY")])
    two = pair("{{HOSPITAL|Elm City}}", "Elm City", also_gold=[(4, 8, "CITY")])
    assert disagreements({"a": [one], "b": [two]}) == [Disagreement("1", Span(4, 8, "CITY"), "a")]
