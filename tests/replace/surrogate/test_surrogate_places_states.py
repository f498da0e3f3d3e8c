"""States and countries: every form read, another one written in the same form."""

import pytest

from plainsight.replace.surrogate.places.regions import (
    countries,
    group,
    neighbours,
    read_country,
    read_state,
    states,
    write_country,
    write_state,
)


@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("TN", "US/TN"),
        ("Tenn.", "US/TN"),
        ("tennessee", "US/TN"),
        ("N H", "US/NH"),
        ("N.J.", "US/NJ"),
        ("ALA", "US/AL"),
        ("Québec", "CA/QC"),
        ("NSW", "AU/NSW"),
        ("US Virgin Islands", "US/VI"),
        ("Jalisco", "MX/Jalisco"),
        ("penn", "US/PA"),
        ("Nowhere", None),
        ("", None),
    ],
)
def test_read_state(text, home):
    assert read_state(text) == home


@pytest.mark.parametrize(
    ("original", "made"),
    [
        ("TX", "NJ"),
        ("tx", "nj"),
        ("Tex.", "N.J."),
        ("Texas", "New Jersey"),
        ("TEXAS", "NEW JERSEY"),
        ("T X", "N J"),
    ],
)
def test_write_state(original, made):
    assert write_state("US/NJ", original, "US/TX") == made


def test_dotted_codes_are_not_capitals():
    assert write_state("US/AZ", "N.J.", "US/NJ") == "Ariz."
    assert write_state("US/OH", "N.J.", "US/NJ") == "Ohio"


def test_states_stay_in_their_country():
    for home in states():
        assert {other[:2] for other in group(home)} == {home[:2]}
    assert "US/DC" not in group("US/TN")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Ghana", ("GH", "name")),
        ("GHANA", ("GH", "name")),
        ("Kazakhstani", ("KZ", "adjective")),
        ("Swedes", ("SE", "people")),
        ("Serb", ("RS", "person")),
        ("guatamala", ("GT", "name")),
        ("U.S.", ("US", "name")),
        ("Us", ("US", "name")),
        ("México", ("MX", "name")),
        ("Frenchwoman", ("FR", "person")),
        ("Xyzzyland", None),
        ("", None),
    ],
)
def test_read_country(text, read):
    assert read_country(text) == read


def test_write_country():
    assert write_country("UZ", "adjective", "Kazakhstani") == "Uzbek"
    assert write_country("DK", "person", "Swede") == "Dane"
    assert write_country("GB", "name", "US") == "UK"
    assert write_country("GB", "name", "USA") == "UK"
    assert write_country("CA", "name", "US") == "Canada"
    assert write_country("CA", "name", "GHANA") == "CANADA"
    assert write_country("HN", "name", "mexico") == "honduras"


def test_nobody_becomes_american():
    for code in countries():
        assert code in neighbours(code)
        assert code == "US" or "US" not in neighbours(code)
        assert len(set(neighbours(code)) - {code}) >= 2


def test_countries_with_an_article_keep_it():
    assert {countries()[code].section for code in neighbours("DO")} == {"Caribbean, the"}
