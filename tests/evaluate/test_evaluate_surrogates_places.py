"""Places: city, state and ZIP code that stand together."""

import pytest

from plainsight.document import Document
from plainsight.evaluate.surrogates.pairs import Count, exact
from plainsight.evaluate.surrogates.places import (
    agrees,
    disagreeing,
    state_code,
    state_of_zip,
    wrong_area_codes,
)
from plainsight.formats.inline import parse


def note(marked, *surrogates):
    text, spans = parse(marked)
    return exact(Document("1", text, spans), surrogates)


@pytest.mark.parametrize(
    ("code", "states"),
    [
        ("04401", {"ME"}), ("10001", {"NY"}), ("60601-1234", {"IL"}), ("73301", {"TX"}), ("99501", {"AK"}),
        ("06390", {"CT", "NY"}), ("20001", {"DC"}), ("20101", {"VA"}), ("00100", set()), ("SW1A 1AA", set()),
    ],
)  # fmt: skip
def test_zip_codes_lie_in_states(code, states):
    assert state_of_zip(code) == states


def test_states_are_known_in_any_form():
    assert [state_code(text) for text in ("MAINE", "Me.", "maine", "Ontario", "x")] == [
        "ME",
        "ME",
        "ME",
        "",
        "",
    ]


@pytest.mark.parametrize(
    ("city", "state", "code", "expected"),
    [
        ("Bangor", "ME", "04401", True),
        ("Bangor", "Maine", "04401-1234", True),
        ("Bangor", "ME", "10001", False),
        ("Chicago", "ME", "", False),
        ("", "OH", "45402", True),
        ("Nowhereville", "OH", "", None),  # the list does not know it
        ("Bangor", "", "", None),
    ],
)
def test_agreement(city, state, code, expected):
    assert agrees(city, state, code) is expected


def test_places_are_counted_where_their_parts_stand_together():
    # Three places: the first agrees, the second does not, the third has a single part. The city of the
    # second stands too far from the next state to belong to it.
    told = note(
        "{{CITY|Bangor}}, {{STATE|ME}} {{ZIP|04401}}; {{CITY|Bangor}}, {{STATE|ME}}; {{CITY|Bangor}} is not"
        " {{STATE|Ohio}}",
        "Dayton", "OH", "45402", "Chicago", "ME", "Dayton", "Iowa",
    )  # fmt: skip
    assert disagreeing([told]) == Count(1, 2)


def test_two_places_side_by_side_are_both_seen():
    told = note(
        "{{CITY|Bangor}}, {{STATE|ME}}, {{CITY|Toledo}}, {{STATE|OH}} {{ZIP|43604}}\n"
        "{{CITY|Bangor}}, {{STATE|ME}}",
        "Dayton", "OH", "Chicago", "TX", "75201", "Dayton", "OH",
    )  # fmt: skip
    assert disagreeing([told]) == Count(1, 3)  # Chicago is not in Texas


def test_what_disagreed_before_is_not_held_against_the_surrogates():
    assert disagreeing([note("{{CITY|Chicago}}, {{STATE|ME}}", "Dayton", "ME")]) == Count(0, 0)


def test_area_codes_follow_their_place():
    right = note("{{CITY|Bangor}}, {{STATE|ME}} {{PHONE|207-555-0142}}", "Concord", "NH", "603-555-0142")
    wrong = note("{{CITY|Bangor}}, {{STATE|ME}} {{PHONE|207-555-0142}}", "Concord", "NH", "207-555-0142")
    assert wrong_area_codes([right]) == Count(0, 1)
    assert wrong_area_codes([wrong]) == Count(1, 1)


def test_area_codes_that_did_not_fit_do_not_count():
    strange = note("{{CITY|Bangor}}, {{STATE|ME}} {{PHONE|212-555-0142}}", "Concord", "NH", "603-555-0142")
    far = note("{{STATE|ME}}" + 200 * "." + "{{PHONE|207-555-0142}}", "NH", "207-555-0142")
    assert wrong_area_codes([strange, far]) == Count(0, 0)


def test_a_town_has_its_own_zip_codes():
    assert agrees("Albany", "NY", "12203") is True
    assert agrees("Albany", "NY", "14201") is False  # Buffalo's
