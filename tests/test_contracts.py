"""Every built-in detector, operation, format and trainer keeps its promises."""

from dataclasses import replace
from pathlib import Path

import pytest
from note_formats import NOTE_FORMATS

from plainsight import registry
from plainsight.detect.templates import Rule
from plainsight.labels import LABELS
from plainsight.site.template_file import Harvested
from plainsight.testing import check_detector, check_format, check_operation, check_trainer, sample_documents

LAB = [name for name, target in registry.BUILT_IN["detectors"].items() if ".lab." in target]
WITH_SITE = ["corrected"]  # has no model before a site learned one: test_lab_site_learning
ROAD = [name for name in registry.BUILT_IN["detectors"] if name not in LAB + WITH_SITE]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """Return the options of the laboratory's detectors: models trained here."""
    pytest.importorskip("torch")
    from plainsight.lab.train.bilstm import train_bilstm
    from plainsight.lab.train.charlm import train_charlm
    from plainsight.lab.train.crf import train_crf
    from plainsight.lab.train.stacker import train_stacker

    folder = tmp_path_factory.mktemp("models")
    ours = [
        note
        for note in sample_documents()
        if len(note.text) < 10_000 and {span.label for span in note.spans} <= set(LABELS)
    ]
    train_charlm(ours, folder / "charlm")
    train_bilstm(ours, folder / "bilstm", architecture="student", epochs=1, held_out=[])
    train_crf(ours, folder / "crf", feature_set="plain", iterations=5)
    members = [str(folder / "crf"), "conv-en"]
    train_stacker(ours, folder / "stacker", models=members, folds=2, iterations=5)
    made = {name: {"model": str(folder / name)} for name in ("charlm", "bilstm", "crf", "stacker")}
    return {**made, "average": {"model": members[0]}}


@pytest.mark.parametrize("name", ROAD)
def test_detector(name: str, tmp_path: Path) -> None:
    documents = sample_documents()
    if name not in ("patterns", "patient"):  # models take their time over 100,000 characters
        documents = [note for note in documents if len(note.text) < 10_000]
    options: dict[str, dict[str, object]] = {
        "templates": {"rules": _rules(tmp_path)},
        "second-pass": {"of": ["patterns", "patient"]},
    }
    check_detector(registry.create("detectors", name, **options.get(name, {})), documents)


def _rules(folder: Path) -> str:
    """Write templates of two sample sentences."""
    rules = (Rule("Seen by Dr. {{DOCTOR|W}} on {{DATE|N/N/N}}.", 9), Rule("MRN: {{MEDICALRECORD|N}}", 9))
    (folder / "templates.json").write_bytes(Harvested(rules).to_json())
    return str(folder / "templates.json")


@pytest.mark.parametrize("name", LAB)
def test_detector_of_the_laboratory(name: str, models: dict[str, dict[str, str]]) -> None:
    documents = [note for note in sample_documents() if len(note.text) < 10_000]
    check_detector(registry.create("detectors", name, **models[name]), documents)


@pytest.mark.parametrize("name", registry.BUILT_IN["operations"])
def test_operation(name: str) -> None:
    check_operation(registry.create("operations", name))


@pytest.mark.parametrize("name", NOTE_FORMATS)
def test_format(name: str) -> None:
    if name == "sql":
        pytest.importorskip("sqlalchemy")
    documents = sample_documents()
    if name == "conll":  # a line for each token of 100,000 characters takes its time
        documents = [replace(note, text=note.text[:20_000]) for note in documents]
    check_format(registry.create("formats", name), documents)


QUICK = {
    "crf": {"feature_set": "plain", "iterations": 15},
    "charlm": {},
    "bilstm": {"architecture": "student", "epochs": 12, "rate": 0.02, "patience": 0},
    "convolution": {"width": 16, "epochs": 60, "rate": 0.01, "claims": False},
    "transformer": {"epochs": 30, "batch": 4, "rate": 3e-3, "masked": 0.0, "claims": False},
    "stacker": {"models": ["conv-en"], "folds": 2, "labels": ["PATIENT", "DATE", "MEDICALRECORD"]},
}


@pytest.mark.server  # training takes long
@pytest.mark.parametrize("name", [n for n in registry.BUILT_IN["trainers"] if n in LAB + ROAD])
def test_trainer(name: str, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    options = QUICK[name]
    if name == "transformer":
        from tiny_encoder import write_encoder

        options = {**options, "encoder": write_encoder(tmp_path / "encoder")}
    check_trainer(registry.load("trainers", name), registry.resolve("detectors", name), **options)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (kind, name)
        for kind, known in registry.BUILT_IN.items()
        for name in known
        if kind not in ("feature_sets", "trainers")  # objects and functions without a name
    ],
)
def test_the_registry_and_the_class_agree_on_the_name(kind: registry.Kind, name: str) -> None:
    assert registry.resolve(kind, name).name == name
