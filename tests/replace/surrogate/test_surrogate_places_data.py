"""The tables beside the code: complete, named, as recorded."""

import gzip
import hashlib
import tomllib
from importlib.resources import files

from plainsight.replace.surrogate.places.regions import area_codes, group, states
from plainsight.replace.surrogate.places.towns import (
    areas,
    invented,
    matched,
    of_code,
    pool,
    size_of,
    small_towns,
    town_key,
    towns,
    word_set,
)

FOLDER = files("plainsight.data") / "surrogates" / "places"


def test_every_file_is_recorded_with_its_checksum():
    record = tomllib.loads((FOLDER / "source.toml").read_text())
    names = {item.name for item in FOLDER.iterdir()} - {"source.toml"}
    assert names == set(record)
    for name, entry in record.items():
        data = (FOLDER / name).read_bytes()
        data = gzip.decompress(data) if name.endswith(".gz") else data
        assert hashlib.sha256(data).hexdigest() == entry["sha256"], name
        assert entry["origin"]
        assert entry["licence"]
        assert entry["content"]


def test_towns_have_the_homes_that_states_have():
    assert set(towns()) <= set(states())
    assert {home for home in towns() if home.startswith("US/")} >= {"US/TN", "US/PR", "US/DC"}


def test_codes_lead_to_their_towns():
    assert of_code()["38114"].name == "Memphis"
    assert of_code()["10001"].name == "New York City"
    assert of_code()["K1P"].name == "Ottawa"


def test_every_area_has_towns_that_can_stand_for_others():
    for home in towns():
        for area in areas(home):
            assert pool(home, area, posted=True)
            size = len(pool(home, area, posted=True))
            own = [key for key, town in towns()[home].items() if town.area == area and town.codes]
            assert {matched(home, key, (area,), home, area, posted=True) for key in own} <= set(range(size))
        assert all(town.codes for town in small_towns(home)) or home not in ("US/TN", "US/MN")


def test_towns_have_the_area_code_of_their_region():
    town = towns()["US/TN"]
    assert (town["memphis"].area, town["nashville"].area, town["knoxville"].area) == ("901", "615", "865")
    assert towns()["US/MN"]["saint paul"].area == "651"
    for home, found in towns().items():
        if home.startswith("US/"):
            assert {area_codes()[town.area][0] for town in found.values()} == {home}


def test_groups_of_states_hold_the_state_itself():
    assert all(home in group(home) for home in states())
    assert {len(group(home)) for home in ("US/TN", "US/MN", "US/SD")} == {16, 17}


def test_town_keys():
    assert town_key("St. Paul") == town_key("ST PAUL") == town_key("Saint Paul")
    assert town_key("Ft Wayne") == "fort wayne"
    assert town_key("Utqiaġvik") == "utqiagvik"
    assert size_of(0) == 0
    assert size_of(10_000_000) == 6


def test_area_codes_belong_to_one_area():
    assert all(
        code in codes and area_codes()[codes[0]] == (home, codes)
        for code, (home, codes) in area_codes().items()
    )


def test_pools_are_large():
    assert len({invented(n) for n in range(10_000)}) > 3500
    assert len(word_set("first")) * len(word_set("second")) > 5000
    assert len(word_set("nature")) > 200
