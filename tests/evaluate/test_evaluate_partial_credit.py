"""Partial credit, counted by hand."""

from __future__ import annotations

import pytest
from marked_pairs import pair

from plainsight.evaluate.partial_credit import Credit, partial_credit


def test_every_outcome() -> None:
    found = partial_credit(
        [
            # Ann Roe is right, Coe has another label, 3/4 is longer, Elm both; 70 is missing, y spurious
            pair(
                "{{PATIENT|Ann Roe}} {{DOCTOR|Coe}} {{DATE|3/4}}, {{CITY|Elm}} St {{AGE|70}} y",
                "{{PATIENT|Ann Roe}} {{PATIENT|Coe}} {{DATE|3/4,}} {{STREET|Elm St}} 70 {{AGE|y}}",
            )
        ]
    )
    assert found == {
        "strict": Credit(correct=1, incorrect=3, missing=1, spurious=1),
        "exact": Credit(correct=2, incorrect=2, missing=1, spurious=1),
        "partial": Credit(correct=2, partial=2, missing=1, spurious=1),
        "type": Credit(correct=2, incorrect=2, missing=1, spurious=1),
    }
    # 5 wanted, 5 claimed: 1/5; 2/5; (2 + 2/2)/5; 2/5
    assert [credit.f for credit in found.values()] == pytest.approx([0.2, 0.4, 0.6, 0.4])
    assert found["partial"].to_json() == {
        "correct": 2,
        "incorrect": 0,
        "partial": 2,
        "missing": 1,
        "spurious": 1,
        "precision": 0.6,
        "recall": 0.6,
        "f": pytest.approx(0.6),
    }


def test_one_mark_over_two_is_aligned_with_one() -> None:
    found = partial_credit([pair("{{PATIENT|Ann}} {{PATIENT|Roe}}", "{{PATIENT|Ann Roe}}")])
    assert found["partial"] == Credit(partial=1, missing=1)
    assert (found["partial"].precision, found["partial"].recall) == (1 / 2, 1 / 4)


def test_undefined() -> None:
    credit = partial_credit([pair("well", "well")])["strict"]
    assert (credit.precision, credit.recall, credit.f) == (None, None, None)
