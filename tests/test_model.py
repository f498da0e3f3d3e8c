import hashlib
import json
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError

import numpy as np
import pytest

from plainsight.errors import UsageError
from plainsight.model import bundled_models, load_model, read_manifest, save_model

ARRAYS = {"a": np.arange(6).reshape(2, 3), "b": np.array([1.5], dtype=np.float32)}


@pytest.fixture
def folder(tmp_path):
    save_model(tmp_path / "m", kind="crf", manifest={"labels": ["DATE"], "bias": -1.0}, arrays=ARRAYS)
    return tmp_path / "m"


def test_a_model_comes_back_as_it_was_saved(folder):
    model = load_model(folder, kind="crf")
    assert (model.manifest["kind"], model.manifest["labels"], model.manifest["bias"]) == (
        "crf",
        ["DATE"],
        -1.0,
    )
    assert set(model.manifest["made_with"]) == {"plainsight", "numpy"}
    assert set(model.manifest["files"]) == {"arrays.npz"}
    assert all((model.arrays[name] == ARRAYS[name]).all() for name in ARRAYS)
    assert read_manifest(folder) == model.manifest


def test_further_files_are_covered_by_the_manifest(folder):
    (folder / "card.md").write_text("A model.")
    save_model(folder, kind="crf", manifest={"labels": []}, arrays=ARRAYS)
    load_model(folder, kind="crf")
    (folder / "card.md").write_text("Another model.")
    with pytest.raises(UsageError, match=r"card\.md is not the file"):
        load_model(folder, kind="crf")
    (folder / "card.md").unlink()
    with pytest.raises(UsageError, match=r"card\.md is missing"):
        load_model(folder, kind="crf")


def test_changed_arrays_are_refused(folder):
    np.savez_compressed(folder / "arrays.npz", a=np.zeros(3))
    with pytest.raises(UsageError, match=r"arrays\.npz is not the file"):
        load_model(folder, kind="crf")


def test_pickles_are_never_loaded(folder):
    np.savez(folder / "arrays.npz", a=np.array([object()], dtype=object), allow_pickle=True)
    record = json.loads((folder / "manifest.json").read_text())
    record["files"]["arrays.npz"] = hashlib.sha256((folder / "arrays.npz").read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(record))
    with pytest.raises(ValueError, match="allow_pickle"):
        load_model(folder, kind="crf")
    with pytest.raises(ValueError, match="allow_pickle"):
        save_model(folder, kind="crf", manifest={}, arrays={"a": np.array([object()], dtype=object)})


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "cannot be read"),
        ("[]", "format None"),
        ('{"format": 9}', "format 9"),
        ('{"format": 1, "kind": "crf"}', "no checksum"),
        ('{"format": 1, "kind": "crf", "files": {"card.md": "0"}}', "no checksum"),
    ],
)
def test_manifests_that_are_none_are_refused(folder, content, reason):
    (folder / "manifest.json").write_text(content)
    with pytest.raises(UsageError, match=reason):
        load_model(folder, kind="crf")


def test_the_wrong_place_and_the_wrong_kind_are_told(folder, tmp_path):
    with pytest.raises(UsageError, match="no model at"):
        load_model(tmp_path / "nowhere", kind="crf")
    with pytest.raises(UsageError, match="a model for 'crf', not for 'charlm'"):
        load_model(folder, kind="charlm")


def test_a_folder_left_half_written_holds_no_model(folder):
    with pytest.raises(ValueError, match="allow_pickle"):
        save_model(folder, kind="crf", manifest={}, arrays={"a": np.array([object()], dtype=object)})
    with pytest.raises(UsageError, match="no model at"):
        read_manifest(folder)


def test_bundled_models_load_by_name():
    for name in bundled_models():
        manifest = read_manifest(name)
        assert load_model(name, kind=manifest["kind"]).manifest == manifest


def test_a_manifest_is_read_without_numpy(folder):
    code = (
        "import sys, plainsight.model as m; m.read_manifest(sys.argv[1]); assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, folder], check=True)


def test_a_source_tree_that_is_not_installed_can_write_a_model(tmp_path, monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("plainsight.model.version", missing)
    made = save_model(tmp_path / "m", kind="crf", manifest={}, arrays={"a": np.zeros(1)})
    assert made["made_with"]["plainsight"] == "unknown"


@pytest.mark.skipif(os.name != "posix", reason="file modes are those of POSIX")
def test_a_saved_model_is_private(tmp_path):
    target = tmp_path / "model"
    target.mkdir(mode=0o755)
    (target / "further.txt").write_text("x")
    save_model(target, kind="crf", manifest={}, arrays={})
    assert target.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in target.iterdir()} == {0o600}
