"""The report: complete, self-contained, and without note text unless it is allowed."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from marked_pairs import pair

from plainsight.document import Span
from plainsight.evaluate.comparison import Comparison
from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.report.page import comparison_page, page
from plainsight.evaluate.tables import figure

NOTE = pair(
    "{{PATIENT|Ann Roe}} & {{AGE|70}} in {{HOSPITAL|Elm}} of {{CITY|Cox}} now",
    "{{PATIENT|Ann}} Roe & {{AGE|70}} in {{DOCTOR|Elm}} of Cox {{DATE|now}}",
    name="n<1>",
    note_type="letter",
)
VOID = {"meta", "rect", "line", "circle", "polyline"}


class Balance(HTMLParser):
    """Check that elements close in order, and gather the cells of tables."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def checked(evaluation: Evaluation, **options: bool) -> tuple[str, list[list[str]]]:
    html = page(evaluation, title="A < B", **options)
    parser = Balance()
    parser.feed(html)
    assert parser.open == []
    assert "A &lt; B" in html
    assert not re.search(r"<script|<link|<img|src=|@import|url\(|href=", html)  # nothing from outside
    return html, parser.rows


def test_no_note_text_unless_allowed() -> None:
    html, _ = checked(Evaluation((NOTE,)))
    for secret in ("Ann", "Roe", "Elm", "Cox"):
        assert secret not in html
    assert "--show-text" in html


def test_tables() -> None:
    _, rows = checked(Evaluation((NOTE,)))
    # spans: gold 4, found 4, one right in all
    assert [
        "strict",
        "0.2500",
        "0.2500",
        "0.2500",
        "0.2500 (0.00)",
        "0.2500 (0.00)",
        "0.2500 (0.00)",
        "4",
        "4",
    ] in rows
    # tokens: gold Ann Roe 70 Elm Cox, found Ann 70 Elm now: P 3/4, R 3/5, F = .9/1.35
    assert ["n<1>", "0.7500", "0.6000", "0.6667", "2", "5"] in rows
    assert ["missing", "1", "0.2500"] in rows  # of type, extent, missing, spurious
    assert ["letter", "1", "4", "1", "1", "1.0000"] in rows
    assert ["Strict", "0.2500", "0.2500", "0.2500", "0.2500 (0.00)", "0.2500 (0.00)", "0.2500"] in rows
    assert ["notes with no leak at all", "0", "1", "0.0000"] in rows
    # among the labels of a category alone: Ann of Ann Roe; Elm as a doctor is a spurious name
    assert ["NAME: binary-token", "0.5000", "0.5000", "0.5000", "2", "2"] in rows
    assert ["letter: strict", "0.2500", "0.2500", "0.2500", "4", "4"] in rows
    assert ["PATIENT", "0", "0", "1"] in rows  # of Ann Roe, Roe is left: it tells
    assert ["CITY", "1", "1", "1.0000", "0.2500", "0", "n/a"] in rows  # missing: its own, and of all four
    # Ann Roe 70 in Elm of Cox now: gold P P A O H O C O, found P O A O D O O T: agreed 4 of 8; by chance
    # P 2*1 + A 1*1 + O 3*4 = 15/64; (32 - 15)/(64 - 15)
    assert ["kappa, with labels", f"{17 / 49:.4f}"] in rows
    assert ["surest notes before the first error (of 1)", "0"] in rows
    assert ["rare words that nobody marked", "1", "", ""] in rows  # Roe tells 18.6 bits, Cox 16.9


def test_marked_notes() -> None:
    html, _ = checked(Evaluation((NOTE,)), show_text=True)
    marks = re.findall(r'<mark class="(\w+)" title="([^"]*)">([^<]*)</mark>', html)
    assert marks == [
        ("partial", "PATIENT ·  · 1.00", "Ann"),
        ("missed", "PATIENT", " Roe"),
        ("found", "AGE ·  · 1.00", "70"),
        ("partial", "DOCTOR ·  · 1.00", "Elm"),
        ("missed", "CITY", "Cox"),
        ("spurious", "DATE ·  · 1.00", "now"),
    ]
    assert "<summary>n&lt;1&gt;</summary>" in html
    assert " &amp; " in html


def test_what_leaks_is_shown_as_missed() -> None:
    html, _ = checked(Evaluation((pair("{{PATIENT|Annroe}}", "{{PATIENT|Ann}}roe"),)), show_text=True)
    # half a name is marked, and still the name leaks
    marks = re.findall(r'<mark class="(\w+)" title="[^"]*">([^<]*)</mark>', html)
    assert marks == [("missed", "Annroe")]


def test_detectors_and_calibration() -> None:
    # a claim of .9 touches an identifier, one of .2 none: gaps .1 and .2, half each
    found = (Span(0, 3, "PATIENT", 0.9, "net"), Span(4, 6, "AGE", 0.2, "rules.age"))
    html, rows = checked(Evaluation((Pair("1", "Ann 70", (Span(0, 3, "PATIENT"),), found),)))
    assert ["net", "1", "1"] in rows
    assert ["rules", "0", "0"] in rows
    assert ["expected calibration error of claims", "0.1500"] in rows
    assert 'aria-label="Calibration"' in html
    assert 'aria-label="Notes by confidence"' in html


def test_two_claims_in_one_identifier_are_both_right() -> None:
    _, rows = checked(Evaluation((pair("{{DATE|3 May 2019}}", "{{DATE|3 May}} {{DATE|2019}}"),)))
    assert ["expected calibration error of claims", "0.0000"] in rows


def test_a_system_that_found_nothing_and_notes_without_identifiers() -> None:
    _, rows = checked(Evaluation((pair("well", "well"),)))
    assert ["strict", "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", "0", "0"] in rows
    assert ["expected calibration error of claims", "n/a"] in rows


@pytest.mark.parametrize(
    ("value", "printed"), [(None, "n/a"), (0.5, "0.5000"), (12345, "12,345"), ("x", "x"), (1.0, "1.0000")]
)
def test_figures(value: object, printed: str) -> None:
    assert figure(value) == printed


def compared(gold, **found):
    made = {name: [pair(gold, marks)] * 2 for name, marks in found.items()}
    return comparison_page(Comparison(made, shuffles=99), title="A < B")


def test_the_page_holds_every_table_and_nothing_from_outside():
    page = compared(
        "{{PATIENT|Ann}} {{AGE|70}}", **{"x<y": "{{PATIENT|Ann}} 70", "two": "{{PATIENT|Ann}} {{AGE|70}}"}
    )
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in re.findall(r"<tr>(.*?)</tr>", page)]
    spreads = ("1.0000 [1.000, 1.000]", "0.5000 [0.500, 0.500]", "0.6667 [0.667, 0.667]")
    assert ["x&lt;y", *spreads, "0.0000", "2"] in cells
    assert ["all", "2", "0"] in cells  # identifiers that only it found, that only the first found
    assert ["AGE", "2", "0.0000", "1.0000"] in cells
    assert ["x&lt;y", "0.0000", "2", "1", *cells[-2][4:]] in cells
    assert "A &lt; B" in page
    assert "Ann" not in page
    assert not re.search(r"<script|<link|<img|src=|@import|url\(|href=", page)


def test_systems_that_found_nothing():
    assert "n/a" in compared("well", one="well", two="well")
