"""The behaviour cases of all labels, read by whole policies: single lines, with next to no context."""

from __future__ import annotations

import pytest
from behaviour_cases import FOLDER

import plainsight
from plainsight.formats.inline import parse

LABELS = [path.stem for path in sorted(FOLDER.glob("*.txt")) if path.stem != "none"]


def lines(name: str) -> list[str]:
    text = (FOLDER / f"{name}.txt").read_text("utf-8").replace("⏎", "\n")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize(("policy", "recall", "quiet"), [("fast", 0.98, 0.75), ("balanced", 0.98, 0.85)])
def test_policies_find_most_identifiers_of_single_lines(policy: str, recall: float, quiet: float) -> None:
    notes = [parse(line) for label in LABELS for line in lines(label)]
    found = plainsight.detect([text for text, _ in notes], policy=policy)
    hits = [
        any(span.start < mark.end and mark.start < span.end for span in spans)
        for (_, marks), spans in zip(notes, found, strict=True)
        for mark in marks
    ]
    assert sum(hits) / len(hits) >= recall
    clean = [not spans for spans in plainsight.detect(lines("none"), policy=policy)]
    assert sum(clean) / len(clean) >= quiet
