from __future__ import annotations

import pytest

from plainsight.detect.listed_words import CAPITAL, CUE, KINDS, SURE, Listed, weigh


def listed(*entries: tuple[str, str]) -> Listed:
    made = Listed()
    made.add(*(found for kind, text in entries if (found := weigh(kind, text)) is not None))
    return made


SITE = listed(
    ("unit", "Garden"), ("unit", "Morgan"), ("unit", "T7S"), ("unit", "Pod 8"), ("facility", "MNRMC"),
    ("facility", "Fleming Commons"), ("facility", "Uptown"), ("employer", "Reyes Glass"),
    ("employer", "Works"), ("street", "Union Ln"), ("address", "25 Maple Street"), ("person", "deborah qi"),
    ("person", "qi deborah"), ("person", "grace long"), ("provider", "linda michaelson"),
    ("surname", "Michaelson"), ("surname", "Young"),
    ("small_initials", "art"), ("small_initials", "rrc"), ("small_initials", "as"), ("initials", "KJM"),
    ("record", "59/6098-r"), ("record", "12"), ("login", "smallt5"), ("phone", "4471"),
)  # fmt: skip

FOUND = [
    ("Moved to Garden overnight", "Garden HOSPITAL"),
    ("Loc: Garden-12", "Garden-12 HOSPITAL"),
    ("sat in the garden", ""),
    ("Garden hose injury", ""),
    ("Morgan charge RN called", "Morgan HOSPITAL"),
    ("Morgan is her cousin", ""),
    ("seen on t7s today", "t7s HOSPITAL"),
    ("now in Pod 8", "Pod 8 HOSPITAL"),
    ("tide pod 8 ingested", ""),
    ("Known to MNRMC since", "MNRMC HOSPITAL"),
    ("bed at Fleming Commons", "Fleming Commons HOSPITAL"),
    ("seen at Uptown for cough", "Uptown HOSPITAL"),
    ("works at the Works on nights", "Works ORGANIZATION"),
    ("Works nights as a cook", ""),
    ("fumes at Reyes Glass", "Reyes Glass ORGANIZATION"),
    ("lives at 14 Union Ln alone", "14 Union Ln STREET"),
    ("25 maple street", "25 maple street STREET"),
    ("QI, DEBORAH 33F", "QI, DEBORAH PATIENT"),
    ("Deborah K. Qi called", "Deborah K. Qi PATIENT"),
    ("by the grace long awaited", ""),
    ("Grace Long called", "Grace Long PATIENT"),
    ("d/w Michaelson today", "Michaelson DOCTOR"),
    ("Michaelson sign negative", ""),
    ("Young woman with cough", ""),
    ("d/w art - hold Lasix", "art DOCTOR"),
    ("art therapy today", ""),
    ("the rrc saw her", "rrc DOCTOR"),
    ("RRC saw her", ""),
    ("Given by: as\nBedside", "as DOCTOR"),
    ("signed as witness", ""),
    ("cosign KJM", "KJM DOCTOR"),
    ("cosign kjm", ""),
    ("59/6098-R faxed", "59/6098-R MEDICALRECORD"),
    ("59 6098\nr", ""),
    ("took 12 tablets", ""),
    ("Filed by smallt5", "smallt5 USERNAME"),
    ("pager 4471", "4471 PHONE"),
    ("WBC 4471", ""),
]


@pytest.mark.parametrize(("text", "expected"), FOUND, ids=[text for text, _ in FOUND])
def test_entries_are_found_where_enough_speaks_for_them(text: str, expected: str) -> None:
    found = [f"{text[claim.start : claim.end]} {claim.label}" for claim in SITE.find(text)]
    assert found == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("kind", "text", "level"),
    [
        ("unit", "Garden", CUE),
        ("unit", "T7S", SURE),
        ("facility", "Midway North Regional", SURE),
        ("facility", "Maple Clinic", CAPITAL),
        ("record", "K4-81.772", SURE),
        ("record", "7719402", SURE),
        ("phone", "4471", CUE),
        ("small_initials", "art", CUE),
        ("small_initials", "rrc", SURE),
        ("person", "grace long", CAPITAL),
    ],
)
def test_words_that_are_ordinary_need_more(kind: str, text: str, level: int) -> None:
    weighed = weigh(kind, text)
    assert weighed is not None
    place, found = divmod(weighed[1], 3)
    assert (KINDS[place].name, found) == (kind, level)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("unit", "on"),
        ("record", "12"),
        ("surname", "Young"),
        ("surname", "Baker"),
        ("unit", " "),
        ("unit", "方"),
    ],
)
def test_entries_that_would_be_found_everywhere_are_left_out(kind: str, text: str) -> None:
    assert weigh(kind, text) is None


def test_an_entry_of_two_kinds_takes_the_one_that_has_more_to_say() -> None:
    both = listed(("unit", "Pyne"), ("surname", "Pyne"))
    assert [claim.label for claim in both.find("moved to Pyne-12")] == ["HOSPITAL"]
    assert [claim.label for claim in both.find("moved to Pyne overnight")] == ["HOSPITAL"]
    assert [claim.label for claim in both.find("Discussed with Pyne")] == ["DOCTOR"]


def test_a_long_text_without_entries_finds_nothing() -> None:
    assert SITE.find("no complaints " * 2_000) == []
    assert SITE.find("") == []
