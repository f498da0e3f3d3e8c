"""Events that betray the offset are marked and replaced under offset = strict."""

import doctest

import pytest

from plainsight.config import load_policy
from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.locale.events import load_events
from plainsight.pipeline import Pipeline
from plainsight.replace.base import MarkingOperation
from plainsight.replace.shift_date import ShiftDate
from plainsight.replace.surrogate.dates import marks
from plainsight.replace.surrogate.operation import Surrogate

KEY = bytes(range(32))


def released(marked: str, **options) -> str:
    """Return a note in inline markup as shift-date releases it, with what the operation marks."""
    operation = ShiftDate(days=364, **options)
    document = operation.marked(Document("1", *parse(marked)))
    text = document.text
    for span, made in reversed(list(zip(document.spans, operation.replace([document])[0], strict=True))):
        text = text[: span.start] + made + text[span.end :]
    return text


def test_examples_in_docstrings():
    assert doctest.testmod(marks).failed == 0


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("a leap-day baby", "a birthday child"),
        ("Fasting for {{DATE|Ramadan}}", "Fasting for the holiday"),
        ("Fasting for Ramadan", "Fasting for the holiday"),
        ("the {{DATE|July 4th}} fireworks", "the celebration"),
        ("at her Super Bowl party", "at her game party"),
        ("SINCE DAYLIGHT SAVING TIME", "SINCE A SCHEDULE CHANGE"),
        ("in Hurricane Ian", "in the storm"),
        ("Since the lockdown of {{DATE|2020}}", "Since that time"),
        ("seen {{DATE|Easter Sunday 3/31/24}}", "seen Sunday 3/30/25"),
        ("on Thanksgiving, {{DATE|11/23/2023}}", "on the holiday, 11/21/2024"),
    ],
)
def test_strict_replaces_events(note, expected):
    assert released(note, offset="strict") == expected
    assert load_events("en_US").find(expected) == []


def test_the_standard_offset_marks_nothing():
    note = Document("1", "a leap-day baby at the Super Bowl")
    assert ShiftDate(key=KEY).marked(note) is note
    assert ShiftDate(key=KEY, offset="strict").marked(Document("1", "no event")).spans == ()


def test_an_event_inside_a_name_is_left_to_the_name():
    note = Document("1", *parse("by Dr. {{DOCTOR|Lent}}"))
    assert ShiftDate(key=KEY, offset="strict").marked(note) is note


def test_operations_of_dates_mark():
    assert isinstance(Surrogate(), MarkingOperation)
    assert isinstance(ShiftDate(), MarkingOperation)


def test_a_pipeline_replaces_what_strict_marks(tmp_path):
    policy = tmp_path / "strict.toml"
    policy.write_text(
        'labels = "all"\ndetectors = ["patterns"]\n'
        '[replace]\ndefault = {operation = "surrogate", offset = "strict"}\n'
    )
    pipeline = Pipeline(load_policy(policy), key=KEY)
    (note,) = pipeline.deidentify([Document("1", "On 3/31/2024 she fasted for Ramadan.", patient_id="p")])
    assert note.text.endswith("she fasted for the holiday.")
