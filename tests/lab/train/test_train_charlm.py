"""Training the character-model chunker: what it writes, and what it refuses."""

import json

import numpy as np
import pytest

from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError
from plainsight.lab.detect.charlm import Charlm
from plainsight.lab.train.charlm import train_charlm
from plainsight.model import load_model


def test_writes_a_model_that_says_what_it_is(notes, tmp_path):
    said = []
    train_charlm(notes(30), tmp_path / "m", order=5, stage=said.append)
    model = load_model(tmp_path / "m", kind="charlm")
    assert model.manifest["labels"] == ["CITY", "DATE", "DOCTOR", "PATIENT"]
    assert (model.manifest["order"], model.manifest["ratio"]) == (5, 2.5)
    assert model.manifest["training"]["notes"] == 30
    assert set(model.manifest["temperatures"]) == {"lattice", "rescored"}
    assert said == ["calibrating", "counting"]
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == ["arrays.npz", "manifest.json"]


def test_dev_notes_are_measured(notes, tmp_path):
    said = []
    manifest = train_charlm(notes(30), tmp_path / "m", dev=notes(4, first=50), stage=said.append)
    assert said[-1] == "measuring"
    assert manifest["scores"]["notes"] == 4
    assert manifest["scores"]["binary-token"]["f"] > 0.8
    assert manifest == json.loads((tmp_path / "m" / "manifest.json").read_text())


def test_learns_the_same_twice(notes, tmp_path):
    for name in ("one", "two"):
        train_charlm(notes(12), tmp_path / name)
    one, two = (load_model(tmp_path / name, kind="charlm") for name in ("one", "two"))
    assert one.manifest == two.manifest
    assert all(np.array_equal(one.arrays[name], two.arrays[name]) for name in one.arrays)


def test_few_notes_are_enough_to_begin(notes, tmp_path):
    said = []
    train_charlm(notes(6), tmp_path, stage=said.append)
    assert "calibrating" not in said
    (found,) = Charlm(model=str(tmp_path)).detect(notes(1))
    assert {span.label for span in found} == {"CITY", "DATE", "DOCTOR", "PATIENT"}


def test_transitions_are_probabilities(notes, tmp_path):
    train_charlm(notes(8), tmp_path)
    arrays = load_model(tmp_path, kind="charlm").arrays
    with np.errstate(under="ignore"):
        leaving = np.exp(arrays["transitions"]).sum(axis=1) + np.exp(arrays["stop"])
        assert leaving == pytest.approx(np.ones_like(leaving), abs=1e-4)
        # a note of no tokens has no path, and its small chance is what is missing here
        assert 0.9 < np.exp(arrays["start"]).sum() <= 1


def test_fewer_strings_make_a_smaller_model(notes, tmp_path):
    sizes = []
    for most in (2_000_000, 700):
        train_charlm(notes(15), tmp_path / str(most), most=most)
        sizes.append(len(load_model(tmp_path / str(most), kind="charlm").arrays["outside.symbols"]))
    assert sizes[1] <= 700 < sizes[0]
    (found,) = Charlm(model=str(tmp_path / "700")).detect(notes(1))
    assert found


def test_one_label_and_edges_inside_tokens_are_taken(tmp_path):
    document = Document("a", "Okonkwo saw Tanaka-san", (Span(0, 4, "NAME"), Span(12, 18, "NAME")))
    manifest = train_charlm([document, Document("b", "  ")], tmp_path)
    assert manifest["training"]["widened"] == 1
    assert json.loads((tmp_path / "manifest.json").read_text())["labels"] == ["NAME"]
    assert Charlm(model=str(tmp_path)).detect([document])[0]


def test_a_label_that_only_held_out_notes_have_is_learnt(notes, tmp_path):
    rare = Document("rare", "Badge 8812 lost.", (Span(6, 10, "IDNUM"),))
    train_charlm([rare, *notes(24)], tmp_path, order=4)
    assert "IDNUM" in load_model(tmp_path, kind="charlm").manifest["labels"]


@pytest.mark.parametrize(
    "documents",
    [
        [],
        [Document("a", ""), Document("b", " \n")],
        [Document("a", "no marks here")],
        [Document("a", "one two", (Span(3, 4, "DATE"),))],
    ],
)
def test_nothing_to_learn_from_is_refused(documents, tmp_path):
    with pytest.raises(DataError):
        train_charlm(documents, tmp_path / "m")
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("settings", [{"order": 1}, {"order": 99}, {"ratio": 0.0}, {"most": 0}])
def test_settings_out_of_range_are_refused(settings, notes, tmp_path):
    with pytest.raises(UsageError, match=next(iter(settings))):
        train_charlm(notes(2), tmp_path, **settings)
