"""Names of a record, read."""

import pytest

from plainsight.detect.patient.people import Kind, people_of, read_name
from plainsight.document import Patient

G, S, P = Kind.GIVEN, Kind.SURNAME, Kind.PARTICLE


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"Ernestine Lavonne Gaithers", {b"ernestine": G, b"lavonne": G | S, b"gaithers": S}),
        (b"Gaithers, Ernestine", {b"ernestine": G, b"gaithers": S}),
        (b"John Q. Smith, MD", {b"john": G, b"smith": S}),
        (b"Smith, John Q., M.D., PhD", {b"john": G, b"smith": S}),
        (b"Dr. John Smith RN", {b"john": G, b"smith": S}),
        (b"SMITH JR, JOHN", {b"john": G, b"smith": S}),
        (b"Pa Houa Yang", {b"pa": G, b"houa": G | S, b"yang": S}),
        (b"Mai Do", {b"mai": G, b"do": S}),
        (b"Jane Roe PA", {b"jane": G, b"roe": S}),
        (b"Al Green", {b"al": G, b"green": S}),
        (b"Al-Hamdan", {b"al": P, b"hamdan": S}),
        (b"Luis de la Cruz", {b"luis": G, b"de": P, b"la": P, b"cruz": S}),
        (b"Mary O'Brien", {b"mary": G, b"o": P, b"brien": S}),
        (b"Oscar O. Diaz", {b"oscar": G, b"diaz": S}),
        (b"Gaonou", {b"gaonou": G | S}),
        (b"Baby Boy Mai Xiong", {b"mai": G, b"xiong": S}),
        (b"", {}),
        (b"X", {}),
        (b"xxxx xxx", {}),
        (b"Unknown", {}),
    ],
)
def test_a_name_is_read(text: bytes, words: dict[bytes, int]) -> None:
    assert {word: kind for name in read_name(text) for word, kind in name.words} == words


def test_a_quoted_nickname_is_a_name_of_its_own() -> None:
    names = read_name(b'William "Bill" Roe (Lion)')
    assert [[word for word, _ in name.words] for name in names] == [
        [b"william", b"roe"],
        [b"bill"],
        [b"lion"],
    ]


@pytest.mark.parametrize(
    ("name", "initials"),
    [
        ("Caroline J. Whitfield", {b"cjw"}),
        ("K. Semple", {b"ks"}),
        ("Yusuf M. Al-Hamdan", {b"ymh", b"ymah", b"yma"}),
        ("Gaonou", set()),
    ],
)
def test_initials(name: str, initials: set[bytes]) -> None:
    [person] = people_of(Patient(id="1", providers=(name,)))
    assert person.initials == initials


def test_people_have_their_labels_and_rules() -> None:
    people = people_of(
        Patient(id="1", names=("Ada Obst",), relatives=("N/A", "Bo Obst"), providers=("Lind",))
    )
    assert [(person.rule, person.label) for person in people] == [
        ("name", "PATIENT"),
        ("relative", "PATIENT"),
        ("provider", "DOCTOR"),
    ]


def test_nicknames_belong_to_given_names_alone() -> None:
    [person] = people_of(Patient(id="1", names=("William James",)))
    assert person.words[b"bill"] == Kind.NICKNAME
    assert b"jim" not in person.words  # a surname has none


def test_a_short_form_stands_for_the_given_name() -> None:
    [person] = people_of(Patient(id="1", names=("Lorrie Gray",)))
    assert person.words[b"lorraine"] == Kind.NICKNAME


def test_nobody_shows_in_a_repr() -> None:
    [person] = people_of(Patient(id="1", names=("Ada Obst",)))
    assert "obst" not in repr(person).lower()
