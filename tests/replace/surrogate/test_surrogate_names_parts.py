"""The parts that names are read with: parsing, roles, cues, slips, links, letters, writing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.context import find_cue, find_sexes
from plainsight.replace.surrogate.names.draw import after_particle
from plainsight.replace.surrogate.names.linking import Form, LinkedPeople, Person, follow
from plainsight.replace.surrogate.names.parse import Name, cased, is_initials, normal, parse
from plainsight.replace.surrogate.names.people import LETTER_TURNS, Letters
from plainsight.replace.surrogate.names.roles import Roles
from plainsight.replace.surrogate.names.variants import long_form, misspellings, same_slip

KEYED = Keyed.from_secret(bytes(range(32))).child("names")


def parsed(text: str, heads: frozenset[str] = frozenset()) -> Name:
    return parse(text, lambda word, alone: False, heads)


def units(text: str, heads: frozenset[str] = frozenset()) -> list[str]:
    return [
        f"{unit.particle}|{'-'.join(unit.words)}" if unit.particle else "-".join(unit.words)
        for unit in parsed(text, heads).units
    ]


# Parsing.


@given(st.text(max_size=60))
def test_pieces_are_the_text(text: str) -> None:
    assert "".join(piece.text for piece in parsed(text).pieces) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("John Q. Smith", ["john", "q", "smith"]),
        ("Tamika Gaithers-Boyd", ["tamika", "gaithers-boyd"]),
        ("Rosa de la Cruz", ["rosa", "de la|cruz"]),
        ("van der Berg", ["van der|berg"]),
        ("Yusuf Al-Hamdan", ["yusuf", "al|hamdan"]),
        ("Al Smith", ["al", "smith"]),
        ("Ben Carson", ["ben", "carson"]),
        ("Der-Hovanes", ["der|hovanes"]),
        ("Tran Van Thieu", ["tran", "van", "thieu"]),
        ("Van Nguyen", ["van", "nguyen"]),
        ("Duc Van", ["duc", "van"]),
        ("Aubrey St. John", ["aubrey", "st|john"]),
        ("O'Brien", ["obrien"]),
        ("J. Smith Jr.", ["j", "smith"]),
        ("Dr. Ruth Ames, MD, PhD", ["ruth", "ames"]),
        ("Smith's", ["smith"]),
        ("Baby Boy Xiong", ["xiong"]),
        ("BB MALDONADO", ["maldonado"]),
        ("Twin A Ruiz", ["ruiz"]),
        ("T-Boy", ["t", "boy"]),
        ("Gutierrez y Baca", ["gutierrez", "baca"]),
        ("Wm. Pottle", ["william", "pottle"]),
        ("Kath1een Bi11ings", ["kathleen", "billings"]),
        ("John Smith 3rd", ["john", "smith"]),
        ("José Muñoz", ["jose", "munoz"]),
        ("DR. İPEK YILMAZ, MD", ["ipek", "yilmaz"]),
        ("방명희", []),
    ],
)
def test_units(text: str, expected: list[str]) -> None:
    assert units(text) == expected


def test_known_surnames_tell_particles_from_names() -> None:
    assert units("Al Hamdan", frozenset(["hamdan"])) == ["al|hamdan"]


def test_the_comma_divides() -> None:
    assert parsed("Smith, John").comma == 1
    assert parsed("MALDONADO IBARRA^JOSE").comma == 2
    assert parsed("John Smith,").comma is None
    assert parsed("John Smith, RN").comma is None


def test_words_that_cannot_be_plain_are_empty() -> None:
    assert normal("Пётр") == ""
    assert normal("") == ""


# Roles.


def roles(text: str, context: float = 0.0, **votes: float) -> str:
    known = Roles({})
    for word, weight in votes.items():
        known.vote(word, weight)
    return " ".join(role[0] for role in known.read(parsed(text), context))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("John Smith", "g s"),
        ("John Quincy Smith", "g g s"),
        ("John Q. Smith", "g g s"),
        ("Smith, John Q", "s g g"),
        ("J. Smith", "g s"),
        ("J. S.", "g s"),
        ("Smith J", "s g"),
        ("Jennifer R.", "g s"),
        ("John Smith K", "g s g"),
        ("Jose Maldonado Ibarra", "g s s"),
        ("Zhang Jennifer", "s g"),
        ("Rosa de la Cruz", "g s"),
        ("Jennifer", "g"),
        ("Kowalczyk", "s"),
    ],
)
def test_roles(text: str, expected: str) -> None:
    assert roles(text) == expected


def test_votes_and_context_turn_roles() -> None:
    assert roles("Kong Meng", kong=-3.0, meng=-3.0) == "g g"
    assert roles("Maldonado Ibarra", 2.0, maldonado=3.0, ibarra=3.0) == "s s"
    assert roles("H. Strother Rankin") in ("g s s", "g g s")
    assert roles("Jordan", 2.0) == "s"


# Cues.


@pytest.mark.parametrize(
    ("before", "after", "surname", "told"),
    [
        ("saw Mr. ", "", 2, -3),
        ("Mr. and Mrs. ", "", 2, 0),
        ("maiden name ", "", 2, 0),
        ("her mother in law, ", "", -2, 2),
        ("son's name is ", "", -2, -2),
        ("brother (", ")", -2, -2),
        ("", " (son, 20)", -1, -2),
        ("", ", his aunt.", -1, 2),
        ("", ", his wife Mary", 0, 0),
        ("Dr. ", ", MD", 3, 0),
        ('called "', '".', -3, 0),
        ("", " is a 60-year-old Black woman", 0, 2),
        ("went home. ", " slept", 0, 0),
        ("the wife. ", " slept", 0, 0),
    ],
)
def test_cues(before: str, after: str, surname: float, told: float) -> None:
    cue = find_cue(before, after)
    assert (cue.surname, cue.sex) == (surname, told)


def test_pronouns_are_a_hint() -> None:
    assert find_cue("", " said that she fell").pronoun > 0
    assert find_cue("", " fell. He got up").pronoun < 0


def test_sexes_add_up() -> None:
    woman, man, hint = find_cue("Mrs. ", ""), find_cue("Mr. ", ""), find_cue("", " said he fell")
    told = [(("lee",), man), (("mary",), hint), (("kim", "qua"), woman), (("zork",), hint)]
    found = find_sexes(told, [("kim", "qua")])
    assert found == {"lee": "M", "mary": "F", "kim": "F", "qua": "F", "zork": "M"}


# Slips.


def test_slips_are_found() -> None:
    counts = {
        "smith": 3,
        "smiht": 1,
        "gaithers": 12,
        "gathers": 1,
        "darrell": 4,
        "darrel": 1,
        "zhianab": 1,
        "zainab": 5,
    }
    assert misspellings(counts) == {"smiht": "smith", "gathers": "gaithers", "darrel": "darrell"}


def test_names_alike_are_not_slips() -> None:
    assert misspellings({"marina": 3, "marisa": 1, "julia": 3, "julie": 1, "maria": 2, "mario": 1}) == {}


def test_slips_of_slips_end_at_the_right_word() -> None:
    counts = {"kowalczyk": 5.0, "kowalczik": 2.0, "kowalcik": 1.0}
    assert set(misspellings(counts).values()) == {"kowalczyk"}


@pytest.mark.parametrize(
    ("new", "right", "wrong", "expected"),
    [
        ("clark", "smith", "smiht", "clakr"),
        ("ruggsley", "gaithers", "gathers", "rugsley"),
        ("hailey", "lorraine", "loraine", "haley"),
        ("mcgeshick", "harjo", "harjoe", "mcgeshicke"),
        ("paulis", "maldonado", "maldanado", "paulas"),
        ("clark", "lindqvist", "lindquist", "clark"),
        ("rudolph", "darrell", "darrel", "rudolph"),
        ("hanover", "peters", "petters", "hannover"),
        ("ruth", "ernestine", "earnestine", "ruath"),
        ("lee", "harjo", "harjoe", "lee"),
    ],
)
def test_the_same_slip(new: str, right: str, wrong: str, expected: str) -> None:
    assert same_slip(new, right, wrong) == expected


@given(
    st.text("abcdeorstn", min_size=2, max_size=9),
    st.sampled_from(["smiht", "smth", "smitth", "smyth", "smithe"]),
)
def test_a_slip_changes_at_most_a_letter(new: str, wrong: str) -> None:
    made = same_slip(new, "smith", wrong)
    assert abs(len(made) - len(new)) <= 1
    assert made[0] == new[0]


# Links.


def test_letters_follow_words() -> None:
    caroline = Person(Form(("caroline", "j", "whitfield"), 2))
    assert follow(Form(("c", "j", "w"), 2), caroline) == [0, 1, 2]
    assert follow(Form(("c", "w"), 1), caroline) == [0, 2]
    assert follow(Form(("caroline", "jane", "whitfield"), 2), caroline) == [0, 1, 2]
    assert follow(Form(("whitfield",), 0), caroline) is None
    assert follow(Form(("j", "whitfield"), 1), caroline) is None
    assert follow(Form(("r", "j", "x"), 3), Person(Form(("rhonda", "jo", "xia", "harjo"), 3))) is None


def test_persons_are_the_fullest_forms() -> None:
    forms = [
        (Form(("lorraine", "gray"), 1), ("lorraine", "gray"), "PATIENT", 0, 1),
        (Form(("lorraine", "pinkham", "gray"), 1), ("lorraine", "pinkham", "gray"), "PATIENT", 1, 1),
        (Form(("l", "gray"), 1), ("l", "gray"), "DOCTOR", 1, 1),
        (Form(("tyler", "gray"), 1), ("tyler", "gray"), "DOCTOR", 0, 1),
    ]
    persons = LinkedPeople(forms)
    assert {person.form.words for person in persons.all} == {
        ("lorraine", "pinkham", "gray"),
        ("tyler", "gray"),
    }
    assert persons.both_sides() == {"gray"}
    best = persons.best(Form(("l", "p", "g"), 1), "PATIENT", 0)
    assert best
    assert best.form.words[0] == "lorraine"
    assert persons.best(Form(("x", "g"), 1), "PATIENT", 0) is None


def test_short_names_find_the_long_one() -> None:
    def found(word: str, *names: str) -> str | None:
        return long_form(word, {*names})

    assert found("addie", "adelaide", "marcus") == "adelaide"
    assert found("jerry", "gerald", "anna") == "gerald"
    assert found("mary", "marie") is None
    assert found("dan", "dana") is None
    assert found("eli", "elijah", "elias") is None or found("eli", "elijah") == "elijah"
    assert found("kelly", "kelvin") is None


# Letters.


@pytest.mark.parametrize(
    ("word", "how", "expected"),
    [
        ("CJW", {}, True),
        ("tjw", {}, True),
        ("md", {"codes": {"md"}}, True),
        ("Bo", {}, False),
        ("tom", {}, False),
        ("GUS", {}, False),
        ("MARK", {}, False),
        ("SJBT", {}, True),
        ("BdS", {}, True),
        ("McKay", {}, False),
        ("steph", {}, False),
        ("le", {"expected": False}, False),
        ("mlp", {"expected": True}, True),
        ("sal", {"known": {"sal"}, "codes": {"sal"}}, False),
        ("MJ", {"alone": False}, True),
        ("NG", {"alone": False, "capitals": True}, False),
    ],
)
def test_initials_are_told_from_names(word: str, how: dict[str, object], expected: bool) -> None:
    usual = {"alone": True, "capitals": word.isupper(), "expected": None, "known": set(), "codes": set()}
    if not how.get("alone", True):
        usual["capitals"] = False
    assert is_initials(word, **{**usual, **how}) is expected  # type: ignore[arg-type]


def test_letters_change_and_never_meet() -> None:
    letters = Letters(KEYED)
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    for turn in range(LETTER_TURNS):
        made = [letters.other(letter, turn) for letter in alphabet]
        assert sorted(made) == list(alphabet)
        assert all(old != new for old, new in zip(alphabet, made, strict=True))
    assert letters.other("é") == "é"


# Particles and writing.


@pytest.mark.parametrize("particle", ["de la", "van der", "van", "al", "bin", "von", "st", "de", "zz"])
def test_surnames_after_particles(particle: str) -> None:
    made = {after_particle(KEYED, particle, f"{letter}unter") for letter in "abcdefghijklmnop"}
    assert len(made) > 5
    assert all(name.isalpha() for name in made)
    assert after_particle(KEYED, particle, "cruz", 100)


def test_a_married_name_is_an_ordinary_surname() -> None:
    assert after_particle(KEYED, "de", "maldonado") != after_particle(KEYED, "de la", "maldonado")


def test_case() -> None:
    assert cased("mcdonald", "STURDlVANT") == "MCDONALD"
    assert cased("ruth", "LaTanya") == "Ruth"
    assert cased("ruth", "X") == "Ruth"


CREDENTIALS = (
    "MD M.D M.D. RN R.N. NP N.P. P.A. PA-C PhD Ph.D. DO D.O. DDS DMD DPM DPT LPN LVN CNA LCSW LMSW MSW CRNA "
    "FNP APRN ARNP NNP BSN MSN PharmD Pharm.D. PsyD Psy.D. FACS FACP MPH OTR CCC-SLP Esq Esq. JD J.D. PA PT"
)


@pytest.mark.parametrize("credential", [*CREDENTIALS.split(), "Ph. D.", "Ph.\tD.", "RN, MSN ", "MD, PhD\n"])
def test_credentials_are_kept(credential):
    assert units(f"Ann Lee, {credential}") == ["ann", "lee"]


@pytest.mark.parametrize(
    ("text", "words"),
    [("W H I T E", ["white"]), ("O-N-W-U, Ann", ["onwu", "ann"]), ("J Q Lee", ["j", "q", "lee"])],
)
def test_words_that_are_spelt_out_are_one(text, words):
    assert units(text) == words


@pytest.mark.parametrize("after", [" said he would come", ", she left", "\the \nis well\t he said"])
def test_pronouns_hint_at_the_sex(after):
    assert find_cue("seen: ", after).pronoun == (1.0 if "she" in after else -1.0)


def test_words_that_end_like_a_pronoun_hint_at_nothing():
    assert find_cue("seen: ", " in the clinic, the ache stayed").pronoun == 0.0
