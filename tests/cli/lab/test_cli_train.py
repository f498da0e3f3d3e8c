"""Train, detect with the model, look at its card: the command line from end to end."""

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


def note(number: int, label: str = "PATIENT") -> str:
    person, day = PEOPLE[number % 6], number % 27 + 1
    return (
        f"Client {{{{{label}|{person}}}}} came on {{{{DATE|3/{day}}}}} and feels better.\n"
        f"Pulse 8{number % 10}, no fever. Quoth the raven.\n"
    )


def read_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def ward(tmp_path):
    """Write a folder of notes for training and one for measuring."""

    def write(name="ward", *, label="PATIENT", count=10):
        for part, first in (("train", 0), ("dev", 30)):
            folder = tmp_path / name / part
            folder.mkdir(parents=True)
            for number in range(first, first + (count if part == "train" else 4)):
                (folder / f"{number:02}.txt").write_text(note(number, label))
        return tmp_path / name

    return write


def finds_all(plainsight, tmp_path, number, *options):
    """Whether a run with these options finds all that is marked in a note."""
    source, found = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    text, spans = parse(note(number))
    source.write_text(json.dumps({"id": "a", "text": text}) + "\n")
    assert plainsight("detect", source, "-o", found, "--force", *options).code == 0
    [record] = read_lines(found)
    marked = {(s.start, s.end, s.label) for s in spans}
    return marked <= {(s["start"], s["end"], s["label"]) for s in record["spans"]}


SMALL = ("--features", "plain", "--iterations", 15, "--folds", 2)


def test_train_detect_and_card(plainsight, ward, tmp_path):
    folder, model = ward(), tmp_path / "model"
    result = plainsight(
        "train", "crf", "--train", folder / "train", "--dev", folder / "dev", "--out", model, *SMALL
    )
    assert result.code == 0, result.err
    assert "all notes: 15 iterations, loss" in result.err
    assert "fold 2 of 2" in result.err
    assert "Scores on 4 notes outside its training data" in result.err
    assert "Okonkwo" not in result.out + result.err

    source, found = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    text, spans = parse(note(31))
    source.write_text(json.dumps({"id": "a", "text": text}) + "\n")
    result = plainsight("detect", source, "-o", found, "--model", model, "--explain")
    assert result.code == 0, result.err
    [record] = read_lines(found)
    assert {(s["start"], s["end"], s["label"]) for s in record["spans"]} >= {
        (s.start, s.end, s.label) for s in spans
    }
    assert any(claim["source"] == "crf" for s in record["spans"] for claim in s.get("claims", [s]))
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())
    assert "crf" in manifest["models"]  # the policy may bring others

    card = plainsight("models", model)
    assert card.code == 0
    for words in (
        "CITY" if "CITY" in card.out else "DATE",
        "plain",
        "10 notes with 20 identifiers",
        "2 folds",
    ):
        assert words in card.out
    assert plainsight("models", model, "--json").json["labels"] == ["DATE", "PATIENT"]
    assert plainsight("models").code == 0
    assert isinstance(plainsight("models", "--json").json, dict)
    assert plainsight("models", tmp_path / "nothing").code == 2


def test_train_the_chunker_and_detect(plainsight, ward, tmp_path):
    folder, model = ward(count=24), tmp_path / "model"
    command = ("train", "charlm", "--train", folder / "train", "--dev", folder / "dev", "--out", model)
    result = plainsight(*command)
    assert result.code == 0, result.err
    assert "Scores on 4 notes outside its training data" in result.err
    assert "24 notes with 48 identifiers" in result.err
    assert "Okonkwo" not in result.out + result.err
    assert finds_all(plainsight, tmp_path, 31, "--model", model)
    for option in (
        ("--iterations", 5),
        ("--features", "plain"),
        ("--init", model),
        ("--swap", 2),
    ):
        refused = plainsight(*command, "--force", *option)
        assert refused.code == 2
        assert f"charlm has no option {option[0]}; trainers that have it: " in refused.err
    card = plainsight("models", model, "--json").json
    assert card["bias"] in {row["bias"] for row in card["bias_choice"]["sweep"]}
    source, found = tmp_path / "in.jsonl", []
    for recall in ("balanced", "high", "max"):
        out = tmp_path / f"{recall}.jsonl"
        assert plainsight("detect", source, "-o", out, "--model", model, "--recall", recall).code == 0
        found.append(sum(s["end"] - s["start"] for s in read_lines(out)[0]["spans"]))
    assert found == sorted(found)
    few = ward("few")
    refused = plainsight("train", "charlm", "--train", few / "train", "--out", tmp_path / "few-model")
    assert refused.code == 2
    assert "from 20 notes on: give one, --bias 0" in refused.err


def test_train_convolutions_and_detect(plainsight, ward, tmp_path):
    pytest.importorskip("onnx")
    pytest.importorskip("torch")
    folder, model = ward(count=24), tmp_path / "model"
    command = ("train", "convolution", "--train", folder / "train", "--dev", folder / "dev", "--out", model)
    small = ("--width", 16, "--epochs", 30, "--rate", 0.01, "--no-claims", "--swap", 1, "--seed", 1)
    result = plainsight(*command, *small)
    assert result.code == 0, result.err
    assert "choosing the bias: fitting: " in result.err
    assert "\nfitting: " in result.err
    assert "Scores on 4 notes outside its training data" in result.err
    assert "24 notes with 48 identifiers" in result.err
    assert "Okonkwo" not in result.out + result.err

    card = plainsight("models", model, "--json").json
    assert (card["network"]["width"], card["claims"]) == (16, [])
    assert card["training"]["schedule"]["seed"] == 1
    assert card["training"]["swap"] == 1
    assert card["bias_choice"]["notes"] in (4, 5)  # a fifth
    assert card["bias"] in {row["bias"] for row in card["bias_choice"]["sweep"]}
    assert finds_all(plainsight, tmp_path, 31, "--model", model)
    for option in (("--iterations", 5), ("--batch", 8), ("--layers", 2)):
        refused = plainsight(*command, "--force", *option)
        assert refused.code == 2
        assert f"convolution has no option {option[0]}" in refused.err


def test_a_stacker_learns_how_much_models_count(plainsight, ward, tmp_path):
    folder, model, together = ward(), tmp_path / "model", tmp_path / "together"
    assert plainsight("train", "crf", "--train", folder / "train", "--out", model, *SMALL).code == 0
    command = ("train", "stacker", "--train", folder / "dev", "--out", together)
    result = plainsight(*command, "--model", model, "--model", "conv-en", "--folds", 2)
    assert result.code == 0, result.err
    assert "fitting: " in result.err
    assert "4 notes with 8 identifiers" in result.err
    assert "Okonkwo" not in result.out + result.err
    card = plainsight("models", together, "--json").json
    assert [one.get("bundled", one.get("folder")) for one in card["members"]] == ["../model", "conv-en"]
    assert "../model, conv-en" in plainsight("models", together).out
    policy = tmp_path / "alone.toml"  # without the detectors of a policy, which may find all by themselves
    policy.write_text(f'name = "alone"\ndetectors = ["stacker"]\n[detector.stacker]\nmodel = "{together}"\n')
    assert finds_all(plainsight, tmp_path, 39, "--policy", policy)
    assert "stacker needs --model" in plainsight(*command, "--force").err
    for detector in ("crf", "charlm"):
        refused = plainsight("train", detector, *command[2:], "--force", "--model", model)
        assert f"{detector} has no option --model" in refused.err


@pytest.mark.server  # takes long
def test_a_language_model_learns_from_notes_without_marks_and_a_network_reads_with_it(
    plainsight, ward, tmp_path
):
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    texts, folder = tmp_path / "texts.jsonl", ward()
    plain = [parse(note(number))[0] for number in range(24)]
    texts.write_text("".join(json.dumps({"id": str(n), "text": text}) + "\n" for n, text in enumerate(plain)))
    command = ("train", "language-model", "--train", texts, "--width", 8, "--epochs", 2, "--out")
    result = plainsight(*command, tmp_path / "lm")
    assert result.code == 0, result.err
    assert "Okonkwo" not in result.out + result.err
    reading = ("--architecture", "mask-contextual", "--language-model", tmp_path / "lm", "--epochs", 1)
    assert (
        plainsight("train", "bilstm", "--train", folder / "train", *reading, "--out", tmp_path / "m").code
        == 0
    )
    assert plainsight("detect", texts, "-o", tmp_path / "out.jsonl", "--model", tmp_path / "m").code == 0
    refused = plainsight(*command, tmp_path / "n", "--dev", folder / "dev")
    assert refused.code == 2
    assert "language-model has no option --dev" in refused.err


def test_convolutions_need_notes_to_choose_a_bias_on_and_an_encoder_that_is_there(plainsight, ward, tmp_path):
    pytest.importorskip("onnx")
    pytest.importorskip("torch")
    folder, model = ward(count=1), tmp_path / "model"
    command = ("train", "convolution", "--train", folder / "train", "--out", model, "--epochs", 1)
    for option, reason in (((), "--bias 0"), (("--encoder", tmp_path / "none"), "none")):
        refused = plainsight(*command, *option)
        assert refused.code == 2, refused.err
        assert reason in refused.err
        assert not model.exists()
    assert plainsight(*command, "--bias", -1, "--width", 8).code == 0
    assert plainsight("models", model, "--json").json["bias"] == -1


def test_deidentify_with_a_model(plainsight, ward, tmp_path):
    folder, model = ward(), tmp_path / "model"
    plainsight("train", "crf", "--train", folder / "train", "--out", model, "--bias", 0, "-q", *SMALL)
    source, clean = tmp_path / "in.jsonl", tmp_path / "clean.jsonl"
    source.write_text(json.dumps({"id": "a", "text": parse(note(0))[0]}) + "\n")
    result = plainsight("deidentify", source, "-o", clean, "--model", model, "--policy", "redact")
    assert result.code == 0, result.err
    assert "[PATIENT] came on [DATE]" in read_lines(clean)[0]["text"]


def test_labels_of_their_own(plainsight, ward, tmp_path):
    folder, model = ward(label="NOMBRE_SUJETO_ASISTENCIA"), tmp_path / "model"
    result = plainsight(
        "train", "crf", "--train", folder / "train", "--out", model, "--bias", 0, "--json", *SMALL
    )
    assert result.json["labels"] == ["DATE", "NOMBRE_SUJETO_ASISTENCIA"]
    source, found = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps({"id": "a", "text": parse(note(0))[0]}) + "\n")
    assert plainsight("detect", source, "-o", found, "--model", model).code == 0
    labels = [span["label"] for span in read_lines(found)[0]["spans"]]
    assert labels == ["NOMBRE_SUJETO_ASISTENCIA", "DATE"]
    refused = plainsight("deidentify", source, "-o", tmp_path / "clean.jsonl", "--model", model)
    assert refused.code == 2
    assert "not one of our labels" in refused.err
    both = plainsight("detect", source, "-o", found, "--force", "--model", model, "--model", model)
    assert both.code == 0  # the mean of both
    assert [span["label"] for span in read_lines(found)[0]["spans"]] == labels

    ours = tmp_path / "ours"
    mixed = plainsight(
        "train", "crf", "--train", folder / "train", "--out", ours, "--labels", "meddocan", "--json", *SMALL
    )
    assert mixed.code == 2  # DATE is not a label of that scheme
    assert not ours.exists()


def test_going_on_from_a_model_for_more_recall(plainsight, ward, tmp_path):
    folder, model = ward(), tmp_path / "model"
    plainsight("train", "crf", "--train", folder / "train", "--out", model, "--bias", 0, "-q", *SMALL)
    result = plainsight(
        "train", "crf", "--train", folder / "dev", "--out", tmp_path / "next", "--init", model,
        "--recall", 0.95, "--iterations", 5, "--folds", 2, "--json",
    )  # fmt: skip
    assert result.code == 0, result.err
    assert result.json["training"]["init"]["name"] == "model"
    assert result.json["bias_choice"]["recall"] == 0.95


def test_bad_input_is_told_and_leaves_nothing(plainsight, ward, tmp_path):
    folder, model = ward(), tmp_path / "model"
    bare, empty, wrong = tmp_path / "bare", tmp_path / "empty", tmp_path / "wrong"
    for place, content in ((bare, b"No marks at all."), (empty, b""), (wrong, b"{{DATE|3/4}} {{DATE|5")):
        place.mkdir()
        (place / "a.txt").write_bytes(content)
    inline = ("--format", "inline")
    for arguments, reason in (
        (("crf", "--train", bare, *inline), "hold no identifier"),
        (("crf", "--train", empty, *inline), "notes are empty"),
        (("crf", "--train", wrong, *inline), "a.txt"),
        (("crf", "--train", tmp_path / "nowhere"), "no input at"),
        (("crf", "--train", folder / "train", "--dev", bare, *inline), "dev notes hold no identifier"),
        (("crf", "--train", folder / "train", "--features", "plane"), "did you mean 'plain'"),
        (("crf", "--train", folder / "train", "--bias", 0, "--recall", 0.9), "give one of them"),
        (("cfr", "--train", folder / "train"), "did you mean 'crf'"),
        (("crf", "--train", folder / "train", "--out", folder / "train" / "model"), "inside the input"),
    ):
        result = plainsight("train", *arguments, *(() if "--out" in arguments else ("--out", model)))
        assert result.code == 2, arguments
        assert reason in result.err
        assert not model.exists()


def test_notes_in_another_encoding_are_read(plainsight, tmp_path):
    (tmp_path / "n").mkdir()
    for number in range(4):
        text = note(number).replace("Client", "Señor Muñoz, tío,")
        (tmp_path / "n" / f"{number}.txt").write_bytes(text.encode("latin-1"))
    result = plainsight(
        "train", "crf", "--train", tmp_path / "n", "--out", tmp_path / "m", "--bias", 0, *SMALL
    )
    assert result.code == 0, result.err


def test_one_label_and_learnt_dev_notes_are_warned_of(plainsight, ward, tmp_path):
    folder = ward(label="DATE")
    result = plainsight(
        "train", "crf", "--train", folder / "train", "--dev", folder / "train", "--out", tmp_path / "m",
        "--bias", 0, *SMALL,
    )  # fmt: skip
    assert result.code == 0, result.err
    assert "all identifiers are DATE" in result.err
    assert "10 dev notes are also training notes" in result.err


def test_a_model_is_not_overwritten_unless_told(plainsight, ward, tmp_path):
    folder, model = ward(), tmp_path / "m"
    command = ("train", "crf", "--train", folder / "train", "--out", model, "--bias", 0, "-q", *SMALL)
    first = plainsight(*command)
    assert (first.code, first.out, first.err) == (0, "", "")
    assert "--force" in plainsight(*command).err
    assert plainsight(*command, "--force").code == 0


def test_stopped_it_says_how_to_go_on(plainsight, ward, tmp_path, monkeypatch):
    from plainsight.lab.train import crf

    folder, model = ward(), tmp_path / "m"
    command = ("train", "crf", "--train", folder / "train", "--out", model, "--bias", 0, *SMALL)
    minimise = crf.minimise

    def stopping(*arguments, progress, **options):
        def stop(iteration, loss, weights):
            progress(iteration, loss, weights)
            if iteration == 6:
                raise KeyboardInterrupt

        return minimise(*arguments, progress=stop, **options)

    monkeypatch.setattr(crf, "minimise", stopping)
    result = plainsight(*command)
    assert result.code == 1
    assert f"continue from {model}.part" in result.err
    monkeypatch.setattr(crf, "minimise", minimise)
    assert plainsight(*command).code == 0
    assert (model / "manifest.json").exists()


def test_help_has_examples(plainsight):
    assert "plainsight train crf" in plainsight("train", "--help").out
    assert "plainsight models" in plainsight("models", "--help").out
