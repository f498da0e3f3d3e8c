"""The pools of surrogate names: what a surrogate shares with its original, and what it must not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.lists import load
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names import census, draw

KEYED = Keyed.from_secret(bytes(range(32))).child("patient").child("names")
OTHER = Keyed.from_secret(bytes(range(32))).child("another patient").child("names")
SURNAMES, GIVEN = load("surnames")["name"], load("first_names")["name"]
LISTED = {role: set(load(role)["name"]) for role in ("surnames", "first_names")}
COUNTS = dict(zip(SURNAMES, map(int, load("surnames")["count"]), strict=True))
FEMALE = dict(zip(GIVEN, map(int, load("first_names")["female"]), strict=True))

surnames = st.sampled_from(SURNAMES)
givens = st.sampled_from(GIVEN)
unlisted = st.text("abcdefghijklmnoprstuvwyz", min_size=3, max_size=14).filter(
    lambda name: name not in LISTED["surnames"] and name not in LISTED["first_names"]
)
anything = st.one_of(surnames, givens, unlisted, st.text("abcxyz", min_size=1, max_size=30))
turns = st.integers(0, 400)


def drawn(name: str, turn: int = 0, keyed: Keyed = KEYED) -> str:
    return draw.draw(keyed, name, "m", turn)


@settings(deadline=None)  # the first example loads the pools
@given(anything, turns)
def test_same_key_same_surrogate(name: str, turn: int) -> None:
    again = Keyed.from_secret(bytes(range(32))).child("patient").child("names")
    assert drawn(name, turn) == drawn(name, turn, again)


def test_patients_and_turns_differ() -> None:
    names = SURNAMES[:3000:10]
    first = [drawn(name) for name in names]
    for second in ([drawn(name, keyed=OTHER) for name in names], [drawn(name, 1) for name in names]):
        same = sum(one == other for one, other in zip(first, second, strict=True))
        assert same < 30  # chance makes them meet in small buckets


def test_a_bucket_is_permuted_and_holds_the_original() -> None:
    bucket = census.load("surnames").buckets[140]
    assert sorted(draw.draw(KEYED, name, "") for name in bucket.drawn) == list(bucket.drawn)
    assert "smith" in {drawn("smith", turn) for turn in range(2000)}


def test_a_surname_that_is_a_given_name_too_begins_with_the_letter_asked_for() -> None:
    assert {draw.draw(KEYED, "roman", letter)[0] for letter in "abdm"} == set("abdm")
    assert len({draw.draw(KEYED, "smith", "m", turn)[0] for turn in range(20)}) > 2


def test_a_given_name_begins_with_the_letter_asked_for() -> None:
    for name in ("john", "mary", "jose", "latoya", "fatima", "priya"):
        for letter in "abdklmns":
            assert draw.draw(KEYED, name, letter)[0] == letter


@pytest.mark.parametrize("name", ["smith", "garcia", "nguyen", "kowalczyk", "begay", "okafor", "hanratty"])
def test_a_surname_keeps_group_and_frequency(name: str) -> None:
    own = census.home(name)
    assert own is not None
    made = [drawn(name, turn) for turn in range(40)]
    assert all(other.group == own.group for other in map(census.home, made) if other)
    if name not in ("begay", "nguyen"):  # the most common of a small group
        assert sum(COUNTS[name] / 40 < COUNTS.get(other, 100) < COUNTS[name] * 10 for other in made) > 32


def test_ordinary_words_become_ordinary_words_and_others_never_do() -> None:
    words = dict(zip(load("words")["word"], load("words")["listed"], strict=True))
    made = [drawn(name, turn) for name in ("hill", "wood", "stone") for turn in range(20)]
    assert sum(words.get(name) == "1" for name in made) > 55
    made = [drawn("johansson", turn) for turn in range(60)]
    assert not {"young", "white", "hill", "rose", "wood", "long"} & set(made)


@pytest.mark.parametrize(("name", "sex"), [("john", "M"), ("mary", "F"), ("jose", "M"), ("latoya", "F")])
def test_a_given_name_keeps_its_sex(name: str, sex: census.Sex) -> None:
    for turn in range(50):
        made = drawn(name, turn)
        assert FEMALE[made] >= 95 if sex == "F" else FEMALE[made] <= 5


@given(givens, turns)
def test_no_listed_name_becomes_one_of_the_other_sex(name: str, turn: int) -> None:
    bucket = census.home(name)
    if bucket is not None and bucket.role == "first_names":
        assert {bucket.sex.upper(), census.sex_of(drawn(name, turn))} != {"M", "F"}


@pytest.mark.parametrize("name", ["james", "thomas", "scott", "ali"])
def test_a_name_that_is_also_a_surname_becomes_such_a_name(name: str) -> None:
    made = [drawn(name, turn) for turn in range(20)]
    assert all(census.given_bearers(other) and census.surname_bearers(other) for other in made)


@given(unlisted, turns)
def test_an_unlisted_name_becomes_an_unlisted_one_of_its_length(name: str, turn: int) -> None:
    made = draw.invent(KEYED, name, "m", turn)
    assert made not in LISTED["surnames"]
    assert made not in LISTED["first_names"]
    assert not made or (len(made) == max(4, len(name)) and re.fullmatch("[a-z]+", made))


def test_invented_names_are_no_words() -> None:
    words = {
        w for w, listed in zip(load("words")["word"], load("words")["listed"], strict=True) if listed == "1"
    }
    tails = ("a", "ez", "son")
    made = {draw.invent(KEYED, f"kowalin{tail}", "", turn) for tail in tails for turn in range(300)}
    assert len(made) > 600
    assert not made & words
    assert not made & {
        word.lower() for name in ("drugs", "diseases", "clinical") for word in load(name)["word"]
    }


@pytest.mark.parametrize("name", ["a", "q", "zz", "x" * 200])
def test_odd_input(name: str) -> None:
    assert isinstance(drawn(name), str)


def test_sex_of() -> None:
    assert [census.sex_of(name) for name in ("james", "mary", "jordan", "jose", "qqq", "")] == [
        "M",
        "F",
        "",
        "M",
        "",
        "",
    ]


def test_evidence_for_roles() -> None:
    assert census.given_bearers("jennifer") > 100 * census.surname_bearers("jennifer")
    assert census.surname_bearers("rodriguez") > 100 * census.given_bearers("rodriguez")
    assert census.given_bearers("qqq") == census.surname_bearers("qqq") == 0
    assert census.surname_bearers("smith") == pytest.approx(COUNTS["smith"], rel=0.1)


def test_nobody_is_given_a_harmful_name() -> None:
    drawn = {
        name for role in ("surnames", "first_names") for b in census.load(role).buckets for name in b.drawn
    }
    harmful = (
        "crohn alzheimer cocaine fever cancer cipro unknown male baby foley hitler rash stroke doe mr dr"
    )
    assert not drawn & set(harmful.split())
    assert not [name for name in drawn if len(name) < 2]
    assert {"smith", "garcia", "john", "young"} <= drawn


@pytest.mark.parametrize("role", ["surnames", "first_names"])
def test_every_listed_name_is_in_one_bucket_of_a_fair_size(role: census.Role) -> None:
    pool = census.load(role)
    assert set(pool.codes) >= LISTED[role]  # and names of the lists of groups that the census lacks
    assert sum(len(bucket.drawn) + len(bucket.known) for bucket in pool.buckets) == len(pool.codes)
    for bucket in pool.buckets:
        assert list(bucket.drawn) == sorted(bucket.drawn)
        assert len(bucket.drawn) >= 12


@settings(max_examples=20)
@given(st.binary(min_size=32, max_size=32))
def test_any_key_works(secret: bytes) -> None:
    keyed = Keyed.from_secret(secret)
    assert draw.invent(keyed, "zorblax", "k") != "zorblax"
    assert draw.draw(keyed, "smith", "") in LISTED["surnames"]
