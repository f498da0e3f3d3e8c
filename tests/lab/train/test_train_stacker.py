"""A stacker: models count as much as notes have shown, and probabilities are as often right as they say."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from plainsight.detect.learned import decode_scores
from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.formats.inline import parse
from plainsight.lab.detect.stacker import Average, Pool, SharedTags, Stacker, mean_pool, probabilities_of
from plainsight.lab.train.charlm import train_charlm
from plainsight.lab.train.crf import train_crf
from plainsight.lab.train.stacker import (
    ModelOpinions,
    ask_models,
    calibration_error,
    fit_pool,
    train_stacker,
)
from plainsight.testing import check_detector, sample_documents

TAGS = ["O", "B-AGE", "I-AGE", "B-DATE", "I-DATE"]
NAMES = ("Adaeze Okonkwo", "Lars Bjornstad", "Mei Tanaka", "Rosa Villareal", "Ian Pettibone", "Tove Quist")


def notes(first, count):
    return [
        Document(f"n{at}", *parse(f"Seen {{{{PATIENT|{NAMES[at % 6]}}}}} on {{{{DATE|{at}/3/2019}}}}. Well."))
        for at in range(first, first + count)
    ]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    for name, gaussian in (("tight", 1.0), ("loose", 0.01)):
        train_crf(notes(1, 10), folder / name, feature_set="plain", iterations=20, gaussian=gaussian)
    return [str(folder / "tight"), str(folder / "loose")]


@pytest.fixture(scope="module")
def trained(models, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stacked") / "together"
    return train_stacker(notes(11, 12), folder, models=models, dev=notes(23, 4)), folder


def heard(rng, count, *, sharp):
    """Two models of the same truth: one says what it knows, the other what is drawn by lot."""
    right = rng.choice(len(TAGS), count, p=[0.5, 0.2, 0.1, 0.1, 0.1])
    knows = np.full((count, len(TAGS)), 0.05)
    knows[np.arange(count), right] = 0.8
    wrong = rng.random(count) < 0.3
    knows[wrong] = np.roll(knows[wrong], 1, axis=1)
    guess = rng.dirichlet(np.ones(len(TAGS)), count)
    said = np.log(np.stack((knows**sharp / (knows**sharp).sum(1, keepdims=True), guess))).astype(np.float32)
    return ModelOpinions([(at, at + 1) for at in range(count)], np.arange(count), said, right)


def test_tags_of_a_label_are_a_group():
    assert SharedTags([["O", "B-DATE", "I-DATE", "B-AGE", "I-AGE"]]).groups.tolist() == [0, 1, 1, 2, 2]


def test_a_pool_weighs_by_label_and_scales_to_probabilities():
    together = SharedTags([TAGS, TAGS])
    one, two = np.log([[0.6, 0.1, 0.1, 0.1, 0.1]]), np.log([[0.2, 0.2, 0.2, 0.2, 0.2]])
    plain = Pool(together, np.full((2, 3), 0.5), np.zeros(3)).combine(np.stack((one, two)).astype(np.float32))
    # the square roots of 0.6 * 0.2 and four times of 0.1 * 0.2, as shares of their sum
    roots = np.array([0.12, 0.02, 0.02, 0.02, 0.02]) ** 0.5
    assert np.allclose(np.exp(plain), roots / roots.sum(), atol=1e-6)
    first = Pool(together, np.array([[1.0] * 3, [0.0] * 3]), np.zeros(3))
    assert np.allclose(np.exp(first.combine(np.stack((one, two)).astype(np.float32))), np.exp(one), atol=1e-6)
    added = Pool(together, first.weights, np.array([0.0, np.log(3), 0.0]))
    made = np.exp(added.combine(np.stack((one, two)).astype(np.float32)))[0]
    assert np.allclose(made, np.array([0.6, 0.3, 0.3, 0.1, 0.1]) / 1.4, atol=1e-6)
    assert added.scores(np.zeros((2, 0, 5), np.float32)).shape == (0, 5)


def test_where_no_model_sees_anything_the_stacker_does_not_either():
    shy = Pool(SharedTags([TAGS]), np.full((1, 3), 0.1), np.zeros(3))  # would flatten what it is told
    sure, unsure = [0.9996, 0.0001, 0.0001, 0.0001, 0.0001], [0.96, 0.01, 0.01, 0.01, 0.01]
    scores = shy.scores(np.log([[sure, unsure]]).astype(np.float32))
    assert scores[0].tolist() == [0.0, -20.0, -20.0, -20.0, -20.0]
    assert np.exp(scores[1, 0]) < 0.5


def test_the_slope_is_that_of_the_loss(monkeypatch):
    rng, seen = np.random.default_rng(5), []

    def watch(function, start, **options):
        at = start + rng.normal(0.0, 0.3, start.shape)
        _, slope = function(at)
        for place in range(len(at)):
            step = np.zeros_like(at)
            step[place] = 1e-2
            rise = function(at + step)[0] - function(at - step)[0]
            seen.append((rise / 2e-2, slope[place]))
        return start

    monkeypatch.setattr("plainsight.lab.train.stacker.minimise", watch)
    fit_pool([heard(rng, 300, sharp=1.0)], shared=SharedTags([TAGS] * 2), gaussian=2.0, iterations=1)
    risen, sloped = np.array(seen).T
    assert len(risen) == 9
    assert np.allclose(risen, sloped, rtol=0.02, atol=0.3)


def test_who_knows_counts_and_who_guesses_does_not():
    rng = np.random.default_rng(7)
    pool = fit_pool([heard(rng, 4000, sharp=1.0)], shared=SharedTags([TAGS] * 2), gaussian=1.0, iterations=99)
    assert (pool.weights[0] > 5 * np.abs(pool.weights[1])).all()


@pytest.mark.parametrize("sharp", [0.5, 3.0])
def test_models_that_are_too_sure_or_too_shy_are_put_right(sharp):
    rng = np.random.default_rng(3)
    learnt, other = heard(rng, 4000, sharp=sharp), heard(rng, 4000, sharp=sharp)
    pool = fit_pool([learnt], shared=SharedTags([TAGS] * 2), gaussian=1.0, iterations=99)
    truth = other.right != 0
    before = calibration_error(1 - np.exp(other.logarithms[0, :, 0]), truth)
    after = calibration_error(1 - np.exp(pool.combine(other.logarithms)[:, 0]), truth)
    assert before > 0.06
    assert after < before / 2


def test_few_notes_leave_the_mean():
    rng = np.random.default_rng(1)
    pool = fit_pool([heard(rng, 20, sharp=1.0)], shared=SharedTags([TAGS] * 2), gaussian=1e6, iterations=99)
    assert np.allclose(pool.weights, 0.5, atol=1e-3)
    assert np.allclose(pool.constants, 0.0, atol=1e-3)


def test_calibration_is_the_gap_by_bins():
    assert calibration_error(np.zeros(0), np.zeros(0, bool)) is None
    # ten at 0.1, of which five are true: 0.4; ten at 1, all true: 0; half of each
    said = np.array([0.1] * 10 + [1.0] * 10)
    truth = np.array([True] * 5 + [False] * 5 + [True] * 10)
    assert calibration_error(said, truth) == pytest.approx(0.2)


def test_a_trained_stacker_finds_and_tells_of_itself(trained):
    manifest, folder = trained
    stacker = Stacker(model=str(folder))
    assert stacker.labels == {"PATIENT", "DATE"}
    found = [[(s.start, s.end, s.label, s.source) for s in spans] for spans in stacker.detect(notes(30, 4))]
    assert found == [[(s.start, s.end, s.label, "stacker") for s in note.spans] for note in notes(30, 4)]
    assert not any(Stacker(model=str(folder), bias=50.0).detect(notes(30, 4)))
    assert manifest["kind"] == "stacker"
    assert manifest["bias_choice"]["folds"] == 5
    assert manifest["scores"]["strict"]["f"] == 1.0
    assert set(manifest["calibration"]) == {"tokens", "mean", "stacker"}
    check_detector(stacker, [note for note in sample_documents() if len(note.text) < 5_000])


def test_one_model_can_be_put_right_alone(models, tmp_path):
    train_stacker(notes(11, 12), tmp_path / "one", models=models[:1], bias=0.0)
    alone = Stacker(model=str(tmp_path / "one")).detect(notes(30, 4))
    assert [[(s.start, s.end) for s in spans] for spans in alone] == [
        [(s.start, s.end) for s in spans] for spans in Average(model=models[:1]).detect(notes(30, 4))
    ]


def test_models_are_found_beside_it_and_must_be_the_same(models, tmp_path):
    for model in models:
        shutil.copytree(model, tmp_path / "here" / model.rsplit("/", 1)[1])
    here = [str(tmp_path / "here" / name) for name in ("tight", "loose")]
    train_stacker(notes(11, 12), tmp_path / "here" / "both", models=here)
    shutil.move(tmp_path / "here", tmp_path / "there")
    moved = tmp_path / "there" / "both"
    assert Stacker(model=str(moved)).detect(notes(30, 1))[0]
    assert str(tmp_path) not in json.dumps(json.loads((moved / "manifest.json").read_text())["members"])
    shutil.rmtree(tmp_path / "there" / "loose")
    shutil.copytree(tmp_path / "there" / "tight", tmp_path / "there" / "loose")
    with pytest.raises(UsageError, match="train the stacker again"):
        Stacker(model=str(moved)).detect(notes(30, 1))


@pytest.mark.parametrize("bias", [0.0, -4.0, -8.0])
def test_what_is_chosen_by_is_what_is_found(models, trained, bias):
    _, folder = trained
    stacker, others = Stacker(model=str(folder), bias=bias), notes(30, 4)
    pool = stacker._pool
    asked = ask_models(others, [probabilities_of(model) for model in models], pool.shared)
    told = [(note.tokens, note.scores(pool)) for note in asked]
    found = decode_scores(told, pool.shared.tags, bias=bias, source="stacker")
    assert found == stacker.detect(others)


def test_a_model_with_another_bias_is_another_model(models, tmp_path):
    shutil.copytree(models[0], tmp_path / "crf")
    train_stacker(notes(11, 12), tmp_path / "one", models=[str(tmp_path / "crf")], bias=0.0)
    manifest = tmp_path / "crf" / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "bias": -9.0}))
    with pytest.raises(UsageError, match="train the stacker again"):
        Stacker(model=str(tmp_path / "one")).detect(notes(30, 1))


def test_links_lead_to_the_models_and_a_bundled_name_may_be_a_folders(models, tmp_path):
    (tmp_path / "far" / "away").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "far" / "away")
    shutil.copytree(models[0], tmp_path / "crf")
    train_stacker(notes(11, 12), tmp_path / "link" / "one", models=[str(tmp_path / "crf")], dev=notes(30, 1))
    shutil.copytree(models[0], tmp_path / "two" / "crf-en")
    given = [str(tmp_path / "two" / "crf-en")]
    manifest = train_stacker(notes(11, 12), tmp_path / "two" / "st", models=given, dev=notes(30, 1))
    assert manifest["members"][0]["folder"] == "../crf-en"


def test_a_single_note_chooses_no_bias(models, tmp_path):
    with pytest.raises(DataError, match="too few notes"):
        train_stacker(notes(11, 1), tmp_path / "m", models=models)
    manifest = train_stacker(notes(11, 1), tmp_path / "m", models=models, bias=-1.0)
    assert (manifest["bias"], manifest["calibration"]) == (-1.0, None)
    assert train_stacker(notes(11, 2), tmp_path / "n", models=models)["bias_choice"]["folds"] == 2


def test_mean_of_models_counts_them_alike():
    pool = mean_pool(SharedTags([TAGS, TAGS]))
    assert pool.weights.tolist() == [[0.5] * 3] * 2
    assert pool.constants.tolist() == [0.0] * 3


def test_what_cannot_be_is_refused(models, tmp_path):
    with pytest.raises(UsageError, match="--model"):
        train_stacker(notes(1, 3), tmp_path / "m", models=[])
    with pytest.raises(UsageError, match="knows AGE"):
        train_stacker([Document("a", *parse("aged {{AGE|71}}"))], tmp_path / "m", models=models)
    with pytest.raises(DataError, match="no identifier"):
        train_stacker([Document("a", "well")], tmp_path / "m", models=models)
    with pytest.raises(UsageError, match="train one"):
        Stacker().detect(notes(1, 1))
    with pytest.raises(UsageError, match="a folder of its own"):
        train_stacker(notes(1, 3), Path(models[0]), models=models)
    train_charlm(notes(1, 10), tmp_path / "charlm")
    with pytest.raises(UsageError, match="cannot be averaged"):
        train_stacker(notes(1, 3), tmp_path / "m", models=[models[0], str(tmp_path / "charlm")])
    assert not (tmp_path / "m").exists()
