"""Gold identifiers beside what became of them when detected spans were replaced."""

from plainsight.document import Document, Span
from plainsight.evaluate.surrogates.detected import detected, is_clinical
from plainsight.formats.inline import parse


def find(marked, *found):
    """Return the note in which some texts were found and replaced: (text, label, surrogate)."""
    text, spans = parse(marked)
    places = [(text.index(words), text.index(words) + len(words), label) for words, label, _ in found]
    return detected(
        Document("1", text, spans), [Span(*place) for place in places], [made for *_, made in found]
    )


def pairs(note):
    return [(pair.label, pair.original, pair.surrogate) for pair in note.pairs]


def test_gold_spans_found_whole_are_paired():
    note = find(
        "Dr. {{DOCTOR#ng|Ng}} on {{DATE|May 3}}.", ("Ng", "PATIENT", "Wu"), ("May 3", "DATE", "June 12")
    )
    assert pairs(note) == [("DOCTOR", "Ng", "Wu"), ("DATE", "May 3", "June 12")]
    assert note.released == "Dr. Wu on June 12."
    assert note.pairs[0].span.entity == "ng"
    assert (note.missed, note.in_vain, note.replacements) == (0, (), 2)


def test_a_wider_span_is_cut_word_by_word():
    note = find(
        "{{CITY|Bangor}}, {{STATE|ME}} {{ZIP|04401}}", ("Bangor, ME 04401", "STREET", "Dover, NH 03820")
    )
    assert pairs(note) == [("CITY", "Bangor", "Dover"), ("STATE", "ME", "NH"), ("ZIP", "04401", "03820")]


def test_a_wider_span_of_other_length_stands_for_all_in_it():
    note = find("{{CITY|Bangor}}, {{STATE|ME}}", ("Bangor, ME", "CITY", "Dover"))
    assert pairs(note) == [("CITY", "Bangor", "Dover"), ("STATE", "ME", "Dover")]


def test_a_name_in_two_spans_is_one_pair():
    note = find("{{PATIENT|Anna Kim}}.", ("Anna", "PATIENT", "Eva"), ("Kim", "PATIENT", "Ray"))
    assert pairs(note) == [("PATIENT", "Anna Kim", "Eva Ray")]


def test_what_was_not_found_whole_is_missed():
    note = find("{{PATIENT|Anna Kim}}, {{DATE|May 3}}", ("Kim", "PATIENT", "Ray"))
    assert (pairs(note), note.missed, note.replacements) == ([], 2, 1)


def test_replacements_of_other_text_are_in_vain_if_they_change_it():
    note = find(
        "another fall in {{DATE|May}}, MI, 20",
        ("fall", "DATE", "spring"), ("May", "DATE", "June"), ("MI", "STATE", "MI"), ("20", "AGE", "45"),
    )  # fmt: skip
    assert [(pair.label, pair.original) for pair in note.in_vain] == [("DATE", "fall"), ("AGE", "20")]


def test_medicine_among_replacements_in_vain():
    note = find(
        "{{DATE|May}}: LifeVest, 1/2 rate, ICD, chair 4, 3 nurse",
        ("LifeVest", "ORGANIZATION", "LifeRay"), ("1/2", "DATE", "2/9"), ("ICD", "ORGANIZATION", "OASIS"),
        ("chair 4", "HOSPITAL", "chair 7"), ("nurse", "PROFESSION", "baker"),
    )  # fmt: skip
    assert [pair.original for pair in note.in_vain if is_clinical(pair)] == ["1/2", "ICD"]


def test_signs_at_the_edges_of_a_surrogate_belong_to_it():
    assert pairs(find("aged {{AGE|90}}.", ("90", "AGE", "90+"))) == [("AGE", "90", "90+")]
