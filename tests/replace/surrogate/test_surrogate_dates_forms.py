"""Every surface form of a date, moved by a known number of days and read by eye."""

import doctest
from importlib import import_module

import pytest

from plainsight.document import Document
from plainsight.locale.calendar import load_calendar
from plainsight.locale.date_grammar import parse_date
from plainsight.replace.surrogate.dates.conventions import find_cue
from plainsight.replace.surrogate.dates.options import DateOptions
from plainsight.replace.surrogate.dates.shifter import Dates
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import Mention, Scope

PACKAGE = "plainsight.replace.surrogate.dates"
KEYED = Keyed.from_secret(bytes(32)).child("patient 1")


def shifted(text: str, days: int, before: str = "", after: str = " ") -> str:
    note = Document("1", before + text + after)
    mention = Mention(0, len(before), len(before) + len(text), "DATE", text)
    options = DateOptions(generic="shift", keep_seasons=False)
    return Dates(Scope(KEYED, [note], [mention]), options, days=days).surrogates([mention])[0]


@pytest.mark.parametrize("name", ["coarse", "conventions", "holiday_phrases", "options", "shift", "shifter"])
def test_examples_in_docstrings(name):
    assert doctest.testmod(import_module(f"{PACKAGE}.{name}")).failed == 0


@pytest.mark.parametrize(
    ("text", "days", "expected"),
    [
        # numbers in any order, with any joint
        ("3/4/19", 45, "4/18/19"),
        ("03-04-2019", 45, "04-18-2019"),
        ("3.4.19", 45, "4.18.19"),
        ("04.03.2019", 45, "18.04.2019"),
        ("2019/03/04", 45, "2019/04/18"),
        ("2019-03-04", -90, "2018-12-04"),
        ("3 / 4 / 2019", 45, "4 / 18 / 2019"),
        ("3/4 /19", 45, "4/18 /19"),
        ("03//04/19", 45, "04//18/19"),
        ("7 4 63", 45, "8 18 63"),
        ("13/04/2019", 1, "14/04/2019"),
        ("85/02/26", 3, "85/03/01"),
        ("2019-13-04", 1, "2019-14-04"),
        ("20190304", 45, "20190418"),
        ("03042019", 45, "04182019"),
        ("030419", 45, "041819"),
        ("201912", 45, "202001"),
        ("0304", 45, "0418"),
        ("20190304102233", 45, "20190418102233"),
        ("14.III.2019", 30, "13.IV.2019"),
        # a weekday of any month, of a month, and two thirds of one
        ("second Tuesday", 45, "second Friday"),
        ("2nd Tuesdays", -100, "2nd Sundays"),
        ("first Monday of the month", 45, "first Thursday of the month"),
        ("last Monday of May", 45, "last Thursday of June"),
        ("last Monday in May 2019", -150, "last Friday in December 2018"),
        ("mid to late March", 45, "mid to late April"),
        ("mid-to-late March 2019", -100, "mid-to-late December 2018"),
        ("early to mid 2019", 300, "early to mid 2020"),
        # parts of a date
        ("3/4", 45, "4/18"),
        ("12/20", 30, "1/19"),
        ("3/2019", 45, "4/2019"),
        ("10-95", 100, "1-96"),
        ("2019-11", 60, "2020-01"),
        ("03/00/2019", 45, "04/00/2019"),
        ("XX/XX/2019", 365, "XX/XX/2020"),
        # times stay
        ("2019-03-04T10:22:00Z", 45, "2019-04-18T10:22:00Z"),
        ("2019-03-04T10:22:00.000-05:00", 45, "2019-04-18T10:22:00.000-05:00"),
        ("20190304T102200", 45, "20190418T102200"),
        ("3/4/2019 10:22 AM", 45, "4/18/2019 10:22 AM"),
        ("03/04/2019 1022", 45, "04/18/2019 1022"),
        ("3/4 @ 0900", 45, "4/18 @ 0900"),
        # months by name
        ("March 5th", 45, "April 19th"),
        ("March 5th", 17, "March 22nd"),
        ("MARCH 5TH", 17, "MARCH 22ND"),
        ("4th of July 2019", 45, "18th of August 2019"),
        ("5-Mar-19", 45, "19-Apr-19"),
        ("05MAR2019", 45, "19APR2019"),
        ("26MAR19", 9, "04APR19"),
        ("May", 30, "June"),
        ("Mar 2019", 45, "Apr 2019"),
        ("Sept. 5", 30, "Oct. 5"),
        ("Feb. 5", 89, "May 5"),
        ("May 5", 30, "June 4"),
        ("14-MAY-19", 30, "13-JUN-19"),
        ("oct2019", 60, "dec2019"),
        ("AUG 3,2019", 10, "AUG 13,2019"),
        ("Jan 22/44", 10, "Feb 1/44"),
        ("2019-Sep-14", 30, "2019-Oct-14"),
        ("30th day of August, 2007", 2, "1st day of September, 2007"),
        ("Nov 2 '18", 60, "Jan 1 '19"),
        ("April of 2019", 30, "May of 2019"),
        ("March, '99", 300, "January, '00"),
        # misspelt, and other languages
        ("Febuary 3", 10, "Febuary 13"),
        ("febuary 3", 45, "march 20"),
        ("Ocotber", 30, "November"),
        ("9 de abril de 2019", 45, "24 de mayo de 2019"),
        ("3 janvier", 45, "17 février"),
        ("3 Hydref 2022", 45, "17 Tachwedd 2022"),
        ("sábado 9", 7, "sábado 16"),
        ("viernes 12 de abril", 1, "sábado 13 de abril"),
        # days, years, decades
        ("29th", 1, "30th"),
        ("'08", 300, "'09"),
        ("'99", 365, "'00"),
        ("2012", -365, "2011"),
        ("1990s", 300, "1990s"),
        ("90s", 3650, "00s"),
        ("eighties", 3650, "nineties"),
        ("late '80s", 1200, "early '90s"),
        # weekdays
        ("Thursday", 45, "Sunday"),
        ("Thurs", 45, "Sun"),
        ("Tues.", 2, "Thurs."),
        ("THU", 1, "FRI"),
        ("Sundays", 1, "Mondays"),
        ("thrusday", 1, "friday"),
        ("Shabbat", 1, "Sunday"),
        ("Thursday night", 1, "Friday night"),
        ("Mon June 3-7", 10, "Thu June 13-17"),
        ("Friday, Feb 7, 2020", 45, "Monday, Mar 23, 2020"),
        ("Mon 12/4", 45, "Thu 1/18"),
        ("9/27 fri", 1, "9/28 sat"),
        ("3/4/19 (Mon)", 8, "3/12/19 (Tue)"),
        ("Th 9/12/2019", 1, "F 9/13/2019"),
        ("Monday the 22nd", 1, "Tuesday the 23rd"),
        ("2nd Weds. of August, 2019", 7, "3rd Weds. of August, 2019"),
        ("MWF", 1, "TThS"),
        ("mwf", 1, "tths"),
        ("TTS", 1, "WFSu"),
        ("T/Th/Sa", -1, "M/W/F"),
        ("M-TH", 1, "T-F"),
        ("Mon-Fri", 3, "Mon-Fri"),
        ("Mon, Wed, Fri", 3, "Mon, Thu, Sat"),
        ("Tues & Thurs", 3, "Fri & Sun"),
        ("TuThSa", 7, "TuThSa"),
        # seasons, quarters, thirds
        ("winter of 2010", 91, "spring of 2010"),
        ("Fall 2019", 91, "Winter 2020"),
        ("autumn", 182, "spring"),
        ("Q3 2019", 182, "Q1 2020"),
        ("3Q19", 91, "4Q19"),
        ("2019Q3", 91, "2019Q4"),
        ("early May", 45, "mid-June"),
        ("mid-March", 45, "late April"),
        ("end of June", 10, "beginning of July"),
        ("early 2019", 240, "late 2019"),
        ("weekend", 14, "weekend"),
        ("weekend", 3, "midweek"),
        # two ends, and lists
        ("3/4-3/9", 45, "4/18-4/23"),
        ("3/4-9", 10, "3/14-19"),
        ("3/14-19", 45, "4/28-5/3"),
        ("June 13-17", 45, "July 28-August 1"),
        ("13-17 June 2019", 45, "28 July-1 August 2019"),
        ("June 3rd-7th", 45, "July 18th-22nd"),
        ("2019-2021", 365, "2020-2022"),
        ("1962-64", 365, "1963-65"),
        ("'98-'02", 365, "'99-'03"),
        ("1928-31", 365, "1929-32"),
        ("3/28/19 - 4/2/19", 45, "5/12/19 - 5/17/19"),
        ("12/30-1/2/20", 10, "1/9-1/12/20"),
        ("28/2-3/3", 1, "1/3-4/3"),
        ("Mar-May", 30, "Apr-Jun"),
        ("Feb-June", -60, "Dec-Apr"),
        ("June-July", 90, "September-October"),
        ("Nov-Dec 2019", 60, "Jan-Feb 2020"),
        ("Oct-Feb 2020", 30, "Nov-Mar 2020"),
        ("11-12/2009", 30, "12-01/2010"),
        ("June 3, 4, and 5", 10, "June 13, 14, and 15"),
        ("3/4/19 3/5/19", 45, "4/18/19 4/19/19"),
        ("fall-winter 2019", 91, "winter-spring 2019"),
        # seasons and school years of two years, and a winter that becomes another season
        ("winter of 2015-16", 365, "winter of 2016-17"),
        ("Winter 2015/2016", -730, "Winter 2013/2014"),
        ("winter '15-'16", 91, "spring '16"),
        ("the winter of 2015-16.", 182, "the summer of 2016."),
        ("summer of 2019 and 2020", 365, "summer of 2020 and 2021"),
        ("summers of 2018-2020", 91, "falls of 2018-2020"),
        ("2015-16 school year", 365, "2016-17 school year"),
        ("academic year 2015-2016", -365, "academic year 2014-2015"),
        ("AY2016", 365, "AY2017"),
        ("FY24", 365, "FY25"),
        ("Q3FY24", 91, "Q4FY24"),
        # weeks of a month
        ("first week of March", 84, "fourth week of May"),
        ("2nd week of May", 84, "1st week of August"),
        # glued to a time, military, six digits
        ("3/31/24@1430", 84, "6/23/24@1430"),
        ("3/31/24-1430", 84, "6/23/24-1430"),
        ("3/31@0900", 84, "6/23@0900"),
        ("Monday 3/25 PM", 84, "Monday 6/17 PM"),
        ("31MAR24", 84, "23JUN24"),
        ("31MAR2024", 84, "23JUN2024"),
        ("033124", 84, "062324"),
        ("Sun Mar 31 14:30:00 2024", 84, "Sun Jun 23 14:30:00 2024"),
        # a holiday with its date: the weekday in its name stays, other names become neutral
        ("Easter Sunday 3/31/24", 84, "Sunday 6/23/24"),
        ("Easter Sunday, March 31, 2024", 85, "Monday, June 24, 2024"),
        ("Christmas Day (12/25/23)", 84, "The holiday (3/18/24)"),
        ("3/31/24 (Easter)", 84, "6/23/24 (the holiday)"),
        ("Labor Day, Monday 9/4/23", 84, "The holiday, Monday 11/27/23"),
        ("Monday, Labor Day", 84, "Monday, the holiday"),
        # several holidays, and days beside them
        ("between Christmas and New Year's", 84, "between March 19 and March 26"),
        ("the day after Christmas", 84, "the day after March 19"),
        # what counts from the note's day stays
        ("yesterday", 84, "yesterday"),
        ("last night", 84, "last night"),
        ("2 weeks ago", 84, "2 weeks ago"),
        # in words
        ("one fourteen seventy two", 45, "two twenty eight seventy two"),
        ("thirtieth of June, nineteen-fifty", 45, "fourteenth of August, nineteen-fifty"),
        ("february the twenty second", 2, "february the twenty fourth"),
        ("Fourth of July", 45, "Eighteenth of August"),
        ("March 5th, twenty nineteen", 365, "March 4th, twenty twenty"),
        ("June third, two thousand and nine", 365, "June third, two thousand and ten"),
        ("may first, nineteen oh five", 1, "may second, nineteen oh five"),
        # worn
        ("l9/O9/l99l", 45, "O3/ll/l99l"),
        ("0ct 2019", 30, "Nov 2019"),
        ("febrary 1Oth", 45, "march 27th"),
        ("٣/٤/٢٠١٩", 45, "٤/١٨/٢٠١٩"),
        ("9/3l", 10, "l0/ll"),
        ("01/19/:0", 10, "01/29/00"),
        # days that do not exist run over
        ("2/30/2019", 30, "4/1/2019"),
        # leap days and ends of years
        ("2/28/2020", 1, "2/29/2020"),
        ("2/28/2019", 1, "3/1/2019"),
        ("2/29/2020", 365, "2/28/2021"),
        ("12/31/99", 1, "1/1/00"),
        ("12/31/1999", 1, "01/01/2000"),
        # what stands around a date stays
        ("(3/4/19),", 45, "(4/18/19),"),
        ("week of 3/4", 45, "week of 4/18"),
    ],
)  # fmt: skip
def test_form(text, days, expected):
    assert shifted(text, days) == expected


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("Lot 12, exp ", "11/25", "12/25"),
        ("seen ", "11/25", "12/26"),
        ("quit in ", "08", "08"),
        ("on ", "09", "10"),
        ("class of ", "87", "87"),
    ],
)
def test_words_before_settle_what_a_number_is(before, text, expected):
    assert shifted(text, 31, before=before) == expected


def test_expiry_is_a_month():
    assert shifted("11/25", 365, before="Lot 12, exp ") == "11/26"


@pytest.mark.parametrize(
    "text", ["", "x", "Okafor", "12345", "Tue3?", "2/x/y/z", "a" * 200, "٣/٤", "\x00\x01"]
)
def test_no_date(text):
    assert parse_date(text, load_calendar("en_US")) == ()


@pytest.mark.parametrize(
    ("before", "cue"),
    [
        ("DOB ", "birth"), ("d.o.b.: ", "birth"), ("D O B ", "birth"), ("born on ", "birth"),
        ("B. ", "birth"), ("birthdate: ", "birth"), ("bday ", "birth"), ("nacido ", "birth"),
        ("Nacimiento: ", "birth"),
        ("exp ", "expiry"), ("EXPIRES: ", "expiry"), ("exp. date ", "expiry"),
        ("since ", "time"), ("in\n", "time"), ("of ", "time"), ("circa\t", "time"), ("the year ", "time"),
        ("until ", "time"), ("til ", "time"), ("from ", "time"),
        ("seen ", None), ("within", None), ("bad since the ", None),
    ],
)  # fmt: skip
def test_words_before_a_date_are_read(before, cue):
    assert find_cue(before, "") == cue
