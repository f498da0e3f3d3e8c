"""Mask gives each label its general form, and nothing of the identifying part."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, Span
from plainsight.errors import PluginError
from plainsight.hipaa import identifying
from plainsight.labels import LABELS
from plainsight.replace.generalise import Generalise
from plainsight.replace.mask import Mask


def mask(label: str, text: str, operation: Mask = Mask()) -> str:  # noqa: B008 - frozen, without state
    """Mask one identifier in the middle of a note."""
    note = Document("1", f"a {text} b", (Span(2, 2 + len(text), label),))
    [[result]] = operation.replace([note])
    return result


@pytest.mark.parametrize(
    ("text", "date", "expected"),
    [
        ("Seen 3/4/2024, DOB 4/12/31.", "4/12/31", "[DATE]"),
        ("born '31", "'31", "[DATE]"),
        ("DOB 4/12/85.", "4/12/85", "1985"),
        ("Seen 3/4/2024, since 4/12/32.", "4/12/32", "[DATE]"),
        ("Seen 3/4/2024, next 4/12/25.", "4/12/25", "2025"),
    ],
)
def test_a_two_digit_year_never_shows_an_age_over_89(text, date, expected):
    dates = [*re.finditer(r"[\d/']+(?=[.,]|$)", text)]
    note = Document("1", text, tuple(Span(*found.span(), "DATE") for found in dates))
    for operation in (Mask(), Generalise()):
        [made] = operation.replace([note])
        assert made[[found[0] for found in dates].index(date)] == expected


@pytest.mark.parametrize(
    ("label", "text", "expected"),
    [
        ("DATE", "2/26/2012", "2012"), ("DATE", "02/20/2087", "2087"), ("DATE", "26-Feb-85", "1985"),
        ("DATE", "2/26/85", "1985"), ("DATE", "winter of 2010", "2010"), ("DATE", "May '08", "2008"),
        ("DATE", "2012", "2012"), ("DATE", "'08", "'08"), ("DATE", "1990s", "1990s"),
        ("DATE", "2018-19", "2018-19"), ("DATE", "12/30/2011-1/2/2012", "2011-2012"),
        ("DATE", "2012-03-04", "2012"), ("DATE", "March 5th", "[DATE]"), ("DATE", "Thursday", "[DATE]"),
        ("DATE", "MWF", "[DATE]"), ("DATE", "3/4-3/9", "[DATE]"), ("DATE", "12/4", "[DATE]"),
        ("DATE", "2/26/2O12", "[DATE]"), ("DATE", "1/2/1921", "[DATE]"), ("DATE", "1921", "[DATE]"),
        ("DATE", "1930s", "[DATE]"), ("DATE", "5/2010, 6/2011, 7/2012", "[DATE]"),
        ("DATE", "20120304103000", "2012"),
        ("AGE", "67", "60s"), ("AGE", "60s", "60s"), ("AGE", "sixty-one", "60s"), ("AGE", "89", "80s"),
        ("AGE", "9", "under 10"), ("AGE", "3 week", "under 10"), ("AGE", "4y 2m", "under 10"),
        ("AGE", "10", "10s"), ("AGE", "teens", "10s"), ("AGE", "61-63", "60s"), ("AGE", "90", "90+"),
        ("AGE", "90s", "90+"), ("AGE", "101", "90+"), ("AGE", "ninety-one", "90+"), ("AGE", "92M", "90+"),
        ("AGE", "9l", "90+"), ("AGE", "58-63", "[AGE]"), ("AGE", "65+", "[AGE]"), ("AGE", "8l", "[AGE]"),
        ("AGE", "elderly", "[AGE]"),
        ("ZIP", "38114", "381**"), ("ZIP", "38114-1702", "381**"), ("ZIP", "82190", "000**"),
        ("ZIP", "381**", "381**"), ("ZIP", "WF14 9AB", "[ZIP]"), ("ZIP", "38l14", "[ZIP]"),
        ("ZIP", "3811", "[ZIP]"),
        ("STATE", "Ohio", "Ohio"), ("STATE", "OH", "OH"), ("STATE", "New Hampshire", "New Hampshire"),
        ("STATE", "N.H.", "N.H."), ("STATE", "Québec", "Québec"), ("STATE", "OH 45402", "[STATE]"),
        ("STATE", "Dayton, OH", "[STATE]"), ("STATE", "0hio", "[STATE]"),
        ("COUNTRY", "Kazakhstani", "Kazakhstani"), ("COUNTRY", "Côte d’Ivoire", "Côte d’Ivoire"),
        ("COUNTRY", "Trinidad & Tobago", "Trinidad & Tobago"), ("COUNTRY", "Peru\n12 Elm", "[COUNTRY]"),
        ("PATIENT", "Jane Roe", "[PATIENT]"), ("DOCTOR", "Okafor", "[DOCTOR]"),
        ("USERNAME", "jsm12", "[USERNAME]"), ("PROFESSION", "glazier", "[PROFESSION]"),
        ("HOSPITAL", "MGH", "[HOSPITAL]"), ("ORGANIZATION", "Acme", "[ORGANIZATION]"),
        ("STREET", "128 Williams Ct", "[STREET]"), ("CITY", "Memphis", "[CITY]"),
        ("LOCATION_OTHER", "Shelby County", "[LOCATION_OTHER]"), ("PHONE", "901-555-0123", "[PHONE]"),
        ("FAX", "901-555-0124", "[FAX]"), ("EMAIL", "a@b.org", "[EMAIL]"), ("URL", "b.org/a", "[URL]"),
        ("IPADDR", "10.0.0.7", "[IPADDR]"), ("SSN", "078-05-1120", "[SSN]"),
        ("MEDICALRECORD", "0371-88", "[MEDICALRECORD]"), ("HEALTHPLAN", "XZ12", "[HEALTHPLAN]"),
        ("ACCOUNT", "99-1", "[ACCOUNT]"), ("LICENSE", "AB1234563", "[LICENSE]"),
        ("VEHICLE", "KLM 204", "[VEHICLE]"), ("DEVICE", "SN 77", "[DEVICE]"),
        ("BIOID", "fp-3", "[BIOID]"), ("IDNUM", "S23-118", "[IDNUM]"), ("BADGE", "77-B", "[BADGE]"),
    ],
)  # fmt: skip
def test_every_row_of_the_table(label: str, text: str, expected: str) -> None:
    assert mask(label, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("67", "67"), ("80s", "80s"), ("3 week", "3 week"), ("58-63", "58-63"), ("92", "90+"), ("8l", "[AGE]")],
)
def test_ages_up_to_89_can_be_kept(text: str, expected: str) -> None:
    assert mask("AGE", text, Mask(ages="keep")) == expected


def test_wrong_option_names_the_nearest() -> None:
    with pytest.raises(PluginError, match="mask: ages cannot be 'decades'; did you mean 'decade'"):
        Mask(ages="decades")  # type: ignore[arg-type]


@given(
    st.dates(),
    st.sampled_from(["%m/%d/%Y", "%m-%d-%y", "%d %b %Y", "%B %d, %Y", "%Y%m%d", "%b %d", "%m/%d", "%A"]),
)
def test_of_a_date_at_most_the_year_is_left(date, form: str) -> None:  # type: ignore[no-untyped-def]
    text = date.strftime(form)
    assert re.fullmatch(r"\[DATE\]|\d{4}", mask("DATE", text))


@given(
    st.integers(0, 130), st.sampled_from(["{}", "{} y", "{}yo", "{}-year-old", "{}F", "{} years 3 months"])
)
def test_of_an_age_only_the_decade_is_left(age: int, form: str) -> None:
    expected = "90+" if age > 89 else f"{age // 10}0s" if age > 9 else "under 10"
    assert mask("AGE", form.format(age)) == expected


values = st.one_of(
    st.text(min_size=1, max_size=20),
    st.text(st.sampled_from("0123456789 /-.,'slOabcMay+*<>"), min_size=1, max_size=14),
    st.from_regex(r"\d{5}(-\d{4})?|\d{1,2}/\d{1,2}/\d{2,4}|(19|20)\d\d|\d{1,3} ?[ymwd]?", fullmatch=True),
)


@given(st.sampled_from(LABELS), values, st.sampled_from(["decade", "keep"]))
def test_what_is_left_does_not_identify(label: str, text: str, ages: str) -> None:
    result = mask(label, text, Mask(ages=ages))  # type: ignore[arg-type]
    allowed = {f"[{label}]", "90+"}
    assert result in allowed or not identifying(label, result), "what stays must be allowed to stay"
    if identifying(label, text):
        assert result != text or result == "90+"
    if label not in ("DATE", "AGE", "ZIP", "STATE", "COUNTRY"):
        assert result == f"[{label}]"


@given(st.sampled_from(LABELS), values)
def test_masking_a_mask_changes_nothing_more(label: str, text: str) -> None:
    result = mask(label, text)
    assert mask(label, result) in (result, f"[{label}]")
