"""What the rules for identifying numbers claim and refuse."""

from __future__ import annotations

import pytest
from behaviour_cases import cases, claimed, expected
from hypothesis import given
from hypothesis import strategies as st

from plainsight.detect.patterns import addresses, contacts, numbers
from plainsight.text.shadow import shadow

NUMBERS = numbers.rules("en_US")
FAMILIES = [family for family in numbers.cue_families("en_US") if family.reader == "id"]
RULES = contacts.RULES + NUMBERS + addresses.RULES
LABELS = (
    "SSN", "MEDICALRECORD", "ACCOUNT", "HEALTHPLAN", "LICENSE",
    "VEHICLE", "DEVICE", "BIOID", "IDNUM", "USERNAME",
)  # fmt: skip


@pytest.mark.parametrize(("label", "case"), [case for label in LABELS for case in cases(label)])
def test_a_case_is_claimed_as_marked(label: str, case: str) -> None:
    text, marked = expected(case, label)
    assert claimed(RULES, text, label) == marked


@given(st.text(alphabet="0123456789-./# ABCMRNx*():\nsnlotid_", max_size=80))
def test_claims_lie_inside_any_text(text: str) -> None:
    for rule in NUMBERS:
        for claim in rule.claims(shadow(text)):
            assert 0 <= claim.start < claim.end <= len(text)


@given(
    st.from_regex(r"\A[1-9]\d{6,9}\Z"),
    st.sampled_from(["MRN ", "MRN: ", "mrn #", "Med rec no. ", "Medical Record #: "]),
)
def test_a_record_number_behind_its_cue_is_found(number: str, cue: str) -> None:
    assert claimed(RULES, f"{cue}{number}\n", "MEDICALRECORD") == [number]


@pytest.mark.parametrize("family", FAMILIES, ids=str)
def test_every_cue_announces_a_value(family: numbers.Family) -> None:
    for column, gap in ((family.words, ": "), (family.numbered, " no. ")):
        for cue in column.split():
            text = f"{cue.replace('_', ' ')}{gap}QX-20771-55".encode()
            assert any(
                text[c.start : c.end] == b"QX-20771-55"
                for r in numbers.rules("en_US")
                for c in r.claims(text)
            ), cue


def test_a_kind_that_stands_alone_needs_the_right_check_character() -> None:
    assert claimed(NUMBERS, "car 1M8GDM9AXKP042788 seen", "VEHICLE") == ["1M8GDM9AXKP042788"]
    assert claimed(NUMBERS, "car 1M8GDM9A1KP042788 seen", "VEHICLE") == []


@pytest.mark.parametrize(
    "piece", ["5", "A", " ", "MRN ", "A1-", "case ", "#1", "no. ", "1 ", "(01)", "by ", "x_"]
)
def test_a_long_line_is_scanned_in_windows(piece: str) -> None:
    # A window that grew with the line would keep this busy for hours.
    length = 1_000_000 if len(piece) == 1 and piece != "@" else 100_000
    text = shadow((piece * length)[:length])
    assert all(claim.end <= length for rule in NUMBERS for claim in rule.claims(text))
