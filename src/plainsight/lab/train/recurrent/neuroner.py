"""Turn a published NeuroNER checkpoint into a model of our own, equation for equation.

Its cell couples the gates: what is forgotten makes room for what is new, so
``c = f * c + (1 - f) * tanh(j)`` with ``f = sigmoid(x + 1)``. ONNX couples them the other way round, the
forget gate being what the input gate leaves; with the weights of the gate turned about, both are the same.
"""

from __future__ import annotations

import configparser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.errors import FormatError, UsageError
from plainsight.lab.detect.bilstm import Bilstm
from plainsight.lab.detect.bilstm.inputs import digests_of
from plainsight.lab.train.recurrent.graph import Dense, Lstm, Weights, to_onnx
from plainsight.lab.train.recurrent.published import read_checkpoint, read_plain_pickle, read_vectors
from plainsight.model import save_model
from plainsight.text.tags import OUTSIDE

Arrays = Mapping[str, NDArray[Any]]

_FORGET_BIAS = 1.0  # that the original adds before the gate


def import_neuroner(
    folder: Path, out: Path, *, vectors: Sequence[Path], bias: float = 0.0, tokens: str = "treebank"
) -> dict[str, Any]:
    """Write the model folder ``out`` from a NeuroNER checkpoint and return its manifest.

    ``vectors`` are the word vectors that the checkpoint was trained with and does not hold.
    """
    try:
        tensors, known = read_checkpoint(folder / "model.ckpt"), read_plain_pickle(folder / "dataset.pickle")
    except FileNotFoundError as error:
        raise UsageError(f"no NeuroNER checkpoint: {error.filename} is missing") from None
    settings = _settings(folder / "parameters.ini")
    try:
        return _imported(folder.name, out, tensors, known, settings, vectors, bias, tokens)
    except (KeyError, ValueError, IndexError):
        raise FormatError("not a NeuroNER checkpoint that we know", str(folder)) from None


def _imported(
    name: str,
    out: Path,
    tensors: Arrays,
    known: Mapping[str, Any],
    settings: Mapping[str, str],
    vectors: Sequence[Path],
    bias: float,
    tokens: str,
) -> dict[str, Any]:
    own = tensors["token_embedding/token_embedding_weights"]
    words = read_vectors(vectors)
    words |= {word: own[row] for word, row in known["token_to_index"].items() if 0 < row < len(own)}
    weights = Weights(
        columns={"vector": np.vstack([own[:1], *words.values()])},
        alphabet=tensors["character_embedding/character_embedding_weights"],
        speller=coupled_lstm(tensors, "character_lstm"),
        layers=[coupled_lstm(tensors, "token_lstm")],
        hidden=Dense(tensors["feedforward_after_lstm/W"].T, tensors["feedforward_after_lstm/bias"]),
        output=Dense(tensors["feedforward_before_crf/W"].T, tensors["feedforward_before_crf/bias"]),
    )
    tags = [known["index_to_label"][place] for place in range(known["number_of_classes"])]
    steps, begin, end = tensors["crf/transitions"], len(tags), len(tags) + 1
    if steps.shape != (end + 1, end + 1):
        raise ValueError("transitions of another size")
    manifest = {
        "labels": sorted({tag[2:] for tag in tags if tag != OUTSIDE}),
        "tags": tags,
        "bias": bias,
        "network": {"tokens": tokens, "pieces": {"by": "sentence"}, "columns": ["vector"]},
        "description": f"NeuroNER's {name}, imported",
        "licence": "that of the checkpoint",
        "training": {"imported": name, "settings": dict(settings)},
    }
    arrays = {
        "transitions": steps[:begin, :begin],
        "first": steps[begin, :begin],
        "last": steps[:begin, end],
        "characters": _alphabet(known["character_to_index"]),
        "column-vector": digests_of("vector", list(words)),
    }
    out.mkdir(parents=True, exist_ok=True)
    (out / "network.onnx").write_bytes(to_onnx(weights, exact=True))
    return save_model(out, kind=Bilstm.name, manifest=manifest, arrays=arrays)


def _alphabet(numbers: Mapping[str, int]) -> NDArray[np.int32]:
    """Return the code points of characters in the order of their numbers, which begin at 1."""
    ordered = sorted(numbers, key=numbers.__getitem__)
    if sorted(numbers.values()) != list(range(1, len(ordered) + 1)):
        raise ValueError("characters are not numbered from 1 on")
    return np.array([ord(character) for character in ordered], np.int32)


def coupled_lstm(tensors: Arrays, layer: str) -> Lstm:
    """Return a bidirectional layer of the checkpoint as ONNX has it."""
    inputs, states, biases, hidden, cell = [], [], [], [], []
    for short, long in (("fw", "forward"), ("bw", "backward")):
        root = f"{layer}/bidirectional_LSTM"
        gates = f"{root}/bidirectional_rnn/{short}/coupled_input_forget_gate_lstm_cell"
        weights, bias = tensors[f"{gates}/W_0"], tensors[f"{gates}/B"]
        units = len(bias) // 3
        new, forget, output = np.split(np.vstack((weights, bias)).T, 3)
        keep = -forget
        keep[:, -1] -= _FORGET_BIAS
        rows = np.concatenate((keep, output, np.zeros_like(keep), new)).astype(np.float32)
        inputs.append(rows[:, : -1 - units])
        states.append(rows[:, -1 - units : -1])
        biases.append(np.concatenate((rows[:, -1], np.zeros(4 * units, np.float32))))
        hidden.append(tensors[f"{root}/{long}/initial_output_state"])
        cell.append(tensors[f"{root}/{long}/initial_cell_state"])
    return Lstm(
        np.stack(inputs),
        np.stack(states),
        np.stack(biases),
        coupled=True,
        hidden=np.stack(hidden),
        cell=np.stack(cell),
    )


def _settings(path: Path) -> dict[str, str]:
    """Return the training settings of the checkpoint, without paths."""
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read(path, encoding="utf-8")
    except configparser.Error:
        return {}
    wanted = ("tokenizer", "tagging_format", "learning_rate", "dropout_rate", "optimizer", "experiment_name")
    return {key: section[key] for section in parser.values() for key in wanted if key in section}
