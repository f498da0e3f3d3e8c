"""Train a recurrent network on annotated notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal

from plainsight.document import Document
from plainsight.errors import UsageError, suggest
from plainsight.lab.train.bias import fold_of
from plainsight.lab.train.check_notes import check_notes
from plainsight.lab.train.extra import require_network_libraries
from plainsight.lab.train.recurrent.architecture import ARCHITECTURES, Architecture
from plainsight.text.tags import OUTSIDE, Scheme

_HELD_OUT = 10  # one patient in so many
_PREFIXES = {"BIO": "BI", "BIOES": "BIES", "IO": "I"}


def train_bilstm(
    documents: Sequence[Document],
    folder: Path,
    *,
    dev: Sequence[Document] = (),
    held_out: Sequence[Document] | None = None,
    architecture: str = "2016",
    vectors: str | Path | Sequence[Path] = (),
    language_model: str | Path | None = None,
    words: bool = True,
    characters: bool = True,
    transitions: bool = True,
    scheme: Scheme | None = None,
    optimiser: Literal["sgd", "rmsprop", "adam"] | None = None,
    rate: float | None = None,
    cooling: bool | None = None,
    batch: int | None = None,
    epochs: int | None = None,
    patience: int | None = None,
    most_words: int = 100_000,
    quantise: bool | None = None,
    bias: float | None = 0.0,
    recall: float | None = None,
    seed: int = 0,
    notes: Mapping[str, Any] | None = None,
    progress: Callable[[int, float], None] = lambda epoch, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Fit a network, write its model folder and return the manifest.

    ``architecture`` is one of `ARCHITECTURES`. ``vectors`` are files of word vectors to begin with; the
    model keeps the ``most_words`` first of them besides those of the notes. ``language_model`` is a folder
    that `pretrain_language_model` wrote. Without ``words``, ``characters`` or ``transitions`` that part is
    left out; ``scheme`` overrides the architecture's.

    Fitting stops when ``held_out`` notes get no better for ``patience`` epochs: a tenth of the patients,
    unless given. With a patience of 0 there are none, and all notes teach to the last epoch. The held-out
    notes also choose the bias if it is None, for the best F or for a wanted ``recall``; and they decide
    whether weights are stored as bytes if ``quantise`` is None: if that costs at most 0.1 points of F.
    ``dev`` notes are only scored.

    ``progress`` is called with each epoch and its loss, ``stage`` with the name of each stage. An interrupted
    training leaves ``FOLDER.part``, and the same call continues from there.
    """
    require_network_libraries()
    from plainsight.lab.train.recurrent.training import Notes, train

    found = check_notes(documents)
    wanted = _architecture(
        architecture, words=words, characters=characters, transitions=transitions, scheme=scheme
    )
    given: dict[str, Any] = {
        "optimiser": optimiser,
        "rate": rate,
        "cooling": cooling,
        "batch": batch,
        "epochs": epochs,
        "patience": patience,
    }
    schedule = replace(wanted.schedule, **{name: value for name, value in given.items() if value is not None})
    wanted = replace(wanted, schedule=schedule)
    if wanted.context != (language_model is not None):
        verb = "needs a" if wanted.context else "has no use for a"
        raise UsageError(f"the architecture {architecture!r} {verb} language model")
    if held_out is None and schedule.patience:
        learn, held = _held_out(documents)
    else:
        learn, held = list(documents), list(held_out or ())
    labels = sorted({span.label for document in (*documents, *held) for span in document.spans})
    tags = [OUTSIDE, *(f"{prefix}-{label}" for label in labels for prefix in _PREFIXES[wanted.scheme])]
    about = {name: getattr(wanted, name) for name in ("hidden", "transitions", "scheme")}
    about |= {"layers": list(wanted.layers), "columns": dict(wanted.columns), "schedule": asdict(schedule)}
    manifest = {
        "training": {**asdict(found), "architecture": architecture, "seed": seed, **about},
        **(notes or {}),
    }
    return train(
        Notes(learn, held, dev, tags),
        folder,
        wanted,
        manifest,
        vectors=[Path(vectors)] if isinstance(vectors, str | Path) else list(vectors),
        language_model=language_model,
        most_words=most_words,
        quantise=quantise,
        bias=bias,
        recall=recall,
        seed=seed,
        progress=progress,
        stage=stage,
    )


def _architecture(
    name: str, *, words: bool, characters: bool, transitions: bool, scheme: Scheme | None
) -> Architecture:
    """Return an architecture without the unwanted parts."""
    if name not in ARCHITECTURES:
        raise UsageError(f"unknown architecture {name!r}{suggest(name, ARCHITECTURES)}")
    made = ARCHITECTURES[name]
    if not words:
        columns = {column: size for column, size in made.columns.items() if column not in ("vector", "word")}
        made = replace(made, columns=columns)
    if not characters:
        made = replace(made, characters=0, spelt=0)
    if not transitions:
        made = replace(made, transitions="none")
    if not made.columns and not made.spelt and not made.context:
        raise UsageError("a network without words and without characters has no input")
    return replace(made, scheme=scheme) if scheme else made


def _held_out(documents: Sequence[Document]) -> tuple[list[Document], list[Document]]:
    parts: tuple[list[Document], list[Document]] = ([], [])
    for document, fold in zip(documents, fold_of(documents, _HELD_OUT), strict=True):
        parts[fold == 0].append(document)
    learn, held = parts
    if not learn or not any(document.spans for document in held):
        return list(documents), []  # too few to hold any out
    return learn, held
