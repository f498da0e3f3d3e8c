"""Train word vectors on texts without marks, for a bilstm to begin with (S82)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from plainsight.document import Document
from plainsight.errors import DataError
from plainsight.formats.files import atomic_file
from plainsight.lab.detect.bilstm.inputs import plain_forms
from plainsight.lab.train.extra import require
from plainsight.text.tokens import tokenize


def train_vectors(
    documents: Sequence[Document],
    path: Path,
    *,
    width: int = 100,
    window: int = 10,
    rarest: int = 5,
    negative: int = 10,
    epochs: int = 15,
    rate: float = 0.025,
    seed: int = 0,
    progress: Callable[[int, float], None] = lambda epoch, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Fit word2vec's skip-gram, write the vectors in GloVe's text format and return a record of the training.

    Words are in lower case, with each digit as 0. Those seen fewer than ``rarest`` times are left out.
    ``window`` is the number of words on each side, ``negative`` the number of words drawn for each pair. The
    file holds words of the texts, names among them; only its owner can read it.
    """
    require("training word vectors", "gensim")
    from gensim.models import Word2Vec
    from gensim.models.callbacks import CallbackAny2Vec

    class Watch(CallbackAny2Vec):  # type: ignore[misc]
        """Reports the loss of each epoch."""

        epoch, before = 0, 0.0

        def on_epoch_end(self, model: Any) -> None:
            total = float(model.get_latest_training_loss())  # of all epochs so far
            self.epoch += 1
            progress(self.epoch, (total - self.before) / model.corpus_total_words)
            self.before = total

    stage("reading the texts")
    texts = [
        [plain_forms(document.text[start:end])[0] for start, end in tokenize(document.text)]
        for document in documents
    ]
    model = Word2Vec(
        vector_size=width,
        window=window,
        min_count=rarest,
        negative=negative,
        alpha=rate,
        sg=1,
        seed=seed,
        workers=1,  # with several the result would differ each time
        epochs=epochs,
    )
    model.build_vocab(list(_pieces(texts)))
    if not model.wv.index_to_key:
        raise DataError(f"no word of the texts occurs {rarest} times: too little text for word vectors")
    stage("fitting")
    model.train(
        list(_pieces(texts)),
        total_examples=model.corpus_count,
        epochs=epochs,
        compute_loss=True,
        callbacks=[Watch()],
    )
    _write(path, model.wv)
    settings = {"window": window, "rarest": rarest, "negative": negative, "epochs": epochs, "rate": rate}
    return {
        "kind": "vectors",
        "description": f"{len(model.wv):,} words of {width} numbers, by skip-gram",
        "training": {"notes": len(documents), "tokens": sum(map(len, texts)), "seed": seed, **settings},
    }


_LONGEST = 10_000  # words: gensim cuts off what is beyond


def _pieces(texts: Sequence[Sequence[str]]) -> Any:
    for text in texts:
        words = iter(text)
        while piece := list(islice(words, _LONGEST)):
            yield piece


def _write(path: Path, vectors: Any) -> None:
    """Write a file that only its owner can read."""
    with atomic_file(path) as new, new.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
        for word in vectors.index_to_key:
            file.write(f"{word} {' '.join(f'{number:.5f}' for number in vectors[word].tolist())}\n")
