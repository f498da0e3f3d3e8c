"""The pools of surrogate names: what a surrogate shares with its original, and what it must not."""

from __future__ import annotations

import re
from collections import Counter

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
sexes = st.sampled_from(["M", "F", ""])
unlisted = st.text("abcdefghijklmnoprstuvwyz", min_size=3, max_size=14).filter(
    lambda name: name not in LISTED["surnames"] and name not in LISTED["first_names"]
)
anything = st.one_of(surnames, givens, unlisted, st.text("abcxyz", min_size=1, max_size=30))
turns = st.integers(0, 400)


@settings(deadline=None)  # the first example loads the pools
@given(anything, sexes, turns)
def test_same_key_same_surrogate_never_the_original(name: str, sex: census.Sex, turn: int) -> None:
    again = Keyed.from_secret(bytes(range(32))).child("patient").child("names")
    surrogates = draw.surname(KEYED, name, turn), draw.given(KEYED, name, sex, turn)
    assert surrogates == (draw.surname(again, name, turn), draw.given(again, name, sex, turn))
    if any(letter.isalpha() for letter in name):
        assert name not in surrogates


def test_patients_and_turns_differ() -> None:
    names = SURNAMES[:3000:10]
    first = [draw.surname(KEYED, name) for name in names]
    for second in (
        [draw.surname(OTHER, name) for name in names],
        [draw.surname(KEYED, name, 1) for name in names],
    ):
        same = sum(one == other for one, other in zip(first, second, strict=True))
        assert same < 15  # chance makes them meet in small buckets: one in 64 at most


@given(st.sets(surnames, min_size=2, max_size=40), st.integers(0, 3))
def test_different_surnames_never_meet(names: set[str], turn: int) -> None:
    drawn = {name for name in names if name in census.find("surnames", name).drawn}
    assert len({draw.surname(KEYED, name, turn) for name in drawn}) >= len(drawn) - 1  # fixed points move


def test_a_bucket_is_permuted() -> None:
    for bucket in (census.load("surnames").buckets[40], census.load("first_names").buckets[40]):
        pick = draw.surname if bucket.sex == "-" else lambda k, name: draw.given(k, name, "")
        made = [pick(KEYED, name) for name in bucket.drawn]
        if bucket.sex in "-mfu":
            assert len(set(made)) >= len(made) - 5
            assert set(made) <= set(bucket.drawn)


@pytest.mark.parametrize("name", ["smith", "garcia", "nguyen", "kowalczyk", "begay", "okafor", "hanratty"])
def test_a_surname_keeps_group_and_frequency(name: str) -> None:
    groups = dict(zip(SURNAMES, load("surnames")["groups"], strict=True))
    own = max(range(6), key=lambda place: groups[name][place])
    made = [draw.surname(KEYED, name, turn) for turn in range(40)]
    same = sum(max(range(6), key=lambda place: groups[other][place]) == own for other in made)
    assert same > 36
    if name != "begay":  # the most common of a small group
        assert sum(COUNTS[name] / 40 < COUNTS[other] < COUNTS[name] * 10 for other in made) > 36


def test_ordinary_words_become_ordinary_words_and_others_never_do() -> None:
    words = dict(zip(load("words")["word"], load("words")["listed"], strict=True))
    made = [draw.surname(KEYED, name, turn) for name in ("young", "hill", "rose") for turn in range(20)]
    assert sum(words.get(name) == "1" for name in made) > 55
    made = [draw.surname(KEYED, "johansson", turn) for turn in range(60)]
    assert not {"young", "white", "hill", "rose", "wood", "long"} & set(made)


@pytest.mark.parametrize(
    ("name", "sex"),
    [("john", "M"), ("mary", "F"), ("jose", "M"), ("latoya", "F"), ("ashley", "M"), ("juan", "F")],
)
def test_a_given_name_reads_as_its_sex(name: str, sex: census.Sex) -> None:
    for turn in range(50):
        made = draw.given(KEYED, name, sex, turn)
        assert FEMALE[made] >= 95 if sex == "F" else FEMALE[made] <= 5


@given(givens, st.sampled_from(["M", "F"]), turns)
def test_no_listed_name_becomes_one_of_the_other_sex(name: str, sex: census.Sex, turn: int) -> None:
    assert census.sex_of(draw.given(KEYED, name, sex, turn)) in ("", sex)


def test_without_a_sex_both_sexes_bear_the_surrogate() -> None:
    for turn in range(50):
        for name in ("mary", "john", "jordan"):
            assert 5 < FEMALE[draw.given(KEYED, name, "", turn)] < 95


@pytest.mark.parametrize("name", ["jordan", "taylor", "kerry"])
def test_a_name_of_both_sexes_gets_the_same_surrogate_whether_the_note_tells_or_not(name: str) -> None:
    plain = draw.given(KEYED, name, "")
    assert plain in (draw.given(KEYED, name, "M"), draw.given(KEYED, name, "F"))


@given(unlisted, turns)
def test_an_unlisted_name_becomes_an_unlisted_one_of_its_length(name: str, turn: int) -> None:
    made = draw.surname(KEYED, name, turn)
    assert made not in LISTED["surnames"]
    assert made not in LISTED["first_names"]
    assert len(made) == len(name)
    assert re.fullmatch("[a-z]+", made)


def test_invented_names_are_no_words() -> None:
    words = {
        w for w, listed in zip(load("words")["word"], load("words")["listed"], strict=True) if listed == "1"
    }
    made = {draw.surname(KEYED, f"kowalin{tail}", turn) for tail in ("a", "ez", "son") for turn in range(300)}
    assert len(made) > 600
    assert not made & words
    assert not made & {
        word.lower() for name in ("drugs", "diseases", "clinical") for word in load(name)["word"]
    }


def test_invented_given_names_read_as_their_sex() -> None:
    female = Counter(draw.given(KEYED, "sherindelle", "F", turn)[-1] for turn in range(300))
    male = Counter(draw.given(KEYED, "sherindelle", "M", turn)[-1] for turn in range(300))
    assert female["a"] + female["e"] > 180 > 100 > male["a"] + male["e"]


def test_a_given_name_known_as_a_surname_becomes_another_one() -> None:
    name = next(n for n in SURNAMES[3000:] if n not in LISTED["first_names"])
    assert draw.given(KEYED, name, "F") in LISTED["surnames"]


@pytest.mark.parametrize("name", ["a", "q", "zz", "x" * 200])
@pytest.mark.parametrize("sex", ["M", "F", ""])
def test_odd_input(name: str, sex: census.Sex) -> None:
    for made in (draw.surname(KEYED, name), draw.given(KEYED, name, sex)):
        assert isinstance(made, str)
        if any(letter.isalnum() for letter in name):
            assert made != name


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
    assert set(pool.codes) == LISTED[role]
    assert sum(len(bucket.drawn) + len(bucket.known) for bucket in pool.buckets) == len(LISTED[role])
    for bucket in pool.buckets:
        assert list(bucket.drawn) == sorted(bucket.drawn)
        assert len(bucket.drawn) >= 64
        if len(bucket.drawn) < 200:  # few names, but many people
            assert sum(census.bearers(role, name) for name in bucket.drawn + bucket.known) > 90_000


@settings(max_examples=20)
@given(st.binary(min_size=32, max_size=32))
def test_any_key_works(secret: bytes) -> None:
    keyed = Keyed.from_secret(secret)
    assert draw.invent(keyed, "first_names", "u", "zorblax") != "zorblax"
    assert draw.surname(keyed, "smith") in LISTED["surnames"]
