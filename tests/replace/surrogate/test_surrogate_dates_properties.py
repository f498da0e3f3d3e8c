"""Properties of shifted dates: the format stays, intervals stay exactly, and the way back leads home."""

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Document, Span
from plainsight.replace.shift_date import ShiftDate
from plainsight.replace.surrogate.dates.options import DateOptions
from plainsight.replace.surrogate.dates.shifter import Dates
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import Mention, Scope

KEYED = Keyed.from_secret(bytes(32)).child("patient 1")
MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()  # noqa: SIM905
SUFFIXES = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}

# Each format can be read in one way only, and shows whether it writes zeros: so it can be turned back.
FORMATS = {
    "2019-03-04": lambda d: f"{d:%Y-%m-%d}",
    "2019/03/04": lambda d: f"{d:%Y/%m/%d}",
    "20190304": lambda d: f"{d:%Y%m%d}",
    "2019-03-04T10:22:00Z": lambda d: f"{d:%Y-%m-%d}T10:22:00Z",
    "March 4, 2019": lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}",
    "March 4th, 2019": lambda d: f"{MONTHS[d.month - 1]} {d.day}{SUFFIXES.get(d.day, 'th')}, {d.year}",
    "4th of March": lambda d: f"{d.day}{SUFFIXES.get(d.day, 'th')} of {MONTHS[d.month - 1]} {d.year}",
    "04MAR2019": lambda d: f"{d.day:02}{MONTHS[d.month - 1][:3].upper()}{d.year}",
    "04-Mar-2019": lambda d: f"{d.day:02}-{MONTHS[d.month - 1][:3]}-{d.year}",
    "4 march 2019": lambda d: f"{d.day} {MONTHS[d.month - 1].lower()} {d.year}",
    "Monday, March 4, 2019": lambda d: f"{DAYS[d.weekday()]}, {MONTHS[d.month - 1]} {d.day}, {d.year}",
    "MON 2019-03-04": lambda d: f"{DAYS[d.weekday()][:3].upper()} {d:%Y-%m-%d}",
    "03/04/2019": lambda d: f"{d:%m/%d/%Y}",
    "03-04-2019 1022": lambda d: f"{d:%m-%d-%Y} 1022",
}
CERTAIN = sorted(set(FORMATS) - {"03/04/2019", "03-04-2019 1022"})
"""Formats that need no note to be read."""

days = st.dates(date(1945, 1, 1), date(2095, 12, 31))
no_may = days.filter(lambda day: day.month not in (5, 6, 7))  # the note says whether they are cut short
formats = st.sampled_from(sorted(FORMATS))
offsets = st.integers(-3650, 3650).filter(bool)


def shifted(texts: list[str], offset: int, *, notes: bool = False) -> list[str]:
    """Shift dates that stand together in a note, or each in its own."""
    parts = texts if notes else ["\n".join(texts)]
    documents = [Document(str(n), part) for n, part in enumerate(parts)]
    mentions, place = [], 0
    for n, text in enumerate(texts):
        start = 0 if notes else place
        mentions.append(Mention(n if notes else 0, start, start + len(text), "DATE", text))
        place += len(text) + 1
    return Dates(Scope(KEYED, documents, mentions), DateOptions(hide_over_89=False), days=offset).surrogates(
        mentions
    )


@settings(max_examples=1000, deadline=None)
@given(days, formats, offsets)
def test_a_whole_date_moves_exactly_in_its_own_format(day, name, offset):
    write = FORMATS[name]
    # 25 September tells the order of month and day, and that there are zeros
    settled = f"{date(day.year, 9, 25):%m/%d/%Y}"
    assert shifted([write(day), settled], offset)[0] == write(day + timedelta(days=offset))


@settings(max_examples=200, deadline=None)
@given(days, formats, offsets)
def test_there_and_back(day, name, offset):
    text = FORMATS[name](day)
    # wherever these two go, one of them has a day over 12 and tells the order
    settled = ["09/13/2019", "09/28/2019"]
    assert shifted(shifted([text, *settled], offset), -offset)[0] == text


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(no_may, st.sampled_from(CERTAIN)), min_size=2, max_size=5), offsets, st.booleans())
def test_intervals_are_kept_within_and_across_notes(dates, offset, notes):
    made = shifted([FORMATS[name](day) for day, name in dates], offset, notes=notes)
    assert made == [FORMATS[name](day + timedelta(days=offset)) for day, name in dates]


@settings(max_examples=200, deadline=None)
@given(days, st.sampled_from("/-."), st.booleans(), st.booleans(), offsets)
def test_numbers_keep_width_joint_and_order(day, joint, long_year, day_first, offset):
    def write(when: date) -> str:
        parts = [f"{when.month:02}", f"{when.day:02}"]
        return joint.join(
            (parts[::-1] if day_first else parts) + [f"{when:%Y}" if long_year else f"{when:%y}"]
        )

    if not long_year:
        day = date(
            min(day.year, 2085), day.month, min(day.day, 28)
        )  # later ones are read as of the century before
    settled = date(day.year, 9, 25)
    assert shifted([write(settled), write(day)], offset)[1] == write(day + timedelta(days=offset))


@settings(max_examples=200, deadline=None)
@given(st.integers(1950, 2090), st.integers(1, 12), offsets, st.sampled_from(["{:02}/{}", "{}/{}"]))
def test_months_move_by_whole_months(year, month, offset, layout):
    there = shifted([layout.format(month, year)], offset)
    assert shifted(there, -offset)[0].lstrip("0") == layout.format(month, year).lstrip("0")
    new_month, new_year = map(int, there[0].split("/"))
    moved = 12 * (new_year - year) + new_month - month
    assert abs(moved * 30.436875 - offset) <= 15.3


@settings(max_examples=200, deadline=None)
@given(st.integers(1900, 2099), st.integers(1900, 2099), offsets)
def test_intervals_between_years_are_kept(one, two, offset):
    first, second = shifted([str(one), str(two)], offset)
    assert int(second) - int(first) == two - one
    assert abs(365.2425 * (int(first) - one) - offset) <= 183


@settings(max_examples=200, deadline=None)
@given(days, st.integers(1, 25), offsets)
def test_both_ends_of_a_span_move(day, length, offset):
    end = day + timedelta(days=length)
    span = f"{day.month}/{day.day}/{day.year}-{end.month}/{end.day}/{end.year}"
    (made,) = shifted([span], offset)
    (m1, d1, y1), (m2, d2, y2) = (map(int, part.split("/")) for part in made.split("-"))
    assert date(y2, m2, d2) - date(y1, m1, d1) == end - day
    assert date(y1, m1, d1) - day == timedelta(days=offset)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="0123456789/-.' ,JanFebMarthsudy:WTlOwinterof", max_size=24), offsets)
def test_nothing_crashes_and_nothing_is_empty(text, offset):
    note = Document("1", text, (Span(0, len(text), "DATE"),) if text else ())
    made = ShiftDate(days=offset).replace([note])
    assert all(made[0])
    assert made == ShiftDate(days=offset).replace([note])


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=30), offsets)
def test_any_text(text, offset):
    mention = Mention(0, 0, len(text), "DATE", text)
    assert len(Dates(Scope(KEYED, [Document("1", text)], [mention]), days=offset).surrogates([mention])) == 1
