"""States, their short forms, and edges of places that the case files of other labels do not show."""

from __future__ import annotations

import pytest
from test_lexicon_cases import claimed


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("lives in Ohio with a son", ["Ohio"]),
        ("Tolbury, Ohio 45402", ["Ohio"]),
        ("moved to Texas in 1998", ["Texas"]),
        ("P.O. Box 4, OH 45402", ["OH"]),
        ("TX plate on the car", ["TX"]),
        ("FL tag seen", ["FL"]),
        ("Fort Lee, N.J. today", ["N.J."]),
        ("from Tulsa, Okla. by car", ["Okla"]),
        ("retired to Fla for good", ["Fla"]),
        ("she is from Georgia", ["Georgia"]),
        ("lives in West Virginia", ["West Virginia"]),
        ("mother Virginia visited", []),
        ("Virginia came along", []),
        ("Mississippi scale 12", []),
        ("collaborating MD lic on file", []),
        ("after Mass today", []),
        ("ID 40771 given; ECHO IN AM", []),
        ("OHIO in capitals alone is shouted", []),
    ],
)
def test_states(text: str, states: list[str]) -> None:
    assert claimed(text, "STATE") == states


@pytest.mark.parametrize(
    ("text", "countries"),
    [
        ("a South Korean man", ["South Korean"]),
        ("a Costa Rican family", ["Costa Rican"]),
        ("the UK and the UAE", ["UK", "UAE"]),
        ("MEXICO is shouted here", []),
        ("Cyprus is her dog", []),
        ("HAITIAN WOMAN, 60", ["HAITIAN"]),
        ("a Cuban sandwich and Swiss cheese", []),
        ("Chilean disease unknown", []),
    ],
)
def test_countries_and_their_people(text: str, countries: list[str]) -> None:
    assert claimed(text, "COUNTRY") == countries


@pytest.mark.parametrize(
    ("text", "cities"),
    [
        ("drove in from Wexmoor Clinic", []),
        ("Lafayette 47901 on file", ["Lafayette"]),
        ("seen in Harlow Hospital", []),
        ("pain in Quincke edema", []),
        ("born in May, in Lent", []),
        ("Tolbury General Hospital, Wexmoor", ["Wexmoor"]),
        ("ADDR: 9 OAK LANE, TULSA OK 74101", ["TULSA"]),
        ("(Tulsa)", []),
        ("Rolla, MO; Ames, IA; Reno, NV", ["Rolla", "Ames", "Reno"]),
        ("Boerhaave, PE or sepsis", []),
        ("moved to San Marcos", ["San Marcos"]),
    ],
)
def test_cities_by_what_stands_around_them(text: str, cities: list[str]) -> None:
    assert claimed(text, "CITY") == cities


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Lake was cold", []),
        ("Fort. Then home", []),
        ("Useful Field of View 3", []),
        ("US 26 west", []),
        ("depart US 26 at noon", ["US 26"]),
        ("Road 18 closed", []),
        ("Route 9/10 pain", []),
        ("FM-10 scale", []),
        ("General Park", []),
        ("HARLOW BRIDGE AND BACK", ["HARLOW BRIDGE"]),
        ("near Copper Acorn Hollow", ["Copper Acorn Hollow"]),
    ],
)
def test_landmarks_and_roads(text: str, places: list[str]) -> None:
    assert claimed(text, "LOCATION_OTHER") == places
