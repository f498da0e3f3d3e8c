"""What the lexicon detector claims and refuses, line by line."""

from __future__ import annotations

import pytest
from behaviour_cases import cases, expected

from plainsight.detect.lexicon import Lexicon
from plainsight.document import Document

LABELS = (
    "PATIENT",
    "DOCTOR",
    "HOSPITAL",
    "ORGANIZATION",
    "CITY",
    "COUNTRY",
    "LOCATION_OTHER",
    "PROFESSION",
)


def claimed(text: str, label: str | None = None) -> list[str]:
    """Return what the detector claims, of one label or of all."""
    [spans] = Lexicon().detect([Document(id="case", text=text)])
    return [text[span.start : span.end] for span in spans if label in (None, span.label)]


@pytest.mark.parametrize(("label", "case"), [case for label in LABELS for case in cases(label)])
def test_a_case_is_claimed_as_marked(label: str, case: str) -> None:
    text, marked = expected(case, label)
    assert claimed(text, label) == marked


@pytest.mark.parametrize(("label", "case"), cases("none"))
def test_a_line_without_identifiers_stays_unclaimed(label: str, case: str) -> None:
    assert claimed(case) == []
