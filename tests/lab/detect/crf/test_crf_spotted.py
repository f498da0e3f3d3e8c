"""Lists and patterns, and the sets that use them."""

import pytest

from plainsight.document import Document
from plainsight.lab.detect.crf.dernoncourt import ID_SHAPES
from plainsight.lab.detect.crf.notes import read_notes
from plainsight.lab.detect.crf.spotted import LISTS, in_lists, in_patterns


def note(text: str, tokens: str = "plainsight"):
    [read] = read_notes([Document("1", text)], [[]], tokens=tokens)
    return read


def named(values, read) -> dict[str, str]:
    return dict(zip(read.words, values(read), strict=True))


def test_an_entry_of_several_words_counts_as_a_whole():
    read = note("New plan: moved from New York City to Federation Square")
    assert in_lists("country", "city")(read) == [*[""] * 5, *["city"] * 3, "", "", ""]
    assert in_lists("country")(note("the Russian Federation"))[1:] == ["country", "country"]


@pytest.mark.parametrize("tokens", ["plainsight", "carafe", "treebank"])
def test_entries_are_found_whatever_the_tokens(tokens):
    read = note("from Winston-Salem, and St. Louis", tokens)
    found = in_lists("city")(read)
    inside = "".join(word for word, lists in zip(read.words, found, strict=True) if lists)
    assert inside in ("Winston-SalemSt.Louis", "Winston-Salem,St.Louis")


def test_every_list_has_entries():
    sizes = {name: len(set(make())) for name, make in LISTS.items()}
    assert sizes["us-state"] >= 50
    assert sizes["month"] == 24  # May is its own abbreviation
    assert sizes["first-name"] == 2_000
    assert sizes["last-name"] == 88_700
    assert sizes["english"] > 30_000
    assert all(sizes.values())


def test_gazetteers_of_the_2016_crf():
    read = note("A welder at MGH until Thanksgiving, Okafor")
    found = named(in_lists("profession", "hospital-acronym", "holiday", "last-name"), read)
    assert "profession" in found["welder"]
    assert "hospital-acronym" in found["MGH"]
    assert "holiday" in found["Thanksgiving"]
    assert "last-name" in found["Okafor"]
    assert found["until"] == ""


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("0:S09:14477", "colons"),
        ("Specimen S95-12345-A1", "specimen"),
        ("56RHM with", "age-sex-hand"),
        ("a 56 yo RHF who", "age-sex-hand"),
        ("86F with", "age-sex"),
        ("K4471829 seen", "letters-digits"),
        ("MRN: 4471829", "numbered"),
        ("JKS/amd/4471", "slashed"),
    ],
)
def test_shapes_of_identifiers(text, shape):
    assert any(shape in value.split("|") for value in in_patterns(ID_SHAPES)(note(text)))


def test_ordinary_text_has_no_shape_of_an_identifier():
    assert set(in_patterns(ID_SHAPES)(note("BP stable, continue aspirin and follow up in 2 weeks."))) == {""}


def test_patterns_do_not_reach_beyond_their_sequence():
    documents = [Document("1", "Call S09:14477. B:22 ok")]
    first, second = read_notes(documents, [[]], sequences="stop")
    assert len(in_patterns({"both": r"S09.*B"})(first)) == len(first.tokens)
    assert set(in_patterns({"both": r"S09.*B"})(first)) == {""}
    assert "end" in in_patterns({"end": r"ok"})(second)
