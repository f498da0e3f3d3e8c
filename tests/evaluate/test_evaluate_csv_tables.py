"""Every figure as a row; lists of cases with text only where it is allowed."""

import pytest
from marked_pairs import pair

from plainsight.evaluate.csv_tables import (
    DISAGREEMENTS,
    ERRORS,
    TEXT,
    FigureRow,
    disagreement_rows,
    error_rows,
    figure_rows,
)
from plainsight.evaluate.evaluation import Evaluation

NOTE = pair(
    "{{PATIENT|Ann Roe}} in\n {{CITY|Cox}} of {{STATE|Ohio}} now",
    "{{PATIENT|Ann}} Roe in\n Cox of {{COUNTRY|Ohio}} {{DATE|now}}",
    name="n",
)


def test_errors():
    listed = list(error_rows([NOTE]))
    assert listed == [
        (
            "n",
            "extent",
            "short",
            "PATIENT",
            0,
            7,
            "PATIENT",
            0,
            3,
            "",
            1.0,
            "patient or family name",
            "part of a phrase",
        ),
        ("n", "missing", "", "CITY", 12, 15, "", "", "", "", "", "address", "other"),
        ("n", "type", "", "STATE", 19, 23, "COUNTRY", 19, 23, "", 1.0, "", ""),
        ("n", "spurious", "", "", "", "", "DATE", 24, 27, "", 1.0, "", ""),
    ]
    assert {len(row) for row in listed} == {len(ERRORS)}


def test_text_is_on_one_line():
    shown = [row[len(ERRORS) :] for row in error_rows([NOTE], show_text=True)]
    assert shown[1] == ("Ann Roe in", "Cox", "of Ohio now")
    assert {len(row) for row in shown} == {len(TEXT)}


def test_what_is_right_is_not_listed():
    assert not list(error_rows([pair("{{AGE|70}}", "{{AGE|70}}")]))


def test_disagreements_with_the_first_of_several():
    gold = "{{PATIENT|Ann}} {{AGE|70}}"
    systems = {
        "one": [pair(gold, "{{DOCTOR|Ann}} 70")],
        "two": [pair(gold, "Ann {{AGE|70}}")],
        "three": [pair(gold, "{{PATIENT|Ann}} 70")],  # agrees: another label is no matter
    }
    listed = list(disagreement_rows(systems))
    assert listed == [("1", "AGE", 4, 6, "two", "one"), ("1", "PATIENT", 0, 3, "one", "two")]
    assert {len(row) for row in listed} == {len(DISAGREEMENTS)}
    assert next(disagreement_rows(systems, show_text=True))[len(DISAGREEMENTS) :] == ("Ann", "70", "")


NOTES = (
    pair("{{PATIENT|Ann Roe}} now", "{{DOCTOR|Ann}} Roe now", name="a", note_type="letter"),
    pair("aged {{AGE|70}}", "aged {{AGE|70}}", name="b", note_type="letter"),
    pair("well", "well", name="c"),
)


def test_every_figure_has_a_row():
    rows = list(figure_rows(Evaluation(NOTES)))
    keys = [row[:3] for row in rows]
    assert len(set(keys)) == len(keys)
    by_key = {row[:3]: row[3:] for row in rows}
    for expected in (
        # tokens: gold Ann Roe 70, found Ann 70
        FigureRow("all", "micro", "binary-token", 3, 2, 1.0, 2 / 3, 0.8),
        # over the notes for which it is defined: precision 1 and 1, recall 1/2 and 1, F 2/3 and 1
        FigureRow("all", "macro mean", "binary-token", None, None, 1.0, 0.75, 5 / 6),
        FigureRow("label", "PATIENT", "token", 2, 0, None, 0.0, 0.0),
        FigureRow("label", "PATIENT", "binary-token", 2, 0, None, 0.5, None),
        FigureRow("label", "DOCTOR", "binary-token", 0, 1, 1.0, None, None),
        FigureRow("group", "A", "strict", 2, 1, 1.0, 0.5, 2 / 3),
        FigureRow("category", "AGE", "token", 1, 1, 1.0, 1.0, 1.0),
        FigureRow("note_type", "letter", "binary-token", 3, 2, 1.0, 2 / 3, 0.8),
        FigureRow("note_type", "unknown", "binary-token", 0, 0, None, None, None),
        FigureRow("note", "c", "binary-token", 0, 0, None, None, None),
        # the script's: undefined is 0
        FigureRow("i2b2-2014", "micro", "Strict", None, None, 0.5, 0.5, 0.5),
        FigureRow("i2b2-2014", "macro", "Strict", None, None, 1 / 3, 1 / 3, 1 / 3),
        FigureRow("meddocan", "micro", "NER", None, None, 0.5, 0.5, 0.5),
        # Roe leaks
        *(
            FigureRow(level, name, part, *[None] * 5, value)
            for level, name, part, value in (
                ("leaks", "leaked", "", 1),
                ("leaks", "clean_share", "", 2 / 3),
                ("error", "type", "", 1),
                ("error", "missing", "PATIENT", 0),
                ("confusion", "DOCTOR", "PATIENT", 1),
                ("misses", "coverage", "0", 1.0),
                ("misses by note type", "identifiers", "letter", 2),
                # F over phrases is 0 and 1, both as sure: the imperfect comes first
                ("confidence", "perfect_prefix", "", 0),
                ("confidence", "spearman", "", None),
                ("likely misses", "listed", "", 1),  # Roe tells 18.6 bits
                # Ann Roe now aged 70 well: P P O O A O, D O O O A O: agreed 4; by chance O 3*4 + A 1 = 13/36
                ("agreement", "kappa", "", (24 - 13) / (36 - 13)),
            )
        ),
    ):
        assert by_key[expected[:3]] == pytest.approx(expected[3:])
