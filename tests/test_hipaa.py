"""The exact rules of Safe Harbor: years, ages, ZIP codes."""

import csv
import hashlib
import re
import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight import hipaa
from plainsight.hipaa import (
    DateContext,
    age_range,
    date_contexts,
    identifying,
    over_89,
    shown_years,
    shows_over_89,
    year_only,
    years,
    zip3,
)
from plainsight.labels import GROUPS, LABELS
from plainsight.locale.calendar import load_calendar

CALENDAR = load_calendar("en_US")

# --- dates ------------------------------------------------------------------------------------------------

YEAR_ONLY = [
    "2012", "1999", "'08", "’08", "'97", "1990s", "1990's", "'90s", "90s", "80's", "the 1980s", "early 2000s",
    "mid-90s", "late 1970s", "early to mid 1990s", "eighties", "the nineties", "FY2012", "FY 2012",
    "circa 1990", "c. 1990", "~2010", "2010-2012", "2018-19", "1962-64", "2010 to 2012", "1990s-2000s",
    "'88-'89", "(2012)", "２０１２", "2012.", "2087", "nineteen eighty-one",
]  # fmt: skip
NOT_YEAR_ONLY = [
    "winter of 2010", "May 2012", "5/2012", "2012-05", "2012/5", "2010-11", "'12-03", "08", "8", "29th",
    "MWF", "Thursday", "Christmas", "Christmas 2012", "2/26/85", "2012-03-04", "20120304", "Q4 2022", "2O12",
    "20l2", "", " ", "201", "20122", "1712", "90", "yesterday", "2012 at noon", "2012 10:30", "spring",
    "s", "'",
]  # fmt: skip


@pytest.mark.parametrize("date", YEAR_ONLY)
def test_a_year_or_decade_stays(date: str) -> None:
    assert year_only(date)
    assert not identifying("DATE", date)


@pytest.mark.parametrize("date", NOT_YEAR_ONLY)
def test_any_other_date_goes(date: str) -> None:
    assert not year_only(date)
    assert identifying("DATE", date)


@pytest.mark.parametrize(
    ("date", "named"),
    [
        ("2012", (2012,)), ("'08", (2008,)), ("'35", (2035,)), ("'36", (1936,)), ("1990s", (1990,)),
        ("90s", (1990,)), ("'30s", (1930,)), ("20s", (1920,)), ("'10s", (2010,)), ("eighties", (1980,)),
        ("2/26/85", (1985,)), ("2.26.85", (1985,)), ("02-26-85", (1985,)), ("85/02/26", (1985,)),
        ("2/26/85-3/1/85", (1985,)), ("12/30/2011-1/2/2012", (2011, 2012)),
        ("12/30/11-1/2/12", (2011, 2012)), ("3/85", (1985,)), ("3/2012", (2012,)),
        ("2012-03-04", (2012,)), ("2012-03", (2012,)), ("20120304", (2012,)), ("03042012", (2012,)),
        ("26102012", (2012,)), ("26-Feb-85", (1985,)), ("26FEB85", (1985,)), ("22-AUG-2025", (2025,)),
        ("Feb 26, 85", (1985,)), ("May 5 78", (1978,)), ("Feb 85", (1985,)), ("Feb '12", (2012,)),
        ("Sept. 3rd, 2021", (2021,)), ("Friday, February 7, 2020", (2020,)),
        ("8 de mayo de 2025", (2025,)), ("winter of 2010", (2010,)), ("Christmas '93", (1993,)),
        ("oct2023", (2023,)), ("1987-88", (1987,)), ("2018-19", (2018,)), ("Q4 2022", (2022,)),
        ("2012-03-04T10:22:33", (2012,)), ("20120304103000", (2012,)), ("July 9-July 29, 2017", (2017,)),
        ("summer of 92", (1992,)), ("June first, nineteen fifty", (1950,)),
    ],
)  # fmt: skip
def test_years_that_a_date_names(date: str, named: tuple[int, ...]) -> None:
    assert years(date) == named


@pytest.mark.parametrize(
    "date",
    [
        "Mon 12/4", "3/12", "3/4-3/9", "March 5th", "May", "Feb 12", "29th", "MWF", "Thursday",
        "Christmas", "08", "022685", "121101", "2O12", "0ct 1998", "2/26/8S", "00/00/00",
        "ninety-eight", "13/45", "", "1/2/3",
    ],
)  # fmt: skip
def test_no_year_is_read_where_there_is_none_or_where_digits_do_not_fit(date: str) -> None:
    assert years(date) == ()


def test_a_year_that_shows_an_age_over_89_goes() -> None:
    assert [
        identifying("DATE", date) for date in ("1945", "1946", "1930s", "1940s", "1950s", "'38", "1942-46")
    ] == [*(True, False, True, True, False, True, True)]
    assert not identifying("DATE", "1945", note_year=2008)
    assert identifying("DATE", "1918", note_year=2008)
    assert identifying("DATE", "1995", note_year=2087)
    assert not shows_over_89([])


@given(
    st.dates(),
    st.sampled_from(["%m/%d/%Y", "%Y-%m-%d", "%d %b %Y", "%B %d, %Y", "%a %m/%d/%Y", "%Y%m%d", "%b %Y"]),
)
def test_every_full_date_goes_and_its_year_is_read(date, form: str) -> None:  # type: ignore[no-untyped-def]
    if not 1800 <= date.year <= 2199:
        date = date.replace(year=1900 + date.year % 100, day=min(date.day, 28))
    text = date.strftime(form)
    assert not year_only(text)
    assert identifying("DATE", text)
    assert years(text) == (date.year,)


@given(st.text(st.sampled_from("0123456789/-. 'sOlthMaryeb"), max_size=12))
def test_a_date_that_stays_holds_nothing_but_years(text: str) -> None:
    if not identifying("DATE", text):
        assert all(len(number) in (2, 4) for number in re.findall(r"\d+", text))
        words = set(re.findall(r"[a-z]+", text.lower()))
        assert not words - {"s"} - CALENDAR.fillers - CALENDAR.until  # words that say nothing of a date


@pytest.mark.parametrize("form", ["4/12/{}", "12-Apr-{}", "'{}", "Apr '{}"])
@pytest.mark.parametrize("year", range(10, 46))
def test_a_birth_over_89_is_never_readable(form: str, year: int) -> None:
    """Such a year with two digits is of this century or the last: as a birth it never stays."""
    date = form.format(year)
    assert shown_years(date, DateContext(birth=True)) == ()
    assert identifying("DATE", date, context=DateContext(birth=True))
    [context] = date_contexts(f"DOB: {date}", [(5, 5 + len(date))])
    assert context.birth


def test_a_two_digit_year_is_not_later_than_its_note() -> None:
    text = "Seen 3/4/2024. Surgery 5/6/22, war service '31, visit 1/2/25, school '98."
    spans = [
        re.search(re.escape(date), text).span() for date in ("3/4/2024", "5/6/22", "'31", "1/2/25", "'98")
    ]  # type: ignore[union-attr]
    contexts = date_contexts(text, spans)
    shown = [shown_years(text[start:end], one) for (start, end), one in zip(spans, contexts, strict=True)]
    assert shown == [(2024,), (2022,), (), (2025,), (1998,)]


@pytest.mark.parametrize(
    "cue", ["DOB ", "DOB: ", "D.O.B. ", "born ", "Born on ", "b. ", "(b. ", "birthdate: "]
)
def test_words_before_a_birth(cue: str) -> None:
    assert date_contexts(f"{cue}1931", [(len(cue), len(cue) + 4)])[0].birth
    assert not date_contexts("seen 1931", [(5, 9)])[0].birth


# --- ages -------------------------------------------------------------------------------------------------

ONES = "one two three four five six seven eight nine".split()  # noqa: SIM905


@pytest.mark.parametrize(
    ("age", "expected"),
    [
        ("67", (67, 67)), ("053", (53, 53)), ("０６７", (67, 67)), ("ninety-one", (91, 91)),
        ("sixty two", (62, 62)), ("fifteen", (15, 15)), ("one hundred and two", (102, 102)),
        ("a hundred", (100, 100)), ("hundred", (100, 100)), ("one-hundred-three", (103, 103)),
        ("twenty-nine-year-old", (29, 29)), ("60s", (60, 69)), ("60's", (60, 69)),
        ("mid-50s", (50, 59)), ("in her late 80s", (80, 89)), ("seventies", (70, 79)),
        ("80-something", (80, 89)), ("teens", (13, 19)), ("octogenarian", (80, 89)),
        ("nonagenarian", (90, 99)), ("centenarian", (100, None)), ("newborn", (0, 1)),
        ("3 week", (0, 0)), ("3wk", (0, 0)), ("14-month", (1, 1)), ("24 months", (2, 2)),
        ("30 months", (2, 2)), ("12 days", (0, 0)), ("14 hr", (0, 0)), ("4y 2m", (4, 4)),
        ("4y2m", (4, 4)), ("9 years 5 months", (9, 9)), ("9 years, 5 months and 3 days", (9, 9)),
        ("11 y 1 mo", (11, 11)), ("8 1/2", (8, 8)), ("8½", (8, 8)), ("2-1/2", (2, 2)),
        ("5 3/12", (5, 5)), ("7;0", (7, 7)), ("1.5 years", (1, 1)), ("two and a half", (2, 2)),
        ("89 11/12", (89, 89)), ("67 y.o.", (67, 67)), ("67y.o.", (67, 67)), ("67 y/o", (67, 67)),
        ("67yo", (67, 67)), ("67 years old", (67, 67)), ("67-year-old", (67, 67)),
        ("aged 67", (67, 67)), ("86F", (86, 86)), ("86 yo M", (86, 86)), ("4 year old girl", (4, 4)),
        ("67m", (5, 67)), ("92M", (7, 92)), ("92w", (1, 92)), ("60-65", (60, 65)),
        ("60 to 65", (60, 65)), ("between 60 and 65", (60, 65)), ("6-8 months", (0, 0)),
        ("90+", (90, None)), ("90 +", (90, None)), (">89", (89, None)), ("≥ 90", (90, None)),
        ("over 90", (90, None)), ("90 or older", (90, None)), ("65+", (65, None)), ("<2", (0, 2)),
        ("under 18 months", (0, 1)),
    ],
)  # fmt: skip
def test_ages_that_can_be_read(age: str, expected: tuple[int, int | None]) -> None:
    assert age_range(age) == expected


@pytest.mark.parametrize(
    "age",
    [
        "", " ", "elderly", "8l", "6O", "9I", "8 O", "131", "999", "65-60", "-5", "67 kg", "five six",
        "two hundred", "three hundred and one", "8 13/12", "67/91", "Smith 67", "67 91",
        "ninety twenty", "100s", "\x00", "😀", "1 2 y", "about 88", "88ish", "hundred hundred", "2 y 3",
        "60 y to 3 mo", "zero-five",
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_no_age_and_identifies(age: str) -> None:
    assert age_range(age) is None
    assert over_89(age) is not False
    assert identifying("AGE", age)


@pytest.mark.parametrize(
    ("age", "expected"),
    [
        ("89", False), ("90", True), ("100", True), ("ninety", True), ("80s", False), ("90s", True),
        ("3 week", False), ("4y 2m", False), ("90+", True), ("65+", None), (">89", None),
        ("85-92", True), ("9l", True), ("1O1", True), ("8l", None), ("92M", True), ("elderly", None),
        ("centenarian", True),
    ],
)  # fmt: skip
def test_over_89(age: str, expected: bool | None) -> None:
    assert over_89(age) is expected
    assert identifying("AGE", age) is (expected is not False)


@given(st.integers(0, 130))
def test_every_number_in_digits_and_in_words(age: int) -> None:
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
    teens = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()  # noqa: SIM905
    rest, words = age % 100, ["one hundred"] if age >= 100 else []
    if rest >= 20:
        words.append("-".join([tens[rest // 10 - 2], *([ONES[rest % 10 - 1]] if rest % 10 else [])]))
    elif rest or age == 0:
        words.append(["zero", *ONES, *teens][rest])
    for text in (
        str(age),
        " ".join(words),
        " and ".join(words),
        f"{age} years old",
        f"{age}-year-old",
        f"{age}yo F",
    ):
        assert age_range(text) == (age, age), text
        assert over_89(text) is (age > 89)


@given(st.text(st.sampled_from("0123456789 -/.;'+<>lOsyfmotn"), max_size=10))
def test_no_number_of_90_or_more_passes_but_as_months_or_less(text: str) -> None:
    if over_89(text) is False:
        high = max((int(number) for number in re.findall(r"\d+", text)), default=0)
        assert high <= 89 or "mo" in text


@given(st.text(max_size=30))
def test_the_rules_take_any_text(text: str) -> None:
    for label in ("DATE", "AGE", "ZIP"):
        assert identifying(label, text) in (True, False)


# --- ZIP codes --------------------------------------------------------------------------------------------

HHS_2000 = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893".split()  # noqa: SIM905
CENSUS_2010 = (
    "036 059 102 202 203 204 205 369 556 692 753 772 821 823 878 879 884 893".split()  # noqa: SIM905
)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("38114", "381"), ("38114-1702", "381"), ("38114 1702", "381"), ("38114–1702", "381"),
        (" 38114.", "381"), ("３８１１４", "381"), ("381", "381"), ("381**", "381"), ("381xx", "381"),
        ("00926", "009"), ("82190", "000"), ("821", "000"), ("05901-1234", "000"), ("06320", "000"),
        ("20505", "000"), ("09012", "000"), ("34012", "000"), ("00012", "000"), ("000", "000"),
        ("51640", "000"), ("WF14 9AB", ""), ("V8W 9J2", ""), ("3811", ""), ("381141", ""),
        ("381141702", ""), ("38l14", ""), ("TN 38114", ""), ("38114-17", ""), ("", ""), ("12", ""),
        ("Memphis", ""), ("381*4", ""),
    ],
)  # fmt: skip
def test_zip3(code: str, expected: str) -> None:
    assert zip3(code) == expected


@pytest.mark.parametrize("prefix", sorted({*HHS_2000, *CENSUS_2010}))
def test_prefixes_that_were_ever_restricted_become_000(prefix: str) -> None:
    assert zip3(f"{prefix}01") == "000"


@given(st.from_regex(r"\d{5}(-\d{4})?", fullmatch=True))
def test_a_zip_code_gives_its_own_three_digits_or_000_and_always_goes(code: str) -> None:
    assert zip3(code) in (zip3(code[:3]), "000")
    assert zip3(code) in (hipaa.shadow(code[:3]).decode(), "000")
    assert identifying("ZIP", code)


def test_three_digits_stay_where_many_people_live() -> None:
    assert [
        identifying("ZIP", code) for code in ("381", "381**", "000", "821", "38", "WF14 9AB", "381-42")
    ] == [*(False, False, False, True, True, True, True)]


def test_the_table_is_the_one_its_source_describes() -> None:
    folder = files("plainsight").joinpath("data", "zip3")
    source = tomllib.loads(folder.joinpath("source.toml").read_text("utf-8"))
    data = folder.joinpath("zip3.csv").read_bytes()
    assert hashlib.sha256(data).hexdigest() == source["sha256"]
    rows = list(csv.DictReader(data.decode().splitlines()))
    # The counts of the two censuses, less the few people outside all ZIP areas.
    assert sum(int(row["people_2010"]) for row in rows) == pytest.approx(308_745_538 + 3_725_789, rel=1e-4)
    assert sum(int(row["adults_2020"]) for row in rows) == pytest.approx(258_343_281 + 2_725_000, rel=1e-4)
    assert [row["zip3"] for row in rows if int(row["people_2010"]) <= 20_000] == CENSUS_2010
    stricter = {row["zip3"] for row in rows if int(row["adults_2020"]) <= 20_000} - {*CENSUS_2010}
    assert sorted(stricter) == source["stricter"]


# --- all labels -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", LABELS)
def test_labels_without_a_finer_rule_follow_their_group(label: str) -> None:
    if label not in ("DATE", "AGE", "ZIP"):
        assert identifying(label, "anything") is (label in GROUPS["safe-harbor"])


def test_a_label_that_is_not_ours_identifies() -> None:
    assert identifying("BADGE", "77-B")
