"""The detector as a whole, with a model trained here on a few dozen invented notes."""

from itertools import product
from sys import modules

import numpy as np
import pytest

from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.formats.inline import parse
from plainsight.lab.detect.charlm import Charlm
from plainsight.lab.detect.charlm.symbols import pieces
from plainsight.lab.train.charlm import train_charlm
from plainsight.testing import check_detector, sample_documents

SURNAMES = ("Okonkwo", "Bjornstad", "Tanaka", "Villareal", "Pettibone", "Thackeray", "Olufsen")
FIRST_NAMES = ("Adaeze", "Lars", "Mei", "Rosa", "Ian", "Uma")
SIGNS = ("Pain is better.", "No fever.", "Lungs are clear.", "Wound is dry.", "She feels well.")


def note(number, first, surname):
    month, day = number % 12 + 1, number % 28 + 1
    return (
        f"Patient: {{{{PATIENT|{first} {surname}}}}}\nDate: {{{{DATE|{month}/{day}/2019}}}}\n\n"
        f"{SIGNS[number % 5]} {SIGNS[number % 3]} Discussed with Dr. {{{{DOCTOR|{SURNAMES[number % 7]}}}}}, "
        f"who agrees. Blood pressure 1{number % 5}0/80.\nFollow up on {{{{DATE|{day % 12 + 1}/{day}}}}}.\n"
    )


MARKED = [note(number, *names) for number, names in enumerate(product(FIRST_NAMES, SURNAMES))]
NOTES = [Document(str(number), *parse(marked)) for number, marked in enumerate(MARKED)]
HELD_OUT = [Document(f"new {number}", *parse(note(number + 3, "Eleni", "Vantorre"))) for number in range(6)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "charlm"
    train_charlm(NOTES, path, order=6)
    return str(path)


def marks(spans):
    return [(span.start, span.end, span.label) for span in spans]


@pytest.mark.parametrize("rescore", [True, False])
def test_finds_names_it_has_never_seen(folder, rescore):
    found = Charlm(model=folder, rescore=rescore).detect(HELD_OUT)
    assert [marks(spans) for spans in found] == [marks(document.spans) for document in HELD_OUT]
    assert all(0.5 < span.score <= 1 for spans in found for span in spans)


def test_the_best_chunkings_of_whole_notes(folder):
    found = Charlm(model=folder, whole=True).detect(HELD_OUT)
    assert [marks(spans) for spans in found] == [marks(document.spans) for document in HELD_OUT]
    network = Charlm(model=folder)._network
    cut = [piece for document in HELD_OUT for piece in pieces(document.text)]
    for (path, [stretch]), piece in zip(
        network.stretches(cut, 0.0, rescore=False, whole=True), cut, strict=True
    ):
        assert (stretch.first, stretch.paths.shape[1]) == (0, len(piece.starts))
        assert 1 < len(stretch.paths) <= 512
        assert (stretch.paths[0] == path).all()
        assert (np.diff(stretch.scores) <= 1e-6).all()
    [(_, [few])] = network.stretches(cut[:1], 0.0, rescore=False, whole=True, paths=1)
    assert len(few.paths) == 1
    with pytest.raises(UsageError, match="at least 1"):
        Charlm(model=folder, paths=0)


@pytest.mark.parametrize("rescore", [True, False])
def test_keeps_the_promises_of_detectors(folder, rescore):
    short = [document for document in sample_documents() if len(document.text) < 10_000]  # the rest is slow
    check_detector(Charlm(model=folder, rescore=rescore), short)


@pytest.mark.parametrize("rescore", [True, False])
def test_the_bias_turns_recall_up_and_down(folder, rescore):
    covered = []
    for bias in (-30.0, 0.0, 30.0):
        found = Charlm(model=folder, bias=bias, rescore=rescore).detect(HELD_OUT)
        covered.append(sum(span.end - span.start for spans in found for span in spans))
    assert covered[0] > covered[1] > covered[2]


def test_without_a_model_it_says_how_to_get_one():
    detector = Charlm()
    with pytest.raises(UsageError, match="plainsight train charlm"):
        detector.detect(NOTES)
    with pytest.raises(UsageError, match="no model at"):
        Charlm(model="nowhere").detect(NOTES)


@pytest.mark.parametrize("rescore", [True, False])
def test_confidence_is_a_log_probability_and_falls_with_strangeness(folder, rescore):
    detector = Charlm(model=folder, rescore=rescore)
    strange = Document("strange", "zq 88-Kx//Mr Ab. Ito 4 vs Dr 12.3, Rosa? Pettibone Patient: 9/9 Dr. q")
    sure, unsure, nothing = detector.confidence([HELD_OUT[0], strange, Document("empty", " \n")])
    assert unsure < sure <= 0
    assert nothing == 0
    assert detector.confidence([]) == []


@pytest.mark.parametrize("rescore", [True, False])
def test_odd_notes_do_no_harm(folder, rescore):
    texts = ["", "\x00\ud800 \U0001f600", "x" * 50_000, "Dr. " * 3_000, "Rosa Tanaka " * 200, "12/" * 500]
    documents = [Document(str(place), text) for place, text in enumerate(texts)]
    for document, spans in zip(
        documents, Charlm(model=folder, rescore=rescore, bias=-8.0).detect(documents), strict=True
    ):
        assert all(0 <= span.start < span.end <= len(document.text) for span in spans)
        assert marks(spans) == sorted(marks(spans))


def test_a_long_note_is_as_many_short_ones(folder, monkeypatch):
    monkeypatch.setattr(modules["plainsight.lab.detect.charlm.symbols"], "_PIECE", 100)
    text = "".join(document.text + "\n" for document in HELD_OUT * 3)
    (spans,) = Charlm(model=folder).detect([Document("long", text)])
    assert (
        sum(span.label == "PATIENT" and text[span.start : span.end] == "Eleni Vantorre" for span in spans)
        > 15
    )


def test_remembered_tokens_are_bounded(folder, monkeypatch):
    monkeypatch.setattr(modules["plainsight.lab.detect.charlm.network"], "_MOST", 10)
    detector = Charlm(model=folder)
    first = detector.detect(HELD_OUT)
    assert detector.detect(HELD_OUT) == first
