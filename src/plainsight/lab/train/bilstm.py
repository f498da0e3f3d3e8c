"""Train a recurrent network on annotated notes, and perhaps by what a larger model says of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from plainsight import registry
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError, suggest
from plainsight.lab.train.checks import check_notes
from plainsight.lab.train.recurrent.architecture import ARCHITECTURES, Architecture
from plainsight.text.tags import OUTSIDE, Scheme

if TYPE_CHECKING:
    from plainsight.lab.train.recurrent.lessons import Teacher

__all__ = ["train_bilstm"]

_HELD_OUT = 10  # one patient in so many


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
    teacher: Teacher | None = None,
    unlabelled: Sequence[Document] = (),
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

    ``architecture`` is one of `ARCHITECTURES`. ``vectors`` are files of word vectors to begin with, of which
    the ``most_words`` first ones stay in the model besides those of the notes; ``language_model`` is a folder
    that `pretrain_language_model` has written. Without ``words``, ``characters`` or ``transitions`` that part
    is left out (S100); ``scheme`` overrides the architecture's.

    A ``teacher`` has probabilities of tags for training notes and for ``unlabelled`` ones. Fitting stops when
    ``held_out`` notes get no better for ``patience`` epochs: a tenth of the patients, unless given; without
    patience there are none, and all notes teach to the last epoch. They also choose the bias if it
    is None, for the best F or for a wanted ``recall``, and whether weights are kept as bytes if ``quantise``
    is None: if that costs at most 0.1 points of F. ``dev`` notes are only measured.

    ``progress`` is told each epoch's loss, ``stage`` what begins. Interrupted, it leaves ``FOLDER.part``,
    from which the same call goes on.
    """
    for name in ("torch", "onnx", "onnxruntime"):
        if find_spec(name) is None:
            raise UsageError(f"training a network needs {name}: pip install 'plainsight[train]' {name}")
    from plainsight.lab.train.recurrent.training import Sources, train

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
    stage("reading the notes")
    sources = Sources(
        learn=learn,
        held=held,
        unlabelled=unlabelled,
        claims=_claims([*learn, *held, *unlabelled], wanted),
        tags=_tags([*documents, *held], wanted, teacher),
        vectors=[Path(vectors)] if isinstance(vectors, str | Path) else list(vectors),
        language_model=language_model,
        teacher=teacher,
    )
    manifest = {
        "training": {**asdict(found), "architecture": architecture, "seed": seed, **_told(wanted)},
        **(notes or {}),
    }
    return train(
        sources,
        folder,
        wanted,
        manifest,
        dev=dev,
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
    """Return an architecture, without the parts that are not wanted."""
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
        raise UsageError("a network without words and without characters knows nothing")
    return replace(made, scheme=scheme) if scheme else made


def _told(architecture: Architecture) -> dict[str, Any]:
    """Return what a manifest says of the architecture."""
    told = {name: getattr(architecture, name) for name in ("layers", "hidden", "transitions", "scheme")}
    told["layers"] = list(architecture.layers)
    return {**told, "columns": dict(architecture.columns), "schedule": asdict(architecture.schedule)}


def _held_out(documents: Sequence[Document]) -> tuple[list[Document], list[Document]]:
    from plainsight.lab.train.bias import fold_of

    parts = list(zip(documents, fold_of(documents, _HELD_OUT), strict=True))
    held = [document for document, fold in parts if fold == 0]
    learn = [document for document, fold in parts if fold]
    if not learn or not any(document.spans for document in held):
        return list(documents), []  # too few to do without any
    return learn, held


def _claims(documents: Sequence[Document], architecture: Architecture) -> list[list[Span]]:
    claims: list[list[Span]] = [[] for _ in documents]
    if "claim" in architecture.columns:
        from plainsight.lab.detect.bilstm import Bilstm

        for name in Bilstm.needs:
            for said, spans in zip(claims, registry.create("detectors", name).detect(documents), strict=True):
                said += spans
    return claims


def _tags(documents: Sequence[Document], architecture: Architecture, teacher: Teacher | None) -> list[str]:
    """Return all tags: those of the teacher, or those of the labels of the notes."""
    labels = sorted({span.label for document in documents for span in document.spans})
    prefixes = {"BIO": "BI", "BIOES": "BIES", "IO": "I"}[architecture.scheme]
    if teacher is None:
        return [OUTSIDE, *(f"{prefix}-{label}" for label in labels for prefix in prefixes)]
    missing = {f"{prefix}-{label}" for label in labels for prefix in prefixes} - set(teacher.tags)
    if OUTSIDE not in teacher.tags or missing:
        raise DataError(
            f"the teacher lacks tags of the notes in {architecture.scheme}: {sorted(missing)[:3]}"
        )
    return list(teacher.tags)
