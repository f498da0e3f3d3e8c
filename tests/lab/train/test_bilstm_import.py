import json
import pickle

import numpy as np
import published_network as published
import pytest

from plainsight import cli
from plainsight.document import Document
from plainsight.errors import FormatError, UsageError
from plainsight.lab.train.recurrent.published import read_checkpoint, read_plain_pickle
from plainsight.text.tags import decode

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from plainsight.lab.detect.bilstm import Bilstm
from plainsight.lab.train.recurrent.neuroner import import_neuroner
from plainsight.lab.train.recurrent.published import read_vectors


def test_scores_follow_the_equations(tmp_path):
    for seed in (0, 1, 2):
        weights = published.tensors(seed)
        folder = tmp_path / str(seed)
        vectors = published.write_model(folder, weights)
        import_neuroner(folder, folder / "m", vectors=[folder / "vectors.txt"])
        network = Bilstm(model=str(folder / "m"))._network
        found = network.scores(network.read(Document("a", "Dr. rare 03/30\nito tides\nDon")))
        wanted = [
            published.unary_scores(weights, vectors, words)
            for words in (["Dr.", "rare", "03/30"], ["ito", "tides"], ["Don"])
        ]
        assert np.abs(found - np.concatenate(wanted)).max() < 1e-5


def test_labels_are_those_of_the_best_labelling(tmp_path):
    differ = 0
    for seed in range(6):
        weights = published.tensors(seed)
        folder = tmp_path / str(seed)
        vectors = published.write_model(folder, weights)
        import_neuroner(folder, folder / "m", vectors=[folder / "vectors.txt"])
        words = ["Dr.", "ito", "tided", "on", "03/30"]
        text = " ".join(words)
        tokens = [(text.index(word), text.index(word) + len(word)) for word in words]
        scores = published.unary_scores(weights, vectors, words)
        best = published.best_tags(weights, scores)
        wanted = decode([published.TAGS[tag] for tag in best], tokens)
        [found] = Bilstm(model=str(folder / "m")).detect([Document("a", text)])
        assert [(s.start, s.end, s.label) for s in found] == [(s.start, s.end, s.label) for s in wanted]
        differ += best != tuple(scores.argmax(axis=1))
    assert differ  # else transitions would not have been tried


def test_a_checkpoint_reads_back(tmp_path):
    weights = published.tensors()
    for blocks in (1, 3):
        published.write_checkpoint(tmp_path, weights, blocks=blocks)
        found = read_checkpoint(tmp_path / "model.ckpt")
        assert found.keys() == weights.keys()
        for name, array in weights.items():
            assert found[name].dtype == array.dtype
            assert np.array_equal(found[name], array)


def test_a_damaged_checkpoint_is_refused(tmp_path):
    published.write_checkpoint(tmp_path, published.tensors())
    index = tmp_path / "model.ckpt.index"
    whole = index.read_bytes()
    for content in (b"", whole[:-9], whole[:-1] + b"\x00", whole.replace(b"\x28", b"\x2f")):
        index.write_bytes(content)
        with pytest.raises(FormatError, match="not a TensorFlow checkpoint"):
            read_checkpoint(tmp_path / "model.ckpt")
    index.write_bytes(whole)
    data = tmp_path / "model.ckpt.data-00000-of-00001"
    data.write_bytes(data.read_bytes()[:-40])
    with pytest.raises(FormatError):
        read_checkpoint(tmp_path / "model.ckpt")


def test_a_vocabulary_is_read_as_data(tmp_path):
    published.write_vocabulary(tmp_path)
    found = read_plain_pickle(tmp_path / "dataset.pickle")
    assert found["index_to_label"] == dict(enumerate(published.TAGS))
    assert found["unique_labels"] == published.TAGS
    assert found["shares"] == (0.5, None, True)


class Trap:
    """Leave a mark when unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


def test_nothing_in_a_pickle_is_run(tmp_path):
    for content in (
        pickle.dumps({"a": Trap(tmp_path / "mark")}, protocol=3),
        b"",
        b"\x80\x03",
        b"nonsense",
        pickle.dumps([1], protocol=3),
        pickle.dumps({1}, protocol=3),
    ):
        (tmp_path / "dataset.pickle").write_bytes(content)
        with pytest.raises(FormatError):
            read_plain_pickle(tmp_path / "dataset.pickle")
    assert not (tmp_path / "mark").exists()


def test_vectors_come_from_several_places(tmp_path):
    (tmp_path / "a.txt").write_text("2 2\nthe 0.5 1\n. 1 2\n")
    (tmp_path / "b.json").write_text(
        json.dumps({"dimensions": 2, "vectors": {"the": [9, 9, 0.1, 4], "of": [3, 4, 5, 6]}})
    )
    found = read_vectors([tmp_path / "a.txt", tmp_path / "b.json"])
    assert {word: vector.tolist() for word, vector in found.items()} == {
        "the": [0.5, 1.0],
        ".": [1.0, 2.0],
        "of": [3.0, 4.0],
    }
    assert set(read_vectors([tmp_path / "a.txt"], wanted={"the"})) == {"the"}
    published.write_checkpoint(
        tmp_path,
        {"token_embedding/token_embedding_weights": np.array([[0, 0], [3, 4], [0, 0.1]], np.float32)},
    )
    published.write_vocabulary(tmp_path, token_to_index={"UNK": 0, "A": 1, "drawn": 2, "beyond": 3})
    assert set(read_vectors([tmp_path])) == {"a", "A"}
    (tmp_path / "c.txt").write_text("the 1 2 3\nword not-a-number\n")
    with pytest.raises(FormatError, match=r"c\.txt:2"):
        read_vectors([tmp_path / "c.txt"])
    (tmp_path / "c.txt").write_text("and 1 2 3\n")
    with pytest.raises(FormatError, match="vectors of 2 and of 3"):
        read_vectors([tmp_path / "a.txt", tmp_path / "c.txt"])
    (tmp_path / "c.txt").write_text("")
    with pytest.raises(FormatError, match="no word vectors"):
        read_vectors([tmp_path / "c.txt"])


def test_what_is_no_checkpoint_is_refused(tmp_path):
    weights = published.tensors()
    published.write_model(tmp_path, weights)
    vectors = [tmp_path / "vectors.txt"]
    with pytest.raises(UsageError, match="is missing"):
        import_neuroner(tmp_path / "nowhere", tmp_path / "m", vectors=vectors)
    del weights["crf/transitions"]
    published.write_checkpoint(tmp_path, weights)
    with pytest.raises(FormatError, match="that we know"):
        import_neuroner(tmp_path, tmp_path / "m", vectors=vectors)


def test_the_manifest_tells_where_it_is_from_and_no_paths(tmp_path):
    published.write_model(tmp_path / "i2b2", published.tensors())
    manifest = import_neuroner(tmp_path / "i2b2", tmp_path / "m", vectors=[tmp_path / "i2b2" / "vectors.txt"])
    assert manifest["labels"] == ["DATE", "DOCTOR"]
    assert manifest["training"] == {"imported": "i2b2", "settings": {"tokenizer": "spacy"}}
    assert str(tmp_path) not in json.dumps(manifest)


def test_the_command_line(tmp_path, monkeypatch, capsys):
    published.write_model(tmp_path / "c", published.tensors())
    where = ["--vectors", str(tmp_path / "c" / "vectors.txt"), "--out", str(tmp_path / "m")]

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["plainsight", "models", *arguments])
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        return stopped.value.code, capsys.readouterr()

    code, told = run("import-neuroner", str(tmp_path / "c"), *where, "--json")
    assert code == 0, told.err
    assert json.loads(told.out)["kind"] == "bilstm"
    assert "NeuroNER's c" in run(str(tmp_path / "m"))[1].out
    assert "NeuroNER's c" in run("show", str(tmp_path / "m"))[1].out
    code, told = run("import-neuroner", str(tmp_path / "c"), *where)
    assert (code, "--force overwrites" in told.err) == (2, True)
    code, told = run("import-neuroner", str(tmp_path / "d"), *where)
    assert (code, "does not exist" in told.err) == (2, True)
    assert "import-neuroner" in run("--help")[1].out
