"""The scope: what it knows, what it hides, and how it gives each original a surrogate of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Address, Document, Patient
from plainsight.errors import DataError
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import Mention, Scope, assign, folded, owner

KEYED = Keyed(bytes(32))


def draw(original: str, turn: int) -> str:
    return str(KEYED.number(f"{original} {turn}", 40))


@given(st.sets(st.text(max_size=5), max_size=30), st.randoms())
def test_assign_is_injective_and_does_not_depend_on_the_order(originals, random):
    shuffled = list(originals) * 2
    random.shuffle(shuffled)
    made = assign(shuffled, draw, keyed=KEYED, refused=lambda choice: choice == "7")
    assert made == assign(sorted(originals), draw, keyed=KEYED, refused=lambda choice: choice == "7")
    assert made.keys() == originals
    assert len(set(made.values())) == len(originals)
    assert "7" not in made.values()


def test_assign_says_when_nothing_is_left_without_naming_it():
    with pytest.raises(DataError) as error:
        assign(["secret", "other"], lambda original, turn: "same", keyed=KEYED, refused=lambda choice: False)
    assert "secret" not in str(error.value)


def test_assign_compares_without_case():
    choices = {"a": ["Lee", "Kim"], "b": ["LEE", "Roe"]}
    made = assign(choices, lambda o, turn: choices[o][turn], keyed=KEYED, refused=lambda choice: False)
    assert len({folded(choice) for choice in made.values()}) == 2


def test_words_are_those_of_notes_and_record():
    patient = Patient(
        id="1",
        names=("Ann Lee",),
        addresses=(Address(street="12 Elm St", city="Troy"),),
        phones=("901-555-0142",),
        ids=(("MEDICALRECORD", "A77"),),
    )
    scope = Scope(KEYED, [Document("1", "Seen_by DR. Roe", patient=patient)], [])
    assert {"seen", "by", "dr", "roe", "ann", "lee", "elm", "troy", "0142", "a77"} <= scope.words
    assert scope.patient is patient


def test_context_and_choice_of_mentions():
    text = "Tel 555-0142 home"
    phone, name = Mention(0, 4, 12, "PHONE", "555-0142"), Mention(0, 13, 17, "PATIENT", "home")
    scope = Scope(KEYED, [Document("1", text)], [phone, name])
    assert scope.before(phone) == "Tel "
    assert scope.after(phone, 3) == " ho"
    assert scope.of("PHONE") == [phone]
    assert scope.patient is None
    assert scope.patient_keyed is KEYED


def test_no_repr_shows_text():
    mention = Mention(0, 4, 12, "PHONE", "555-0142")
    assert "0142" not in repr(mention) + repr(Scope(KEYED, [Document("1", "555-0142")], [mention]))


def test_owner():
    assert owner(Document("7", "")) == "note 7"
    assert owner(Document("7", "", patient_id="7")) == "patient 7"
