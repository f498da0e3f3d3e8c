"""Street lines and other places: kinds stay, numbers keep their digits, names agree in every form."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Document
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.places import Places
from plainsight.replace.surrogate.places.regions import read_state
from plainsight.replace.surrogate.places.streets import parts
from plainsight.replace.surrogate.places.towns import counties
from plainsight.replace.surrogate.scope import Mention, Scope


def replaced(*texts, label="STREET", key=bytes(32)):
    marks = [text if isinstance(text, tuple) else (label, text) for text in texts]
    text, mentions = "", []
    for kind, words in marks:
        mentions.append(Mention(0, len(text), len(text) + len(words), kind, words))
        text += f"{words}; and then "
    return Places(Scope(Keyed(key).child("p"), [Document("1", text)], mentions)).surrogates(mentions)


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("128 Williams Ct Apt 4", r"[1-9]\d\d [A-Z]\w+ Ct Apt \d"),
        ("PO Box 1123", r"PO Box [1-9]\d{3}"),
        ("P.O. BOX 418", r"P\.O\. BOX [1-9]\d\d"),
        ("RR 2 Box 18", r"RR \d Box \d\d"),
        ("RT 3 BX 118-A", r"RT \d BX \d{3}-[A-Z]"),
        ("3300 Poplar Terrace, Suite 110", r"\d{4} [A-Z]\w+ Terrace, Suite [1-9]\d\d"),
        ("corner of 5th and Main", r"corner of \d(?:st|nd|rd|th) and [A-Z]\w+"),
        ("I-40", r"I-[1-9]\d"),
        ("1187 County Road 29", r"\d{4} County Road \d\d"),
        ("77 W 15th St #9F", r"\d\d W \d\d(?:st|nd|rd|th) St #\d[A-Z]"),
        ("355 N 1400 E", r"\d{3} N \d{4} E"),
        ("2208 Avenue J", r"\d{4} Avenue [A-Z]"),
        ("2240 E. Peach Blossom Ln.", r"\d{4} E\. [A-Z]\w+ [A-Z]\w+ Ln\."),
        ("15 OLD FERRIS RD, LOT 9", r"\d\d OLD [A-Z]+ RD, LOT \d"),
        ("418 1/2 Calle Ocotillo", r"\d{3} 1/2 Calle [A-Z]\w+"),
        ("168-11 Jamaica Ave, 2 Fl", r"\d{3}-\d\d [A-Z]\w+ Ave, \d Fl"),
        ("One Depot Square", r"(?!One)[A-Z][a-z]+ [A-Z]\w+ Square"),
        ("Western and Sixth", r"[A-Z]\w+ and [A-Z][a-z]+"),
        ("W227 N1410 FIELDSTONE CT", r"W\d{3} N\d{4} [A-Z]+ CT"),
        ("350 Larkspur, Box 0410", r"\d{3} [A-Z]\w+, Box 0\d{3}"),
        ("North Square", r"[A-Z]\w+ Square"),
        ("General Delivery", r"PO Box \d{3}"),
        ("GEN DEL", r"PO BOX \d{3}"),
        ("HWY 14 BYPASS TRAILER 6", r"HWY \d\d BYPASS TRAILER \d"),
    ],
)
def test_street_lines_keep_their_shape(line, shape):
    for n in range(5):
        (made,) = replaced(line, key=bytes([n]) * 32)
        assert re.fullmatch(shape, made), made
        assert made != line


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("Highway 61", r"Highway [1-9]\d"),
        ("hwy 190", r"hwy [1-9]\d\d"),
        ("Bear Creek Park", r"[A-Z]\w+ Creek Park"),
        ("Tobin Bridge", r"[A-Z]\w+ Bridge"),
        ("St. John's Cemetery", r"St\. [A-Z]\w+ Cemetery"),
        ("Fort Benning", r"Fort [A-Z].+"),
        ("BRONX", r"[A-Z' -]+"),
        ("JFK", r"[A-Z].+"),
        ("Khayelitsha Site C", r"[A-Z]\w+ Site [A-Z]"),
    ],
)
def test_other_places_keep_their_kind(text, shape):
    (made,) = replaced(text, label="LOCATION_OTHER")
    assert re.fullmatch(shape, made), made
    assert made != text


def test_forms_of_one_street_agree():
    full, short, bare = replaced("1846 Pendergrass Street", "Pendergrass St", "pendergrass")
    number, name, kind = full.split()
    assert (short, bare, kind) == (f"{name} St", name.lower(), "Street")
    assert re.fullmatch(r"[1-9]\d{3}", number)


def test_a_county_becomes_one_of_the_fictional_state():
    county, alone, state = replaced(
        ("LOCATION_OTHER", "Shelby County"), ("LOCATION_OTHER", "Shelby"), ("STATE", "TN")
    )
    assert county == f"{alone} County"
    assert alone in counties().of_home[read_state(state)]


def test_towns_and_states_in_names_agree():
    city, other, state, lock = replaced(
        ("CITY", "Toledo"),
        ("LOCATION_OTHER", "North Toledo"),
        ("STATE", "KY"),
        ("LOCATION_OTHER", "Kentucky Lock"),
    )
    assert other == f"North {city}"
    assert read_state(lock.removesuffix(" Lock")) == read_state(state)


def test_a_house_number_never_stays_and_a_road_may():
    lines = [f"{number} Elm St" for number in range(10, 100)]
    assert all(new.split()[0] != old.split()[0] for new, old in zip(replaced(*lines), lines, strict=True))
    roads = [f"Highway {number}" for number in range(10, 100)]
    made = [replaced(*roads, label="LOCATION_OTHER", key=bytes([key]) * 32) for key in range(20)]
    assert all(sorted(new) == roads for new in made)
    assert 5 < sum(a == b for new in made for a, b in zip(new, roads, strict=True)) < 45


def test_a_line_in_which_nothing_can_be_changed_has_no_surrogate():
    assert replaced("near the", "½", label="STREET") == ["", ""]


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(1, 99_999), min_size=1, max_size=8))
def test_house_numbers_keep_digits_and_stay_apart(numbers):
    lines = sorted(f"{number} Elm St" for number in numbers)
    made = [int(line.split()[0]) for line in replaced(*lines)]
    assert len(set(made)) == len(numbers)
    assert all(
        len(str(new)) == len(old.split()[0]) and str(new) != old.split()[0]
        for new, old in zip(made, lines, strict=True)
    )


@given(st.text(max_size=60), st.booleans())
def test_parts_are_the_whole_text(text, street):
    assert "".join(part.text for part in parts(text, street=street)) == text


@pytest.mark.parametrize(
    ("code", "shape"),
    [
        ("38114-1702", r"\d{5}-\d{4}"),
        ("WF14 9AB", r"[A-Z]{2}\d\d \d[ABD-HJLNP-UW-Z]{2}"),
        ("E1 6AN", r"[A-Z]\d \d[A-Z]{2}"),
        ("ZZ9 9ZZ", r"[A-Z]{2}\d \d[A-Z]{2}"),
        ("K1A 0B1", r"[A-Z]\d[A-Z] \d[A-Z]\d"),
        ("k1a 0b1", r"[a-z]\d[a-z] \d[a-z]\d"),
        ("522002", r"\d{6}"),
        ("7530", r"\d{4}"),
        ("5257 7", r"\d{4} \d"),
        ("V93 XY72", r"[A-Z]\d\d [A-Z]{2}\d\d"),
        ("99999", r"\d{5}"),
        ("381", r"\d{3}"),
    ],
)
def test_post_codes_keep_their_shape(code, shape):
    (made,) = replaced(code, label="ZIP")
    assert re.fullmatch(shape, made), made
    assert made != code


def test_post_codes_of_one_area_agree():
    first, second = replaced("WF14 9AB", "WF14 8QN", label="ZIP")
    assert first.split()[0] == second.split()[0]
    assert first != second
