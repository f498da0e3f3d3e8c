"""The command that trains the bundled transformer, on a few notes and with a tiny encoder made here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from plainsight.detect.transformer import Transformer
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.model import bundled_models, read_manifest
from tiny_builds import SURNAMES, TEXT, write_corpus, write_encoder, write_texts

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
torch.set_num_threads(1)

ROOT = Path(__file__).parents[1]
FEW = ["--notes", "10", "--adapted", "1", "--steps", "2", "--processes", "1"]


@pytest.fixture(autouse=True)
def _scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("encoders") / "gte-small")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def texts(tmp_path_factory) -> Path:
    return write_texts(tmp_path_factory.mktemp("texts"))


def test_a_fold_is_measured_and_the_model_written_with_its_figures(encoder, corpus, texts, tmp_path, capsys):
    from build_transformer import BIASES, labelled, main

    given = ["--encoder", str(encoder), "--corpus", str(corpus), "--texts", str(texts), *FEW]
    main([*given, "--fold", "1", "--out", str(tmp_path), "--keep", str(tmp_path / "kept")])
    assert read_manifest(tmp_path / "kept" / "fold-1")["kind"] == "transformer"
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
        assert manifest["training"].keys() <= bundled["training"].keys()  # that one was made in stages
        assert manifest["tags"] == bundled["tags"]
        assert manifest["licence"] == bundled["licence"]
    notes = [Document("1", "Seen by Dr. Okafor."), Document("2", TEXT)]
    for bias, found in labelled(notes, Transformer(model=str(tmp_path / "m"))).items():
        detected = Transformer(model=str(tmp_path / "m"), bias=bias).detect(notes)
        assert marks(found) == marks(detected)

    printed = capsys.readouterr().out
    assert not [word for word in (*SURNAMES, "fever", "cough") if word in printed]
    assert len(re.findall(r"^\| -?\d", printed, re.MULTILINE)) == len(BIASES)


def test_the_notes_are_those_of_their_seeds_whichever_process_makes_them(encoder, monkeypatch):
    import transformer_notes
    from plainsight.train.checkpoints import read_pretrained
    from transformer_notes import Pupil, prepare, resample, taught

    pretrained = read_pretrained(encoder)
    pupil = Pupil(pretrained.cut, dict(pretrained.words))
    notes = [Document(name, f"Dr. {name} came.", (Span(4, 4 + len(name), "DOCTOR"),)) for name in SURNAMES]
    texts = [Document("text", TEXT)]
    monkeypatch.setattr(transformer_notes, "STREAM", 5)
    lessons, bare = prepare(notes, texts, pupil, count=8, seed=3, processes=2)
    first, second = (
        resample(notes, texts, pupil, count=count, seed=seed) for count, seed in ((5, 3_000), (3, 3_001))
    )
    assert plain(lessons) == plain([*first, *second, *taught(notes, pupil)])
    assert plain(first[:3]) != plain(second)
    assert plain(bare) == plain(taught(texts, pupil))


def test_teachers_are_learnt_from_beside_the_marks_and_alone_from_texts(encoder, corpus, texts, tmp_path):
    from build_transformer import main
    from plainsight.train.checkpoints import read_pretrained
    from transformer_notes import TAGS, Pupil, taught

    given = ["--encoder", str(encoder), "--corpus", str(corpus), "--texts", str(texts), *FEW]
    main([*given, "--fold", "1", "--out", str(tmp_path), "--keep", str(tmp_path / "kept")])
    main([*given, "--fold", "1", "--out", str(tmp_path), "--teachers", str(tmp_path / "kept" / "fold-{}")])
    assert json.loads((tmp_path / "scores.json").read_text())["teachers"] == ["fold-{}"]

    pretrained, teacher = read_pretrained(encoder), str(tmp_path / "kept" / "fold-1")
    note = Document("text", TEXT)
    [(_, tags, said)] = taught([note], Pupil(pretrained.cut, dict(pretrained.words), [teacher]))
    assert said.shape == (len(tags), len(TAGS))
    assert said.dtype == "float32"
    assert said.sum(1) == pytest.approx(1, abs=1e-4)
    with pytest.raises(UsageError, match="all our labels"):
        main([*given, "--teachers", "crf-en"])


def marks(found):
    return [[(span.start, span.end, span.label) for span in spans] for spans in found]


def plain(lessons):
    return [(reading.pieces.tolist(), reading.claim.tolist(), tags) for reading, tags, _ in lessons]


def test_scores_stay_where_none_are_given(tmp_path):
    from build_transformer import known_scores

    assert known_scores(None, -0.5, tmp_path) == {}
    if "gte-en" in bundled_models():
        folder = ROOT / "src" / "plainsight" / "data" / "models" / "gte-en"
        assert known_scores(None, -0.5, folder) == {"scores": read_manifest("gte-en")["scores"]}
