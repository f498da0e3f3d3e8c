import pytest

from plainsight.document import Document, Span
from plainsight.errors import DataError
from plainsight.lab.train.check_notes import check_notes


def test_nothing_to_learn_from_is_refused():
    for documents in ([], [Document("a", "")], [Document("a", "  \n")], [Document("a", "no marks here")]):
        with pytest.raises(DataError):
            check_notes(documents)
    with pytest.raises(DataError, match="dev notes"):
        check_notes([], what="dev")


def test_edges_inside_tokens_are_widened_and_counted():
    text = "Okonkwo saw Tanaka-san"
    found = check_notes([Document("a", text, (Span(0, 4, "DOCTOR"), Span(12, 18, "PATIENT")))])
    assert (found.identifiers, found.widened, found.lost) == (2, 1, 0)
    assert any("cut a token" in warning for warning in found.warnings())


def test_identifiers_without_a_token_of_their_own_are_counted():
    marks = (Span(0, 3, "DOCTOR"), Span(3, 7, "DOCTOR"), Span(7, 8, "DATE"))
    found = check_notes([Document("a", "Okonkwo saw", marks)])
    assert found.lost == 2
    assert any("not learnt" in warning for warning in found.warnings())


def test_one_label_and_rare_labels_are_told():
    one = check_notes([Document("a", "Ito", (Span(0, 3, "PHI"),))])
    assert one.warnings() == ["all identifiers are PHI: the model will know no other label"]
    two = check_notes([Document("a", "Ito, Ashby", (Span(0, 3, "NAME"), Span(5, 10, "CITY")))])
    assert two.warnings() == ["hardly any examples of CITY, NAME: they will often be missed"]
    assert two.labels == {"CITY": 1, "NAME": 1}
