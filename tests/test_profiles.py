"""Profiles: the rules that are finer than a label."""

import pytest

from plainsight.document import Span
from plainsight.formats.inline import parse
from plainsight.labels import GROUPS, LABELS
from plainsight.profiles import PROFILES, in_profile, parts, without_years, written


@pytest.mark.parametrize(
    ("date", "left"),
    [
        ("08/14/97", ["08/14"]),
        ("August 14, 1997", ["August 14"]),
        ("14 Aug 1997", ["14 Aug"]),
        ("1997-08-14", ["08-14"]),
        ("19970814", ["0814"]),
        ("May 3rd of 1998", ["May 3rd"]),
        ("Tuesday 3/4/19", ["Tuesday 3/4"]),
        ("12/30/2011-1/2/2012", ["12/30", "1/2"]),
        ("8/97", ["8"]),
        ("winter of 2010", ["winter"]),
        ("Christmas 2011", ["Christmas"]),
        ("Christmas", ["Christmas"]),
        ("3/4", ["3/4"]),
        ("1997", []),
        ("'97", []),
        ("1990s", []),
        ("2011-2013", []),
        ("97", ["97"]),  # not surely a year
        ("the 29th of this month", ["the 29th of this month"]),
        ("13/45/20x", ["13/45/20x"]),  # cannot be read
    ],
)
def test_dates_without_years(date, left):
    assert [date[start:end] for start, end in without_years(date)] == left


NOTE = (
    "{{PATIENT|Ann Roe}}, {{AGE|67}}, a {{PROFESSION|baker}}, was on {{HOSPITAL|4 West}} of "
    "{{HOSPITAL|Mercy}} from {{DATE|3/4/2019}} ({{DATE|Tuesday}}) under Dr. {{DOCTOR|Ng}}; her father, "
    "{{AGE|93}}, died in {{DATE|2011}} in {{CITY|Yuma}}, {{STATE|Arizona}}."
)


@pytest.mark.parametrize(
    ("profile", "marks"),
    [
        ("safe-harbor", ["Ann Roe", "3/4/2019", "Tuesday", "93", "Yuma"]),
        (
            "mimic",
            ["Ann Roe", "4 West", "Mercy", "3/4/2019", "Ng", "93", "2011", "Yuma", "Arizona"],
        ),
        (
            "i2b2-2006",
            ["Ann Roe", "4 West", "Mercy", "3/4", "Tuesday", "Ng", "93", "Yuma", "Arizona"],
        ),
        (
            "C",
            [
                "Ann Roe",
                "67",
                "4 West",
                "Mercy",
                "3/4/2019",
                "Tuesday",
                "Ng",
                "93",
                "2011",
                "Yuma",
                "Arizona",
            ],
        ),
    ],
)
def test_what_a_profile_marks(profile, marks):
    text, spans = parse(NOTE)
    assert [text[span.start : span.end] for span in in_profile(profile, text, spans)] == marks


@pytest.mark.parametrize("profile", ["phipa", "gdpr", "i2b2-2014", "all"])
def test_laws_without_a_list_mark_everything(profile):
    text, spans = parse(NOTE)
    assert in_profile(profile, text, spans) == list(spans)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("label", LABELS)
def test_what_cannot_be_read_counts_whole(profile, label):
    whole = [(0, 5)] if label in GROUPS[profile] else []
    assert list(parts(profile, label, "?!x~#")) == whole


def test_labels_as_i2b2_2014_writes_them():
    assert parts("mimic", "LOCATION-OTHER", "Elm Park") == [(0, 8)]


def test_i2b2_2006_writes_eight_types():
    text, spans = parse(NOTE)
    assert [(span.label, text[span.start : span.end]) for span in written("i2b2-2006", text, spans)] == [
        ("PATIENT", "Ann Roe"),
        ("HOSPITAL", "4 West"),
        ("HOSPITAL", "Mercy"),
        ("DATE", "3/4"),
        ("DATE", "Tuesday"),
        ("DOCTOR", "Ng"),
        ("AGE", "93"),
        ("LOCATION", "Yuma"),
        ("LOCATION", "Arizona"),
    ]


@pytest.mark.parametrize(
    ("place", "label"),
    [
        ("4 West", "WARD"),
        ("MICU", "WARD"),
        ("Ward 4B", "WARD"),
        ("Coronary Care Unit", "WARD"),
        ("Mercy General", "HOSPITAL"),
        ("West Roxbury VA", "HOSPITAL"),
        ("Elm Ward", "HOSPITAL"),
    ],
)
def test_mimic_has_wards(place, label):
    (span,) = written("mimic", place, [Span(0, len(place), "HOSPITAL")])
    assert span.label == label


def test_scores_and_sources_stay():
    (span,) = written("i2b2-2006", "8/14/97", [Span(0, 7, "DATE", 0.5, "patterns")])
    assert span == Span(0, 4, "DATE", 0.5, "patterns")
