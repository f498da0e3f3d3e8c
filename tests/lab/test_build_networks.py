"""The commands that train and measure the bundled networks, on a few notes and with tiny encoders."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from tiny_builds import SURNAMES, TEXT, write_corpus, write_encoder, write_texts

from plainsight.config import load_policy
from plainsight.detect.convolution import Convolution
from plainsight.detect.transformer import Transformer
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.model import bundled_models, read_manifest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

ROOT = Path(__file__).parents[2]
NOTES = ["--notes", "10", "--processes", "1"]
TEACHER = ["--adapted", "1", "--steps", "2"]
MODEL = ["--steps", "3", "--layers", "1"]


@pytest.fixture(autouse=True)
def _scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> str:
    return str(write_encoder(tmp_path_factory.mktemp("encoders") / "gte-small"))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> str:
    return str(write_corpus(tmp_path_factory.mktemp("corpus")))


def build(encoder, corpus, out, *notes, model=()):
    """Run all steps of build_encoders.py."""
    from build_encoders import main

    shared = ["--encoder", encoder, "--corpus", corpus, "--out", str(out)]
    main(["notes", *shared, *NOTES, *notes])
    main(["teacher", *shared, *TEACHER])
    main(["teacher", *shared, *TEACHER, "--seed", "1"])
    main(["model", *shared, *MODEL, *model])


@pytest.fixture(scope="module")
def built(encoder, corpus, tmp_path_factory) -> Path:
    """All networks of a fold."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "scripts"))
        from build_convolutions import main as build_convolutions

        out = tmp_path_factory.mktemp("out") / "fold-1"
        texts = write_texts(tmp_path_factory.mktemp("texts"))
        build(encoder, corpus, out, "--fold", "1", "--texts", str(texts), model=["--inner", "4"])
        given = ["--encoder", encoder, "--notes", str(out), "--corpus", corpus]
        of_size = ["--steps", "3", "--width", "8", "--inner", "4"]
        build_convolutions([*given, *of_size, "--out", str(out / "conv-en")])
    return out


def test_a_stacker_is_compared_with_the_mean_on_folds(tmp_path, capsys):
    from stack_folds import main

    for number, path in enumerate(sorted((ROOT / "corpus" / "letters").iterdir())[:12]):
        (tmp_path / f"{number}.txt").write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    main(["--models", "conv-en", "wide-en", "--corpus", str(tmp_path)])
    told = capsys.readouterr().out
    assert told.index("## The plain mean") < told.index("## The stacker")
    assert told.count("calibration: off by 0.") == 2


def test_networks_of_a_fold_are_written_and_measured(built):
    from network_figures import BIASES

    assert read_manifest(built / "gte-en")["network"]["layers"] == 1
    assert read_manifest(built / "gte-en")["network"]["inner"] == 4
    assert read_manifest(built / "conv-en")["network"]["inner"] == 4
    for name, kind in (("gte-en", "transformer"), ("conv-en", "convolution")):
        manifest = read_manifest(built / name)
        assert manifest["kind"] == kind
        assert manifest["training"]["teachers"] == ["gte-small, 2 layers"] * 2
        assert manifest["training"]["notes"] in (19, 20)  # four fifths of 24
        assert manifest["training"]["texts"] == 6
        assert "MTS-Dialog" in manifest["data"]
    for name in ("teacher-0", "teacher-1", "gte-en", "conv-en"):
        sweep = json.loads((built / name / "scores.json").read_text())["sweep"]
        assert [its["bias"] for its in sweep] == list(BIASES)
        assert sweep[0]["binary-token"]["found"] <= sweep[-1]["binary-token"]["found"]
        assert {its["notes"] for its in sweep} <= {4, 5}
    notes = [Document("1", "Seen by Dr. Okafor."), Document("2", TEXT)]
    for detector in (Transformer, Convolution):
        name = "gte-en" if detector is Transformer else "conv-en"
        assert any(detector(model=str(built / name), bias=-50.0).detect(notes))


@pytest.mark.parametrize("name", ["gte-en", "conv-en"])
def test_they_are_like_the_bundled_ones(built, name):
    if name not in bundled_models():
        pytest.skip("not bundled")
    made, bundled = read_manifest(built / name), read_manifest(name)
    assert made.keys() | {"scores"} == bundled.keys() | {"scores"}
    before = {"adapted", "teaching"}  # options of the script that made the bundled ones
    assert made["training"].keys() >= bundled["training"].keys() - before
    for same in ("tags", "claims", "licence"):
        assert made[same] == bundled[same]


def test_a_fast_network_continues_with_a_finished_model_as_its_teacher(built, encoder, corpus, tmp_path):
    from build_convolutions import main as build_convolutions
    from build_encoders import main
    from network_notes import Made, probabilities_in, teachers_in

    shared = ["--encoder", encoder, "--corpus", corpus, "--out", str(tmp_path)]
    main(["notes", *shared, *NOTES])
    main(["label", *shared, "--model", str(built / "gte-en"), "--processes", "1"])
    made, probabilities = Made.read(tmp_path), probabilities_in(teachers_in(tmp_path))
    assert [len(each) for each in probabilities] == [len(note.words.edges) for note in made.notes]
    assert all(np.allclose(each.sum(1, dtype=np.float32), 1, atol=2e-2) for each in probabilities)
    given = ["--encoder", encoder, "--notes", str(tmp_path), "--corpus", corpus, "--steps", "3"]
    build_convolutions([*given, "--init", str(built / "conv-en"), "--out", str(tmp_path / "conv-en")])
    manifest, before = read_manifest(tmp_path / "conv-en"), read_manifest(built / "conv-en")
    assert manifest["network"] == before["network"]
    assert manifest["training"]["init"] == before["training"]
    assert manifest["training"]["teachers"] == ["gte-en"]


def test_a_model_has_the_figures_of_a_fold(built, encoder, corpus, tmp_path):
    from network_figures import BIAS, fold_scores

    scores = built / "gte-en" / "scores.json"
    build(encoder, corpus, tmp_path, model=["--scores", str(scores)])
    manifest = read_manifest(tmp_path / "gte-en")
    at_bias = next(its for its in json.loads(scores.read_text())["sweep"] if its["bias"] == BIAS)
    assert manifest["scores"] == {name: its for name, its in at_bias.items() if name != "bias"}
    assert manifest["training"]["notes"] == 24
    assert fold_scores(None) == {}
    assert not (tmp_path / "gte-en" / "scores.json").exists()  # it has seen all notes


def test_a_model_needs_a_teacher(encoder, corpus, tmp_path):
    from build_encoders import main

    shared = ["--encoder", encoder, "--corpus", corpus, "--out", str(tmp_path)]
    main(["notes", *shared, *NOTES])
    with pytest.raises(UsageError, match="no teacher"):
        main(["model", *shared, *MODEL])


@pytest.mark.parametrize("measure", ["--layers", "--inner"])
def test_a_model_needs_layers_and_numbers(encoder, tmp_path, measure):
    from build_encoders import main

    with pytest.raises(UsageError, match="must be at least 1"):
        main(["model", "--encoder", encoder, "--out", str(tmp_path), measure, "0"])


@pytest.mark.parametrize("measure", ["--width", "--inner"])
def test_layers_need_numbers(encoder, tmp_path, measure):
    from build_convolutions import main

    given = ["--encoder", encoder, "--notes", str(tmp_path), "--out", str(tmp_path), measure, "0"]
    with pytest.raises(UsageError, match="must be at least 1"):
        main(given)


def test_the_notes_are_those_of_their_seeds_whichever_process_makes_them(encoder, monkeypatch):
    import network_notes
    from network_notes import Cut, prepare, read, resample
    from plainsight.lab.train.pretrained import read_pretrained

    pretrained = read_pretrained(Path(encoder))
    cut = Cut(pretrained.cut, dict(pretrained.words))
    notes = [Document(name, f"Dr. {name} came.", (Span(4, 4 + len(name), "DOCTOR"),)) for name in SURNAMES]
    texts = [Document("text", TEXT)]
    monkeypatch.setattr(network_notes, "STREAM", 5)
    training_notes, bare = prepare(notes, texts, cut, count=8, seed=3, processes=2)
    first, second = (
        resample(notes, texts, cut, count=count, seed=seed) for count, seed in ((5, 3_000), (3, 3_001))
    )
    assert plain(training_notes) == plain([*first, *second, *read(notes, cut)])
    assert plain(first[:3]) != plain(second)
    assert plain(bare) == plain(read(texts, cut, marked=False))
    assert bare[0].tags is None


def plain(notes):
    return [
        (
            note.pieces.pieces.tolist(),
            note.words.claims.tolist(),
            None if note.tags is None else list(note.tags),
        )
        for note in notes
    ]


def test_what_is_taught_is_what_the_network_says_and_its_mean(built, encoder, tmp_path):
    from build_encoders import logarithm, probabilities_of
    from network_notes import TAGS, Cut, probabilities_in, read, write_probabilities
    from plainsight.detect.learned import claims_of
    from plainsight.lab.train.pretrained import read_pretrained

    pretrained = read_pretrained(Path(encoder))
    torch.manual_seed(1)
    network = pretrained.encoder(tags=len(TAGS), claims=(len(TAGS) - 1) // 2)
    note = Document("text", TEXT)
    [word] = probabilities_of(network, pretrained, read([note], Cut(pretrained.cut, dict(pretrained.words))))
    assert word.sum(1, dtype=np.float32) == pytest.approx(1, abs=1e-2)
    from plainsight.lab.train.transformer import save_transformer

    manifest = {"labels": [], "tags": TAGS, "claims": read_manifest(built / "gte-en")["claims"], "bias": 0.0}
    save_transformer(network, pretrained, built / "again", manifest=manifest, quantise=False)
    [said] = claims_of(Transformer.needs, [note])
    _, scores = Transformer(model=str(built / "again")).scores(note, said)
    np.testing.assert_allclose(np.exp(scores), word, atol=2e-3)
    np.testing.assert_allclose(logarithm(word), np.maximum(scores, np.log(1e-7)), atol=0.1)
    folders = [tmp_path / "teacher-0", tmp_path / "teacher-1"]
    for folder, probabilities in zip(folders, ([word, word[:1]], [word * 0, word[:1]]), strict=True):
        folder.mkdir()
        write_probabilities(folder, probabilities)
    both, same = probabilities_in(folders)
    np.testing.assert_allclose(both, word / 2, atol=1e-3)
    np.testing.assert_allclose(same, word[:1], atol=1e-3)


def test_nothing_of_the_notes_is_printed(encoder, corpus, tmp_path, capsys):
    build(encoder, corpus, tmp_path, "--fold", "2")
    printed = capsys.readouterr().out
    assert re.search(r"^\| -0.5 \|", printed, re.MULTILINE)
    assert not [word for word in (*SURNAMES, "fever", "cough") if word in printed]


def test_whole_policies_are_measured_with_the_models_of_a_fold(built, corpus, tmp_path, capsys):
    from cross_validate import main

    given = ["--corpus", corpus, "--folds", "1", "--models", f"conv-en={built.parent}/fold-{{}}/conv-en"]
    among = tmp_path / "names.txt"
    among.write_text("".join(f"n{place}\nn{place}.txt\n" for place in range(24)))
    main([*given, "--policies", "fast", "--labels", "--among", str(among)])
    printed = capsys.readouterr().out
    row = re.search(r"^\| `fast` \| (\d) \| [01]\.\d{4} \|", printed, re.MULTILINE)
    assert row
    assert f"| `fast, among` | {row[1]} |" in printed
    assert re.search(r"^\| DOCTOR \| \d+ \|", printed, re.MULTILINE)
    with pytest.raises(UsageError, match="wide-en"):
        main([*given, "--policies", "best"])


def test_a_fold_is_laid_aside_with_policies_that_have_not_seen_it(built, corpus, tmp_path):
    from held_out_policies import main
    from network_figures import read_corpus, split_fold

    models = f"conv-en={built.parent}/fold-{{}}/conv-en"
    out = tmp_path / "aside"
    main(["--corpus", corpus, "--fold", "1", "--models", models, "--policies", "fast", "--out", str(out)])
    _, apart = split_fold(read_corpus(Path(corpus)), 1)
    assert sorted(path.stem for path in (out / "notes").iterdir()) == sorted(note.id for note in apart)
    own, bundled = load_policy(str(out / "fast.toml")), load_policy("fast")
    changed = [new.options for new, old in zip(own.detectors, bundled.detectors, strict=True) if new != old]
    assert changed == [{**bundled.detectors[-1].options, "model": f"{built.parent}/fold-1/conv-en"}]
