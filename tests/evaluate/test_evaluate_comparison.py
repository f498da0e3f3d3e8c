"""Systems side by side, components, note types and likely misses, by hand."""

from __future__ import annotations

from marked_pairs import pair

from plainsight.document import Span
from plainsight.evaluate.comparison import (
    Disagreement,
    by_note_type,
    contributions,
    disagreements,
)
from plainsight.evaluate.pairs import Pair


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


def test_contributions() -> None:
    # gold tokens Ann, Roe, 70; rules claimed Ann Roe, the list Roe and a false alarm, the net 70 and half of
    # Ann; so rules cover two tokens (Ann alone), the list one (none alone), the net one (alone)
    rules, listed = Span(0, 7, "PATIENT", source="rules.title"), Span(4, 7, "PATIENT", source="names")
    name = Span(0, 7, "PATIENT", source="rules.title", claims=(rules, listed, Span(0, 2, "X", source="net")))
    found = (name, Span(8, 10, "AGE", source="net"), Span(11, 15, "CITY", source="names"))
    gold = (Span(0, 7, "PATIENT"), Span(8, 10, "AGE"), Span(0, 3, "DOCTOR"))  # Ann twice: one token
    assert contributions([Pair("1", "Ann Roe 70 well", gold, found)]) == {
        "names": {"found": 1, "alone": 0},
        "net": {"found": 1, "alone": 1},
        "rules": {"found": 2, "alone": 1},
    }


def test_components_that_help_nothing_or_have_no_name() -> None:
    wrong = Pair("1", "Ann 70", (Span(0, 3, "PATIENT"),), (Span(4, 6, "AGE", source="net"),))
    assert contributions([wrong]) == {"net": {"found": 0, "alone": 0}}
    nobody = pair("{{AGE|70}} {{CITY|Cox}}", "{{AGE|70}} Cox")
    assert contributions([nobody]) == {}
    assert contributions([nobody, wrong])["unnamed"] == {"found": 1, "alone": 1}


def test_note_types() -> None:
    letter = pair("{{AGE|7}} {{AGE|8}} {{CITY|Cox}}", "7 8 {{DATE|Cox}}", note_type="letter")
    clean = pair("{{AGE|7}}", "{{AGE|7}}", note_type="letter")
    phone = pair("{{AGE|7}}", "7", note_type="phone message")
    unknown = pair("well", "{{CITY|well}}")
    rows = by_note_type([phone, unknown, letter, clean])
    assert list(rows) == ["letter", "phone message", "unknown"]  # most misses first
    # two missed of four in one of two notes; a wrong label is no miss
    assert rows["letter"] == {
        "errors": 2,
        "identifiers": 4,
        "notes_with_errors": 1,
        "notes": 2,
        "share": 0.5,
    }
    assert rows["phone message"]["share"] == 1
    assert rows["unknown"] == {"errors": 0, "identifiers": 0, "notes_with_errors": 0, "notes": 1, "share": 0}
