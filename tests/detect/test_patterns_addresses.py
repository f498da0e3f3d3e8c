"""What the address rules claim and refuse."""

from __future__ import annotations

import pytest
from behaviour_cases import cases, claimed, expected
from hypothesis import given
from hypothesis import strategies as st

from plainsight.detect.patterns import addresses, contacts, numbers
from plainsight.text.shadow import shadow

RULES = contacts.RULES + numbers.rules("en_US") + addresses.RULES
LABELS = ("STREET", "ZIP", "STATE")


@pytest.mark.parametrize(("label", "case"), [case for label in LABELS for case in cases(label)])
def test_a_case_is_claimed_as_marked(label: str, case: str) -> None:
    text, marked = expected(case, label)
    assert claimed(RULES, text, label) == marked


@given(st.text(alphabet="0123456789 ,.\nABCabcdeNSOrt#&'-", max_size=80))
def test_claims_lie_inside_any_text(text: str) -> None:
    for rule in addresses.RULES:
        for claim in rule.claims(shadow(text)):
            assert 0 <= claim.start < claim.end <= len(text)


NAMES = st.sampled_from(["Oak", "Willow Creek", "St. Charles", "Martin", "Old Mill"])


@given(st.integers(1, 99999), NAMES, st.sampled_from(["St", "Ave", "Road", "Blvd", "Ln", "Court", "Way"]))
def test_a_numbered_street_is_claimed_whole(number: int, name: str, kind: str) -> None:
    line = f"{number} {name} {kind}"
    assert claimed(addresses.RULES, f"{line}, Springfield", "STREET") == [line]


@pytest.mark.parametrize(
    "piece", ["5", "A", " ", "1 A", "Oak ", "1 Oak ", "12 N ", "Box 1", "St ", "\n", "a, CA "]
)
def test_a_long_line_is_scanned_in_windows(piece: str) -> None:
    # A window that grew with the line would keep this busy for hours.
    length = 1_000_000 if len(piece) == 1 and piece != "@" else 100_000
    text = shadow((piece * length)[:length])
    assert all(claim.end <= length for rule in addresses.RULES for claim in rule.claims(text))
