"""Pre-train the language model of `mask-contextual` on unmarked texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from plainsight.document import Document
from plainsight.lab.train.extra import require


def train_language_model(
    documents: Sequence[Document],
    folder: Path,
    *,
    epochs: int = 10,
    batch: int = 64,
    rate: float = 1e-3,
    width: int = 512,
    seed: int = 0,
    progress: Callable[[int, float], None] = lambda epoch, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Learn to predict the next and the previous word; write a model folder and return its manifest.

    ``width`` is how many numbers each direction has for a token. ``progress`` is told each epoch's loss,
    ``stage`` what begins.
    """
    require("training a network", "torch")
    from plainsight.lab.train.recurrent.language import pretrain_language_model

    stage("reading on")
    return pretrain_language_model(
        [document.text for document in documents],
        folder,
        units=width,
        batch=batch,
        epochs=epochs,
        rate=rate,
        seed=seed,
        progress=progress,
    )
