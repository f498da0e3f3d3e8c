"""Dates in their notes: the offset, what the note says about them, births, holidays, fallbacks."""

from datetime import date, timedelta

import pytest

from plainsight.document import Document, Patient, Span
from plainsight.errors import PluginError
from plainsight.formats.inline import parse
from plainsight.replace.shift_date import ShiftDate
from plainsight.replace.surrogate.dates.options import DateOptions
from plainsight.replace.surrogate.dates.shifter import Dates
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import Mention, Scope

KEYED = Keyed.from_secret(bytes(32))


def scope_of(*notes: str, patient: Patient | None = None, name: str = "patient 1") -> Scope:
    """Return a scope of notes in inline markup."""
    documents, mentions = [], []
    for number, marked in enumerate(notes):
        text, spans = parse(marked)
        documents.append(Document(str(number), text, spans, patient=patient))
        mentions += [Mention(number, s.start, s.end, s.label, text[s.start : s.end]) for s in spans]
    return Scope(KEYED.child(name), documents, mentions)


def shifted(*notes: str, days: int, patient: Patient | None = None, **options) -> list[str]:
    scope = scope_of(*notes, patient=patient)
    return Dates(scope, DateOptions(**options), days=days).surrogates(scope.mentions)


# --- the offset -------------------------------------------------------------------------------------------


def offsets(**options) -> set[int]:
    """Return the offsets of many patients."""
    return {Dates(scope_of(name=f"{n}"), DateOptions(**options)).offset for n in range(300)}


def test_offset_is_a_pure_function_of_key_patient_and_options():
    one = Dates(scope_of("{{DATE|3/4/19}}")).offset
    assert one == Dates(scope_of("something else")).offset
    others = offsets()
    assert len(others) > 120
    assert all(30 <= abs(offset) <= 1890 for offset in others)
    assert min(others) < 0 < max(others)


def test_offsets_are_whole_weeks_close_to_whole_years():
    assert all(offset % 7 == 0 for offset in DateOptions().offsets)
    assert all(abs(o - round(o / 365.25) * 365.25) <= 63 for o in DateOptions().offsets)
    assert len(DateOptions().offsets) == 188
    assert len(DateOptions(offset="strict").offsets) == 4164


@pytest.mark.parametrize("options", [{}, {"offset": "strict"}, {"whole_weeks": False}])
def test_no_offset_leaves_day_and_month_as_they_are(options):
    days = [date(2016, 1, 1) + timedelta(day) for day in range(0, 365 * 8, 5)] + [date(2016, 2, 28)]
    for offset in DateOptions(**options).offsets[:: 7 if options else 1]:
        moved = [day + timedelta(offset) for day in days]
        assert all((a.month, a.day) != (b.month, b.day) for a, b in zip(days, moved, strict=True)), offset


def test_offset_reaches_both_ends_and_nothing_else():
    days = {"whole_weeks": False, "min_shift": 2, "max_shift": 4}
    assert offsets(**days) == {-4, -3, -2, 2, 3, 4}


def test_whole_weeks_keep_weekdays():
    assert offsets(max_shift=60) == {-56, -49, -42, -35, 35, 42, 49, 56}
    scope = scope_of("{{DATE|Thurs}} {{DATE|MWF}}")
    assert Dates(scope, DateOptions()).surrogates(scope.mentions) == ["Thurs", "MWF"]


def test_seasons_need_not_be_kept():
    assert set(range(98, 106, 7)) <= set(DateOptions(max_shift=365, keep_seasons=False).offsets)
    assert 98 not in DateOptions(max_shift=365).offsets


@pytest.mark.parametrize(
    "options",
    [
        {"days": 0},
        {"days": 40_000},
        {"min_shift": 9, "max_shift": 8},
        {"min_shift": 1, "max_shift": 6, "whole_weeks": True},
        {"max_shift": 99_999},
        {"holidays": "kep"},
        {"on_failure": "scramble"},
        {"offset": "stict"},
        {"precision": "hour"},
        {"generic": "stay"},
        {"min_shift": 100, "max_shift": 200},
        {"offset": "strict", "whole_weeks": False},
        {"offset": "strict", "keep_year": True},
        {"offset": "strict", "max_shift": 180},
    ],
)
def test_impossible_options(options):
    with pytest.raises(PluginError):
        ShiftDate(**options)


def test_offset_is_the_patients_whatever_the_scope():
    patient = KEYED.child("patient 1")
    note = Document("1", "3/4/19")
    narrow = Scope(patient.child("note 1"), [note], [], patient_keyed=patient)
    assert Dates(narrow).offset == Dates(Scope(patient, [note], [])).offset


# --- what a note says about its dates ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("{{DATE|13/04/2019}} and {{DATE|03/04/2019}}", ["14/04/2019", "04/04/2019"]),
        ("{{DATE|04/13/2019}} and {{DATE|03/04/2019}}", ["04/14/2019", "03/05/2019"]),
        ("{{DATE|04.13.19}} and {{DATE|03.04.19}}", ["04.14.19", "03.05.19"]),
        ("{{DATE|13/04/2019}} and {{DATE|3/4}}", ["14/04/2019", "4/4"]),
        ("{{DATE|24.08.1976}} and {{DATE|3/4/19}}", ["25.08.1976", "3/5/19"]),
        ("born {{DATE|02.03.1949}}", ["03.03.1949"]),
        ("{{DATE|3.4.19}}", ["3.5.19"]),
        # a weekday agrees with one reading only
        ("{{DATE|Wed 3/4/2019}} then {{DATE|5/4/2019}}", ["Thu 4/4/2019", "6/4/2019"]),
        # the same day by name
        ("{{DATE|4 October 2021}}: phoned {{DATE|04/10/2021}}, again {{DATE|05/10/2021}}",
         ["5 October 2021", "05/10/2021", "06/10/2021"]),
        # the reading that lies closer to the others
        ("{{DATE|14 February 2025}}: PET {{DATE|5/2/25}}", ["15 February 2025", "6/2/25"]),
        ("{{DATE|9 Mar 2022}}: eval by {{DATE|3/10}}", ["10 Mar 2022", "3/11"]),
    ],
)  # fmt: skip
def test_order_of_day_and_month(note, expected):
    assert shifted(note, days=1) == expected


def test_the_record_settles_the_order():
    patient = Patient(id="1", dates=("2019-04-03", "not a date"))
    assert shifted("{{DATE|3/4/2019}}", days=1, patient=patient) == ["4/4/2019"]
    assert shifted("{{DATE|3/4/2019}}", days=1) == ["3/5/2019"]


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("{{DATE|11/14/19}} {{DATE|3/4/19}}", ["1/3/20", "4/23/19"]),
        ("{{DATE|11/14/19}} {{DATE|03/04/19}}", ["01/03/20", "04/23/19"]),
        ("{{DATE|11/14/2019}}", ["01/03/2020"]),
        ("{{DATE|11/14/19}}", ["1/3/20"]),
        ("{{DATE|14-Nov-2019}} {{DATE|14 Nov 2019}}", ["03-Jan-2020", "3 Jan 2020"]),
        ("{{DATE|14NOV2019}}", ["03JAN2020"]),
        ("{{DATE|Feb 1}} {{DATE|May 12}}", ["Mar 23", "Jul 1"]),
        ("{{DATE|May 12}} {{DATE|April 1}}", ["July 1", "May 21"]),
        ("{{DATE|June 12}} {{DATE|Apr 1}}", ["Aug 1", "May 21"]),
        ("{{DATE|6/91}} {{DATE|11/93}} {{DATE|11/02}} {{DATE|7/03}}", ["8/91", "1/94", "1/03", "9/03"]),
        ("{{DATE|11/02}} {{DATE|7/03}}", ["12/22", "8/22"]),
    ],
)  # fmt: skip
def test_zeros_and_short_months_as_the_note_has_them(note, expected):
    assert shifted(note, days=50) == expected


def test_year_of_a_day_without_one():
    # 2020 was a leap year: from late February on a year later is 365 days, before it 366
    assert shifted("{{DATE|3/20/2020}}: seen {{DATE|2/20}}, {{DATE|3/4}}", days=365)[1:] == ["2/19", "3/4"]
    assert shifted("{{DATE|3/20/2021}}: seen {{DATE|2/20}}", days=365)[1:] == ["2/20"]
    assert shifted("{{DATE|1/5/2021}}: seen {{DATE|3/1}}", days=-1)[1:] == ["2/28"]
    assert shifted("{{DATE|1/5/2020}}: seen {{DATE|12/31}}, next {{DATE|2/28}}", days=1)[1:] == [
        "1/1",
        "2/29",
    ]
    assert shifted("{{DATE|6/1/2021}}: {{DATE|2/29}}", days=1)[1:] == ["3/1"]


def test_the_year_may_come_from_the_record_but_not_from_another_note():
    assert shifted("{{DATE|6/1/2020}}", "{{DATE|2/28}}", days=1)[1] == "3/1"
    assert shifted("{{DATE|2/28}}", days=1, patient=Patient(id="1", dates=("2020-03-01",))) == ["2/29"]
    assert shifted("{{DATE|2/28}}", days=1) == ["3/1"]


def test_each_note_alone_is_read_as_among_others():
    notes = (
        "{{DATE|13/04/2019}} and {{DATE|3/4}}, DOB {{DATE|5/6/31}}",
        "{{DATE|2/28}}, {{DATE|Easter}}, the {{DATE|29th}}, {{DATE|Tues}}, {{DATE|3/4/19}}",
        "{{DATE|June 3, 2024}} {{DATE|11/12}} {{DATE|Christmas}}, born {{DATE|1931}}",
    )
    alone = [made for note in notes for made in shifted(note, days=-364)]
    assert shifted(*notes, days=-364) == alone


def test_a_date_in_numbers_alone_is_read_as_in_the_locale():
    assert shifted("{{DATE|5/2/2024}}, last seen {{DATE|1/1}}", days=84) == ["7/25/2024", "3/25"]


def test_a_year_first_is_read_where_the_note_says_so():
    assert shifted("{{DATE|5/2/2024}} {{DATE|24-03-31}}", days=84)[1] == "24-06-23"


def test_a_day_alone_is_of_the_month_the_note_is_about():
    assert shifted("{{DATE|October 1, 2022}} and the {{DATE|2nd}}", days=100) == ["January 9, 2023", "10th"]
    assert shifted("{{DATE|2/25/2020}}: back on the {{DATE|28th}}", days=2)[1] == "1st"


def test_two_digit_years_follow_the_note():
    assert shifted("{{DATE|02/20/2087}} since {{DATE|3/86}}", days=365) == ["02/20/2088", "3/87"]


def test_weekday_and_date_keep_their_disagreement():
    assert shifted("{{DATE|Mon 3/5/2019}}", days=10) == ["Thu 3/15/2019"]  # it was a Tuesday


# --- over 89 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "birth",
    [
        "DOB: {{DATE|3/4/1921}}",
        "born {{DATE|March 4, 1921}}",
        "{{DATE|3/4/1921}}",
        "{{DATE|3/4/1921}} (DOB)",
        "b. {{DATE|1921}}",
        "born {{DATE|Friday, March 4, 1921}}",
        "born in {{DATE|March 1921}}",
        "DOB {{DATE|3/4/28}}",  # nobody is born eight years after the note
        "{{DATE|3/4/28}}",
        "born {{DATE|'28}}",
    ],
)
def test_birth_that_shows_an_age_over_89_is_not_readable(birth):
    assert shifted("{{DATE|06/20/2020}} " + birth, days=40)[1] == "[DATE]"
    document = Document("1", *parse("{{DATE|06/20/2020}} " + birth))
    assert ShiftDate(days=40, on_failure="keep-format").replace([document])[0][1] == "[DATE]"


@pytest.mark.parametrize(
    ("birth", "expected"),
    [
        ("worked there since {{DATE|1921}}", "1921"),
        ("DOB: {{DATE|3/4/1941}}", "4/13/1941"),
        ("DOB: {{DATE|7/1/1930}}", "8/10/1930"),
        ("card exp {{DATE|3/28}}", "4/28"),
    ],
)
def test_other_dates_of_long_ago_stay_readable(birth, expected):
    assert shifted("{{DATE|06/20/2020}} " + birth, days=40)[1] == expected


def test_births_may_be_shown():
    assert shifted("{{DATE|06/20/2020}} DOB {{DATE|3/4/1921}}", days=40, hide_over_89=False)[1] == "4/13/1921"


def test_without_a_note_date_births_fail_closed():
    assert shifted("DOB: {{DATE|3/4/1940}}", days=40) == ["[DATE]"]
    assert shifted("DOB: {{DATE|3/4/32}}", days=40) == ["[DATE]"]
    assert shifted("DOB: {{DATE|3/4/62}}", days=40) == ["4/13/62"]


def test_the_record_may_say_that_the_patient_is_over_89_later():
    patient = Patient(id="1", dates=("2022-06-20",))
    note = "{{DATE|06/20/2019}} DOB {{DATE|3/4/1931}}"
    assert shifted(note, days=364) == ["06/18/2020", "3/2/1932"]
    assert shifted(note, days=364, patient=patient)[1] == "[DATE]"


def test_age_and_birth_date_agree():
    """A visit and a birth move together, so the age between them stays."""
    for days in DateOptions().offsets:
        seen, born = shifted("{{DATE|2024-03-31}} DOB {{DATE|1950-03-30}}", days=days)
        years = date.fromisoformat(seen) - date.fromisoformat(born)
        assert years == date(2024, 3, 31) - date(1950, 3, 30)


# --- options ----------------------------------------------------------------------------------------------


def test_seasons_with_a_year_stay_seasons_where_dates_keep_theirs():
    note = "{{DATE|winter of 2015-16}} {{DATE|spring 2020}} {{DATE|last spring}}"
    assert shifted(note, days=1148) == ["winter of 2018-19", "spring 2023", "last spring"]


def test_seasons_do_not_stay_where_dates_move_into_another():
    assert shifted("{{DATE|last spring}}", days=84, keep_seasons=False) == ["last summer"]
    assert shifted("{{DATE|last spring}}", days=84, offset="strict") == ["last summer"]


def test_generic_seasons_and_recurring_weekdays_stay_by_policy():
    note = "{{DATE|last spring}} {{DATE|MWF}} {{DATE|every Tuesday}} {{DATE|Tuesdays}} {{DATE|Tuesday}}"
    assert shifted(note, days=93) == ["last spring", "MWF", "every Tuesday", "Tuesdays", "Thursday"]
    made = shifted(note, days=93, generic="shift", keep_seasons=False)
    assert made == ["last summer", "WFSu", "every Thursday", "Thursdays", "Thursday"]


@pytest.mark.parametrize(
    ("text", "month", "year"),
    [
        ("3/31/2024", "6/2024", "2024"),
        ("2024-03-31", "2024-06", "2024"),
        ("Sunday, March 31, 2024", "June 2024", "2024"),
        ("3/28/24-4/2/24", "6/2024", "2024"),
        ("Nov 20 to Dec 28, 2024", "February 2025 to March 2025", "2025"),
        ("March 31", "June", ""),
        ("the 29th", "", ""),
        ("Tuesday", "", ""),
        ("winter of 2015-16", "winter of 2015-16", "2015 to 2016"),
        ("2019", "2019", "2019"),
        ("1990s", "1990s", "1990s"),
    ],
)
def test_precision(text, month, year):
    note = f"{{{{DATE|5/2/2024}}}} {{{{DATE|{text}}}}}"
    assert shifted(note, days=84, precision="month")[1] == month
    assert shifted(note, days=84, precision="year")[1] == year


def test_the_year_may_be_kept():
    note = "{{DATE|2024-03-31}} {{DATE|2024-12-01}} {{DATE|Dec 2024}} {{DATE|2024}} {{DATE|Sun 3/31/24}}"
    made = shifted(note, days=84, keep_year=True)
    assert made == ["2024-06-23", "2024-02-25", "Mar 2024", "2024", "Sun 6/23/24"]
    assert all(35 <= offset < 330 for offset in DateOptions(keep_year=True).offsets)


# --- holidays ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "days", "expected"),
    [
        ("seen {{DATE|Christmas}}.", -100, "September 16"),
        ("seen at {{DATE|Christmas}}.", -100, "mid-September"),
        ("last {{DATE|Christmas}}.", -100, "September"),
        ("{{DATE|CHRISTMAS}} trip", -110, "EARLY SEPTEMBER"),
        ("since {{DATE|xmas}}", -54, "november 1"),
        ("{{DATE|Thanksgiving 2019}}", 100, "March 7, 2020"),
        ("{{DATE|xmas eve '14}}", 40, "february 2 '15"),
        ("{{DATE|Tet of 1968}}", 100, "Early May of 1968"),
        ("{{DATE|Labor Day weekend}}", 45, "Mid-October weekend"),
        ("{{DATE|Easter Sunday}}", 300, "February 6"),
        ("{{DATE|Martin Luther King day}}", 45, "March 5"),
        ("{{DATE|NYE}}", 45, "Valentine's Day"),
        ("{{DATE|LENT}} RUSH", 45, "MID-APRIL"),
        ("{{DATE|XMAS 91}}", 100, "EARLY APRIL 92"),
        ("{{DATE|Ramadan 2019}}", 5, "Mid-May 2019"),
        ("{{DATE|Labor Day weekend}}", 42, "Columbus Day weekend"),
        ("off {{DATE|LABOR DAY}}", 70, "VETERANS DAY"),
        ("off {{DATE|Labor Day}}", 71, "November 12"),
        ("{{DATE|Christmas Eve}} in the ED", -115, "August 31"),
        ("on {{DATE|Christmas}} night", -205, "June 3"),
        ("did not fast this {{DATE|Ramadan}}", -81, "February"),
        ("over {{DATE|the holidays}}, calm", -100, "mid-September"),
        ("since {{DATE|the Fourth of July}}", 45, "the Eighteenth of August"),
        ("{{DATE|Passover}}", 200, "Late October"),
    ],
)
def test_shifted_holidays(text, days, expected):
    note = "{{DATE|2/1/2020}}. " + text
    made = shifted(note, days=days)[1]
    assert made == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{DATE|Sun 4/17}} is {{DATE|Easter}}", ["Wed 6/1", "early June"]),
        (
            "{{DATE|Christmas}} was {{DATE|Wednesday, December 25}}",
            ["Early February", "Saturday, February 8"],
        ),
        ("{{DATE|25 Dec 2019}} ({{DATE|Christmas}})", ["8 Feb 2020", "early February"]),
        ("{{DATE|Christmas}} and {{DATE|Wednesday, December 24}}", ["February 8", "Saturday, February 7"]),
        ("{{DATE|Christmas}} and {{DATE|12/32/0000}}", None),
    ],
)
def test_a_holiday_beside_its_own_date_does_not_say_it_twice(text, expected):
    year = 2022 if "Easter" in text else 2020
    made = shifted("{{DATE|5/1/" + f"{year}" + "}}.\n\n" + text, days=45)[1:]
    assert made == expected if expected else made[0] == "February 8"


def test_a_moving_holiday_of_an_unknown_year_is_told_roughly():
    assert shifted("since {{DATE|Easter}}", days=45) == ["early June"]
    assert shifted("since {{DATE|Christmas}}", days=45) == ["February 8"]


def test_kept_holidays_are_others_of_their_kind():
    note = (
        "{{DATE|2/1/2020}}: {{DATE|Christmas}}, {{DATE|yom kippur}}, {{DATE|Thanksgiving 2019}}, {{DATE|Eid}}"
    )
    made = shifted(note, days=100, holidays="keep")[1:]
    assert made == ["Palm Sunday", "hanukkah", "St. Patrick's Day 2020", "Muharram"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seen on {{DATE|Christmas}}", "the holiday"),
        ("{{DATE|Christmas}} dinner", "Holiday"),
        ("last {{DATE|Thanksgiving}}", "holiday"),
        ("over {{DATE|the holidays}}", "the holidays"),
        ("over {{DATE|Labor Day weekend}}", "holiday weekend"),
        ("{{DATE|Easter 2019}}", "The holiday of 2020"),
        ("ATE FOR {{DATE|RAMADAN}}", "THE HOLIDAY"),
        ("seen {{DATE|Easter Sunday 3/31/24}}", "Sunday 3/30/25"),
    ],
)
def test_neutral_holidays(text, expected):
    note = "{{DATE|2/1/2022}}.\n\n" + text
    assert shifted(note, days=364, holidays="neutral")[1] == expected
    assert shifted(note, days=364, offset="strict")[1] == expected


def test_an_unknown_holiday_is_not_left():
    assert shifted("{{DATE|2/1/2020}}: {{DATE|Pickle Festival}}", days=40)[1] == "mid-March"


# --- fallbacks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["13/45/20", "00/00/0000", "99/99/9999", "0/5/2019", "32nd", "Okafor", "12345", "3/4/201", "12/31/9999",
     "turn of the century", "March\x00\x01Okafor", "٣/x", "Ж" * 90, "1" * 200, "1/1/0001"],
)  # fmt: skip
def test_what_is_no_date_has_no_surrogate(text):
    note = Document("1", text, (Span(0, len(text), "DATE"),))
    mention = Mention(0, 0, len(text), "DATE", text)
    assert Dates(Scope(KEYED, [note], [mention]), days=30).surrogates([mention]) == [""]
    assert ShiftDate(days=30).replace([note]) == [["[DATE]"]]


def test_spans_that_cut_a_date():
    for text in (
        "/4/19",
        "3/4/",
        "arch 5",
        "-",
        " ",
        "\n",
        "3/4\n/19",
        "'",
        "th",
        "5th,",
        "20",
        "T10:22",
        "10:22",
    ):
        note = Document("1", text, (Span(0, len(text), "DATE"),))
        assert ShiftDate(days=30).replace([note])[0][0], text


def test_order_of_mentions_does_not_matter():
    scope = scope_of("{{DATE|13/04/2019}} {{DATE|03/04/2019}} {{DATE|Easter}} {{DATE|29th}}", "{{DATE|2/28}}")
    there = dict(zip(scope.mentions, Dates(scope).surrogates(scope.mentions), strict=True))
    back = scope.mentions[::-1]
    assert Dates(scope).surrogates(back) == [there[mention] for mention in back]
