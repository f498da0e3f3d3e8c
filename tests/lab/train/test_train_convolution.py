"""A convolutional network is fitted on a few notes, taught by another, written, and run without PyTorch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tiny_builds import write_encoder

from plainsight.detect.convolution import Convolution
from plainsight.detect.convolution.features import WordRows
from plainsight.detect.convolution.note_tokens import claim_numbers, read
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.lab.synth.swap import swapped

torch = pytest.importorskip("torch")

from plainsight.lab.train.convolution import train_convolution  # noqa: E402
from plainsight.lab.train.convolutional.network import Convolutions, Shape, arrays_of  # noqa: E402

SURNAMES = ["Okafor", "Lindqvist", "Baptiste", "Moreau", "Petrov", "Tanaka", "Haddad", "Nguyen"]


def notes(*, lines: int = 1) -> list[Document]:
    made = []
    for place in range(24):
        text, spans = "", []
        for line in range(lines):
            name = SURNAMES[(place + line) % len(SURNAMES)]
            text += f"Seen by Dr. {name} today.\n"
            spans.append(Span(len(text) - 8 - len(name), len(text) - 8, "DOCTOR"))
        made.append(Document(f"n{place}", text, tuple(spans)))
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("models") / "convolution"
    train_convolution(notes(lines=4), made, width=16, epochs=120, claims=False)
    return made


def test_finds_what_it_has_learnt_and_unseen_names_in_the_same_place(folder):
    document = Document("x", "Seen by Dr. Wielkopolski today.\n")
    [found] = Convolution(model=str(folder)).detect([document])
    assert [(span.start, span.end, span.label, span.source) for span in found] == [
        (12, 24, "DOCTOR", "convolution")
    ]


def test_reads_a_note_of_any_length_alike(folder):
    line = "Seen by Dr. Okafor today.\n"
    detector = Convolution(model=str(folder))
    [found] = detector.detect([Document("long", line * 2500)])  # more than goes through at once
    assert [span.start % len(line) for span in found] == [12] * 2500
    assert detector.detect([Document("none", ""), Document("space", " \n")]) == [[], []]


def test_a_bias_finds_more_or_less(folder):
    document = notes(lines=4)[0]
    [much], [none] = (Convolution(model=str(folder), bias=bias).detect([document]) for bias in (-50.0, 50.0))
    assert sum(span.end - span.start for span in much) > 0.7 * len(document.text.replace(" ", ""))
    assert none == []


def test_onnx_says_what_pytorch_says(tmp_path):
    torch.manual_seed(1)
    shape = Shape(vectors=8, width=16, inner=8, reach=((1, 2), (1,)), rows=64)
    network = Convolutions(shape, claims=3, tags=3).eval()
    from plainsight.lab.train.convolution import save_convolution

    about = {"labels": ["DATE"], "tags": ["O", "B-DATE", "I-DATE"], "claims": ["DATE"], "bias": 0.0}
    save_convolution(network, None, tmp_path / "m", manifest=about, quantise=False)
    document, said = Document("x", "Seen 3/4/19,\nwell."), [Span(5, 11, "DATE")]
    _, found = Convolution(model=str(tmp_path / "m")).scores(document, said)
    reading = read(document.text, said, claim_numbers(["DATE"]))
    table = torch.from_numpy(arrays_of(network)["table"] * arrays_of(network)["steps"][:, None])
    rows_of = WordRows(shape.rows)
    rows = [rows_of.lookup(word)[0] for word in reading.words]
    words = torch.stack([table[its].sum(0) / len(its) ** 0.5 for its in rows])
    with torch.no_grad():
        words = words + network.gaps(torch.from_numpy(reading.gaps))
        words = words + network.claims(torch.from_numpy(reading.claims))
        wanted = network(words[None])[0].numpy()
    np.testing.assert_allclose(found, wanted, atol=1e-4)


def test_what_pads_a_sequence_changes_nothing():
    torch.manual_seed(2)
    network = Convolutions(
        Shape(vectors=8, width=8, inner=8, reach=((1, 4),), rows=16), claims=1, tags=3
    ).eval()
    words = torch.randn(1, 5, 8)
    padded = torch.cat((words, torch.randn(1, 3, 8)), 1)
    inside = torch.tensor([[1.0] * 5 + [0.0] * 3])[..., None]
    with torch.no_grad():
        torch.testing.assert_close(network(padded, inside)[:, :5], network(words))


def test_a_teacher_teaches_what_no_mark_shows(tmp_path):
    def teacher(document: Document) -> np.ndarray:
        reading = read(document.text, [], {})
        said = np.full((len(reading.words), 3), 1e-3)
        said[np.arange(len(said)), [1 if word == "Lisbon" else 0 for word in reading.words]] = 0.998
        return np.log(said)

    plain = [Document(f"u{place}", f"Went to Lisbon in {place}.") for place in range(24)]
    train_convolution(
        notes(), tmp_path / "m", width=16, epochs=400, claims=False, unlabelled=plain, teacher=teacher
    )
    [found] = Convolution(model=str(tmp_path / "m")).detect([Document("x", "Went to Lisbon in 7.")])
    assert [(span.start, span.end) for span in found] == [(8, 14)]
    with pytest.raises(UsageError, match="teacher"):
        train_convolution(notes(), tmp_path / "n", unlabelled=plain)


def test_words_may_begin_as_the_pieces_of_an_encoder(tmp_path):
    encoder = write_encoder(tmp_path / "encoder")
    told = train_convolution(
        notes(), tmp_path / "m", width=16, epochs=400, claims=False, encoder=encoder, quantise=False
    )
    assert told["pieces"] == "wordpiece"
    [found] = Convolution(model=str(tmp_path / "m")).detect(
        [Document("x", "Seen by Dr. Wielkopolski today.")]
    )
    assert [(span.start, span.end) for span in found] == [(12, 24)]


def test_a_bias_is_chosen_on_notes_left_out(tmp_path):
    stages = []
    given = {"width": 16, "epochs": 20, "claims": False, "bias": None, "stage": stages.append}
    best = train_convolution(notes(), tmp_path / "m", **given)
    choice = best["bias_choice"]
    assert (choice["notes"], choice["recall"]) == (5, None)
    highest = max(row["entities"]["f"] or 0.0 for row in choice["sweep"])
    [chosen] = [row for row in choice["sweep"] if row["bias"] == best["bias"]]
    assert chosen["entities"]["f"] == pytest.approx(highest, abs=0.003)
    assert stages[0] == "choosing the bias: reading the notes"
    assert stages[-1] == "writing"
    assert best["training"]["notes"] == 24  # all of them teach in the end
    all_found = train_convolution(notes(), tmp_path / "n", **given, recall=1.0)
    found = {row["bias"]: row["tokens"]["recall"] for row in all_found["bias_choice"]["sweep"]}
    assert found[all_found["bias"]] == max(found.values())


def test_copies_with_other_names_teach_but_choose_no_bias(tmp_path, monkeypatch):
    from plainsight.lab.train import convolution

    learnt_from = []

    def watched(documents, **options):
        learnt_from.append({document.id for document in documents})
        return swapped(documents, **options)

    monkeypatch.setattr(convolution, "swapped", watched)
    given = {"width": 8, "claims": False}
    plain = train_convolution(notes(lines=4), tmp_path / "m", **given)
    more = train_convolution(notes(lines=4), tmp_path / "n", **given, swap=2, bias=None)
    assert (plain["training"]["swap"], more["training"]["swap"]) == (0, 2)
    assert more["training"]["schedule"]["steps"] // plain["training"]["schedule"]["steps"] == 3
    assert more["training"]["notes"] == 24
    assert more["bias_choice"]["notes"] == 5
    assert [len(ids) for ids in learnt_from] == [24, 19, 24]  # the five held out give no names either


def test_runs_without_pytorch(folder):
    code = (
        "import sys; from plainsight.document import Document; from plainsight.detect.convolution import *\n"
        f"[found] = Convolution(model={str(folder)!r}).detect([Document('x', 'Seen by Dr. Moreau today.')])\n"
        "print(len(found))\n"
        "assert 'torch' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
