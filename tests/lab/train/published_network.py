"""A tiny NeuroNER checkpoint, written as TensorFlow and pickle would, and its equations in plain numpy."""

import itertools
import pickle
import struct
import sys
import types
from collections import OrderedDict

import numpy as np

WORDS = {"seen": 0, "dr.": 1, "ito": 2, "on": 3, "00/00": 4, "rare": 5}
LETTERS = "aeinorstdD./03"
TAGS = ["B-DATE", "E-DATE", "I-DATE", "O", "S-DATE", "S-DOCTOR"]
CHARACTER, SPELT, WORD, HIDDEN = 3, 4, 5, 6


def tensors(seed=0):
    """Return random weights under the names of the original."""
    rng = np.random.default_rng(seed)

    def draw(*shape):
        return rng.normal(0, 0.7, shape).astype(np.float32)

    made = {
        "character_embedding/character_embedding_weights": draw(len(LETTERS) + 1, CHARACTER),
        "token_embedding/token_embedding_weights": draw(1, WORD),
        "feedforward_after_lstm/W": draw(2 * HIDDEN, HIDDEN),
        "feedforward_after_lstm/bias": draw(HIDDEN),
        "feedforward_before_crf/W": draw(HIDDEN, len(TAGS)),
        "feedforward_before_crf/bias": draw(len(TAGS)),
        "crf/transitions": draw(len(TAGS) + 2, len(TAGS) + 2),
        "global_step": np.array(7, np.int32),
    }
    for layer, inputs, units in (
        ("character_lstm", CHARACTER, SPELT),
        ("token_lstm", WORD + 2 * SPELT, HIDDEN),
    ):
        for short, long in (("fw", "forward"), ("bw", "backward")):
            root = f"{layer}/bidirectional_LSTM"
            cell = f"{root}/bidirectional_rnn/{short}/coupled_input_forget_gate_lstm_cell"
            made[f"{cell}/W_0"], made[f"{cell}/B"] = draw(inputs + units, 3 * units), draw(3 * units)
            made[f"{root}/{long}/initial_cell_state"] = draw(1, units)
            made[f"{root}/{long}/initial_output_state"] = draw(1, units)
    return made


# --- the files --------------------------------------------------------------------------------------------


def varint(value):
    made = bytearray()
    while value >= 0x80:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*made, value])


def block(entries):
    """Write a block: keys without the part they share with the one before."""
    made, before = b"", b""
    for key, value in entries:
        shared = next(
            (n for n, (a, b) in enumerate(zip(key, before, strict=False)) if a != b),
            min(len(key), len(before)),
        )
        made += varint(shared) + varint(len(key) - shared) + varint(len(value)) + key[shared:] + value
        before = key
    return made + struct.pack("<II", 0, 1)


def write_checkpoint(folder, weights, name="model.ckpt", *, blocks=2):
    """Write an index in several blocks, and the data."""
    data, entries = b"", [(b"", b"\x08\x01")]
    for key, array in sorted(weights.items()):
        sizes = [b"\x12" + varint(len(size)) + size for n in array.shape for size in (b"\x08" + varint(n),)]
        shape = b"".join(sizes)
        kind = {"float32": 1, "int32": 3}[str(array.dtype)]
        entry = b"\x08" + varint(kind) + b"\x12" + varint(len(shape)) + shape
        entry += (b"\x20" + varint(len(data)) if data else b"") + b"\x28" + varint(array.nbytes)
        entries.append((key.encode(), entry + b"\x35\x00\x00\x00\x00"))
        data += array.tobytes()
    table, handles = b"", []
    size = -(-len(entries) // blocks)
    for first in range(0, len(entries), size):
        part = block(entries[first : first + size])
        handles.append(
            (entries[min(first + size, len(entries)) - 1][0], varint(len(table)) + varint(len(part)))
        )
        table += part + b"\x00" + b"\x00" * 4
    index = block(handles)
    handle = varint(0) + varint(0) + varint(len(table)) + varint(len(index))
    table += index + b"\x00" * 5 + handle.ljust(40, b"\x00") + struct.pack("<Q", 0xDB4775248B80FB57)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.index").write_bytes(table)
    (folder / f"{name}.data-00000-of-00001").write_bytes(data)


def write_vocabulary(folder, **more):
    """Pickle an object of a class that exists only while it is written."""
    module = types.ModuleType("dataset")
    module.Dataset = type("Dataset", (), {"__module__": "dataset"})
    sys.modules["dataset"] = module
    held = module.Dataset()
    held.character_to_index = OrderedDict((letter, place) for place, letter in enumerate(LETTERS, start=1))
    held.index_to_label = OrderedDict(enumerate(TAGS))
    held.number_of_classes, held.token_to_index = len(TAGS), {"UNK": 0}
    held.unique_labels, held.verbose, held.shares = list(TAGS), False, (0.5, None, True)
    held.__dict__.update(more)
    (folder / "dataset.pickle").write_bytes(pickle.dumps(held, protocol=3))
    del sys.modules["dataset"]


def write_model(folder, weights):
    """Write the whole checkpoint and return the vectors it needs, as a file and as a dictionary."""
    write_checkpoint(folder, weights)
    write_vocabulary(folder)
    (folder / "parameters.ini").write_text("[advanced]\ntokenizer = spacy\n[dataset]\nfolder = ../secret\n")
    vectors = np.random.default_rng(9).normal(0, 1, (len(WORDS), WORD)).astype(np.float32)
    lines = (
        " ".join([word, *(repr(float(number)) for number in vectors[row])]) for word, row in WORDS.items()
    )
    (folder / "vectors.txt").write_text("\n".join(lines))
    return {word: vectors[row] for word, row in WORDS.items()}


# --- the equations ----------------------------------------------------------------------------------------


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def one_way(weights, layer, rows, *, backwards):
    """Run the coupled cell over rows, one at a time."""
    short, long = ("bw", "backward") if backwards else ("fw", "forward")
    root = f"{layer}/bidirectional_LSTM"
    cell = f"{root}/bidirectional_rnn/{short}/coupled_input_forget_gate_lstm_cell"
    matrix, bias = weights[f"{cell}/W_0"].astype(float), weights[f"{cell}/B"].astype(float)
    c, h = (weights[f"{root}/{long}/initial_{name}_state"][0].astype(float) for name in ("cell", "output"))
    made = []
    for row in rows[::-1] if backwards else rows:
        new, forget, output = np.split(np.concatenate((row, h)) @ matrix + bias, 3)
        keep = sigmoid(forget + 1.0)
        c = keep * c + (1 - keep) * np.tanh(new)
        h = sigmoid(output) * np.tanh(c)
        made.append(h)
    return np.array(made[::-1] if backwards else made)


def unary_scores(weights, vectors, words):
    """Return the scores of tags for a sentence."""
    rows = []
    for word in words:
        letters = [
            weights["character_embedding/character_embedding_weights"][LETTERS.index(c) + 1] for c in word
        ]
        ahead = one_way(weights, "character_lstm", letters, backwards=False)[-1]
        back = one_way(weights, "character_lstm", letters, backwards=True)[0]
        unknown = weights["token_embedding/token_embedding_weights"][0]
        zeros = "".join("0" if c.isdigit() else c for c in word.lower())
        vector = vectors.get(word, vectors.get(word.lower(), vectors.get(zeros, unknown)))
        rows.append(np.concatenate((ahead, back, vector)))
    states = np.hstack([one_way(weights, "token_lstm", rows, backwards=way) for way in (False, True)])
    hidden = np.tanh(states @ weights["feedforward_after_lstm/W"] + weights["feedforward_after_lstm/bias"])
    return hidden @ weights["feedforward_before_crf/W"] + weights["feedforward_before_crf/bias"]


def best_tags(weights, scores):
    """Try every labelling, between the tags that begin and end a sentence."""
    steps, begin, end = weights["crf/transitions"], len(TAGS), len(TAGS) + 1

    def weigh(path):
        whole = (begin, *path, end)
        return sum(scores[place, tag] for place, tag in enumerate(path)) + sum(
            steps[one, two] for one, two in itertools.pairwise(whole)
        )

    return max(itertools.product(range(len(TAGS)), repeat=len(scores)), key=weigh)
