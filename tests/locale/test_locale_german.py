"""The German example: dates with full stops are found, shifted and generalised."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainsight.config import load_policy
from plainsight.detect.patterns import Patterns
from plainsight.document import Document, Span
from plainsight.errors import PluginError
from plainsight.locale.calendar import load_calendar
from plainsight.pipeline import Pipeline
from plainsight.replace.generalise import Generalise
from plainsight.replace.shift_date import ShiftDate

GERMAN = str(Path(__file__).parents[2] / "examples/locale/de_DE")
RANGES = [
    ("stationär 04.-06.03.2019.", "04.-06.03.2019", "03.-05.04.2019"),
    ("stationär 4.-6.3.2019.", "4.-6.3.2019", "3.-5.4.2019"),
    ("stationär 4.–6.3.19,", "4.–6.3.19", "3.–5.4.19"),
    ("stationär 6.3.-8.3.2019,", "6.3.-8.3.2019", "5.4.-7.4.2019"),
    ("stationär 28.12.2018-3.1.2019,", "28.12.2018-3.1.2019", "27.1.2019-2.2.2019"),
    ("am 4./5.3.2019,", "4./5.3.2019", "3./4.4.2019"),
    ("vom 26.-28.03.2019,", "26.-28.03.2019", "25.-27.04.2019"),
    ("vom 31.3.-2.4.2019,", "31.3.-2.4.2019", "30.4.-2.5.2019"),
    ("vom 30.-31.05.2019,", "30.-31.05.2019", "29.-30.06.2019"),
    ("vom 1.-2.3.2019,", "1.-2.3.2019", "31.3.-1.4.2019"),
]


def found(text: str, locale: str) -> list[Span]:
    return sorted(span for span in Patterns(locale=locale).detect([Document("1", text)])[0])


def shifted(text: str, locale: str) -> list[tuple[str, str]]:
    spans = [span for span in found(text, locale) if span.label == "DATE"]
    new = ShiftDate(days=30, locale=locale).replace([Document("1", text, tuple(spans))])[0]
    return [(text[span.start : span.end], shift) for span, shift in zip(spans, new, strict=True)]


@pytest.mark.parametrize("locale", [GERMAN, "en_US"])
@pytest.mark.parametrize(("text", "written", "expected"), RANGES)
def test_both_days_of_a_dotted_range_shift_together(
    text: str, written: str, expected: str, locale: str
) -> None:
    assert shifted(text, locale) == [(written, expected)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("am 6.3.19 gesehen", [("6.3.19", "5.4.19")]),
        ("geb. 6.3.19", [("6.3.19", "5.4.19")]),
        ("vom 6.3. bis 8.3. stationär", [("6.3. bis 8.3.", "5.4. bis 7.4.")]),
        ("vom 4.-6.3. stationär", [("4.-6.3.", "3.-5.4.")]),
        ("Entlassen am 6.3.", [("6.3.", "5.4.")]),
        ("seit 6.3. besser, bis 8.3. Antibiose", [("6.3.", "5.4."), ("8.3.", "7.4.")]),
        ("04. bis 06.03.2019", [("04. bis 06.03.2019", "03. bis 05.04.2019")]),
        ("Röntgen 6.3.19", [("6.3.19", "5.4.19")]),
        ("am 3. April", [("3. April", "3. Mai")]),
        ("Termin 05/04/2019", [("05/04/2019", "05/05/2019")]),
    ],
)
def test_german_cues_find_dotted_dates(text: str, expected: list[tuple[str, str]]) -> None:
    assert shifted(text, GERMAN) == expected


@pytest.mark.parametrize(
    "text", ["Kalium 6.3. Sonst gut", "Version 6.3.19", "6.3.5 und 1.6.3.", "Kalium 4.6.-13."]
)
def test_other_german_numbers_are_no_dates(text: str) -> None:
    assert shifted(text, GERMAN) == []


@pytest.mark.parametrize(
    "text",
    ["on potassium of 6.3. Then", "since 6.3. to 8.3. it", "K 4.-6.3. today", "am 6.3.19", "4.-6. day"],
)
def test_dotted_numbers_without_a_year_are_numbers_in_english(text: str) -> None:
    assert shifted(text, "en_US") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("04.-06.03.2019", "2019-03"),
        ("6.3.-8.3.2019", "2019-03"),
        ("31.3.-2.4.2019", "2019"),
        ("6.3.2019", "2019-03"),
    ],
)
def test_a_dotted_date_is_generalised_day_first(text: str, expected: str) -> None:
    document = Document("1", text, (Span(0, len(text), "DATE"),))
    assert Generalise(date="month").replace([document]) == [[expected]]


def test_networks_and_patterns_together_find_dotted_ranges_whole() -> None:
    text = "Seen in clinic 04.-06.03.2019 and again 4.-6.3.2019, then 6.3.-8.3.2019. Potassium 6.3. Home."
    (note,) = Pipeline(load_policy("balanced")).detect([Document("1", text)])
    assert isinstance(note, Document)
    assert [text[span.start : span.end] for span in note.spans] == [
        "04.-06.03.2019",
        "4.-6.3.2019",
        "6.3.-8.3.2019",
    ]


@pytest.mark.parametrize(
    ("table", "line", "message"),
    [
        ("calendar", 'date_order = "ymd"', 'calendar.toml: date_order is "dmy" or "mdy", not \'ymd\''),
        ("calendar", 'date_order = "DMY"', 'date_order is "dmy" or "mdy", not \'DMY\''),
        ("calendar", 'date_ordr = "dmy"', "unknown key 'date_ordr'; did you mean 'date_order'"),
        ("date_cues", 'befor = "am"', "date_cues.toml: unknown key 'befor'; did you mean 'before'"),
    ],
)
def test_a_wrong_order_or_key_is_refused(tmp_path: Path, table: str, line: str, message: str) -> None:
    (tmp_path / "locale.toml").write_text('extends = "en_US"\n')
    (tmp_path / f"{table}.toml").write_text(f"{line}\n")
    with pytest.raises(PluginError) as error:
        load_calendar(str(tmp_path))
    assert message in str(error.value)
