"""The scope: what it knows, what it hides, and how it gives each original a surrogate of its own."""

from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import Mention, Scope, assign, owner

KEYED = Keyed(bytes(32))


def draw(original, turn):
    return str(KEYED.number(f"{original} {turn}", 40))


@given(st.sets(st.text(max_size=5), max_size=30))
def test_an_original_gets_the_same_surrogate_whatever_stands_beside_it(originals):
    made = assign(originals, draw, refused=lambda original, choice: choice == "7")
    assert made.keys() == originals
    assert "7" not in made.values()
    for original in originals:
        assert (
            assign([original], draw, refused=lambda original, choice: choice == "7")[original]
            == made[original]
        )


def test_assign_gives_nothing_where_all_is_refused():
    assert assign(["a"], draw, refused=lambda original, choice: True) == {"a": ""}
    assert assign(["a"], lambda original, turn: "") == {"a": ""}


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
