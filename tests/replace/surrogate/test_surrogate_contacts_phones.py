"""Surrogate phones: other numbers in the format of the original, all forms of one number alike."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Document
from plainsight.locale import default_locale
from plainsight.replace.surrogate.contacts.phones import Phones
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import Mention, Scope

AREA_CODES = default_locale().words("phones", "area_codes")
TOLL_FREE = default_locale().words("phones", "toll_free")

FORMATS = [
    *("({}) {}-{}", "({}){}-{}", "{}-{}-{}", "{}.{}.{}", "{} {} {}", "{}{}{}", "{}/{}-{}"),
    *("+1 {} {} {}", "+1-{}-{}-{}", "1-{}-{}-{}", "1{}{}{}", "1 ({}) {}-{}"),
]
SPOKEN = {
    "oh": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
}


def surrogates(
    *texts, key=bytes(32), label="PHONE", patient=None, area_code=lambda code: None, ranges="fictional"
):
    mentions = [Mention(0, place, place + 1, label, text) for place, text in enumerate(texts)]
    document = Document("1", " " * (len(texts) + 1), patient=patient)
    scope = Scope(Keyed(key).child("p"), [document], mentions)
    return Phones(scope, area_code=area_code, ranges=ranges).surrogates(mentions)


def shape(text):
    return re.sub(r"\d", "9", text)


def digits(text):
    return re.sub(r"\D", "", text)


us = st.tuples(
    st.sampled_from(AREA_CODES), st.integers(200, 999).map(str), st.integers(0, 9999).map(lambda n: f"{n:04}")
)


@settings(max_examples=200)
@given(us, st.sampled_from(FORMATS))
def test_american_numbers_become_fictional_in_their_format(parts, form):
    text = form.format(*parts)
    (made,) = surrogates(text)
    assert shape(made) == shape(text)
    area, local = digits(made)[-10:-7], digits(made)[-7:]
    assert area in AREA_CODES
    assert local.startswith("55501")


@given(us)
def test_all_forms_of_a_number_agree_in_one_call_and_in_two(parts):
    forms = [form.format(*parts) for form in FORMATS] + [f"{parts[1]}-{parts[2]}", f"{parts[1]} {parts[2]}"]
    made = surrogates(*forms)
    assert len({digits(number)[-7:] for number in made}) == 1
    assert len({digits(number)[-10:-7] for number in made[: len(FORMATS)]}) == 1
    assert made == [surrogates(form)[0] for form in forms]


@given(st.lists(us, min_size=2, max_size=40, unique_by=lambda parts: parts[1:]), st.randoms())
def test_different_numbers_stay_different_in_any_order(parts, shuffle):
    texts = ["-".join(part) for part in parts]
    made = dict(zip(texts, surrogates(*texts, ranges="plausible"), strict=True))
    assert len({digits(number)[-7:] for number in made.values()}) == len(texts)
    assert all(number[-4:] != text[-4:] for text, number in made.items())
    shuffle.shuffle(texts)
    assert made == dict(zip(texts, surrogates(*texts, ranges="plausible"), strict=True))


def test_numbers_of_one_office_stay_of_one_area_and_never_meet():
    texts = [f"901-555-01{line:02}" for line in range(100)]
    made = surrogates(*texts)
    assert len({number[:3] for number in made}) == 1
    assert len(set(made)) == 100
    assert [surrogates(text)[0] for text in texts] == made
    assert not any(old[-2:] == new[-2:] for old, new in zip(texts, made, strict=True))


def test_other_keys_give_others():
    texts = [f"901-{exchange}-0142" for exchange in range(200, 260)]
    same = sum(map(str.__eq__, surrogates(*texts), surrogates(*texts, key=bytes(range(32)))))
    assert same < 5


def test_fax_and_phone_agree():
    assert surrogates("901-233-4567", label="FAX") == surrogates("901-233-4567")


def test_toll_free_stays_toll_free():
    (made,) = surrogates("1-800-233-4567")
    assert made[2:5] in TOLL_FREE


@pytest.mark.parametrize(
    "text",
    [
        "x4417",
        "ext 12",
        "1190",
        "31877",
        "6-3320",
        "x2-6600",
        "#40218",
        "pager 1190",
        "5",
        "208",
        "ext. 7",
        "opt 2",
        "3O56",
    ],
)
def test_short_numbers_keep_their_form(text):
    (made,) = surrogates(text)
    assert re.sub(r"[\dO]", "9", made) == re.sub(r"[\dO]", "9", text)
    assert made != text


def test_an_extension_agrees_wherever_it_stands():
    number, alone, dashed, bare = surrogates("(920) 233-4567 ext 66612", "x66612", "6-6612", "66612")
    assert number[-5:] == alone[1:] == bare == dashed.replace("-", "")


def test_the_last_digits_of_a_number_agree_with_it():
    full, five, four = surrogates("901-233-4567", "3-4567", "x4567", ranges="plausible")
    assert digits(full).endswith(digits(five))
    assert digits(full).endswith(digits(four))


def test_all_extensions_of_one_digit_are_exchanged():
    made = surrogates(*(f"x{digit}" for digit in range(10)))
    assert sorted(made) == [f"x{digit}" for digit in range(10)]
    assert all(new != f"x{digit}" for digit, new in enumerate(made))


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("01632 960 718", r"01632 960 \d{3}"),
        ("020 7123 4567", r"020 7946 0\d{3}"),
        ("+44 (0)20 7123 4567", r"\+44 \(0\)20 7946 0\d{3}"),
        ("0113 212 3456", r"0113 496 0\d{3}"),
        ("07911 123456", r"07700 900\d{3}"),
        ("+44 7911 123456", r"\+44 7700 900\d{3}"),
        ("(02) 9374 4000", r"\(02\) 5550 \d{4}"),
        ("0412 345 678", r"0491 570 \d{3}"),
        ("+61 2 9374 4000", r"\+61 2 5550 \d{4}"),
        ("+91 98765 43210", r"\+91 9\d{4} \d{5}"),
        ("+234 803 555 0162", r"\+234 8\d\d \d{3} \d{4}"),
        ("0049 30 1234567", r"0049 3\d \d{7}"),
        ("011-52-55-5555-0147", r"011-52-5\d-\d{4}-\d{4}"),
        ("0863-2550144", r"08\d\d-\d{7}"),
        ("0800 123 4567", r"08\d\d \d{3} \d{4}"),
    ],
)
def test_numbers_abroad_keep_country_and_kind(text, pattern):
    (made,) = surrogates(text)
    assert re.fullmatch(pattern, made)
    assert made != text


def test_national_and_international_form_agree():
    one, two = surrogates("07911 123456", "+44 7911 123456")
    assert one[1:] == two[4:]


@pytest.mark.parametrize("text", ["1-703-233-KIDS", "1-800-MH-HYPER", "800-GO-FEDEX"])
def test_words_in_numbers_become_others(text):
    (made,) = surrogates(text)
    assert re.sub("[A-Z]", "A", shape(made)) == re.sub("[A-Z]", "A", shape(text))
    assert not set(re.findall("[A-Z]{4,}", text)) & set(re.findall("[A-Z]{4,}", made))


def test_letters_mistaken_for_digits():
    typo, right = surrogates("6l7-555-Ol42", "617-555-0142")
    assert typo.replace("O", "0").replace("l", "1") == right


def test_spoken_numbers_stay_spoken():
    spoken, written = surrogates("five oh three, five five five, oh one nine one", "503-555-0191")
    assert "".join(str(SPOKEN[word]) for word in re.findall(r"\w+", spoken)) == digits(written)
    assert spoken.count(",") == 2


def test_a_phone_mention_with_a_name_is_not_read():
    assert surrogates("Lorraine cell 901-233-4567") == [""]


def test_plausible_numbers_have_the_area_of_the_surrogate_place():
    def area_code(code):
        return "607" if code == "901" else None

    one, two, local, other = surrogates(
        "(901) 233-4567", "901-233-8899", "233-4567", "312-233-4567", ranges="plausible", area_code=area_code
    )
    assert one.startswith("(607) ")
    assert two.startswith("607-")
    assert digits(one)[3:6] == two[4:7]
    assert digits(one)[3:] == digits(local)
    assert other[:3] in AREA_CODES


@pytest.mark.parametrize("text", ["901-555-0142", "555-0142", "(901) 555-0199"])
def test_what_is_fictional_stays_so(text):
    for key in range(20):
        (made,) = surrogates(text, ranges="plausible", key=bytes([key]) * 32)
        assert digits(made)[-7:-2] == "55501"
        assert made[-2:] != text[-2:]


def test_plausible_numbers_come_from_everywhere():
    draw = random.Random(1)
    exchanges = [f"{draw.choice('23456789')}{draw.randrange(100):02}" for _ in range(4000)]
    made = [surrogates(f"901-{exchange}-2345", ranges="plausible")[0][4:7] for exchange in set(exchanges)]
    assert len(set(made)) > 700
    assert "555" not in {new for new, old in zip(made, set(exchanges), strict=True) if old != "555"}


def test_the_walk_to_another_exchange_ends_whatever_the_key():
    """Under key 129 all that 011 could become is not allowed, and the walk went on for ever."""
    texts = [f"901-{exchange:03}-2345" for exchange in range(1000)]
    possible = re.compile(r"(?!95[089]|976)[2-9](?!11)\d\d")
    for key in (*range(30), 129, 140, 166):
        made = [new[4:7] for new in surrogates(*texts, ranges="plausible", key=bytes([key, 0]) * 16)]
        others = [new for new, old in zip(made, texts, strict=True) if new not in (old[4:7], f"2{old[5:7]}")]
        assert len(others) > 980
        assert all(map(possible.fullmatch, others))


@settings(max_examples=200)
@given(us)
def test_plausible_numbers_could_be(parts):
    (made,) = surrogates("-".join(parts), ranges="plausible")
    assert re.fullmatch(r"[2-9]\d\d-[2-9](?!11)\d\d-\d{4}", made)
    assert made != "-".join(parts)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Clinic Base",
        "555-0101/0102",
        "1234567890123456",
        "٣٤٥٦",
        "x" * 200,
        "9" * 200,
        "\x00",
        "+",
        "1-800-",
        "O",
    ],
)
def test_odd_input_never_crashes_nor_stays(text):
    (made,) = surrogates(text)
    assert len(made) in (0, len(text))
    assert made != text or not text
