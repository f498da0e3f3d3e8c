"""Recombination: parts of other notes come with their labels."""

from random import Random

import pytest
from synthetic_notes import corpus

from plainsight.lab.synth.pieces import Piece, cut, joined
from plainsight.lab.synth.stream import Recombiner

OWN, OTHER = (cut(note) for note in corpus()[:2])


@pytest.fixture
def recombiner():
    return Recombiner(lambda random: list(OTHER))


def marks(pieces):
    return [(piece.text, piece.label) for piece in pieces if piece.label]


def test_header_and_footer_of_the_other_note(recombiner):
    headed = recombiner.headed(OWN, Random(1))
    assert marks(headed) == marks(OTHER)[:5] + marks(OWN)
    signed = recombiner.signed(OWN, Random(1))
    assert marks(signed) == marks(OWN) + marks(OTHER)[-2:]
    assert joined(signed, "n").text.startswith(joined(OWN, "o").text)


def test_headers_end_with_a_blank_line(recombiner):
    text = joined(recombiner.headed(OWN, Random(1)), "n").text
    assert "912-44-1188\n\nLakeview" in text


@pytest.mark.parametrize("kind", ["spliced", "shuffled", "page-breaks", "header", "footer"])
def test_nothing_of_the_note_is_lost(recombiner, kind):
    for seed in range(20):
        made = recombiner.noises[kind].apply(list(OWN), Random(seed))
        found = marks(made)
        assert all(found.count(mark) >= marks(OWN).count(mark) for mark in marks(OWN))
        assert set(found) <= set(marks(OWN)) | set(marks(OTHER))
        assert set("".join(p.text for p in made).split()) >= set("".join(p.text for p in OWN).split())


def test_pages_are_numbered_under_a_running_header(recombiner):
    texts = [joined(recombiner.paged(list(OWN), Random(seed)), "n").text for seed in range(20)]
    assert all("Page 2 of " in text and text.count("St. Brendan Hospital") >= 1 for text in texts)


def test_spliced_paragraphs_come_whole(recombiner):
    made = [marks(recombiner.spliced(list(OWN), Random(seed))) for seed in range(20)]
    assert any(len(found) > len(marks(OWN)) for found in made)


def test_a_note_without_headers_gives_none():
    plain = Recombiner(lambda random: [Piece("no marks here\n")])
    assert plain.headed(OWN, Random(1)) == OWN
    assert plain.paged(OWN, Random(1)) == OWN
    assert Recombiner(lambda random: []).signed([], Random(1)) == []
    assert Recombiner(lambda random: []).spliced([], Random(1)) == []
