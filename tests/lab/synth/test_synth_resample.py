"""Resampling: labels exact, everything else untouched."""

import random
from itertools import islice

from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic_notes import corpus

from plainsight.document import Document, Span
from plainsight.lab.synth import resample
from plainsight.lab.synth.pieces import cut, joined
from plainsight.lab.synth.resample import Resampler
from plainsight.labels import LABELS


def gaps(document):
    return [piece.text for piece in cut(document) if not piece.label]


def texts(document):
    return [document.text[span.start : span.end] for span in document.spans]


def test_text_outside_identifiers_stays_and_labels_are_exact():
    notes = corpus()
    shared, met = 0, 0
    for made in islice(Resampler(notes, seed=3).notes(), 60):
        (note,) = [note for note in notes if made.id.startswith(note.id)]
        assert gaps(made) == gaps(note)
        assert [span.label for span in made.spans] == [span.label for span in note.spans]
        for span, text in zip(note.spans, texts(made), strict=True):
            assert text
            same = text == note.text[span.start : span.end]
            if span.label in ("PATIENT", "MEDICALRECORD", "STREET", "PHONE"):
                assert not same
            elif span.label in ("DOCTOR", "CITY", "ZIP"):  # drawn like any, so it may meet itself
                shared += 1
                met += same
    assert met <= shared / 25


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_spans_of_any_text(data):
    text = data.draw(st.text(alphabet="Abc dé12-/.\n", min_size=1, max_size=60))
    edges = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = [
        Span(start, end, data.draw(st.sampled_from(LABELS)))
        for start, end in zip(edges[::2], edges[1::2], strict=False)
    ]
    note = Document("n", text, tuple(spans))
    resampler = Resampler([note], variants=2, seed=data.draw(st.integers(0, 9)))
    for made in islice(resampler.notes(), 3):
        assert gaps(made) == gaps(note)
        assert [span.label for span in made.spans] == [span.label for span in spans]


def test_the_same_name_gets_the_same_name():
    (made,) = islice(Resampler(corpus()[:1], seed=5).notes(), 1)
    found = texts(made)
    surname = found[2].split()[-1]
    assert found[4] == surname  # Maria Delgado, Ms. Delgado


def test_seeds_repeat_and_differ():
    def made(seed):
        return [note.text for note in islice(Resampler(corpus(), seed=seed).notes(), 9)]

    assert made(1) == made(1)
    assert made(1) != made(2)


def test_every_note_comes_once_before_any_comes_again():
    names = [note.id for note in islice(Resampler(corpus()).notes(), 6)]
    assert {name.removesuffix("~0") for name in names[:3]} == {note.id for note in corpus()}
    assert all(name.endswith("~1") for name in names[3:])


def test_notes_differ_from_one_another():
    made = {note.text for note in islice(Resampler(corpus()[:1], variants=4).notes(), 60)}
    assert len(made) > 40


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr(resample, "_KEPT", 30)
    resampler = Resampler(corpus())
    for _ in islice(resampler.notes(), 40):
        pass
    held = sum(len(world) for worlds in resampler._worlds.values() for world in worlds)
    assert held <= 30 + max(len(note.spans) for note in corpus())


def test_notes_may_be_added():
    notes = corpus()[:1]
    resampler = Resampler(notes)
    resampler.pieces(0, random.Random(1))
    notes.append(corpus()[1])
    assert joined(resampler.pieces(1, random.Random(1)), "x").spans


def test_nothing_comes_of_nothing():
    assert list(Resampler([]).notes()) == []
