"""The command that trains the bundled transformer, on a few notes and with a tiny encoder made here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from plainsight.detect.transformer import Transformer
from plainsight.document import Document, Span
from plainsight.model import bundled_models, read_manifest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
torch.set_num_threads(1)

ROOT = Path(__file__).parents[1]
SIGNS = [*(chr(code) for code in range(ord("a"), ord("z") + 1)), *"0123456789.,:/-"]
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *SIGNS, *(f"##{sign}" for sign in SIGNS)]
SURNAMES = ["Okafor", "Lindqvist", "Baptiste", "Moreau", "Petrov", "Tanaka", "Haddad", "Nguyen"]
TEXT = "The patient was seen by Dr. X on MM/DD/YYYY for a cough that had lasted two weeks. No fever."
FEW = ["--notes", "10", "--adapted", "1", "--steps", "2", "--processes", "1"]


@pytest.fixture(autouse=True)
def _scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> Path:
    """A BERT of one layer in Hugging Face's layout, with weights drawn by chance."""
    folder = tmp_path_factory.mktemp("encoders") / "gte-small"
    folder.mkdir()
    width, inner = 16, 32
    config = {
        "model_type": "bert", "vocab_size": len(PIECES), "max_position_embeddings": 256, "pad_token_id": 0,
        "num_hidden_layers": 1, "hidden_size": width, "num_attention_heads": 2, "intermediate_size": inner,
        "layer_norm_eps": 1e-12,
    }  # fmt: skip
    pieces = {"type": "WordPiece", "vocab": {piece: number for number, piece in enumerate(PIECES)}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text(json.dumps({"model": pieces}))
    torch.manual_seed(0)
    sizes = {
        **{f"attention.self.{name}": (width, width) for name in ("query", "key", "value")},
        "attention.output.dense": (width, width),
        "intermediate.dense": (inner, width),
        "output.dense": (width, inner),
    }
    weights = {
        "embeddings.word_embeddings.weight": torch.randn(len(PIECES), width),
        "embeddings.position_embeddings.weight": torch.randn(256, width) * 0.1,
        "embeddings.token_type_embeddings.weight": torch.zeros(2, width),
    }
    for name, size in sizes.items():
        weights[f"encoder.layer.0.{name}.weight"] = torch.randn(size) * 0.2
        weights[f"encoder.layer.0.{name}.bias"] = torch.zeros(size[0])
    inside = ("attention.output.LayerNorm", "output.LayerNorm")
    for name in ("embeddings.LayerNorm", *(f"encoder.layer.0.{name}" for name in inside)):
        weights |= {f"{name}.weight": torch.ones(width), f"{name}.bias": torch.zeros(width)}
    from safetensors.torch import save_file

    save_file(weights, folder / "model.safetensors")
    return folder


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    for place, name in enumerate(SURNAMES * 3):
        seen = f"Seen by Dr. {{{{DOCTOR|{name}}}}} on {{{{DATE|03/{place + 1:02}/2021}}}}.\n"
        (folder / f"n{place}.txt").write_text(f"{seen}No fever, no cough.\n{seen}")
    return folder


@pytest.fixture(scope="module")
def texts(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("texts") / "mts-dialog.jsonl"
    file.write_text("".join(json.dumps({"id": str(place), "text": TEXT}) + "\n" for place in range(6)))
    return file


def test_a_fold_is_measured_and_the_model_written_with_its_figures(encoder, corpus, texts, tmp_path, capsys):
    from build_transformer import BIASES, labelled, main

    given = ["--encoder", str(encoder), "--corpus", str(corpus), "--texts", str(texts), *FEW]
    main([*given, "--fold", "1", "--out", str(tmp_path)])
    record = json.loads((tmp_path / "scores.json").read_text())
    assert record["folds"] == [1]
    assert [its["bias"] for its in record["sweep"]] == list(BIASES)
    assert record["sweep"][0]["binary-token"]["found"] < record["sweep"][-1]["binary-token"]["found"]
    held = {its["notes"] for its in record["sweep"]}
    assert held <= {4, 5}  # a fifth of 24

    main([*given, "--scores", str(tmp_path / "scores.json"), "--out", str(tmp_path / "m")])
    manifest = read_manifest(tmp_path / "m")
    at_bias = next(its for its in record["sweep"] if its["bias"] == manifest["bias"])
    assert manifest["scores"] == {name: its for name, its in at_bias.items() if name != "bias"}
    assert manifest["training"]["notes"] == 24
    assert manifest["training"]["identifiers"] == 96
    assert manifest["training"]["texts"] == 6
    assert "MTS-Dialog" in manifest["data"]
    if "gte-en" in bundled_models():
        bundled = read_manifest("gte-en")
        assert manifest.keys() == bundled.keys()
        assert manifest["training"].keys() == bundled["training"].keys()
        assert manifest["tags"] == bundled["tags"]
        assert manifest["licence"] == bundled["licence"]
    notes = [Document("1", "Seen by Dr. Okafor."), Document("2", TEXT)]
    for bias, found in labelled(notes, tmp_path / "m").items():
        detected = Transformer(model=str(tmp_path / "m"), bias=bias).detect(notes)
        assert marks(found) == marks(detected)

    printed = capsys.readouterr().out
    assert not [word for word in (*SURNAMES, "fever", "cough") if word in printed]
    assert len(re.findall(r"^\| -?\d", printed, re.MULTILINE)) == len(BIASES)


def test_the_notes_are_those_of_their_seeds_whichever_process_makes_them(encoder, monkeypatch):
    import transformer_notes
    from plainsight.train.checkpoints import read_pretrained
    from transformer_notes import prepare, resample, taught

    pretrained = read_pretrained(encoder)
    pieces = (pretrained.cut, pretrained.words)
    notes = [Document(name, f"Dr. {name} came.", (Span(4, 4 + len(name), "DOCTOR"),)) for name in SURNAMES]
    texts = [Document("text", TEXT)]
    monkeypatch.setattr(transformer_notes, "STREAM", 5)
    lessons, bare = prepare(notes, texts, pretrained, count=8, seed=3, processes=2)
    first, second = (
        resample(notes, texts, *pieces, count=count, seed=seed) for count, seed in ((5, 3_000), (3, 3_001))
    )
    assert plain(lessons) == plain([*first, *second, *taught(notes, *pieces)])
    assert plain(first[:3]) != plain(second)
    assert plain(bare) == plain(taught(texts, *pieces))


def marks(found):
    return [[(span.start, span.end, span.label) for span in spans] for spans in found]


def plain(lessons):
    return [(reading.pieces.tolist(), reading.claim.tolist(), tags) for reading, tags in lessons]


def test_scores_stay_where_none_are_given(tmp_path):
    from build_transformer import known_scores

    assert known_scores(None, -0.5, tmp_path) == {}
    if "gte-en" in bundled_models():
        folder = ROOT / "src" / "plainsight" / "data" / "models" / "gte-en"
        assert known_scores(None, -0.5, folder) == {"scores": read_manifest("gte-en")["scores"]}
