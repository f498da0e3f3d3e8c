"""Figures by label where a hit is a hit under whatever label."""

import pytest
from marked_pairs import pair

from plainsight.evaluate.any_label import UNLABELLED, by_any_label
from plainsight.evaluate.scorers import SCORERS
from plainsight.evaluate.tally import Tally, total

# gold tokens: PATIENT Ann Roe, CITY Cox; found: DOCTOR Ann, CITY Cox, DATE now
NOTE = pair("{{PATIENT|Ann Roe}} in {{CITY|Cox}} now", "{{DOCTOR|Ann}} Roe in {{CITY|Cox}} {{DATE|now}}")


LABELS = ("CITY", "DATE", "DOCTOR", "PATIENT")


@pytest.mark.parametrize(
    ("scorer", "expected"),
    [
        ("binary-token", [(1, 1, 1, 1), (0, 0, 1, 0), (0, 0, 1, 1), (2, 1, 0, 0)]),
        ("binary-strict", [(1, 1, 1, 1), (0, 0, 1, 0), (0, 0, 1, 0), (1, 0, 0, 0)]),
        ("character", [(3, 3, 3, 3), (0, 0, 3, 0), (0, 0, 3, 3), (7, 3, 0, 0)]),
    ],
)
def test_counts(scorer, expected):
    assert by_any_label([NOTE], scorer) == dict(
        zip(LABELS, (Tally(*counts) for counts in expected), strict=True)
    )


@pytest.mark.parametrize("scorer", UNLABELLED)
def test_labels_add_up_where_nothing_overlaps(scorer):
    assert total(by_any_label([NOTE, NOTE], scorer).values()) == total([*SCORERS[scorer](NOTE).values()] * 2)


def test_nothing():
    assert by_any_label([]) == {}
