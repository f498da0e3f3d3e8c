"""Read word vectors: GloVe's text, the JSON of a package that carries them, or a NeuroNER checkpoint."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np

from plainsight.arrays import Floats
from plainsight.errors import FormatError
from plainsight.lab.train.recurrent.plain_pickle import read_plain_pickle
from plainsight.lab.train.recurrent.tf_checkpoint import read_checkpoint

Vectors = dict[str, Floats]

_LEARNT = 1.0  # the length of a vector that has been learnt from text, and was not drawn at random
_TENSOR = "token_embedding/token_embedding_weights"


def read_vectors(sources: Sequence[Path], *, wanted: Collection[str] | None = None) -> Vectors:
    """Return the vectors of words; where several sources know a word, the first counts.

    ``wanted`` leaves out all other words. A folder is a NeuroNER checkpoint with vectors of its own: those of
    words in capitals stand for the word in small letters, as GloVe knows small letters only.
    """
    made: Vectors = {}
    for source in sources:
        if source.is_dir():
            found = _checkpoint(source)
        elif source.suffix == ".json":
            found = _json(source)
        else:
            found = _text(source, wanted)
        for word, vector in found.items():
            if (wanted is None or word in wanted) and word not in made:
                made[word] = vector
    if not made:
        raise FormatError("no word vectors here", ", ".join(map(str, sources)))
    if len(sizes := {len(vector) for vector in made.values()}) > 1:
        raise FormatError(f"vectors of {min(sizes)} and of {max(sizes)} numbers", str(sources[-1]))
    return made


def _text(path: Path, wanted: Collection[str] | None) -> Vectors:
    made: Vectors = {}
    with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
        for number, line in enumerate(file, start=1):
            word, _, rest = line.rstrip("\n").partition(" ")
            if wanted is not None and word not in wanted:
                continue
            try:
                vector = np.array(rest.split(), np.float32)
            except ValueError:
                raise FormatError("not a word and its numbers", f"{path}:{number}") from None
            if len(vector) > 1:  # word2vec's first line holds two counts
                made[word] = vector
    return made


def _json(path: Path) -> Vectors:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        size, vectors = content["dimensions"], content["vectors"]
        return {word: np.array(vector[:size], np.float32) for word, vector in vectors.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FormatError("not a file of word vectors", str(path)) from None


def _checkpoint(folder: Path) -> Vectors:
    matrix = read_checkpoint(folder / "model.ckpt").get(_TENSOR, np.zeros((1, 1), np.float32))
    known = read_plain_pickle(folder / "dataset.pickle").get("token_to_index", {})
    learnt = {
        word: matrix[row]
        for word, row in known.items()
        if 0 < row < len(matrix) and np.linalg.norm(matrix[row]) > _LEARNT
    }
    small = {word.lower(): vector for word, vector in learnt.items()}
    return {**small, **learnt}
