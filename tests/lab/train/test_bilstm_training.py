import json
from dataclasses import replace

import numpy as np
import pytest
from small_notes import note

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import torch

from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.lab.detect.bilstm import Bilstm
from plainsight.lab.detect.bilstm.inputs import NoteReader, digests_of, feed
from plainsight.lab.train.bilstm import train_bilstm
from plainsight.lab.train.recurrent.architecture import ARCHITECTURES
from plainsight.lab.train.recurrent.corpus import NO_TAG, alphabet_of, corpus_of
from plainsight.lab.train.recurrent.graph import to_onnx, weights_of
from plainsight.lab.train.recurrent.language import load_language_model, train_language_model
from plainsight.lab.train.recurrent.layers import batch_of, chain_loss, new_parts, scores
from plainsight.model import load_model
from plainsight.testing import check_detector, sample_documents
from plainsight.text.tags import encode
from plainsight.text.tokens import tokenize

pytestmark = pytest.mark.server  # training takes long

QUICK = {"optimiser": "adam", "rate": 0.01, "batch": 4, "epochs": 10}


def found_in(folder, documents, **options):
    return [
        {(span.start, span.end, span.label) for span in spans}
        for spans in Bilstm(model=str(folder), **options).detect(documents)
    ]


def marked(documents):
    return [{(span.start, span.end, span.label) for span in document.spans} for document in documents]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    path = tmp_path_factory.mktemp("vectors") / "glove.txt"
    random = np.random.default_rng(0)
    words = ["patient", "lives", "in", "dr", "seen", "fever", "plan", "zanzibar"]
    path.write_text("\n".join(" ".join([word, *map(str, random.normal(size=100))]) for word in words))
    return path


@pytest.fixture(scope="module")
def taught(tmp_path_factory, vectors):
    """Train the network of 2016 on a few notes."""
    folder = tmp_path_factory.mktemp("taught") / "m"
    stages, losses = [], []
    manifest = train_bilstm(
        [note(number) for number in range(14)],
        folder,
        dev=[note(number) for number in range(40, 43)],
        vectors=vectors,
        bias=None,
        progress=lambda epoch, loss: losses.append(loss),
        stage=stages.append,
        **QUICK,
    )
    return folder, manifest, stages, losses


def test_a_model_finds_what_it_was_taught(taught, notes):
    folder, manifest, stages, losses = taught
    assert found_in(folder, notes(14)) == marked(notes(14))
    assert manifest["scores"]["strict"]["f"] > 0.9
    assert manifest["labels"] == ["CITY", "DATE", "DOCTOR", "PATIENT"]
    assert manifest["training"]["architecture"] == "2016"
    assert manifest["training"]["held_out_f"] > 0.9
    assert manifest["bias"] in [row["bias"] for row in manifest["bias_choice"]["sweep"]]
    assert manifest == json.loads((folder / "manifest.json").read_text())
    assert stages == ["reading the notes", "fitting", "writing", "choosing the bias", "measuring"]
    assert losses[-1] < losses[0] / 10
    assert not folder.with_name("m.part").exists()


def test_it_keeps_the_promises_of_a_detector(taught):
    short = [document for document in sample_documents() if len(document.text) < 10_000]
    check_detector(Bilstm(model=str(taught[0])), short)


def test_probabilities_are_those_of_tags(taught, notes):
    detector = Bilstm(model=str(taught[0]), bias=0.0)
    [note] = notes(1)
    [found] = detector.probabilities([note])
    assert found.shape == (len(tokenize(note.text)), len(detector.tags))
    assert np.allclose(found.sum(axis=1), 1)
    best = [detector.tags[tag] for tag in found.argmax(axis=1)]
    assert best == encode(note.spans, tokenize(note.text), scheme="BIOES")
    assert detector.probabilities([Document("none", "")])[0].shape == (0, len(detector.tags))


def test_the_bias_moves_scores_and_finds_more(taught, notes):
    strange = [Document("s", "Zubair Qwx went to Ptolemy with Xan and Umber on Friday.")]
    few, some, many = (len(found_in(taught[0], strange, bias=bias)[0]) for bias in (50.0, 0.0, -50.0))
    assert few == 0
    assert few <= some < many or many == 1  # one long identifier
    high, low = (Bilstm(model=str(taught[0]), bias=bias).detect(notes(1))[0][0].score for bias in (-2.0, 2.0))
    assert high >= low


def test_confidence_is_the_log_probability_of_the_labelling(taught, notes):
    known, strange = Bilstm(model=str(taught[0])).confidence(
        [notes(1)[0], Document("s", "Qwx zub 4471 Umber/xan.\nPtolemy, III went")]
    )
    assert strange < known <= 0


def test_no_word_of_the_notes_is_in_the_model(taught):
    folder = taught[0]
    everything = (folder / "network.onnx").read_bytes() + (folder / "manifest.json").read_bytes()
    everything += b"".join(array.tobytes() for array in load_model(folder, kind="bilstm").arrays.values())
    for word in ("okonkwo", "tanaka", "dunmore", "fever", "continue"):
        assert word.encode() not in everything.lower()


def test_each_part_can_be_left_out(notes, tmp_path):
    for name in ("words", "characters", "transitions"):
        options = {**QUICK, "epochs": 2, "quantise": False, name: False}
        manifest = train_bilstm(notes(10), tmp_path / name, **options)
        arrays = load_model(tmp_path / name, kind="bilstm").arrays
        assert ("column-vector" in arrays) == (name != "words")
        assert ("characters" in arrays) == (name != "characters")
        assert bool(arrays["transitions"].any()) == (name != "transitions")
        assert manifest["quantised"] is False
        assert len(found_in(tmp_path / name, notes(2))) == 2
    with pytest.raises(UsageError, match="has no input"):
        train_bilstm(notes(3), tmp_path / "none", words=False, characters=False)
    manifest = train_bilstm(notes(10), tmp_path / "bio", scheme="BIO", **{**QUICK, "epochs": 1})
    assert manifest["tags"][:3] == ["O", "B-CITY", "I-CITY"]


def test_without_patience_all_notes_teach(notes, tmp_path):
    options = {**QUICK, "epochs": 1, "patience": 0, "cooling": True}
    manifest = train_bilstm(notes(12), tmp_path / "m", architecture="spelt", **options)
    assert "held_out_f" not in manifest["training"]
    assert manifest["training"]["schedule"]["cooling"] is True
    assert manifest["quantised"] is False


def test_a_student_looks_at_the_claims_of_rules(notes, tmp_path):
    manifest = train_bilstm(
        notes(8), tmp_path / "m", architecture="student-claims", batch=2, rate=0.01, epochs=3, quantise=True
    )
    assert "claim" in manifest["network"]["columns"]
    detector = Bilstm(model=str(tmp_path / "m"))
    [note] = notes(1)
    assert not np.array_equal(
        detector.detect_with([note], [note.spans]), detector.detect_with([note], [()])
    ) or np.array_equal(detector.detect([note]), detector.detect_with([note], [()]))


def test_long_notes_are_read_to_their_end(notes, tmp_path):
    learn = notes(20)
    train_bilstm(learn, tmp_path / "m", architecture="student", batch=2, rate=0.01, epochs=8, held_out=())
    many = Document("long", "\n\n".join(note.text for note in learn))
    assert len(tokenize(many.text)) > 4 * 192
    ends = [end for _, end, label in found_in(tmp_path / "m", [many])[0] if label == "DATE"]
    edges = np.cumsum([len(note.text) + 2 for note in learn])
    assert set(np.searchsorted(edges, ends)) == set(range(20))  # there is one in each of them


def test_a_language_model_is_read_with(notes, tmp_path):
    losses = []
    manifest = train_language_model(
        notes(40),
        tmp_path / "lm",
        width=16,
        spell=8,
        batch=4,
        window=32,
        epochs=4,
        rate=0.02,
        progress=lambda epoch, loss: losses.append(loss),
    )
    assert losses[-1] < losses[0]
    assert manifest["training"]["perplexity"] < 30
    model = load_language_model(tmp_path / "lm")
    assert model.width == 32
    options = {"architecture": "mask-contextual", "language_model": tmp_path / "lm", "epochs": 1, "batch": 8}
    manifest = train_bilstm(notes(6), tmp_path / "m", held_out=(), quantise=False, **options)
    assert manifest["network"]["columns"] == []
    assert len(found_in(tmp_path / "m", notes(2))) == 2
    with pytest.raises(UsageError, match="needs a language model"):
        train_bilstm(notes(3), tmp_path / "n", architecture="mask-contextual")
    with pytest.raises(UsageError, match="no use for"):
        train_bilstm(notes(3), tmp_path / "n", language_model=tmp_path / "lm")


def test_what_cannot_be_is_refused(notes, tmp_path, vectors):
    with pytest.raises(UsageError, match="did you mean 'student'"):
        train_bilstm(notes(3), tmp_path / "m", architecture="studemt")
    with pytest.raises(UsageError, match="100 numbers"):
        train_bilstm(notes(3), tmp_path / "m", architecture="mask-glove", vectors=vectors)
    with pytest.raises(DataError, match="no training notes"):
        train_bilstm([], tmp_path / "m")
    assert not (tmp_path / "m").exists()


class Stopped(KeyboardInterrupt):
    pass


def test_an_interrupted_training_ends_as_if_it_had_not_been(notes, tmp_path, monkeypatch):
    monkeypatch.setattr("plainsight.lab.train.checkpoint._SECONDS", 0.0)
    options = {**QUICK, "epochs": 4, "quantise": False}

    def stop(epoch, loss):
        if epoch == 3:
            raise Stopped

    with pytest.raises(Stopped):
        train_bilstm(notes(6), tmp_path / "m", progress=stop, **options)
    assert not (tmp_path / "m").exists()
    assert b"Okonkwo" not in (tmp_path / "m.part" / "fit.npz").read_bytes()
    seen = []
    train_bilstm(notes(6), tmp_path / "m", progress=lambda epoch, loss: seen.append(epoch), **options)
    assert seen == [3, 4]
    train_bilstm(notes(6), tmp_path / "whole", **options)
    one, two = ((tmp_path / name / "network.onnx").read_bytes() for name in ("m", "whole"))
    assert one == two


def test_another_training_does_not_go_on_from_there(notes, tmp_path):
    def stop(epoch, loss):
        seen.append(epoch)
        if epoch == 2:
            raise Stopped

    for count, seed in ((6, 0), (5, 0), (6, 1)):
        seen = []
        with pytest.raises(Stopped):
            train_bilstm(notes(count), tmp_path / "m", progress=stop, seed=seed, **{**QUICK, "epochs": 3})
        assert seen == [1, 2]


# --- parts ------------------------------------------------------------------------------------------------


def test_the_chain_loss_counts_all_labellings():
    from itertools import pairwise, product

    random = np.random.default_rng(0)
    found, steps = random.normal(size=(4, 2, 3)), random.normal(size=(3, 3))
    tags, lengths = random.integers(0, 3, (4, 2)), [4, 2]
    tags[2:, 1] = -1

    def weigh(path, row):
        return sum(found[place, row, tag] for place, tag in enumerate(path)) + sum(
            steps[a, b] for a, b in pairwise(path)
        )

    for row, length in enumerate(lengths):
        whole = np.log(sum(np.exp(weigh(path, row)) for path in product(range(3), repeat=length)))
        wanted = whole - weigh(tags[:length, row].tolist(), row)
        tensors = (torch.tensor(found), torch.tensor(steps), torch.tensor(tags), torch.tensor(lengths))
        assert abs(float(chain_loss(*tensors)[row]) - wanted) < 1e-9


def test_the_chain_loss_knows_its_slope():
    torch.manual_seed(0)
    found = torch.randn(5, 3, 4, dtype=torch.double, requires_grad=True)
    steps = torch.randn(4, 4, dtype=torch.double, requires_grad=True)
    lengths, tags = torch.tensor([2, 5, 1]), torch.randint(0, 4, (5, 3))
    tags[torch.arange(5)[:, None] >= lengths] = -1
    assert torch.autograd.gradcheck(lambda *given: chain_loss(*given, tags, lengths), (found, steps))


def test_a_batch_is_what_the_detector_would_read(notes):
    read = NoteReader(
        {"tokens": "plainsight", "pieces": {"by": "sentence"}, "columns": ["word"]},
        {"column-word": digests_of("word", ["fever", "no"]), "characters": alphabet_of(["Dr. seen on"] * 5)},
    )
    corpus = corpus_of(notes(3), [()] * 3, read, ["O", "B-CITY"], ARCHITECTURES["2016"])
    pieces = corpus.inputs.pieces[1:6]
    batch, wanted = batch_of(corpus, pieces), feed(corpus.inputs, pieces)
    for name, array in wanted.items():
        assert np.array_equal(batch.inputs[name].cpu().numpy(), array), name
    inside = np.arange(len(batch.tags))[:, None] < wanted["lengths"]
    assert (batch.tags.cpu().numpy()[~inside] == NO_TAG).all()
    for row, piece in enumerate(pieces):
        gold = corpus.tags[piece.start : piece.stop]
        assert np.array_equal(batch.tags.cpu().numpy()[: len(gold), row], gold)


def same(parts, architecture, given, context=None):
    """Compare what was fitted with what is written, as it is and in bytes."""
    import onnxruntime

    with torch.no_grad():
        tensors = {key: torch.from_numpy(value) for key, value in given.items()}
        read = context(tensors) if context else None
        wanted = scores(parts, architecture, tensors, read).numpy()
    weights = weights_of(parts, architecture, context=context)
    inside = np.arange(len(wanted))[:, None] < given["lengths"]
    for exact, near in ((True, 1e-5), (False, 0.1)):
        content = to_onnx(weights, exact=exact)
        session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
        found = session.run(["scores"], given)[0]
        assert np.abs(found - wanted)[inside].max() < near


def some_tokens(columns, *, spelt):
    random = np.random.default_rng(0)
    given = {column: random.integers(0, 21, (6, 3)) for column in columns}
    given["lengths"] = np.array([6, 2, 4], np.int32)
    if spelt:
        given["which"] = random.integers(0, 4, (6, 3))
        given["characters"] = random.integers(1, 10, (5, 4))
        given["character_lengths"] = np.array([5, 1, 3, 2], np.int32)
    return given


@pytest.mark.parametrize("name", ["2016", "mask-glove", "spelt", "student"])
def test_what_is_written_computes_what_was_fitted(name):
    architecture = ARCHITECTURES[name]
    torch.manual_seed(1)
    rows = dict.fromkeys(architecture.columns, 20)
    parts = new_parts(architecture, rows=rows, signs=9, context=0, tags=7).eval()
    same(parts, architecture, some_tokens(architecture.columns, spelt=bool(architecture.spelt)))


def test_so_it_does_with_a_language_model(notes, tmp_path):
    train_language_model(notes(3), tmp_path / "lm", width=6, spell=4, epochs=1, batch=2)
    architecture = replace(ARCHITECTURES["mask-contextual"], layers=(5, 5))
    torch.manual_seed(1)
    parts = new_parts(architecture, rows={}, signs=0, context=12, tags=7).eval()
    same(parts, architecture, some_tokens((), spelt=True), load_language_model(tmp_path / "lm"))
