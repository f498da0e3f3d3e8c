"""Word vectors of a site's own texts."""

import random
from stat import S_IMODE

import numpy as np
import pytest

pytest.importorskip("gensim")

from plainsight.document import Document
from plainsight.errors import DataError
from plainsight.lab.detect.bilstm import Bilstm
from plainsight.lab.train.bilstm import train_bilstm
from plainsight.lab.train.recurrent.published import read_vectors
from plainsight.lab.train.vectors import train_vectors

DRUGS, TOWNS = ("aspirin", "heparin", "warfarin"), ("Salem", "Dover", "Akron")


def texts(count: int) -> list[Document]:
    """Return texts in which drugs stand among doses and towns among addresses."""
    draw = random.Random(0)
    made = []
    for number in range(count):
        drug, town = draw.choice(DRUGS), draw.choice(TOWNS)
        made.append(
            Document(
                str(number),
                f"Take {drug} {number} mg tablets by mouth daily with food. "
                f"The family moved near {town} county road where relatives live.",
            )
        )
    return made


def test_words_of_like_contexts_have_like_vectors(tmp_path):
    path, epochs = tmp_path / "vectors.txt", []
    record = train_vectors(
        texts(300), path, width=20, window=3, epochs=15, progress=lambda epoch, loss: epochs.append(epoch)
    )
    assert S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["vectors.txt"]
    assert epochs == list(range(1, 16))
    assert record["training"]["notes"] == 300
    found = read_vectors([path])
    assert {len(vector) for vector in found.values()} == {20}
    assert {"aspirin", "salem", "00", "000"} <= set(found)
    assert "Salem" not in found

    def like(one, two):
        return float(found[one] @ found[two] / np.linalg.norm(found[one]) / np.linalg.norm(found[two]))

    assert like("aspirin", "heparin") > like("aspirin", "dover")
    assert like("salem", "akron") > like("salem", "warfarin")


def test_the_same_texts_give_the_same_vectors(tmp_path):
    for name in ("one", "two"):
        train_vectors(texts(30), tmp_path / name, width=8, epochs=2)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_rare_words_are_left_out_and_too_little_text_is_refused(tmp_path):
    rare = [*texts(30), Document("x", "Okonkwo")]
    train_vectors(rare, tmp_path / "v", width=8, epochs=1)
    assert b"okonkwo" not in (tmp_path / "v").read_bytes()
    with pytest.raises(DataError, match="too little text"):
        train_vectors([Document("1", "a few words")], tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_network_begins_with_them(notes, tmp_path):
    train_vectors(notes(12), tmp_path / "v.txt", rarest=2, epochs=3)
    options = {"optimiser": "adam", "rate": 0.01, "batch": 4, "epochs": 2, "patience": 0}
    train_bilstm(notes(6), tmp_path / "m", vectors=tmp_path / "v.txt", **options)
    assert len(Bilstm(model=str(tmp_path / "m")).detect(notes(1))) == 1
