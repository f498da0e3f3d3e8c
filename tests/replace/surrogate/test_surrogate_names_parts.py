"""The parts that names are read with: parsing, cues, slips, links, letters, writing."""

from __future__ import annotations

from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.canonical import _may_begin, _sounds, canonical, group_of, parts
from plainsight.replace.surrogate.names.context import find_cue
from plainsight.replace.surrogate.names.draw import after_particle
from plainsight.replace.surrogate.names.letters import Letters
from plainsight.replace.surrogate.names.note_names import follow
from plainsight.replace.surrogate.names.parse import Name, cased, is_initials, normal, parse
from plainsight.replace.surrogate.names.variants import long_form, misspellings

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
        ("Al Hamdan", ["al|hamdan"]),
        ("Umm Khaled", ["umm|khaled"]),
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


# Cues.


@pytest.mark.parametrize(
    ("before", "after", "title", "family"),
    [
        ("saw Mr. ", "", True, False),
        ("Mr. and Mrs. ", "", True, False),
        ("maiden name ", "", True, False),
        ("her mother in law, ", "", False, True),
        ("son's name is ", "", False, True),
        ("brother (", ")", False, True),
        ("her daughter Dr. ", " called", True, True),
        ("", " (son, 20)", False, True),
        ("", ", his aunt.", False, True),
        ("", ", his wife Mary", False, False),
        ("Dr. ", ", MD", True, False),
        ("friend ", "", False, False),
        ("went home. ", " slept", False, False),
        ("the wife. ", " slept", False, False),
    ],
)
def test_cues(before: str, after: str, title: bool, family: bool) -> None:
    assert find_cue(before, after) == (title, family)


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
    assert misspellings(counts) == {"smiht": "smith", "gathers": "gaithers"}


def test_names_alike_are_not_slips() -> None:
    assert misspellings({"marina": 3, "marisa": 1, "julia": 3, "julie": 1, "maria": 2, "mario": 1}) == {}


def test_slips_of_slips_end_at_the_right_word() -> None:
    counts = {"kowalczyk": 5.0, "kowalczik": 2.0, "kowalcik": 1.0}
    assert set(misspellings(counts).values()) == {"kowalczyk"}


# Links.


def test_letters_follow_words() -> None:
    caroline = ("caroline", "j", "whitfield")
    assert follow(("c", "j", "w"), caroline) == list(caroline)
    assert follow(("c", "w"), caroline) == ["caroline", "whitfield"]
    assert follow(("caroline", "jane", "whitfield"), caroline) == list(caroline)
    assert follow(("whitfield",), caroline) is None
    assert follow(("j", "whitfield"), caroline) is None
    assert follow(("r", "j", "h"), ("rhonda", "harjo")) == ["rhonda", "j", "harjo"]
    assert follow(("r", "j", "x"), ("rhonda", "jo", "xia", "harjo")) is None


def test_short_names_find_the_long_one() -> None:
    def found(word: str, *names: str) -> str | None:
        return long_form(word, sorted(names))

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


def test_letters_are_permuted_and_the_patients_own_change() -> None:
    letters, alphabet = Letters(KEYED), "abcdefghijklmnopqrstuvwxyz"
    assert sorted(map(letters.shared.__getitem__, alphabet)) == list(alphabet)
    kept = 0
    for number in range(100):
        letters = Letters(KEYED.child(str(number)))
        assert all(letters.own[letter] != letter for letter in alphabet)
        kept += sum(letters.shared[letter] == letter for letter in alphabet)
    assert 100 < kept < 300  # about two of the two circles


# Particles and writing.


@pytest.mark.parametrize("particle", ["dela", "vander", "van", "al", "bin", "von", "st", "de", "zz"])
def test_surnames_after_particles(particle: str) -> None:
    made = {after_particle(KEYED, particle, f"{letter}unter") for letter in "abcdefghijklmnop"}
    assert len(made) > 5
    assert all(name.isalpha() for name in made)
    assert after_particle(KEYED, particle, "cruz", 100)


def test_a_married_name_is_an_ordinary_surname() -> None:
    assert after_particle(KEYED, "de", "maldonado") != after_particle(KEYED, "dela", "maldonado")


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


@pytest.mark.parametrize(
    ("written", "usual"),
    [
        ("sofiya", "sofia"),
        ("husayn", "hussein"),
        ("khaleel", "khalil"),
        ("halyna", "halina"),
        ("rivky", "rivka"),
        ("malky", "malka"),
        ("emily", "emily"),
        ("kelly", "kelly"),
    ],
)
def test_transliterations_and_pet_names_have_a_usual_spelling(written, usual):
    assert canonical(written) == usual


def test_mc_is_one_word_with_what_follows():
    assert units("Ann Mc Donald") == units("Ann McDonald")


def test_all_names_of_a_sound_are_looked_for_together() -> None:
    of_letters = {_may_begin(letter) for letter in ascii_lowercase}
    for letters in of_letters:
        sounds = _sounds(letters)
        assert {_may_begin(sound) for sound in sounds} <= {letters}
        assert {name[0] for name in sounds.values()} <= set(letters)


def test_spellings_from_other_alphabets_are_one_name() -> None:
    assert canonical("kowalczuk") == canonical("kowalchuk") == canonical("kovalchuk")
    assert canonical("mathias") == canonical("matias")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("smithgarcia", ("smith", "garcia")),
        ("guiying", ("gui", "ying")),
        ("devries", ("vries",)),
        ("dekker", ("dekker",)),
        ("brown", ("brown",)),
    ],
)
def test_a_word_of_several_names_has_their_parts(word: str, expected: tuple[str, ...]) -> None:
    assert parts(word).words == expected


@pytest.mark.parametrize(("particle", "surname", "group"), [("la", "fontaine", "fr"), ("la", "rosa", "it")])
def test_surnames_after_particles_are_of_one_group(particle: str, surname: str, group: str) -> None:
    made = {after_particle(KEYED, particle, surname, turn) for turn in range(40)}
    assert {group_of(particle + name) for name in made} == {group}


def test_vander_and_vanden_are_one_particle() -> None:
    assert after_particle(KEYED, "vander", "berg") == after_particle(KEYED, "vanden", "berg")


def test_a_suffix_after_a_given_name_is_no_initials() -> None:
    assert units("Robert SR") == ["robert"]


def test_accents_do_not_hide_vowels() -> None:
    asked = {"alone": True, "capitals": False, "expected": None, "known": frozenset(), "codes": frozenset()}
    assert not is_initials("tuấn", **asked)  # type: ignore[arg-type]
