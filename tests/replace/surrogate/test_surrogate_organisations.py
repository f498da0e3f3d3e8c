from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Document, Patient
from plainsight.evaluate.surrogates.scrambles import is_scrambled
from plainsight.locale import default_locale
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.organisations import Organisations, draw
from plainsight.replace.surrogate.organisations.draw import Acronyms
from plainsight.replace.surrogate.organisations.parse import norm, parts
from plainsight.replace.surrogate.organisations.vocabulary import (
    abbreviations,
    brand_names,
    kinds,
    sorts,
)
from plainsight.replace.surrogate.scope import Mention, Scope
from plainsight.replace.surrogate.shape import ordinal_suffix

KEYS = [bytes([number]) * 32 for number in range(1, 6)]


class Others:
    """Words and places that other identifiers of the scope share."""

    def __init__(self, **shared: str) -> None:
        self.shared = shared

    def word(self, w: str, /) -> str | None:
        return self.shared.get(w)

    def phrase(self, text: str, *, town: bool) -> str | None:
        return self.shared.get(text.replace(" ", "_"))


def rename(
    names: Sequence[str | tuple[str, str]],
    *,
    key: bytes = KEYS[0],
    others: Others | None = None,
    around: str = "",
) -> list[str]:
    """Return the surrogates of names in one note; a name alone is a hospital."""
    pairs = [(name, "HOSPITAL") if isinstance(name, str) else name for name in names]
    text, mentions = around, []
    for name, label in pairs:
        text += "\n"
        mentions.append(Mention(0, len(text), len(text) + len(name), label, name))
        text += name
    scope = Scope(Keyed.from_secret(key), [Document("note", text)], mentions)
    others = others or Others()
    record = Patient(id="1", names=tuple(others.shared))
    scope = Scope(scope.keyed, [Document("note", text, patient=record)], mentions)
    return Organisations(scope, people=others, places=others).surrogates(mentions)


def company(*names: str, key: bytes = KEYS[0]) -> list[str]:
    return rename([(name, "ORGANIZATION") for name in names], key=key)


# --- forms agree --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_the_forms_of_a_hospital_agree(key: bytes) -> None:
    full, short, letters, dotted = rename(
        ["Massachusetts General Hospital", "Mass General", "MGH", "M.G.H."], key=key
    )
    state = full.removesuffix(" General Hospital")
    assert state != full
    assert state.startswith(short.removesuffix(" General"))
    assert letters == f"{state[0]}GH" or " " in state
    assert dotted == ".".join(letters) + "."


@pytest.mark.parametrize("key", KEYS)
def test_a_name_agrees_with_and_without_its_accents(key: bytes) -> None:
    accented, plain = company("Diné College", "Dine College", key=key)
    assert accented == plain


@pytest.mark.parametrize("key", KEYS)
def test_kind_words_stay_in_every_form(key: bytes) -> None:
    full, short, letters, bare = rename(
        ["Bluff City Regional Medical Center", "BLUFF CITY REGIONAL MED CTR", "BCRMC", "bluff city"], key=key
    )
    word = full.removesuffix(" City Regional Medical Center")
    assert short == f"{word.upper()} CITY REGIONAL MED CTR"
    assert bare == f"{word.lower()} city"
    assert letters == f"{word[0]}CRMC"


@pytest.mark.parametrize("key", KEYS)
def test_an_acronym_of_no_name_never_has_a_medical_meaning(key: bytes) -> None:
    name, letters = rename(["Carter Pulmonary Institute", "CPI"], key=key)
    assert letters == "".join(word[0] for word in name.split())
    assert all(made.casefold() not in abbreviations() for made in rename(["XQZ", "KLM", "QRS"], key=key))


@pytest.mark.parametrize("key", KEYS)
def test_an_acronym_alone_is_the_same_in_every_note(key: bytes) -> None:
    assert rename(["LRH"], key=key) == rename(["LRH", "Mercy Clinic"], key=key)[:1]
    assert rename(["LRH"], key=key)[0].endswith("RH")


@pytest.mark.parametrize("key", KEYS)
def test_a_shouted_name_can_be_read(key: bytes) -> None:
    shouted, full, letters = rename(["LAKES REGIONAL", "Lakes Regional Hospital", "LRH"], key=key)
    assert shouted == full.removesuffix(" Hospital").upper()
    assert shouted.endswith(" REGIONAL")
    first = full.split()[0].casefold()
    assert any(first.startswith(word.casefold()) for words in sorts().values() for word in words)
    assert letters == f"{full[0]}RH"


@pytest.mark.parametrize("key", KEYS)
def test_a_shouted_word_in_a_mixed_name_is_a_word(key: bytes) -> None:
    made, alone = rename(["LEHI WARD", "GREEN CROSS Clinic of Salem"], key=key)
    assert not any(is_scrambled(word) for word in (*made.split(), *alone.split()))


def test_a_unit_becomes_a_unit() -> None:
    made = {rename(["MICU"], key=bytes([key]) * 32)[0] for key in range(40)}
    assert made <= {unit.upper() for unit in default_locale().words("organisations", "units")}
    assert len(made) > 8


def test_notes_are_read_one_by_one() -> None:
    texts = ("Lakes Regional Hospital, LRH", "LRH", "LAKES REGIONAL")
    documents = [Document(str(number), text) for number, text in enumerate(texts)]
    mentions = [
        Mention(0, 0, 23, "HOSPITAL", "Lakes Regional Hospital"),
        Mention(0, 25, 28, "HOSPITAL", "LRH"),
        Mention(1, 0, 3, "HOSPITAL", "LRH"),
        Mention(2, 0, 14, "HOSPITAL", "LAKES REGIONAL"),
    ]
    for key in KEYS:
        together = Scope(Keyed.from_secret(key), documents, mentions)
        others = Others()
        made = Organisations(together, people=others, places=others).surrogates(mentions)
        assert made[2:3] == rename(["LRH"], key=key)
        assert made[3] == made[0].removesuffix(" Hospital").upper()
        known = [("Lakes Regional Hospital", "HOSPITAL")]
        made = Organisations(together, people=others, places=others, known=known).surrogates(mentions)
        assert made[1] == made[2] == f"{made[0][0]}RH"


def test_a_name_of_kind_words_is_the_short_form_of_the_only_one_it_fits() -> None:
    full, short = rename(["Blair General Hospital", "General"])
    assert short == full.split()[0]
    one, other, short = rename(["Blair General", "Corbin General", "General"])
    assert "General" not in short
    assert short not in (one.split()[0], other.split()[0])
    saint, annex = rename(["St Luke's Annex", "Annex"])
    assert f"{annex} Annex" == saint


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("CMH", r"[A-Z]{3}"),
        ("L.A. Care", r"[A-Z]\.[A-Z]\. Care"),
        ("CHILD, Inc.", r"[A-Z]+, Inc\."),
        ("Moravian", r"[A-Z]\w+"),
        ("Bureau of TB Control", r"Bureau of [A-Z]\w+ Control"),
        ("OFFICE OF WORKERS COMP", r"OFFICE OF [A-Z]+ COMP"),
        ("The Center for Pediatric Dentistry", r"The Center for [A-Z]\w+ Dentistry"),
        ("Self-Help for the Elderly", r"Self-Help for the [A-Z]\w+"),
        ("Tri-County Drugs", r"[A-Z]\w+ Drugs"),
        ("Mothers' Milk Bank", r"[A-Z]\w+ Milk Bank"),
        ("Co-op", r"[A-Z]\w+"),
        ("The", r"[A-Z]\w+"),
    ],
)
@pytest.mark.parametrize("label", ["HOSPITAL", "ORGANIZATION"])
def test_a_name_of_kind_words_does_not_stand_in_its_surrogate(name: str, shape: str, label: str) -> None:
    for key in KEYS:
        (made,) = rename([(name, label)], key=key)
        assert re.fullmatch(shape, made), made
        if not name.isupper():  # letters may become themselves
            assert name.casefold() not in made.casefold()


def test_the_va_stays_in_every_form() -> None:
    made = rename(["VA", "va", "the VA", ("VA", "ORGANIZATION"), "Portland VA", "VAMC"])
    assert made[:4] == ["VA", "va", "the VA", "VA"]
    assert made[4].endswith(" VA")
    assert made[5] == "VAMC"


def test_a_possessive_may_lack_its_apostrophe() -> None:
    for key in KEYS:
        one, two, three = company("Loker's Diner", "Lokers Diner", "LOKERS", key=key)
        assert one.replace("'", "") == two == two[:1] + two[1:]
        assert three == two.split()[0].upper()


@given(st.lists(st.sampled_from(sorted(kinds())), min_size=1, max_size=4, unique=True))
def test_no_name_of_kind_words_survives_but_by_chance(words: list[str]) -> None:
    name = " ".join(words)
    if len(name) > 1 and not {"va", "vamc"} & set(words):
        made = [rename([name], key=bytes([number]) * 32)[0] for number in range(8)]
        assert not all(f" {name.removeprefix('the ')} " in f" {one} " for one in made)


def test_letters_of_a_name_that_only_tells_the_kind() -> None:
    full, letters = rename(["University Medical Center", "UMC"])
    assert re.fullmatch(r"\w+ Medical Center", full)
    assert "University" not in full
    assert letters == f"{full[0]}MC"
    full, letters = rename(["University Medical Center of the Delta", "UMC"])
    assert letters == f"UMC{full.split()[-1][0]}"


def test_a_ward_agrees_with_its_beds() -> None:
    ward, bed, lower = rename(["6W", "6W-17", "feinstone 6w"])
    assert bed.startswith(f"{ward}-")
    assert lower.endswith(ward.lower())
    floor, room = rename(["6 Wolfson", "6 Wolfson 612-A"])
    number, name = floor.split()
    assert re.fullmatch(rf"{number} {name} {number}\d\d-[A-H]", room)


def test_short_words_stand_for_long_ones() -> None:
    long, short = rename(["Blue Mountain", "Blue Mtn"])
    assert long == short


# --- kinds and shapes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("Saint Odilia Women's & Children's Hospital", r"Saint \w+ Women's & Children's Hospital"),
        ("ST LUKES SNF", r"ST [A-Z]+ SNF"),
        ("Ospedale San Matteo", r"Ospedale San \w+"),
        ("Hôpital Sainte-Cécile", r"Hôpital Sainte-\w+"),
        ("Community Hospital", r"\w+ Hospital"),
        ("the annex", r"the \w+"),
        ("Gonda 7 West", r"\w+ [1-9] (North|South|East|West)"),
        ("4N02", r"[1-9][NESW]0\d"),
        ("OR 7", r"OR [1-9]"),
        ("Bed 12B", r"Bed [1-9]\d[A-H]"),
        ("Rm 412", r"Rm [1-9]\d\d"),
        ("Hargrove Pavilion, 4th floor", r"\w+ Pavilion, \d(st|nd|rd|th) floor"),
        ("Walgreens #4471", r"[\w' -]+ #\d{4}"),
        ("Twin Pines ALF", r"\w+ \w+s ALF"),
        ("Helen B. DeVries Children's", r"\w+ [A-Z]\. \w+ Children's"),
        ("Methodist", r"\w+"),
        ("X-Ray Associates", r"\w+ Associates"),
        ("KershawHealth", r"\w+Health"),
    ],
)
def test_a_hospital_keeps_its_shape(name: str, shape: str) -> None:
    for key in KEYS:
        (made,) = rename([name], key=key)
        assert re.fullmatch(shape, made), made


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("Cherokee Grove Elementary", r"\w+ \w+ Elementary"),
        ("New Salem Tabernacle", r"New \w+ Tabernacle"),
        ("Beal & Sons Boatyard", r"\w+ & Sons Boatyard"),
        ("MN Dept of Health", r"[A-Z]{2} Dept of Health"),
        ("University of Iowa", r"University of [A-Z][\w ]+"),
        ("Horace Methodist", r"\w+ Methodist"),
        ("82nd Airborne", r"\d\d(st|nd|rd|th) Airborne"),
        ("Turkey Creek Poultry LLC", r"\w+ \w+ Poultry LLC"),
        ("First Samoan Congregational", r"First \w+ Congregational"),
    ],
)
def test_an_organisation_keeps_its_shape(name: str, shape: str) -> None:
    for key in KEYS:
        (made,) = company(name, key=key)
        assert re.fullmatch(shape, made), made


@pytest.mark.parametrize(
    ("name", "section"),
    [
        ("Walgreens", "pharmacy"),
        ("walgreens", "pharmacy"),
        ("Aetna", "insurer"),
        ("BCBS", "insurer"),
        ("BCBSIL", "insurer"),
        ("Marine Corps", "military branch"),
        ("USMC", "military letters"),
        ("Walmart", "retailer"),
        ("Delta", "airline or railway"),
    ],
)
def test_a_well_known_name_becomes_another_of_its_sort(name: str, section: str) -> None:
    known = {norm(form) for forms in brand_names()[section] for form in forms}
    for key in KEYS:
        (made,) = company(name, key=key)
        assert norm(made) in known
        assert made.islower() == name.islower()


def test_a_common_word_is_a_brand_only_where_it_stands_alone() -> None:
    (made,) = company("Delta Grain Conveyor")
    assert re.fullmatch(r"\w+ Grain Conveyor|\w+ Grain \w+", made)


# --- what other identifiers share ---------------------------------------------------------------------------


def test_shared_places_and_names_are_replaced_as_elsewhere() -> None:
    others = Others(Grove_City="Alder Falls", Hargrove="Cordova")
    made = rename(["Grove City Family Practice", "Hargrove Pavilion", "Hargrove's Clinic"], others=others)
    assert made == ["Alder Falls Family Practice", "Cordova Pavilion", "Cordova's Clinic"]


def test_a_saint_is_not_the_person_of_that_name() -> None:
    (made,) = rename(["St. Mary's"], others=Others(Mary="Tiffany"))
    assert "Tiffany" not in made


# --- promises -----------------------------------------------------------------------------------------------

WORDS = (
    *(
        "Bluff",
        "Harbor",
        "Oak",
        "Wexthamry",
        "Luke",
        "Mercy",
        "Kings",
        "Prairie",
        "St.",
        "Memorial",
        "Hospital",
    ),
    *(
        "Regional",
        "Clinic",
        "MGH",
        "BCRMC",
        "6W",
        "12B",
        "OR",
        "&",
        "of",
        "the",
        "General",
        "Baptist",
        "Kessinger",
    ),
    *(
        "CVS",
        "Walgreens",
        "4",
        "West",
        "Texas",
        "Korean",
        "Pavilion",
        "VA",
        "children's",
        "Union",
        "W&C",
        "Mtn",
    ),
)
NAMES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(st.lists(NAMES, min_size=1, max_size=8, unique_by=norm), st.sampled_from(KEYS))
def test_the_same_key_gives_the_same_names(names: list[str], key: bytes) -> None:
    assert rename(names, key=key) == rename(names, key=key)


@settings(max_examples=100, deadline=None)
@given(st.lists(NAMES, min_size=2, max_size=4, unique=True))
def test_the_order_of_mentions_does_not_matter(names: list[str]) -> None:
    made = dict(zip(names, rename(names), strict=True))
    for order in list(permutations(names))[:6]:
        assert dict(zip(order, rename(order), strict=True)) == made


@settings(max_examples=200, deadline=None)
@given(st.text(min_size=1, max_size=40), st.sampled_from(["HOSPITAL", "ORGANIZATION"]))
def test_odd_text_never_stays_and_never_crashes(text: str, label: str) -> None:
    (made,) = rename([(text, label)])
    assert isinstance(made, str)


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("x" * 300, True),
        ("東京病院", False),
        ("больница №7", False),
        ("---", False),
        ("\n", False),
        ("C0MMUNITY H0SPITAL", True),
        ("مستشفى", False),
    ],
)
def test_what_cannot_be_read_has_no_surrogate(text: str, is_read: bool) -> None:
    (made,) = rename([text])
    assert bool(made) == is_read
    assert made != text


def test_other_words_of_the_notes_change_nothing() -> None:
    around = " ".join(word for sort in ("landform", "tree") for word in sorts()[sort][:20])
    for key in KEYS:
        alone = rename(["Oak Ridge Hospital"], key=key)
        assert rename(["Oak Ridge Hospital"], key=key, around=around) == alone


def test_keys_and_patients_differ() -> None:
    made = {rename(["Wexthamry Hospital"], key=key)[0] for key in KEYS}
    assert len(made) == len(KEYS)


def test_forms_agree_across_calls() -> None:
    (full,) = rename(["Wexthamry Hospital"])
    (short,) = rename(["Wexthamry"])
    assert full == f"{short} Hospital"


# --- pieces -------------------------------------------------------------------------------------------------


@given(st.text(max_size=60))
def test_parts_make_up_the_text(text: str) -> None:
    assert "".join(part.text + part.ending for part in parts(text, "HOSPITAL")) == text


@given(st.lists(st.from_regex(r"[0-9]{1,4}", fullmatch=True), unique=True, max_size=20))
def test_digits_keep_their_shape_and_differ(numbers: list[str]) -> None:
    keyed = Keyed.from_secret(KEYS[0])
    made = [draw.digits(keyed, number) for number in numbers]
    assert len(set(made)) == len(numbers)
    for number, other in zip(numbers, made, strict=True):
        assert len(other) == len(number)
        for length in range(1, len(number)):
            assert other.startswith(draw.digits(keyed, number[:length])) or number[0] == "0"


def test_directions_agree_in_every_form() -> None:
    keyed = Keyed.from_secret(KEYS[1])
    assert draw.direction(keyed, "west")[0] == draw.direction(keyed, "w")
    assert draw.direction(keyed, "western") == f"{draw.direction(keyed, 'west')}ern"
    assert draw.direction(keyed, "northeast") in ("northeast", "northwest", "southeast", "southwest")
    assert draw.direction(keyed, "este") in ("norte", "sur", "este", "oeste")
    assert [ordinal_suffix(number) for number in (1, 2, 3, 11, 21, 12, 4)] == [
        *("st", "nd", "rd", "th", "st", "th", "th")
    ]


def test_acronyms_are_made_as_they_were() -> None:
    name = [("core", "p", "a"), ("core", "v", "m"), ("kind", "l", "l")]
    with_small = [("core", "h", "b"), ("small", "o", "o"), ("core", "s", "t")]
    letters_of = Acronyms([name, with_small])
    assert [letters_of(letters) for letters in ("pvl", "pvmc", "hos", "hs", "xyz")] == [
        *("aml", "ammc", "bot", "bt", "")
    ]


@pytest.mark.parametrize("key", KEYS)
def test_an_acronym_of_a_short_form_follows_it(key: bytes) -> None:
    for names, kept in (
        (("Bayou City Women's", "BCWH"), "CWH"),
        (("Fenwick Women's", "FWH"), "WH"),
        (("Fenwick", "FWH"), "WH"),
        (("Hiwassee Valley", "HVMC"), "MC"),
    ):
        name, letters = rename(names, key=key)
        assert letters[0] == name[0]
        assert letters.endswith(kept)


def test_many_names_take_linear_time() -> None:
    def seconds(count: int) -> float:
        words = sorts()["surname"]
        names = [f"{words[n % 3000]} {words[n // 7 % 3000]} Hospital" for n in range(count)]
        names += [
            f"{chr(65 + n % 26)}{chr(65 + n // 26 % 26)}{chr(65 + n // 676 % 26)}H" for n in range(count)
        ]
        start = process_time()
        rename(names)
        return process_time() - start

    seconds(100)
    assert seconds(4000) < 12 * max(seconds(1000), 0.02)


def test_the_lists_hold_together() -> None:
    assert kinds("later words") <= kinds()
    assert len(sorts()["town"]) > 3000
    assert len(sorts()["surname"]) > 3000
    for section, rows in brand_names().items():
        assert len({row[0] for row in rows}) == len(rows) >= 4, section
