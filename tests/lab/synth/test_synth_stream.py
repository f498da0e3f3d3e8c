"""The stream of synthetic notes."""

from itertools import islice

import pytest
from synthetic_notes import corpus

from plainsight.document import Document
from plainsight.errors import DataError
from plainsight.lab.synth import stream
from plainsight.lab.synth.stream import KINDS, synthesise

TEXTS = [
    Document(f"t{n}", f"The patient was seen by Dr. X on MM/DD/YYYY, visit {n + 2} of this series. " * 3)
    for n in range(5)
]


def made(count, **options):
    return list(islice(synthesise(corpus(), **options), count))


def test_labels_lie_on_text_without_outer_space():
    for note in made(300, noise=0.4, texts=lambda: TEXTS):
        for span in note.spans:
            text = note.text[span.start : span.end]
            assert text
            assert text == text.strip()


def test_seeds_repeat():
    assert made(40, seed=4, texts=lambda: TEXTS) == made(40, seed=4, texts=lambda: TEXTS)
    assert made(40, seed=4) != made(40, seed=5)


def test_without_noise_only_identifiers_change():
    known = {note.id: note for note in corpus()}
    for note in made(12, noise=0.0):
        assert len(note.spans) == len(known[note.id.partition("~")[0]].spans)


def test_texts_have_their_share_and_come_again(monkeypatch):
    names = [note.id for note in made(200, texts=lambda: TEXTS, share=0.5)]
    of_texts = [name for name in names if name.startswith("t")]
    assert 60 < len(of_texts) < 140
    assert {name.partition("~")[0] for name in of_texts} == {text.id for text in TEXTS}
    assert len(set(names)) == len(names)
    monkeypatch.setattr(stream, "_KEPT", 2)  # the others are filled anew each time
    again = [note.id for note in made(100, texts=lambda: TEXTS, share=1.0)]
    assert {name.partition("~")[0] for name in again} == {text.id for text in TEXTS}
    assert len(set(again)) == len(again)


def test_filled_texts_have_headers_and_signatures():
    notes = made(60, texts=lambda: TEXTS, share=1.0, noise=0.0)
    labels = {span.label for note in notes for span in note.spans}
    assert labels >= {"DOCTOR", "DATE", "PATIENT", "HOSPITAL"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_alone(kind):
    assert len({note.text for note in made(6, noise=1.0, kinds=[kind])}) > 3


def test_nothing_to_make_notes_of():
    with pytest.raises(DataError, match="nothing to make"):
        next(synthesise([Document("a", "no marks")]))
    with pytest.raises(DataError, match="nothing can be filled"):
        list(islice(synthesise(corpus(), texts=list, share=1.0), 3))
