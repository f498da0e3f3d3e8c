import pytest

from plainsight.locale.times import read_time


@pytest.mark.parametrize(
    ("text", "minutes", "wanted"),
    [
        ("14:05", 17, "14:22"),
        ("00:10", -15, "23:55"),
        ("2:05 pm", -90, "12:35 pm"),
        ("11:45 PM", 30, "12:15 AM"),
        ("10:30a.m.", 110, "12:20p.m."),
        ("2 pm", 100, "4 pm"),
        ("11 PM", 20, "12 AM"),
        ("0910", -15, "0855"),
        ("08:15:30", 60, "09:15:30"),
        ("9:30", 110, "11:20"),
        ("12:10 AM", -20, "11:50 PM"),
    ],
)
def test_a_time_moves_in_its_form(text, minutes, wanted):
    assert str(read_time(text)) == text
    assert str(read_time(text).moved(minutes)) == wanted


@pytest.mark.parametrize("text", ["", "noon", "25:10", "14:65", "13 pm", "0 am", "3/4", "14:05 hrs"])
def test_what_is_no_time_is_not_read(text):
    assert read_time(text) is None
