"""The operation shift-date: options, patients, agreement with the surrogates, and the way without a key."""

import doctest
from datetime import date

import pytest

from plainsight.config import load_policy
from plainsight.document import Document, Span
from plainsight.errors import PluginError, PolicyError, UsageError
from plainsight.replace import shift_date
from plainsight.replace.base import Operation
from plainsight.replace.shift_date import ShiftDate
from plainsight.replace.surrogate.dates.shifter import Dates
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import Scope, owner

KEY = bytes(range(32))


def note(name: str, *texts: str, patient: str | None = None) -> Document:
    spans, start = [], 0
    for text in texts:
        spans.append(Span(start, start + len(text), "DATE"))
        start += len(text) + 1
    return Document(name, " ".join(texts), tuple(spans), patient_id=patient)


def test_is_an_operation():
    assert isinstance(ShiftDate(), Operation)
    assert ShiftDate.name == "shift-date"
    assert doctest.testmod(shift_date).failed == 0
    assert "key" not in repr(ShiftDate(key=KEY))


def test_fixed_days_need_no_key():
    made = ShiftDate(days=-10).replace([note("1", "1/5/2020", "Tues"), note("2", "2020-01-05")])
    assert made == [["12/26/2019", "Sat"], ["2019-12-26"]]


def test_without_a_key_what_is_no_date_becomes_its_label():
    assert ShiftDate(days=1).replace([note("1", "Okafor", "13/45/20")]) == [["[DATE]", "[DATE]"]]
    assert ShiftDate(days=1, on_failure="keep-format").replace([note("1", "Okafor")]) == [["[DATE]"]]


def test_what_is_no_date_becomes_what_the_policy_says():
    document = note("1", "Okafor", "13/45/20")
    assert ShiftDate(key=KEY).replace([document]) == [["[DATE]", "[DATE]"]]
    ((word, number),) = ShiftDate(key=KEY, on_failure="keep-format").replace([document])
    assert word.isalpha()
    assert len(word) == len("Okafor")
    assert word != "Okafor"
    assert number[2::3] == "//"


def test_notes_of_a_patient_share_the_offset_and_others_do_not():
    notes = [note(str(n), "2019-03-04", patient=f"p{n % 9}") for n in range(18)]
    made = [texts[0] for texts in ShiftDate(key=KEY).replace(notes)]
    assert made[:9] == made[9:]
    assert len(set(made)) > 6
    shifts = [abs((date.fromisoformat(text) - date(2019, 3, 4)).days) for text in made]
    assert all(30 <= shift <= 1890 for shift in shifts)


def test_notes_given_apart_get_the_same_dates():
    one, two = note("1", "3/4/2019", patient="p"), note("2", "5/14/2019", patient="p")
    shift = ShiftDate(key=KEY)
    assert shift.replace([one, two]) == shift.replace([one]) + shift.replace([two])


def test_without_a_patient_each_note_is_its_own():
    made = ShiftDate(key=KEY).replace([note(str(n), "2019-03-04") for n in range(9)])
    assert len({texts[0] for texts in made}) > 6


def test_the_offset_is_the_one_of_the_surrogates():
    document = note("1", "2019-03-04", patient="p")
    scope = Scope(Keyed.from_secret(KEY).child(owner(document)), [document], [])
    (made,) = ShiftDate(key=KEY).replace([document])
    assert (date.fromisoformat(made[0]) - date(2019, 3, 4)).days == Dates(scope).offset


def test_options_reach_the_dates():
    document = note("1", "2019-03-04", "Thursday", "Christmas")
    (made,) = ShiftDate(key=KEY, min_shift=7, max_shift=7, holidays="keep").replace([document])
    assert made[0] in ("2019-02-25", "2019-03-11")
    assert made[1] == "Thursday"
    assert made[2] != "Christmas"
    born = [note("1", "06/20/2020", "03/04/1921")]
    assert ShiftDate(days=40).replace(born) == [["07/30/2020", "[DATE]"]]
    assert ShiftDate(days=40, hide_over_89=False).replace(born) == [["07/30/2020", "04/13/1921"]]


def test_no_documents_and_no_spans():
    assert ShiftDate(key=KEY).replace([]) == []
    assert ShiftDate(key=KEY).replace([Document("1", "nothing")]) == [[]]


def test_a_key_is_needed():
    with pytest.raises(UsageError, match="key"):
        ShiftDate().replace([note("1", "3/4/2019")])
    with pytest.raises(UsageError, match="32 bytes"):
        ShiftDate(key=b"short").replace([note("1", "3/4/2019")])


@pytest.mark.parametrize(
    "options",
    [
        {"days": 0},
        {"days": 36_501},
        {"days": 1.5},
        {"min_shift": 0},
        {"min_shift": 40, "max_shift": 39},
        {"whole_weeks": True, "min_shift": 8, "max_shift": 13},
        {"holidays": "kep"},
    ],
)
def test_impossible_options(options):
    with pytest.raises(PluginError, match="shift-date"):
        ShiftDate(**options)


def test_a_policy_that_would_shift_names_is_refused(tmp_path):
    policy = tmp_path / "policy.toml"
    policy.write_text('extends = "fast"\n[replace]\nNAME = "shift-date"\n')
    with pytest.raises(PolicyError, match="shift-date"):
        load_policy(policy)


@pytest.mark.parametrize(
    "options", [{"max_shift": 10**9}, {"min_shift": "a"}, {"min_shift": 9, "max_shift": 8}]
)
def test_bounds_that_are_none_are_refused(options):
    with pytest.raises(PluginError, match="shift"):
        ShiftDate(days=3, **options)
