"""The tables beside the code: complete, named, as recorded."""

import gzip
import hashlib
import tomllib
from importlib.resources import files

from plainsight.replace.surrogate.places.regions import area_codes, states
from plainsight.replace.surrogate.places.towns import (
    invented,
    of_code,
    pool,
    size_of,
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


def test_every_state_that_can_stand_for_others_has_towns_of_every_size():
    for state in states().values():
        if state.size and state.home in towns():
            for size in range(7):
                assert pool(state.home, size, False), (state.home, size)


def test_town_keys():
    assert town_key("St. Paul") == town_key("ST PAUL") == town_key("Saint Paul")
    assert town_key("Ft Wayne") == "fort wayne"
    assert town_key("Utqiaġvik") == "utqiagvik"
    assert size_of(0) == 0
    assert size_of(10_000_000) == 6


def test_area_codes_belong_to_one_state():
    of, codes = area_codes()
    assert sum(map(len, codes.values())) == len(of)


def test_pools_are_large():
    assert len({invented(n) for n in range(10_000)}) > 3500
    assert len(word_set("first")) * len(word_set("second")) > 5000
    assert len(word_set("nature")) > 200
