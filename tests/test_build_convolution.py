"""The command that trains the bundled convolutions, on a few notes and taught by a tiny transformer."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from plainsight.detect.convolution import Convolution
from plainsight.detect.learned import claims_of
from plainsight.detect.transformer import Transformer
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.labels import LABELS
from plainsight.model import bundled_models, read_manifest
from tiny_builds import SURNAMES, TEXT, write_corpus, write_encoder, write_texts

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
torch.set_num_threads(1)

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("encoders") / "gte-small")


@pytest.fixture(scope="module")
def teacher(encoder, tmp_path_factory) -> Path:
    """A transformer that has learnt nothing, with all labels."""
    from plainsight.train.checkpoints import read_pretrained
    from plainsight.train.transformer import save_transformer

    folder, names = tmp_path_factory.mktemp("teachers") / "tiny", sorted(LABELS)
    tags = ["O", *(f"{prefix}-{label}" for label in names for prefix in "BI")]
    pretrained = read_pretrained(encoder)
    torch.manual_seed(1)
    network = pretrained.encoder(tags=len(tags), claims=len(names))
    manifest = {"labels": names, "tags": tags, "claims": names, "bias": 0.0}
    save_transformer(network, pretrained, folder, manifest=manifest)
    return folder


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def texts(tmp_path_factory) -> Path:
    return write_texts(tmp_path_factory.mktemp("texts"))


def test_a_fold_is_measured_and_the_model_written_with_its_figures(
    encoder, teacher, corpus, texts, tmp_path, capsys
):
    from build_convolution import main
    from build_transformer import BIASES

    given = ["--encoder", str(encoder), "--corpus", str(corpus), "--texts", str(texts)]
    given += ["--teachers", str(teacher), "--notes", "10", "--steps", "3", "--width", "8", "--processes", "1"]
    main([*given, "--fold", "1", "--out", str(tmp_path)])
    record = json.loads((tmp_path / "scores.json").read_text())
    assert record["folds"] == [1]
    assert [its["bias"] for its in record["sweep"]] == list(BIASES)
    assert {its["notes"] for its in record["sweep"]} <= {4, 5}  # a fifth of 24

    main([*given, "--scores", str(tmp_path / "scores.json"), "--out", str(tmp_path / "m")])
    manifest = read_manifest(tmp_path / "m")
    at_bias = next(its for its in record["sweep"] if its["bias"] == manifest["bias"])
    assert manifest["scores"] == {name: its for name, its in at_bias.items() if name != "bias"}
    told = {"teachers": ["tiny"], "encoder": "gte-small", "notes": 24, "identifiers": 96, "texts": 6}
    assert told.items() <= manifest["training"].items()
    assert "MTS-Dialog" in manifest["data"]
    if "conv-en" in bundled_models():
        bundled = read_manifest("conv-en")
        assert manifest.keys() == bundled.keys()
        assert manifest["training"].keys() >= bundled["training"].keys()
        for same in ("tags", "claims", "licence", "description"):
            assert manifest[same] == bundled[same]
    [found] = Convolution(model=str(tmp_path / "m"), bias=-50.0).detect([Document("1", "Dr. Okafor.")])
    assert found
    printed = capsys.readouterr().out
    assert len(re.findall(r"^\| -?\d", printed, re.MULTILINE)) == len(BIASES)
    assert not [word for word in (*SURNAMES, "fever", "cough") if word in printed]


def test_whole_policies_are_measured_with_the_models_of_a_fold(encoder, teacher, corpus, tmp_path, capsys):
    from build_convolution import main
    from cross_validate import main as cross_validate

    given = ["--encoder", str(encoder), "--corpus", str(corpus), "--teachers", str(teacher), "--notes", "10"]
    given += ["--steps", "3", "--width", "8", "--processes", "1", "--fold", "2", "--out", str(tmp_path)]
    main([*given, "--keep", str(tmp_path / "kept")])
    asked = ["--corpus", str(corpus), "--folds", "2", "--models", f"conv-en={tmp_path}/kept/fold-{{}}"]
    cross_validate([*asked, "--policies", "fast"])
    printed = capsys.readouterr().out
    assert re.search(r"^\| `fast` \| [01]\.\d{3} \|", printed, re.MULTILINE)
    with pytest.raises(UsageError, match="wide-en"):
        cross_validate([*asked, "--policies", "best"])


def test_what_is_taught_is_the_mean_of_the_teachers_probabilities(teacher):
    from convolution_notes import prepare

    notes = [Document(name, f"Dr. {name} came.", (Span(4, 4 + len(name), "DOCTOR"),)) for name in SURNAMES]
    texts = [Document("text", TEXT)]
    # the bundled transformer has the same tags, and says something else
    teachers = [str(teacher), "gte-en"]
    marked, bare = prepare(notes[:2], texts, teachers, count=3, seed=0, processes=1)
    assert len({note.id for note, _ in (*marked, *bare)}) == len(marked) + len(bare) == 3 + 2 + 1
    note, mean = bare[0]
    [said] = claims_of(Transformer.needs, [note])
    wanted = np.mean([np.exp(Transformer(model=name).scores(note, said)[1]) for name in teachers], axis=0)
    np.testing.assert_allclose(np.exp(mean.astype(np.float32)), wanted, atol=2e-3)


def test_a_teacher_with_other_labels_is_refused(teacher, corpus):
    from build_convolution import main

    with pytest.raises(UsageError, match="all our labels"):
        main(["--teachers", str(teacher), "crf-en", "--corpus", str(corpus)])
