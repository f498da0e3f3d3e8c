"""Marks under annotators' habits."""

from __future__ import annotations

import pytest
from marked_pairs import pair

from plainsight.document import Span
from plainsight.evaluate.edge_conventions import trim_edges
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import score


@pytest.mark.parametrize(
    ("marked", "label", "kept"),
    [
        ("MR: 4471", "MEDICALRECORD", ["4471"]),
        ("MRN# 4471", "MEDICALRECORD", ["4471"]),
        ("Tel: (617) 555-0134", "PHONE", ["(617) 555-0134"]),
        ("Dr. Roe", "DOCTOR", ["Roe"]),
        ("Roe's", "PATIENT", ["Roe"]),
        ("Roe, ", "PATIENT", ["Roe"]),
        ("Ann Roe Jr.", "PATIENT", ["Ann Roe Jr"]),
        ("R.E.", "DOCTOR", ["R.E."]),  # initials keep their stop
        ("Drew", "PATIENT", ["Drew"]),  # no title
        ("Mr:", "PATIENT", ["Mr:"]),  # nothing would be left
        ("TThSa", "DATE", ["T", "Th", "Sa"]),
        ("MWF", "DATE", ["M", "W", "F"]),
        ("M", "DATE", ["M"]),
        ("Tu", "DATE", ["Tu"]),
        ("Sat", "DATE", ["Sat"]),
        ("MWF", "HOSPITAL", ["MWF"]),
        ("3/4", "DATE", ["3/4"]),
    ],
)
def test_edges(marked: str, label: str, kept: list[str]) -> None:
    text = f"on {marked} then"
    made = trim_edges(Pair("1", text, (), (Span(3, 3 + len(marked), label),)))
    assert [text[span.start : span.end] for span in made.found] == kept


def test_habits_cost_strict_figures_and_no_privacy() -> None:
    note = pair("Seen by Dr. {{DOCTOR|Roe}}, now", "Seen by {{DOCTOR|Dr. Roe}}, now")
    assert score([note], "strict").micro.f == 0
    made = trim_edges(note)
    assert score([made], "strict").micro.f == 1
    assert made.gold == note.gold
