"""A tiny encoder, made here, is read, fitted, written and run without PyTorch."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from functools import partialmethod
from itertools import cycle
from pathlib import Path
from random import Random

import numpy as np
import pytest

from plainsight.detect.learned import bio_transitions
from plainsight.detect.transformer import Transformer
from plainsight.detect.transformer.labelling import batch_of
from plainsight.detect.transformer.note_pieces import read
from plainsight.detect.transformer.pieces import word_splitter
from plainsight.detect.transformer.windows import Window
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError

torch = pytest.importorskip("torch")

from tiny_encoder import write_encoder  # noqa: E402

from plainsight.lab.train.encoder import distances  # noqa: E402
from plainsight.lab.train.encoder_fit import (  # noqa: E402
    Schedule,
    TrainingNote,
    adapt,
    fit,
    runner,
    windows_of,
)
from plainsight.lab.train.encoder_graph import to_onnx  # noqa: E402
from plainsight.lab.train.pretrained import read_pretrained  # noqa: E402
from plainsight.lab.train.transformer import rarity_weights, train_transformer  # noqa: E402

pytestmark = pytest.mark.server  # training takes long

SURNAMES = ["Okafor", "Lindqvist", "Baptiste", "Moreau", "Petrov", "Tanaka", "Haddad", "Nguyen"]


def notes(*, lines: int = 1) -> list[Document]:
    """Notes of lines that each name a doctor, so that one may stand anywhere."""
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
def encoder(tmp_path_factory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(scope="module")
def trained(encoder, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    train_transformer(
        notes(),
        folder,
        encoder=encoder,
        claims=False,
        epochs=60,
        batch=4,
        rate=3e-3,
        masked=0.0,
        dev=notes()[:4],
    )
    return folder


def test_a_network_learns_and_runs_in_bytes(trained):
    manifest = json.loads((trained / "manifest.json").read_text())
    assert manifest["kind"] == "transformer"
    assert manifest["labels"] == ["DOCTOR"]
    assert manifest["quantised"] is True
    assert manifest["scores"]["strict"]["f"] > 0.9
    text = "Seen by Dr. Bergmann today.\n"
    [found] = Transformer(model=str(trained)).detect([Document("1", text)])
    assert [text[span.start : span.end] for span in found] == ["Bergmann"]
    assert 0.5 < found[0].score <= 1.0


def test_a_long_note_is_read_to_its_end(trained):
    text = "".join(note.text for note in notes() * 4)  # far more than a window
    [found] = Transformer(model=str(trained)).detect([Document("1", text)])
    assert len(found) >= 0.9 * 4 * len(notes())
    assert found[-1].start > len(text) - 100


def test_a_note_is_labelled_alike_whoever_stands_beside_it(trained):
    detector = Transformer(model=str(trained))
    together = detector.detect(notes())
    assert together == [detector.detect([note])[0] for note in notes()]


def test_bias_moves_recall(trained):
    few = Transformer(model=str(trained), bias=50.0).detect(notes())
    many = Transformer(model=str(trained), bias=-50.0).detect(notes())
    assert not any(few)
    assert all(sum(span.end - span.start for span in spans) > 20 for spans in many)


def test_models_are_averaged(trained):
    once = Transformer(model=str(trained)).detect(notes()[:3])
    assert Transformer(model=[str(trained), str(trained)]).detect(notes()[:3]) == once


def test_running_never_imports_pytorch(trained):
    code = (
        "import sys; from plainsight.detect.transformer import Transformer;"
        "from plainsight.document import Document;"
        f"Transformer(model={str(trained)!r}).detect([Document('1', 'Seen by Dr. Okafor today.')]);"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_copies_with_other_names_are_learnt_from_as_well(encoder, tmp_path):
    given = {"encoder": encoder, "claims": False, "batch": 1, "epochs": 1}
    steps: dict[int, int] = {}
    for swap in (0, 2):
        told = train_transformer(
            notes(),
            tmp_path / str(swap),
            **given,
            swap=swap,
            progress=lambda step, _, swap=swap: steps.update({swap: step}),
        )
        assert (told["training"]["swap"], told["training"]["notes"]) == (swap, 24)
    assert steps == {0: 20, 2: 60}  # of 24 and 72: each twentieth is told


def test_the_bias_is_chosen_on_held_out_notes(encoder, tmp_path):
    given = {"encoder": encoder, "claims": False, "epochs": 20, "batch": 4, "rate": 3e-3, "masked": 0.0}
    stages: list[str] = []
    best = train_transformer(notes(), tmp_path / "m", **given, bias=None, stage=stages.append)
    assert stages.count("choosing the bias: fitting") == stages.count("fitting") == 1
    choice = best["bias_choice"]
    assert (choice["folds"], choice["notes"], choice["recall"]) == (1, 5, None)
    f_of = {row["bias"]: row["entities"]["f"] or 0.0 for row in choice["sweep"]}
    assert f_of[best["bias"]] >= max(f_of.values()) - 0.002
    all_found = train_transformer(notes(), tmp_path / "n", **given, bias=None, recall=1.0)
    recall_of = {row["bias"]: row["tokens"]["recall"] for row in all_found["bias_choice"]["sweep"]}
    enough = [bias for bias, recall in recall_of.items() if recall == 1.0]
    assert all_found["bias"] == (max(enough) if enough else min(recall_of))
    with pytest.raises(DataError, match="--bias 0"):
        train_transformer(notes()[:1], tmp_path / "o", **given, bias=None)


def test_a_model_reads_the_variant_of_the_text_that_it_has_learnt(encoder, tmp_path):
    given = {"encoder": encoder, "claims": False, "epochs": 40, "batch": 4, "rate": 3e-3, "masked": 0.0}
    assert train_transformer(notes(), tmp_path / "m", **given, text="lower", dev=notes())["text"] == "lower"
    detector = Transformer(model=str(tmp_path / "m"))
    loud = [replace(note, text=note.text.upper(), spans=()) for note in notes()]
    assert detector.detect(loud) == detector.detect(notes())  # case tells it nothing
    assert any(detector.detect(loud))


def test_window_and_warm_up_are_settable(encoder, tmp_path):
    told = train_transformer(
        notes(lines=30), tmp_path / "m", encoder=encoder, claims=False, epochs=1, window=128, warm_up=0.4
    )
    assert (told["window"], told["training"]["warm_up"]) == (128, 0.4)
    assert any(Transformer(model=str(tmp_path / "m"), bias=-9.0).detect(notes()[:2]))
    for window in (16, 512):
        with pytest.raises(UsageError, match="from 128 to 256 pieces"):
            train_transformer(notes(), tmp_path / "n", encoder=encoder, window=window)


def test_layers_are_taken_from_all_depths(encoder):
    pretrained = read_pretrained(encoder)
    kept = pretrained.encoder(tags=3, layers=1)
    assert torch.equal(kept.layers[0].query.weight, pretrained.weights["layers.1.query.weight"])


def test_the_largest_inner_numbers_are_kept(encoder):
    pretrained = read_pretrained(encoder)
    weights = {name: value.clone() for name, value in pretrained.weights.items()}
    weights["layers.0.wide.weight"][[1, 2, 4]] = 9.0
    weights["layers.0.narrow.weight"][:, 2] = 0.0  # whatever goes in, nothing comes out
    weights["layers.0.wide.bias"][:] = torch.arange(len(weights["layers.0.wide.bias"]))
    kept = replace(pretrained, weights=weights).encoder(tags=3, inner=2).layers[0]
    assert kept.wide.bias.tolist() == [1.0, 4.0]
    assert torch.equal(kept.narrow.weight, weights["layers.0.narrow.weight"][:, [1, 4]])


def test_reading_on_makes_hidden_pieces_easier_to_guess(encoder):
    pretrained = read_pretrained(encoder)
    splitter = word_splitter(pretrained.cut, pretrained.words)
    losses: list[float] = []
    adapt(
        pretrained.encoder(tags=3), [read(note, splitter) for note in notes()], splitter,
        mask_piece=pretrained.mask, steps=101, batch=8, size=64, rate=3e-3,
        progress=lambda step, loss: losses.append(loss),
    )  # fmt: skip
    assert losses[-1] < 0.7 * losses[0]


def test_scattered_lessons_are_read_as_excerpts_are(encoder):
    pretrained = read_pretrained(encoder)
    splitter = word_splitter(pretrained.cut, pretrained.words)
    reading = read(notes(lines=40)[0], splitter)
    lesson = TrainingNote(reading, np.arange(len(reading.first)))  # a tag tells which token it is of
    lot = windows_of([lesson], splitter, size=96, random=Random(0), scattered=True)
    pieces, tags = lot.given[0].numpy(), lot.tags.numpy()
    labelled = tags >= 0
    seen = tags[labelled]
    assert 0.3 < len(seen) / len(lesson.tags) < 0.8
    assert len(set(seen.tolist())) == len(seen)
    assert (pieces[labelled] == reading.pieces[reading.first[seen]]).all()
    assert pieces.shape[1] <= 96
    assert (pieces == splitter.end).sum(axis=1).max() > 1


def test_a_rare_identifier_counts_more(encoder, tmp_path):
    pretrained = read_pretrained(encoder)
    splitter = word_splitter(pretrained.cut, pretrained.words)
    reading = read(notes(lines=1)[0], splitter)
    count = len(reading.first)
    tags = [token % 2 for token in range(count)]

    def learnt(weights):
        torch.manual_seed(0)
        network = pretrained.encoder(tags=2)
        lot = windows_of([TrainingNote(reading, tags, weights=weights)], splitter, size=256, random=Random(0))
        fit(network, lambda _: cycle([lot]), Schedule(steps=30, batch=1), mask_piece=pretrained.mask)
        whole = batch_of([(reading, [Window(0, len(reading.pieces), 0, len(reading.pieces))])], splitter)
        [scores] = runner(network)(whole, [1 + reading.first])
        return np.exp(scores)[np.arange(count), tags]

    as_usual, same = learnt(None), learnt(np.ones(count, np.float32))
    assert np.allclose(as_usual, same, atol=1e-4)
    odd = np.where(np.array(tags) == 1, 20.0, 1.0).astype(np.float32)
    assert learnt(odd)[1::2].mean() > as_usual[1::2].mean() + 0.05

    with pytest.raises(UsageError, match="rarity is from 0 to 1, not 2"):
        train_transformer(notes(), tmp_path / "m", encoder=encoder, rarity=2)


def test_words_weigh_by_their_information():
    text = "at the hospital Quillerby"
    tokens = [(0, 2), (3, 6), (7, 15), (16, 25)]
    usual, _, common, rare = rarity_weights(text, tokens, ["O", "O", "B-HOSPITAL", "B-PATIENT"], 1.0)
    assert usual == 1
    assert common < 1 < rare
    assert rarity_weights(text, tokens, ["O"] * 4, 0.5).tolist() == [1, 1, 1, 1]


def test_compiled_layers_learn_the_same(encoder, monkeypatch):
    monkeypatch.setattr(  # what is compiled needs a compiler, which not every machine has
        torch.nn.Module, "compile", partialmethod(torch.nn.Module.compile, backend="eager")
    )
    pretrained = read_pretrained(encoder)
    splitter = word_splitter(pretrained.cut, pretrained.words)
    readings = [read(note, splitter) for note in notes(lines=3)]
    lessons = [
        TrainingNote(reading, [token % 2 for token in range(len(reading.first))]) for reading in readings
    ]
    lot = windows_of(lessons, splitter, size=256, random=Random(0))
    short = batch_of([(readings[0], [Window(0, 9, 0, 9)])], splitter)
    said = []
    for compiled in (False, True):
        torch.manual_seed(0)
        network = pretrained.encoder(tags=2)
        schedule = Schedule(steps=3, batch=len(lot), compiled=compiled)
        fit(network, lambda _: cycle([lot]), schedule, mask_piece=pretrained.mask)
        assert all((layer._compiled_call_impl is not None) == compiled for layer in network.layers)
        said += runner(network)(short, [np.array([1, 4, 9])])
    assert np.allclose(*said, atol=1e-5)


def test_an_encoder_of_another_kind_is_refused(encoder, tmp_path):
    with pytest.raises(UsageError, match="not an encoder"):
        read_pretrained(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "t5"}))
    (tmp_path / "tokenizer.json").write_text((encoder / "tokenizer.json").read_text())
    with pytest.raises(UsageError, match="not 't5'"):
        read_pretrained(tmp_path)


def test_nothing_but_its_own_beginning_leads_into_an_identifier():
    steps = bio_transitions(["O", "B-AGE", "I-AGE", "B-DATE", "I-DATE"])
    assert (steps[:, 2] == 0).tolist() == [False, True, True, False, False]
    assert not steps[:, [0, 1, 3]].any()


def test_distances_are_told_apart_as_mpnet_does():
    # near ones one by one, then in steps that grow up to 128 pieces; those ahead are numbered from 16 on
    row = distances(300, 32)[150].tolist()
    assert row[150:159] == [0, *range(17, 25)]
    assert row[142:150] == [8, 7, 6, 5, 4, 3, 2, 1]
    assert [row[150 - far] for far in (11, 12, 15, 16, 22, 23, 64, 127, 128, 150)] == [
        8, 9, 9, 10, 10, 11, 14, 15, 15, 15
    ]  # fmt: skip
    assert [row[150 + far] for far in (11, 12, 149)] == [24, 25, 31]


def test_an_mpnet_is_read_and_written_with_its_distances(encoder, tmp_path):
    import onnxruntime
    from safetensors.torch import load_file, save_file

    begin_end = {"[PAD]": "<pad>", "[CLS]": "<s>", "[SEP]": "</s>", "[MASK]": "<mask>"}
    config = json.loads((encoder / "config.json").read_text())
    config |= {"model_type": "mpnet", "relative_attention_num_buckets": 32, "max_position_embeddings": 257}
    pieces = json.loads((encoder / "tokenizer.json").read_text())
    pieces["model"]["vocab"] = {begin_end.get(p, p): n for p, n in pieces["model"]["vocab"].items()}
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "tokenizer.json").write_text(json.dumps(pieces))
    names = {
        "attention.self.query": "attention.attn.q", "attention.self.key": "attention.attn.k",
        "attention.self.value": "attention.attn.v", "attention.output.dense": "attention.attn.o",
        "attention.output.LayerNorm": "attention.LayerNorm",
    }  # fmt: skip
    weights = {"encoder.relative_attention_bias.weight": torch.randn(32, 2)}
    for name, value in load_file(encoder / "model.safetensors").items():
        for known, theirs in names.items():
            name = name.replace(known, theirs)
        weights[name] = torch.randn(257, 16) if "position" in name else value
    del weights["embeddings.token_type_embeddings.weight"]
    save_file(weights, tmp_path / "model.safetensors")

    pretrained = read_pretrained(tmp_path)
    assert pretrained.measures["distances"] == 32
    assert pretrained.measures["offset"] == 1
    network = pretrained.encoder(tags=5).eval()
    pieces = torch.randint(5, 20, (1, 40))
    nothing = torch.zeros_like(pieces)
    given = {"pieces": pieces.numpy(), "case": nothing.numpy(), "gap": nothing.numpy()}
    given["asked"] = np.array([0, 7, 8, 39])
    [written] = onnxruntime.InferenceSession(to_onnx(network, exact=True)).run(["scores"], given)
    with torch.no_grad():
        told = network(pieces, nothing, nothing, nothing, nothing, torch.ones_like(pieces)).numpy()
        network.apart.weight.zero_()
        deaf = network(pieces, nothing, nothing, nothing, nothing, torch.ones_like(pieces)).numpy()
    assert np.abs(told - deaf).max() > 0.01  # it matters how far apart pieces are
    np.testing.assert_allclose(written, told[:, given["asked"]], atol=1e-4)
