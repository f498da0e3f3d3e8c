"""What short spans leave: nothing, common words, or something that tells."""

from __future__ import annotations

import pytest
from marked_pairs import pair

from plainsight.evaluate.errors import remainders


@pytest.mark.parametrize(
    ("gold", "found", "left"),
    [
        ("{{HOSPITAL|Quillerby Nursing Home}}", "{{HOSPITAL|Quillerby}} Nursing Home", "common words"),
        ("{{HOSPITAL|the Quillerby}}", "the {{HOSPITAL|Quillerby}}", "common words"),
        ("{{HOSPITAL|Mercy Quillerby}}", "{{HOSPITAL|Mercy}} Quillerby", "revealing"),
        ("{{HOSPITAL|John Smith}}", "{{HOSPITAL|John}} Smith", "revealing"),  # frequent, and still a name
        ("{{HOSPITAL|Ward 12}}", "{{HOSPITAL|Ward}} 12", "revealing"),
        ("{{HOSPITAL|Ward 2}}", "{{HOSPITAL|Ward}} 2", "common words"),
        ("{{HOSPITAL|Elm, }}now", "{{HOSPITAL|Elm}}, now", "no word"),
    ],
)
def test_kinds(gold: str, found: str, left: str) -> None:
    table = remainders([pair(gold, found)])
    assert {kind for kind, count in table["HOSPITAL"].items() if count} == {left}


def test_only_short_spans_leave_something() -> None:
    long = pair("{{AGE|70}} years", "{{AGE|70 years}}")
    missing, typed = pair("{{AGE|70}}", "70"), pair("{{AGE|70 y}}", "{{DATE|70}} y")
    # Roe Jr. shifted: the given name is left
    both = pair("{{PATIENT|Quill Roe}} Jr.", "Quill {{PATIENT|Roe Jr.}}")
    assert remainders([long, missing, typed, both]) == {
        "PATIENT": {"no word": 0, "common words": 0, "revealing": 1}
    }
    assert remainders([]) == {}
