"""Train on some labels only, and on a variant of the text, with every detector."""

import json

import pytest

from plainsight.formats.inline import parse

PEOPLE = (
    "Adaeze Okonkwo",
    "Lars Bjornstad",
    "Mei Tanaka",
    "Rosa Villareal",
    "Ian Pettibone",
    "Uma Thackeray",
)
DETECTORS = {
    "crf": ("--features", "plain", "--iterations", 15),
    "charlm": (),
    "bilstm": ("--epochs", 2),
    "convolution": ("--width", 8, "--epochs", 2, "--no-claims"),
    "transformer": ("--epochs", 1, "--no-claims"),
    "stacker": ("--model", "conv-en"),
}


def note(number: int) -> str:
    person, day = PEOPLE[number % 6], number % 27 + 1
    return f"Client {{{{PATIENT|{person}}}}} came on {{{{DATE|3/{day}}}}} and feels better.\n"


@pytest.fixture
def ward(tmp_path):
    folder = tmp_path / "ward"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number:02}.txt").write_text(note(number))
    for number in range(4):  # no name at all
        (folder / f"bare-{number}.txt").write_text(f"Seen {{{{DATE|4/{number + 1}}}}} by nobody, no fever.\n")
    return folder


def small(detector, tmp_path):
    """Return the options for a quick training."""
    if detector in ("bilstm", "convolution", "transformer"):
        pytest.importorskip("onnx")
        pytest.importorskip("torch")
    if detector != "transformer":
        return DETECTORS[detector]
    from tiny_encoder import write_encoder

    return (*DETECTORS[detector], "--encoder", write_encoder(tmp_path / "encoder"))


def train(plainsight, detector, ward, tmp_path, *more):
    given = ("--train", ward, "--out", tmp_path / "model", "--json", "--bias", 0)
    return plainsight("train", detector, *given, *small(detector, tmp_path), *more)


@pytest.mark.parametrize("detector", DETECTORS)
@pytest.mark.parametrize("names", ["NAME", "PATIENT,DOCTOR"])
def test_every_detector_learns_some_labels_only(plainsight, ward, tmp_path, detector, names):
    result = train(plainsight, detector, ward, tmp_path, "--labels", names)
    assert result.code == 0, result.err
    labels = result.json["labels"]
    assert labels == (["DOCTOR", "PATIENT"] if detector == "stacker" and "," in names else labels)
    assert set(labels) <= {"PATIENT", "DOCTOR", "USERNAME"}
    assert "PATIENT" in labels
    assert (result.json["training"]["notes"], result.json["training"]["identifiers"]) == (16, 12)
    policy, source, found = tmp_path / "p.toml", tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    policy.write_text(
        f'name = "p"\ndetectors = ["{detector}"]\n[detector.{detector}]\nmodel = "{tmp_path / "model"}"\n'
        "bias = -3\n"
    )
    source.write_text("".join(json.dumps({"id": str(n), "text": parse(note(n))[0]}) + "\n" for n in range(6)))
    assert plainsight("detect", source, "-o", found, "--policy", policy).code == 0
    spans = [span for line in found.read_text().splitlines() for span in json.loads(line)["spans"]]
    assert {span["label"] for span in spans} <= set(labels)
    assert spans or detector == "transformer"  # one pass over random weights teaches next to nothing


@pytest.mark.parametrize("detector", [name for name in DETECTORS if name != "stacker"])
def test_every_detector_learns_a_variant_of_the_text(plainsight, ward, tmp_path, detector):
    result = train(plainsight, detector, ward, tmp_path, "--text", "lower", "--labels", "NAME,DATE")
    assert result.code == 0, result.err
    assert result.json["text"] == "lower"
    texts = [parse(note(number))[0] for number in range(6)]
    found = []
    for name, change in (("as-is", str), ("loud", str.upper)):
        source, out = tmp_path / f"{name}.jsonl", tmp_path / f"{name}-out.jsonl"
        source.write_text(
            "".join(json.dumps({"id": str(n), "text": change(text)}) + "\n" for n, text in enumerate(texts))
        )
        policy = tmp_path / "p.toml"
        policy.write_text(
            f'name = "p"\ndetectors = ["{detector}"]\n'
            f'[detector.{detector}]\nmodel = "{tmp_path / "model"}"\nbias = -3\n'
        )
        assert plainsight("detect", source, "-o", out, "--policy", policy).code == 0
        found.append([json.loads(line)["spans"] for line in out.read_text().splitlines()])
    assert found[0] == found[1]
    assert any(found[0])


def test_a_scheme_and_labels_together(plainsight, tmp_path):
    ward = tmp_path / "es"
    ward.mkdir()
    for number in range(8):
        text = note(number).replace("PATIENT", "NOMBRE_SUJETO_ASISTENCIA").replace("DATE", "FECHAS")
        (ward / f"{number}.txt").write_text(text)
    result = train(plainsight, "crf", ward, tmp_path, "--labels", "meddocan", "--labels", "NAME")
    assert result.code == 0, result.err
    assert result.json["labels"] == ["PATIENT"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--labels", "NAMES"), "unknown name 'NAMES'; did you mean 'NAME'?"),
        (("--labels", "NAME,xyzzy"), "known: A, ACCOUNT, AGE, "),
        (("--labels", "mask,neuroner"), "one scheme, not mask and neuroner"),
        (("--labels", "FAX"), "no mark of the chosen labels; it has DATE, PATIENT"),
        (("--text", "upper"), "known: lower, plain"),
    ],
)
def test_wrong_names_are_refused(plainsight, ward, tmp_path, options, reason):
    result = train(plainsight, "crf", ward, tmp_path, *options)
    assert result.code == 2
    assert reason in result.err
    assert not (tmp_path / "model").exists()


def test_a_model_to_continue_from_does_not_unlearn_labels(plainsight, ward, tmp_path):
    assert train(plainsight, "crf", ward, tmp_path).code == 0
    given = ("--train", ward, "--out", tmp_path / "next", "--init", tmp_path / "model", "--bias", 0)
    refused = plainsight("train", "crf", *given, "--labels", "NAME")
    assert refused.code == 2
    assert "also finds DATE: name them in --labels" in refused.err
    assert plainsight("train", "crf", *given, "--labels", "NAME,DATE").code == 0
