"""What is fictional by rule becomes lifelike."""

import re
from random import Random

import pytest

from plainsight.lab.synth.resample import realistic


def many(label, text):
    return [realistic(label, text, Random(seed)) for seed in range(40)]


@pytest.mark.parametrize("phone", ["212-555-0123", "(212) 555-0123", "2125550123", "+1 212 555 0123"])
def test_phones_keep_form_and_area_and_lose_the_fiction(phone):
    made = many("PHONE", phone)
    assert all(re.sub(r"\d", "9", one) == re.sub(r"\d", "9", phone) for one in made)
    assert all(re.sub(r"\D", "", one).removeprefix("1").startswith("212") for one in made)
    assert sum("555" in one for one in made) < 5


def test_extensions_stay():
    assert realistic("PHONE", "4471", Random(1)) == "4471"


def test_addresses_lose_the_example():
    made = [
        *many("EMAIL", "a.b@lake.example.org"),
        *many("EMAIL", "ab@example.com"),
        *many("URL", "x.example/y"),
    ]
    assert not any("example" in one for one in made)
    assert "a.b@lake.org" in made
    assert {one.partition("@")[2] for one in many("EMAIL", "ab@example.com")} > {"gmail.com", "yahoo.com"}


def test_numbers_of_networks_and_social_security():
    assert all(len(one.split(".")) == 4 for one in many("IPADDR", "192.0.2.1"))
    assert realistic("IPADDR", "2001:db8::1", Random(1)) == "2001:db8::1"
    assert all(one[0] != "9" and one[1:] == "12-44-1188" for one in many("SSN", "912-44-1188"))
    assert realistic("SSN", "1188", Random(1)) == "1188"


@pytest.mark.parametrize(
    ("age", "lowest", "highest"), [("67", 18, 100), ("7", 1, 17), ("14-month", 2, 22), ("90+", 18, 100)]
)
def test_ages_stay_of_their_kind(age, lowest, highest):
    made = many("AGE", age)
    assert all(lowest <= int(re.match(r"\d+", one)[0]) <= highest for one in made)
    assert len(set(made)) > 5


def test_decades_and_words():
    assert all(int(one[:-1]) % 10 == 0 for one in many("AGE", "50s"))
    assert realistic("AGE", "seven months", Random(1)) == "seven months"
    assert realistic("DOCTOR", "Ng", Random(1)) == "Ng"
