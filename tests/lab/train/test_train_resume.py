"""A training that is killed continues where it was, and a network continues from a model."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_notes import note
from tiny_encoder import write_encoder

from plainsight import registry
from plainsight.errors import UsageError
from plainsight.lab.train.checkpoint import Checkpoint
from plainsight.lab.train.trainers import find_trainer

torch = pytest.importorskip("torch")

NOTES = [note(number) for number in range(12)]
QUICK = {
    "bilstm": {"architecture": "student", "epochs": 4, "patience": 0, "quantise": False},
    "convolution": {"width": 8, "epochs": 20, "claims": False, "rate": 0.01},
    "transformer": {"epochs": 4, "claims": False, "batch": 2, "rate": 1e-3},
}
KILLED = """
import plainsight.lab.train.loop as loop
fit = loop.train_network
loop.train_network = lambda *given, **options: fit(*given, **{{**options, "every": 1}})  # report each step
import json, os, signal, sys
from pathlib import Path
import torch
from plainsight.lab.train import checkpoint
from plainsight.lab.train.trainers import find_trainer
sys.path.insert(0, {tests!r})
from small_notes import note

checkpoint._SECONDS = 0.0
folder = Path({folder!r})
name, options, stages = {name!r}, json.loads({options!r}), []

def progress(step, loss):
    part = folder.with_name(folder.name + ".part") / {file!r}
    if part.exists():
        os.kill(os.getpid(), signal.SIGKILL)

find_trainer(name)([note(n) for n in range(12)], folder, progress=progress, **options)
"""


def options_of(name: str, encoder: Path) -> dict[str, object]:
    """Return the options for a quick training."""
    return {**QUICK[name], "encoder": str(encoder)} if name == "transformer" else dict(QUICK[name])


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("encoder"))


@pytest.mark.server  # takes long
@pytest.mark.parametrize("name", QUICK)
def test_killed_it_continues_and_ends_as_if_it_had_not_been(name, encoder, tmp_path, monkeypatch):
    options = options_of(name, encoder)
    file = "fit.npz" if name == "bilstm" else "all-fit.npz"
    script = KILLED.format(
        tests=str(Path(__file__).parent),
        folder=str(tmp_path / "m"),
        name=name,
        options=json.dumps(options),
        file=file,
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr[-2000:]
    part = tmp_path / "m.part"
    assert not (tmp_path / "m").exists()
    assert part.is_dir()
    assert not any(b"Okonkwo" in path.read_bytes() for path in part.iterdir())

    loaded = []
    load = Checkpoint.load
    monkeypatch.setattr(Checkpoint, "load", lambda self, key: loaded.append(load(self, key)) or loaded[-1])
    find_trainer(name)(NOTES, tmp_path / "m", **options)
    assert any(stored is not None and stored["figure/epoch"] >= 1 for stored in loaded)
    assert not part.exists()
    find_trainer(name)(NOTES, tmp_path / "whole", **options)
    one, two = ((tmp_path / model / "network.onnx").read_bytes() for model in ("m", "whole"))
    assert one == two


@pytest.mark.server  # takes long
@pytest.mark.parametrize("name", ["convolution", "transformer"])
def test_a_network_continues_from_a_model(name, encoder, tmp_path):
    options = {**options_of(name, encoder), "epochs": 60, "rate": 0.01 if name == "convolution" else 3e-3}
    train, detector = find_trainer(name), registry.resolve("detectors", name)
    train(NOTES, tmp_path / "first", **options)
    options.pop("encoder", None)
    options.pop("width", None)
    if name == "transformer":
        options["encoder"] = None
    few = {**options, "epochs": 1, "rate": 1e-9, "init": tmp_path / "first"}
    first = detector(model=str(tmp_path / "first"))

    # hardly any training: the scores stay, and so do labels that the notes do not have
    doctors = [replace(d, spans=tuple(s for s in d.spans if s.label == "DOCTOR")) for d in NOTES]
    manifest = train(doctors, tmp_path / "same", **few)
    assert manifest["labels"] == ["CITY", "DATE", "DOCTOR", "PATIENT"]
    assert manifest["training"]["init"]["name"] == "first"
    same = detector(model=str(tmp_path / "same"))
    for one in NOTES[:3]:
        assert np.allclose(np.exp(first.scores(one)[1]), np.exp(same.scores(one)[1]), atol=0.1)

    # a new label gets tags of its own
    hospitals = [
        replace(d, spans=tuple(replace(s, label="HOSPITAL") if s.label == "CITY" else s for s in d.spans))
        for d in NOTES
    ]
    manifest = train(hospitals, tmp_path / "more", **few)
    assert manifest["labels"] == ["CITY", "DATE", "DOCTOR", "HOSPITAL", "PATIENT"]
    found = detector(model=str(tmp_path / "more"), bias=0.0).detect(NOTES)
    known = {span.label for spans in first.detect(NOTES) for span in spans}
    assert {span.label for spans in found for span in spans} >= known > set()


def test_what_the_model_fixes_cannot_be_changed(encoder, tmp_path):
    first = tmp_path / "first"
    find_trainer("convolution")(NOTES, first, **{**QUICK["convolution"], "epochs": 1}, text="lower")
    train = find_trainer("convolution")
    for options, reason in (
        ({"width": 16}, "has the width 8"),
        ({"text": "plain"}, "reads the text lower, not plain"),
        ({"encoder": encoder}, "not both"),
        ({"init": tmp_path / "nothing"}, "no model at"),
    ):
        with pytest.raises(UsageError, match=reason):
            train(NOTES, tmp_path / "next", claims=False, **{"init": first, **options})
    assert train(NOTES, tmp_path / "next", claims=False, init=first, epochs=1)["text"] == "lower"
    with pytest.raises(UsageError, match="a model for 'convolution'"):
        find_trainer("transformer")(NOTES, tmp_path / "t", encoder=None, init=first)
    with pytest.raises(UsageError, match="give one of them"):
        find_trainer("transformer")(NOTES, tmp_path / "t", encoder=encoder, init=first)


@pytest.mark.parametrize(("name", "kind"), [("gte-en", "transformer"), ("conv-en", "convolution")])
def test_bundled_networks_are_read_back_as_they_were_written(name, kind, tmp_path):
    from plainsight.lab.train import convolution, pretrained, transformer
    from plainsight.model import load_model

    model = load_model(name, kind=kind)
    read, save = {
        "transformer": (pretrained.restored, transformer.save_transformer),
        "convolution": (convolution.restored, convolution.save_convolution),
    }[kind]
    known, network = read(model)
    manifest = {key: model.manifest[key] for key in ("labels", "tags", "claims", "bias")}
    save(network, known, tmp_path / "again", manifest=manifest)
    detector = registry.resolve("detectors", kind)
    before, after = (detector(model=str(m)).scores(NOTES[0])[1] for m in (name, tmp_path / "again"))
    assert np.allclose(before, after, atol=1e-5)
