"""What the contact rules claim and refuse."""

from __future__ import annotations

import pytest
from behaviour_cases import cases, claimed, expected
from hypothesis import given
from hypothesis import strategies as st

from plainsight.detect.patterns import addresses, contacts, numbers
from plainsight.text.shadow import shadow

RULES = contacts.RULES + numbers.rules("en_US") + addresses.RULES
LABELS = ("PHONE", "FAX", "EMAIL", "URL", "IPADDR")


@pytest.mark.parametrize(("label", "case"), [case for label in LABELS for case in cases(label)])
def test_a_case_is_claimed_as_marked(label: str, case: str) -> None:
    text, marked = expected(case, label)
    assert claimed(RULES, text, label) == marked


@given(st.text(alphabet="0123456789-.()+ x@/:OlI\nabcwe#", max_size=80))
def test_claims_lie_inside_any_text(text: str) -> None:
    for rule in contacts.RULES:
        for claim in rule.claims(shadow(text)):
            assert 0 <= claim.start < claim.end <= len(text)


@given(
    st.from_regex(r"\A[2-9]\d{2}-[2-9]\d{2}-\d{4}\Z"), st.sampled_from(["Phone ", "call ", "cell: ", "(h) "])
)
def test_a_number_behind_a_cue_is_a_telephone(number: str, cue: str) -> None:
    assert claimed(contacts.RULES, cue + number, "PHONE") == [number]


@given(st.from_regex(r"\A[a-z][a-z0-9._]{0,10}[a-z0-9]@[a-z]{1,10}\.(com|org|example)\Z"))
def test_an_address_is_claimed_whole(address: str) -> None:
    assert claimed(contacts.RULES, f"mail {address}, thanks", "EMAIL") == [address]


@pytest.mark.parametrize("piece", ["5", "l", " ", "@", "a.", "555-", "x ", "12:", "one ", "http://", "(0"])
def test_a_long_line_is_scanned_in_windows(piece: str) -> None:
    # A window that grew with the line would keep this busy for hours.
    length = 1_000_000 if len(piece) == 1 and piece != "@" else 100_000
    text = shadow((piece * length)[:length])
    assert all(claim.end <= length for rule in contacts.RULES for claim in rule.claims(text))
