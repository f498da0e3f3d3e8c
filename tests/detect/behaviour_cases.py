"""Behaviour cases: one line of inline markup each, in `tests/cases/<LABEL>.txt`.

The marks of the file's own label are what the rules must claim, no more and no less; others are there for
the reader. A line with no mark must stay unclaimed. ``⏎`` stands for a line break. What follows the heading
``# known failures`` is expected to fail, so that a cure shows. What follows ``# left to the networks`` is no
case for rules; whole policies are tested on it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from plainsight.detect.patterns.rule import Claim, Rule
from plainsight.formats.inline import parse
from plainsight.text.shadow import shadow

FOLDER = Path(__file__).parent.parent / "cases"


def cases(label: str) -> list[object]:
    """Return the cases of a label as parameters of a test."""
    found: list[object] = []
    failing = False
    for line in (FOLDER / f"{label}.txt").read_text(encoding="utf-8").splitlines():
        if line == "# left to the networks":
            break
        if line.startswith("#"):
            failing = failing or line == "# known failures"
        elif line:
            marks = [pytest.mark.xfail(strict=True)] if failing else []
            found.append(
                pytest.param(label, line.replace("⏎", "\n"), id=f"{label}-{len(found) + 1}", marks=marks)
            )
    return found


def claimed(rules: tuple[Rule, ...], text: str, label: str) -> list[str]:
    """Return what the rules claim for a label, after the surer of two overlapping claims has won."""
    claims = [claim for rule in rules for claim in rule.claims(shadow(text))]
    claims.sort(key=lambda claim: (-claim.score, claim.start - claim.end))
    kept: list[Claim] = []
    for claim in claims:
        if all(claim.end <= other.start or other.end <= claim.start for other in kept):
            kept.append(claim)
    return [text[claim.start : claim.end] for claim in sorted(kept) if claim.label == label]


def expected(marked: str, label: str) -> tuple[str, list[str]]:
    """Return the plain text of a case and what its marks of a label hold."""
    text, spans = parse(marked)
    return text, [text[span.start : span.end] for span in spans if span.label == label]
