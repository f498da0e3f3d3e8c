"""The worked example of a second locale: German dates and numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from stdnum.de import idnr

from plainsight.config import load_policy
from plainsight.detect.patterns import Patterns
from plainsight.document import Document
from plainsight.pipeline import Pipeline
from plainsight.replace.shift_date import ShiftDate

ROOT = Path(__file__).parents[2]
FOLDER = str(ROOT / "examples" / "locale" / "de_DE")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Gesehen am 04.03.2019.", [("04.03.2019", "14.03.2019")]),
        ("Geboren 27. Dezember 1961.", [("27. Dezember 1961", "6. Januar 1962")]),
        ("Seit Okt. 2018 müde.", [("Okt. 2018", "Okt. 2018")]),
        ("Wieder Mittwoch.", [("Mittwoch", "Samstag")]),
        ("Im Frühjahr 2018.", [("Frühjahr 2018", "Frühjahr 2018")]),
    ],
)
def test_its_dates_are_found_and_shifted(text: str, expected: list[tuple[str, str]]) -> None:
    spans = tuple(sorted(Patterns(locale=FOLDER).detect([Document("1", text)])[0]))
    [new] = ShiftDate(days=10, locale=FOLDER).replace([Document("1", text, spans)])
    assert [(text[s.start : s.end], after) for s, after in zip(spans, new, strict=True)] == expected


def test_its_numbers_are_found_and_replaced_by_valid_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # the policy names the folder from here
    pipeline = Pipeline(load_policy("examples/locale/policy.toml"), key=bytes(range(32)))
    [note] = pipeline.deidentify([Document("1", "Steuer-ID 36574261809, gesehen am 04.03.2019.")])
    assert isinstance(note, Document)
    number = next(note.text[s.start : s.end] for s in note.spans if s.label == "IDNUM")
    assert number != "36574261809"
    assert idnr.is_valid(number)
    assert "04.03.2019" not in note.text
