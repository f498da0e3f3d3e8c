"""Surrogate numbers: shape, agreement of forms, check digits, ranges, no collisions."""

import random
import re
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Document
from plainsight.locale.number_kinds import number_kinds
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.numbers import _NAMES, Numbers, read
from plainsight.replace.surrogate.scope import Mention, Scope

KINDS = {kind.name: kind for kind in number_kinds("en_US")}
LABELS = (
    "SSN",
    "MEDICALRECORD",
    "HEALTHPLAN",
    "ACCOUNT",
    "LICENSE",
    "VEHICLE",
    "DEVICE",
    "IDNUM",
    "UNHEARD_OF",
)


def scope_of(marked, *, key=bytes(32), patient=None):
    """Return a scope with the marked texts: label, text and perhaps what stands before."""
    text, mentions = "", []
    for label, original, *before in marked:
        text += (before[0] if before else "; ") + original
        mentions.append(Mention(0, len(text) - len(original), len(text), label, original))
    return Scope(Keyed(key).child("patient 1"), [Document("1", text, patient=patient)], mentions)


def surrogates(*marked, ranges="plausible", **options):
    scope = scope_of(marked, **options)
    return Numbers(scope, ranges=ranges).surrogates(scope.mentions)


def shape(text):
    return re.sub(r"[A-Z]", "A", re.sub(r"[a-z]", "a", re.sub(r"\d", "9", text)))


def bare(text):
    return text.replace("-", "")


def digits(text):
    return "".join(sign for sign in text if sign.isdigit())


@given(
    st.lists(
        st.tuples(
            st.sampled_from(LABELS),
            st.from_regex(r"[A-HJ-NP-Z]{0,3}-?[0-9]{4,10}(-[0-9]{2})?", fullmatch=True),
        ),
        max_size=8,
    )
)
def test_shape_kept_and_a_number_by_itself(marked):
    made = surrogates(*marked)
    assert made == [surrogates(one)[0] for one in marked]
    assert list(map(shape, made)) == [shape(text) for _, text in marked]
    assert all(digits(new)[-3:] != digits(text)[-3:] for (_, text), new in zip(marked, made, strict=True))


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_numbers_of_one_length_are_permuted(size):
    originals = [f"{number:0{size}}" for number in range(10**size)]
    made = surrogates(*(("IDNUM", number) for number in originals))
    assert sorted(made) == originals


def test_long_numbers_stay_different():
    originals = [f"{number:07}" for number in range(1_000_000, 1_030_000)]
    assert len(set(surrogates(*(("IDNUM", number) for number in originals)))) == len(originals)


@given(
    st.lists(st.from_regex(r"[0-9]{6,9}", fullmatch=True), min_size=2, max_size=6, unique=True), st.randoms()
)
def test_order_does_not_matter_nor_do_the_other_numbers(numbers, shuffle):
    marked = [("MEDICALRECORD", number) for number in numbers]
    made = dict(zip(marked, surrogates(*marked), strict=True))
    shuffle.shuffle(marked)
    assert made == dict(zip(marked, surrogates(*marked), strict=True))
    assert made[marked[0]] == surrogates(marked[0])[0]


def test_other_keys_and_patients_get_others():
    marked = [("MEDICALRECORD", f"{number:08}") for number in range(12345600, 12345650)]
    mine = surrogates(*marked)
    assert not set(mine) & set(surrogates(*marked, key=bytes(range(32))))
    scope = scope_of(marked)
    other = Scope(Keyed(bytes(32)).child("patient 2"), scope.documents, scope.mentions)
    assert not set(mine) & set(Numbers(other).surrogates(other.mentions))


@pytest.mark.parametrize(
    "forms",
    [
        ["0371-88-214", "037188214", "0371 88 214", "0371.88.214", "MRN 0371-88-214", "#0371-88-214"],
        ["URM-204417", "urm204417", "URM 204417", "urm 204417"],
        ["T004-719-36", "T00471936", "t 004 719 36"],
    ],
)
def test_forms_of_one_number_agree(forms):
    made = [read(new).number for new in surrogates(*(("MEDICALRECORD", form) for form in forms))]
    alone = [read(surrogates(("MEDICALRECORD", form))[0]).number for form in forms]
    assert len(set(made + alone)) == 1


@pytest.mark.parametrize("form", ["xxx-xx-7706", "XXX-XX-7706", "***-**-7706", "-7706", "7706", "...7706"])
def test_last_four_of_an_ssn_agree_with_it_in_one_call_and_in_two(form):
    (full,) = surrogates(("SSN", "912-44-7706"))
    (alone,) = surrogates(("SSN", form))
    both = surrogates(("SSN", form), ("SSN", "912-44-7706"))
    assert both == [alone, full]
    assert alone == form.replace("7706", full[-4:])


def test_the_end_of_a_number_agrees_with_it():
    card, end, other = surrogates(
        ("ACCOUNT", "4000 1234 5678 4406"), ("ACCOUNT", "xxxx-4406"), ("IDNUM", "4406")
    )
    assert end == "xxxx-" + card[-4:]
    assert other == card[-4:]  # a number is one number, whatever its label


def test_a_prefix_stays_one_and_may_be_left_out():
    one, two, bare = surrogates(
        ("MEDICALRECORD", "MV0091827"), ("IDNUM", "MV-551"), ("MEDICALRECORD", "0091827")
    )
    assert one[:2] == two[:2] != "MV"
    assert one[2:] == bare
    assert surrogates(("MEDICALRECORD", "0091827")) == [bare]


SSNS = st.from_regex(r"(?!000|666)[0-8][0-9]{2}-(?!00)[0-9]{2}-[0-9]{4}", fullmatch=True)


@settings(max_examples=300)
@given(SSNS)
def test_fictional_ssns_are_never_real_nor_taxpayer_numbers(ssn):
    for label in ("SSN", "IDNUM"):
        (made,) = surrogates((label, ssn), ranges="fictional")
        assert re.fullmatch(r"9\d\d-(?:0[1-9]|[1-4]\d)-\d{4}", made)
        assert made[-4:] != ssn[-4:]


@settings(max_examples=300)
@given(SSNS)
def test_plausible_ssns_could_have_been_given_out(ssn):
    (made,) = surrogates(("SSN", ssn))
    assert re.fullmatch(r"(?!000|666)[0-8]\d\d-(?!00)\d\d-\d{4}", made)
    assert surrogates(("IDNUM", ssn.replace("-", ""))) == [made.replace("-", "")]


def test_a_taxpayer_number_stays_one():
    assert all(surrogates(("SSN", f"9{n:02}-70-1234"))[0][0] == "9" for n in range(100))


def test_an_old_medicare_number_follows_the_ssn_in_it():
    ssn, medicare = surrogates(("SSN", "204-00-7719"), ("HEALTHPLAN", "204007719-D"))
    assert medicare[:9] == ssn.replace("-", "")
    assert medicare[10] != "D"


def test_letters_mistaken_for_digits():
    typo, right = surrogates(("SSN", "9O1-l2-9987"), ("SSN", "901-12-9987"))
    assert typo.replace("O", "0").replace("l", "1") == right


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("npi", "1234567893"),
        ("dea", "AB1234563"),
        ("nhs", "9434765919"),
        ("aba", "011000015"),
        ("vin", "1M8GDM9AXKP042788"),
        ("luhn", "4111111111111111"),
        ("luhn", "356938035643809"),
    ],
)
def test_published_examples_are_valid(name, valid):
    assert KINDS[name].is_valid(valid)


@pytest.mark.parametrize(
    ("name", "label", "before", "size"),
    [
        ("npi", "LICENSE", "", 9),
        ("nhs", "HEALTHPLAN", "NHS no: ", 9),
        ("aba", "ACCOUNT", "routing ", 8),
        ("luhn", "IDNUM", "", 15),
    ],
)
def test_valid_numbers_stay_valid(name, label, before, size):
    kind, draw = KINDS[name], random.Random(1)
    for _ in range(100):
        body = ("1" if name == "npi" else "6") + "".join(draw.choices("0123456789", k=size - 1))
        right = kind.check_sign(body + "0")
        if right is None:
            continue
        (made,) = surrogates((label, body + right, before))
        assert kind.is_valid(made)
        assert made[-4:] != (body + right)[-4:]
        assert surrogates(("UNHEARD_OF", body + right)) == [made]
        if name in ("npi", "nhs"):
            assert made[0] == body[0]
            (fictional,) = surrogates((label, body + right, before), ranges="fictional")
            assert fictional[0] == kind.start
            assert kind.is_valid(fictional)


def test_wrong_check_digits_stay_apart():
    numbers = [f"400012345678901{check}" for check in "0123456789"]
    made = surrogates(*(("ACCOUNT", number) for number in numbers))
    assert len(set(made)) == 10
    (right,) = (new for new, old in zip(made, numbers, strict=True) if KINDS["luhn"].is_valid(old))
    assert KINDS["luhn"].is_valid(right)


@pytest.mark.parametrize("number", ["1234567890", "4111111111111112", "011000016"])
def test_a_wrong_check_digit_stays_wrong(number):
    for key in range(30):
        (made,) = surrogates(("IDNUM", number), key=bytes([key]) * 32)
        assert not any(
            kind.check and kind.pattern.fullmatch(made) and kind.is_valid(made)
            for kind in KINDS.values()
            if kind.pattern.fullmatch(number)
        )


def test_what_may_be_a_year_becomes_a_year():
    for key in range(20):
        short, long, other = surrogates(
            ("IDNUM", "S24-00317"), ("IDNUM", "2024-003171"), ("IDNUM", "24-88213"), key=bytes([key]) * 32
        )
        assert 15 <= int(short[1:3]) <= 26
        assert long[:4] == f"20{short[1:3]}"
        assert other[:2] == short[1:3]


@pytest.mark.parametrize(
    "number", ["0001234", "00012345", "00-61-88-20", "V00319920456", "24-00031790", "2024-0003179"]
)
def test_zeros_that_pad_a_number_stay_and_no_more_come(number):
    def zeros(text):
        counted = re.sub("^(20)?(1[5-9]|2[0-6])", "", digits(text))[:-4]
        return len(counted) - len(counted.lstrip("0"))

    for key in range(20):
        (made,) = surrogates(("MEDICALRECORD", number), key=bytes([key]) * 32)
        assert zeros(made) == zeros(number) > 0
        assert digits(made)[-4:] != digits(number)[-4:]


def test_padded_numbers_stay_different():
    originals = [f"{number:08}" for number in range(20_000)]
    assert len(set(surrogates(*(("IDNUM", number) for number in originals)))) == len(originals)


def test_a_second_zero_of_an_ssn_does_not_stay():
    made = [surrogates(("SSN", "001-23-7706"), key=bytes([key]) * 32)[0] for key in range(40)]
    assert {text[0] for text in made} == {"0"}
    assert len({text[1] for text in made}) > 5


def test_nine_digits_that_begin_with_a_year():
    for key in range(40):
        made = surrogates(*(("IDNUM", f"2024-0{n:04}") for n in range(30)), key=bytes([key]) * 32)
        assert len(set(made)) == 30


def test_vin_and_dea_and_medicare_keep_their_alphabets():
    vin, dea, mbi, typed = surrogates(
        ("VEHICLE", "1M8GDM9AXKP042788"),
        ("LICENSE", "AB1234563"),
        ("HEALTHPLAN", "1EG4-TE5-MK72"),
        ("HEALTHPLAN", "1eg4te5mk72"),
    )
    assert KINDS["vin"].is_valid(vin)
    assert not set(vin) & set("IOQ")
    assert KINDS["dea"].is_valid(dea)
    assert re.fullmatch(
        r"[1-9][AC-HJ-KMNP-RT-Y][AC-HJ-KMNP-RT-Y]\d-[AC-HJ-KMNP-RT-Y]{2}\d-[AC-HJ-KMNP-RT-Y]{2}\d\d", mbi
    )
    assert typed.upper() == mbi.replace("-", "")


@pytest.mark.parametrize(
    ("label", "text", "stays"),
    [
        ("LICENSE", "RN-71204", "RN-"),
        ("VEHICLE", "Medic 6", "Medic "),
        ("VEHICLE", "N614FW", "N"),
        ("DEVICE", "S/N 1188207", "S/N "),
        ("IDNUM", "LTM0519_ev1.avi", ""),
    ],
)
def test_words_for_the_kind_stay(label, text, stays):
    (made,) = surrogates((label, text))
    assert made.startswith(stays)
    assert shape(made) == shape(text)
    assert made != text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "MRN",
        "***",
        "---",
        "\x00\n",
        "王小明 7",
        "ßſ12",
        "x" * 200,
        "1" * 200,
        "7",
        "0",
        "00",
        "\ud800",
        "1\n2",
        "٣٤٥",
    ],
)
def test_odd_input_never_crashes_nor_stays(text):
    (made,) = surrogates(("IDNUM", text))
    assert len(made) in (0, len(text))
    assert made != text or not text


@pytest.mark.parametrize(
    ("label", "text", "pattern"),
    [
        ("VEHICLE", "Patty & Gail", r"[A-Z][a-z]+ & [A-Z][a-z]+"),
        ("VEHICLE", "FOUR WINDS 2", r"[A-Z]+ [A-Z]+ \d"),
        ("VEHICLE", "M/V Captain Ozias Tripp", r"M/V Captain [A-Z][a-z]+ [A-Z][a-z]+"),
        ("VEHICLE", "LifeNet 7-3", r"[A-Z][a-z]+ \d-\d"),
        ("DEVICE", "NewLife 5L", r"[A-Z][a-z]+ \d[A-Z]"),
        ("VEHICLE", "Жигули 12", r"[A-Z][a-z]+ \d\d"),
        ("VEHICLE", "Sea Breeze", r"[A-Z][a-z]+ [A-Z][a-z]+"),
    ],
)
def test_names_become_names(label, text, pattern):
    (made,) = surrogates((label, text))
    assert re.fullmatch(pattern, made)
    assert not set(text.split()) & set(made.split()) - {"M/V", "Captain", "&"}


def test_a_number_is_of_one_kind_whatever_stands_first():
    marked = [("SSN", "204007719"), ("ACCOUNT", "204007719", "routing no. ")]
    assert len({*surrogates(*marked), *surrogates(*marked[::-1])}) == 1


def test_more_originals_than_numbers_are_exchanged():
    made = surrogates(*(("VEHICLE", f"Medic {number}") for number in range(10)))
    assert sorted(made) == [f"Medic {number}" for number in range(10)]
    assert all(new != f"Medic {number}" for number, new in enumerate(made))


@pytest.mark.parametrize(
    "make",
    [
        lambda n: f"{n:08}",
        lambda n: f"MG-21-{n:07}",
        lambda n: f"{n % 899 + 100}-{n % 90 + 10}-{n % 9000 + 1000}",
    ],
)
def test_digits_stay_in_place_as_often_as_chance_has_it(make):
    draw = random.Random(2)
    originals = [make(draw.randrange(10**6, 10**7)) for _ in range(1500)]
    made = [surrogates(("MEDICALRECORD", original))[0] for original in originals]
    same = total = 0
    for original, new in zip(originals, made, strict=True):
        pairs = [(a, b) for a, b in zip(digits(original), digits(new), strict=True)][1:]
        total += len(pairs)
        same += sum(a == b for a, b in pairs)
    assert 0.08 < same / total < 0.12


def test_many_numbers_take_linear_time():
    def seconds(count):
        marked = [("MEDICALRECORD", f"{10_000_000 + 7 * number}") for number in range(count)]
        scope = scope_of(marked)
        start = process_time()
        Numbers(scope).surrogates(scope.mentions)
        return process_time() - start

    seconds(500)
    assert seconds(16_000) < 16 * max(seconds(4000), 0.01)


def test_no_text_in_reprs():
    assert "0371" not in repr(read("0371-88-214"))


def test_words_in_capitals_are_no_code():
    (made,) = surrogates(("IDNUM", "HARBOR LIGHT"))
    assert re.fullmatch("[A-Z]+ [A-Z]+", made)
    assert {word.lower() for word in made.split()} <= set(_NAMES)
